/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Who disturbs a job: the cores of its ranks are looked at before, between and after the
 * benchmarks, on all nodes at once. What is seen decides whether facts of the network are trusted.
 */
#ifndef SRV_RUN_NETWORK_WATCH_H
#define SRV_RUN_NETWORK_WATCH_H

#include "run/network/job.h"

typedef struct srv_network_watch {
    const srv_network_job *job;
    int *asked; /**< a rank of each core */
    int asked_count;
    int *asked_for; /**< of each rank: the one that is asked about its core */
    double look_seconds;
    srv_noise *last; /**< of each rank */
    srv_seen *now;   /**< of each rank, since the look before the benchmark */
} srv_network_watch;

/**
 * Begins with a first look. srv_network_watch_finish() frees it, also after a failure. Errors:
 * those of the network, SERVET_EMEMORY.
 */
int srv_network_watch_begin(srv_network_watch *watch, const srv_network_job *job,
                            servet_error *error);

/** Looks again, and tells job->facts of what is seen. Errors: those of the network. */
int srv_network_watch_look(srv_network_watch *watch, servet_error *error);

/** From here on a benchmark runs; the last look counts for it, too. */
void srv_network_watch_next(srv_network_watch *watch);

/**
 * Takes the trust from facts of a benchmark that ranks are in which were disturbed meanwhile. A
 * layer's own values are medians, and need a quarter of its ranks for that, or its typical pair.
 */
void srv_network_watch_judge(const srv_network_watch *watch, srv_network_benchmark benchmark);

void srv_network_watch_finish(srv_network_watch *watch);

#endif
