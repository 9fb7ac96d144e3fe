/* SPDX-License-Identifier: BSD-3-Clause */
/** Noise of a core by its samples, and whether it is too much. */
#ifndef SRV_MACHINE_NOISE_H
#define SRV_MACHINE_NOISE_H

#include "machine/machine.h"
#include "servet/record.h"

/**
 * Share (0..1) of the processors that others may use, or of its memory bandwidth that they may take
 * from a core: a third to a half of the cores of a node saturate its memory, so a tenth of them
 * that do nothing but read take up to a quarter or so.
 */
#define SRV_FOREIGN 0.1

/** The worst of some samples: shares of the time (0..1), NaN if not reported. */
typedef struct srv_seen {
    double lost, steal, others; /**< see srv_noise */
    double least_ghz, most_ghz;
    double absent, longest, foreign; /**< see srv_absence */
    bool moved;                      /**< others moved threads that measured */
} srv_seen;

/** The result without samples. */
extern const srv_seen srv_seen_nothing;

/** Adds a sample. */
void srv_see(srv_seen *seen, const srv_noise *noise);

/** Adds the absence from their cores of threads that ran probes in between. */
void srv_see_absence(srv_seen *seen, const srv_absence *absence);

/** Why measurements between the samples, or messages, which wait for every rank that lost its core,
 * cannot be trusted, in a few words; "" if they can. */
void srv_seen_reason(const srv_seen *seen, bool messages, char reason[SERVET_TEXT_MAX]);

/** The reason not to trust facts of the memory and caches that all cores share; "" if there is
 * none. */
void srv_seen_shared_reason(const srv_seen *seen, char reason[SERVET_TEXT_MAX]);

/** Adds the samples to the run's noise, steal, others and drift: the largest values count. */
void srv_seen_record(const srv_seen *seen, servet_run *run);

/** Seconds that each of `samples` samples may take of a budget (seconds; 0: none). */
double srv_noise_sample_seconds(double budget, int samples);

#endif
