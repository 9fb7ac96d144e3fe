/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Between the two threads of rank 0: the asking one lays a request on the desk and waits, the main
 * one has the ranks do it. Only the asking thread gives up, and then takes the desk for broken:
 * what lies on it stays, for the main thread may still come back to it.
 */
#ifndef SRV_RANKS_DESK_H
#define SRV_RANKS_DESK_H

#include <pthread.h>

#include "machine/ranks/plan.h"
#include "machine/ranks/roster.h"

typedef enum srv_desk_request {
    SRV_REQUEST_NONE, /**< nothing to do, or done */
    SRV_REQUEST_PASS,
    SRV_REQUEST_NOISE,
    SRV_REQUEST_NODES,
    SRV_REQUEST_HOME,
} srv_desk_request;

typedef struct srv_desk {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    srv_desk_request request;
    int code; /**< of the request when done, and why */
    servet_error error;

    srv_plan plan;   /**< of a passage */
    double *samples; /**< of its pairs, as srv_plan_times() takes them */

    int *looking; /**< ranks that look who disturbs them */
    int looking_count;
    double look_seconds;
    srv_noise *noises; /**< of all ranks: what those saw */

    servet_measure_options options; /**< of the nodes' measurement */
    srv_survey survey;              /**< with these options */
    bool *known;                    /**< of the survey, a copy */
    servet_error *errors;           /**< of each node: its answer */

    int (*stop)(void); /**< other than 0: the asking thread is to give up; NULL: it never is */
    bool calling;      /**< the roll: ranks are only to answer */
    double limit_ns;   /**< on srv_clock_raw_ns(): later than that, who is awaited hangs */
    bool *awaited;     /**< of each rank: has been told to do something and has not answered */
    bool broken;       /**< some ranks will not answer: no further request can be served */
} srv_desk;

/** Errors: SERVET_EMEMORY. */
int srv_desk_init(srv_desk *desk, int rank_count, servet_error *error);

/** Ends a desk that is not broken. */
void srv_desk_finish(srv_desk *desk);

/**
 * The asking thread: has the request done. Errors: those of the request; SERVET_ECOMMUNICATION if
 * ranks hang (the text names them), also for every request after that; SERVET_EINTERRUPTED if it is
 * to give up.
 */
int srv_desk_ask(srv_desk *desk, srv_desk_request request, const srv_roster *roster,
                 servet_error *error);

/** The main thread: whether the asking one has given up. */
bool srv_desk_is_broken(srv_desk *desk);

/** The main thread: waits for a request. */
srv_desk_request srv_desk_next(srv_desk *desk);

/** The main thread: hands in the answer to a request. */
void srv_desk_answer(srv_desk *desk, int code, const servet_error *error);

/** The main thread: `rank` has an order, or has carried it out. */
void srv_desk_await(srv_desk *desk, int rank, bool awaited);

/** The main thread: a node's profile is there; it is handed on unless the asking thread has given
 * up. */
void srv_desk_keep(srv_desk *desk, int node, const servet_profile *profile);

/** The main thread: begins or ends to call the roll. */
void srv_desk_call(srv_desk *desk, bool calling);

/** The main thread: those awaited hang if they have not answered `seconds` from now. */
void srv_desk_limit(srv_desk *desk, double seconds);

#endif
