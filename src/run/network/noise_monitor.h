/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Noise of a job: it is sampled on the cores of its ranks before, between and after the
 * benchmarks, on all nodes at once. The noise decides whether facts of the network are trusted.
 */
#ifndef SRV_RUN_NETWORK_NOISE_MONITOR_H
#define SRV_RUN_NETWORK_NOISE_MONITOR_H

#include "machine/noise.h"
#include "run/network/job.h"

typedef struct srv_network_noise_monitor {
    const srv_network_job *job;
    int *samplers; /**< one rank of each core, which samples it */
    int sampler_count;
    int *sampler_of; /**< of each rank: the rank that samples its core */
    double sample_seconds;
    srv_rank_noise *last; /**< of each rank */
    srv_seen *now, *run;  /**< of each rank, since the sample before the benchmark; since the
                               beginning */
} srv_network_noise_monitor;

/**
 * Begins with a first sample. srv_network_noise_monitor_finish() frees it, also after a failure.
 * Errors: those of the network, SERVET_EMEMORY.
 */
int srv_network_noise_monitor_begin(srv_network_noise_monitor *monitor, const srv_network_job *job,
                                    servet_error *error);

/** Samples again. Errors: those of the network. */
int srv_network_noise_monitor_sample(srv_network_noise_monitor *monitor, servet_error *error);

/** Begins a benchmark; the last sample counts for it, too. */
void srv_network_noise_monitor_next(srv_network_noise_monitor *monitor);

/** Adds what was seen to the run of the profile, if it has one: the worst counts. Errors:
 * SERVET_EMEMORY. */
int srv_network_noise_monitor_record(const srv_network_noise_monitor *monitor, servet_error *error);

/**
 * Marks facts of a benchmark in the profile as not trusted if a rank that takes part was disturbed
 * meanwhile: its core was busy, it did not run, others moved it; or other programs used the memory
 * that messages within a node, or of many processes at once, go through. A layer's own values are
 * medians, and need a quarter of its ranks for that, or its typical pair. Errors: those of
 * servet_profile_distrust().
 */
int srv_network_noise_monitor_distrust(const srv_network_noise_monitor *monitor,
                                       srv_network_benchmark benchmark, servet_error *error);

void srv_network_noise_monitor_finish(srv_network_noise_monitor *monitor);

#endif
