/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Noise of a node: it is sampled on a core before, between and after the benchmarks. What is seen
 * decides whether a benchmark's figures are trusted, and stands in the profile's run.
 */
#ifndef SRV_RUN_NOISE_MONITOR_H
#define SRV_RUN_NOISE_MONITOR_H

#include "machine/noise.h"

typedef struct srv_noise_monitor {
    srv_machine *machine;
    int core;              /**< that is sampled: always the same, for frequencies to compare */
    double sample_seconds; /**< a sample takes */
    srv_noise last;        /**< the last sample */
    srv_seen run, now;     /**< since the start; since srv_noise_monitor_next() */
} srv_noise_monitor;

/**
 * Begins with a first sample, at the least disturbed of `cores`; samples are shorter where the
 * `budget` (seconds, 0: none) is small. Errors: those of the machine.
 */
int srv_noise_monitor_begin(srv_noise_monitor *monitor, srv_machine *machine, const char *cores,
                            double budget, servet_error *error);

/** Begins a part that srv_noise_monitor_reason() covers; the last sample of a core's noise counts
 * for both parts. */
void srv_noise_monitor_next(srv_noise_monitor *monitor);

/** Samples. Errors: those of the machine. */
int srv_noise_monitor_sample(srv_noise_monitor *monitor, servet_error *error);

/** Why what was measured since srv_noise_monitor_next() cannot be trusted; "": it can. */
void srv_noise_monitor_reason(const srv_noise_monitor *monitor, char reason[SERVET_TEXT_MAX]);

/** The same of what depends on the memory and caches that all cores share. */
void srv_noise_monitor_shared_reason(const srv_noise_monitor *monitor,
                                     char reason[SERVET_TEXT_MAX]);

/** Adds what was seen to the run's noise, steal, others and drift: the worst counts. */
void srv_noise_monitor_record(const srv_noise_monitor *monitor, servet_run *run);

#endif
