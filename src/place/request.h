/* SPDX-License-Identifier: BSD-3-Clause */
/** Checks a request for cores of a node, and answers it by a policy. */
#ifndef SRV_PLACE_REQUEST_H
#define SRV_PLACE_REQUEST_H

#include "servet/place.h"

typedef struct srv_core_request {
    const servet_profile *profile;
    servet_at at;   /**< the class, and no core */
    int node_class; /**< its number */
    servet_policy policy;
    const int *among; /**< NULL: see servet_thread_place() */
    int among_count;
} srv_core_request;

/** Fills a request. Errors: SERVET_EARGUMENT (no such policy), SERVET_ERANGE, SERVET_EOTHER (no
 * such class). */
int srv_core_request_begin(srv_core_request *request, const servet_profile *profile,
                           const servet_at *at, servet_policy policy, const int *among,
                           int among_count, servet_error *error);

/** Returns the number of PUs of the class: no placement has more threads. */
int srv_core_request_most(const srv_core_request *request);

/** Cores for up to `threads` threads into `cores`, which has that room, in the order of the
 * threads; `*count` is less if the policy has fewer cores. Errors: as servet_thread_place(). */
int srv_core_request_cores(const srv_core_request *request, int threads, int *cores, int *count,
                           servet_error *error);

#endif
