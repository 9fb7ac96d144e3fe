/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The request queue between the two threads of rank 0, one request deep: the client thread submits
 * a request and waits, the coordinator executes it with the ranks. Only the client gives up; the
 * queue is broken then, and keeps the request, because the coordinator may still use it.
 */
#ifndef SRV_RANKS_REQUEST_QUEUE_H
#define SRV_RANKS_REQUEST_QUEUE_H

#include <pthread.h>

#include "machine/ranks/exchange_plan.h"
#include "machine/ranks/rank_table.h"
#include "machine/ranks/rank_watch.h"

typedef enum srv_request_type {
    SRV_REQUEST_NONE, /**< nothing to do, or done */
    SRV_REQUEST_EXCHANGE,
    SRV_REQUEST_NOISE,
    SRV_REQUEST_NODES,
    SRV_REQUEST_SHUTDOWN,
} srv_request_type;

typedef struct srv_request_queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    srv_request_type request;
    int code; /**< of the request when done, and why */
    servet_error error;

    srv_exchange_plan plan; /**< of an exchange */
    double *samples;        /**< of its pairs, as srv_exchange_plan_times() takes them */

    int *noise_ranks; /**< ranks that measure noise */
    int noise_count;
    double noise_seconds;
    srv_rank_noise *noises; /**< of all ranks: their noise */
    srv_rank_use *uses;     /**< of all ranks: their use of the node */

    servet_measure_options options; /**< of the nodes' measurement */
    srv_survey survey;              /**< with these options */
    bool *known;                    /**< of the survey, a copy */
    servet_error *errors;           /**< of each node: its answer */

    /** Serves the request in the queue; NULL: the coordinator waits for it in a thread of its own
     */
    void (*serve)(void *context);
    void *context;

    int (*stop)(void);  /**< other than 0: the client thread is to give up; NULL: it never is */
    bool pinging;       /**< workers have only to answer */
    double deadline_ns; /**< on srv_clock_raw_ns(): an awaited rank that has not answered by then
                           hangs */
    bool *awaited;      /**< of each rank: has got a command and has not answered */
    bool broken;        /**< some ranks will not answer: no further request can be served */
} srv_request_queue;

/** Errors: SERVET_EMEMORY. */
int srv_request_queue_init(srv_request_queue *queue, int rank_count, servet_error *error);

/** Ends a queue that is not broken. */
void srv_request_queue_finish(srv_request_queue *queue);

/**
 * The client: submits the request and waits for its end. Errors: those of the request;
 * SERVET_ECOMMUNICATION if ranks hang (the text names them), also for every later request;
 * SERVET_EINTERRUPTED if it is to give up.
 */
int srv_request_queue_submit(srv_request_queue *queue, srv_request_type request,
                             const srv_rank_table *table, servet_error *error);

/** The coordinator: whether the client has given up. */
bool srv_request_queue_is_broken(srv_request_queue *queue);

/** The coordinator: waits for a request. */
srv_request_type srv_request_queue_next(srv_request_queue *queue);

/** The coordinator: returns the answer to a request. */
void srv_request_queue_complete(srv_request_queue *queue, int code, const servet_error *error);

/** The coordinator: `rank` has received a command, or executed it. */
void srv_request_queue_await(srv_request_queue *queue, int rank, bool awaited);

/** The coordinator: a node's profile has arrived; it is passed on unless the client has given up.
 */
void srv_request_queue_deliver(srv_request_queue *queue, int node, const char *profile,
                               size_t size);

/** The coordinator: begins or ends pinging. */
void srv_request_queue_set_pinging(srv_request_queue *queue, bool pinging);

/** The coordinator: awaited ranks hang if they have not answered `seconds` from now. */
void srv_request_queue_set_deadline(srv_request_queue *queue, double seconds);

#endif
