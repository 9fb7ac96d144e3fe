/* SPDX-License-Identifier: BSD-3-Clause */
/** Joining the parts: a machine is asked by benchmarks, detectors read the answers, a profile keeps
 *  the facts. */
#ifndef SRV_MEASURE_MEASURE_H
#define SRV_MEASURE_MEASURE_H

#include "machine/machine.h"
#include "servet/measure.h"
#include "servet/record.h"
#include "servet/version.h"

/** servet_measure() on any machine, which the caller keeps. */
int srv_measure_on(srv_machine *machine, const servet_measure_options *options,
                   servet_profile **profile, servet_error *error);

/** The part of a measurement that a benchmark is: how its progress counts and when it must end. */
typedef struct srv_stage {
    srv_machine *machine;
    const servet_measure_options *options;
    const char *name;    /**< of the core kind, for messages and raw files */
    double from, to;     /**< share of the whole work (0..1) at its start and end */
} srv_stage;

/** All cache facts of one core. */
typedef struct srv_cache_facts {
    servet_cache cache[SERVET_CACHE_LEVELS_MAX];
    int count;
    servet_value memory_latency; /**< ns */
    servet_value frequency;      /**< of the core while it was measured; Hz */
    servet_value huge_share;     /**< of the arrays (0..1), on huge pages */
} srv_cache_facts;

/**
 * Measures the caches that `core` sees with working sets of min_bytes..max_bytes, and writes the raw
 * series into options->raw_dir.
 * Errors: those of the machine and the benchmarks, SERVET_EIO.
 */
int srv_measure_caches(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                       servet_error *error);

/**
 * Sets reported_bytes, line and verdict of each level from what the OS reports. Levels are matched
 * in order and by size: the OS may report more levels than there are, or fewer.
 */
void srv_judge_caches(const srv_reported *reported, srv_cache_facts *facts);

#endif
