/* SPDX-License-Identifier: BSD-3-Clause */
/** What looks at a core saw of others who disturb it, and whether that is too much. */
#ifndef SRV_MACHINE_NOISE_H
#define SRV_MACHINE_NOISE_H

#include "machine/machine.h"
#include "servet/record.h"

/** The worst that some looks saw: shares of the time (0..1), NaN where nothing is told. */
typedef struct srv_seen {
    double lost, steal, others; /**< see srv_noise */
    double least_ghz, most_ghz;
} srv_seen;

/** What no look has told yet. */
extern const srv_seen srv_seen_nothing;

/** Adds a look. */
void srv_see(srv_seen *seen, const srv_noise *noise);

/** Whether what was measured between the looks can be trusted. */
bool srv_seen_trusted(const srv_seen *seen);

/** Adds what was seen to the run's noise, steal, others and drift: the worst counts. */
void srv_seen_record(const srv_seen *seen, servet_run *run);

/** Seconds that each of so many looks may take of a budget (seconds; 0: none). */
double srv_look_seconds(double budget, int looks);

#endif
