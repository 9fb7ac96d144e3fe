/* SPDX-License-Identifier: BSD-3-Clause */
/** Chooses the candidates that the threads get, and their order. */
#ifndef SRV_PLACE_CHOOSE_H
#define SRV_PLACE_CHOOSE_H

#include "place/thread_cores.h"
#include "servet/place.h"

/**
 * Chooses cores for up to `threads` threads: their positions in candidates->class.cores into
 * `chosen`, in the order of the threads, and their number into `*count`, which is less if the
 * policy has no more cores. Errors: SERVET_EUNMEASURED (sharing of the caches of the policy),
 * SERVET_EMEMORY.
 */
int srv_choose(const srv_thread_cores *candidates, servet_policy policy, int threads, int *chosen,
               int *count, servet_error *error);

#endif
