/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Noise of a job: it is sampled on the cores of its ranks before, between and after the
 * benchmarks, on all nodes at once. What is seen decides whether facts of the network are trusted.
 */
#ifndef SRV_RUN_NETWORK_NOISE_MONITOR_H
#define SRV_RUN_NETWORK_NOISE_MONITOR_H

#include "run/network/job.h"

typedef struct srv_network_noise_monitor {
    const srv_network_job *job;
    int *asked; /**< a rank of each core */
    int asked_count;
    int *asked_for; /**< of each rank: the one that samples its core */
    double sample_seconds;
    srv_noise *last; /**< of each rank */
    srv_seen *now;   /**< of each rank, since the sample before the benchmark */
} srv_network_noise_monitor;

/**
 * Begins with a first sample. srv_network_noise_monitor_finish() frees it, also after a failure.
 * Errors: those of the network, SERVET_EMEMORY.
 */
int srv_network_noise_monitor_begin(srv_network_noise_monitor *monitor, const srv_network_job *job,
                                    servet_error *error);

/** Samples again, and stores the noise in job->facts. Errors: those of the network. */
int srv_network_noise_monitor_sample(srv_network_noise_monitor *monitor, servet_error *error);

/** From here on a benchmark runs; the last sample counts for it, too. */
void srv_network_noise_monitor_next(srv_network_noise_monitor *monitor);

/**
 * Takes the trust from facts of a benchmark that ranks are in which were disturbed meanwhile. A
 * layer's own values are medians, and need a quarter of its ranks for that, or its typical pair.
 */
void srv_network_noise_monitor_distrust(const srv_network_noise_monitor *monitor,
                                        srv_network_benchmark benchmark);

void srv_network_noise_monitor_finish(srv_network_noise_monitor *monitor);

#endif
