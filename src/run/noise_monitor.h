/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Noise of a run: it is sampled on the cores of all ranks before, between and after the benchmarks,
 * on all nodes at once. The noise decides whether facts are trusted, and stands in the profile's
 * run. A node has one rank (run/node.h).
 */
#ifndef SRV_RUN_NOISE_MONITOR_H
#define SRV_RUN_NOISE_MONITOR_H

#include "machine/network.h"
#include "machine/noise.h"

typedef struct srv_noise_monitor {
    srv_network *network;
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count;
    double sample_seconds; /**< a sample takes */
    int *samplers;         /**< one rank of each core, which samples it */
    int sampler_count;
    int *sampler_of;      /**< of each rank: the rank that samples its core */
    srv_rank_noise *last; /**< of each rank */
    srv_seen *now, *run;  /**< of each rank, since the sample before the benchmark; since the
                               beginning */
} srv_noise_monitor;

/**
 * Begins with a first sample; samples are shorter where the `budget` (seconds, 0: none) of a run of
 * `benchmarks` is small. srv_noise_monitor_finish() frees it, also after a failure. Errors: those
 * of the network, SERVET_EMEMORY.
 */
int srv_noise_monitor_begin(srv_noise_monitor *monitor, srv_network *network, double budget,
                            int benchmarks, servet_error *error);

/** Samples again. Errors: those of the network. */
int srv_noise_monitor_sample(srv_noise_monitor *monitor, servet_error *error);

/** Lets time pass: a core is watched, but what is seen there does not count. Errors: those of the
 * network. */
int srv_noise_monitor_wait(srv_noise_monitor *monitor, double seconds, servet_error *error);

/** Begins a part of the run, which monitor->now covers: srv_seen_reason() says why facts of it
 * cannot be trusted. The last sample of a core's noise counts for both parts. */
void srv_noise_monitor_next(srv_noise_monitor *monitor);

/** Adds what was seen to the run's noise, steal, others and drift: the worst counts. */
void srv_noise_monitor_record(const srv_noise_monitor *monitor, servet_run *run);

/** A zeroed one is valid. */
void srv_noise_monitor_finish(srv_noise_monitor *monitor);

#endif
