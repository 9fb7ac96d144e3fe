/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Who disturbs: a core is looked at before, between and after the benchmarks. What is seen decides
 * whether a benchmark's figures are trusted, and stands in the profile's run.
 */
#ifndef SRV_RUN_WATCH_H
#define SRV_RUN_WATCH_H

#include "machine/noise.h"

typedef struct srv_watch {
    srv_machine *machine;
    int core;            /**< that is looked at: always the same, for frequencies to compare */
    double look_seconds; /**< a look takes */
    srv_noise last;      /**< the last look */
    srv_seen run, now;   /**< since the start; since srv_watch_next() */
} srv_watch;

/**
 * Begins with a first look, at the least disturbed of `cores`; looks are shorter where the `budget`
 * (seconds, 0: none) is small. Errors: those of the machine.
 */
int srv_watch_begin(srv_watch *watch, srv_machine *machine, const char *cores, double budget,
                    servet_error *error);

/** From here on, srv_watch_trusts() asks about what follows; the last look counts for both sides.
 */
void srv_watch_next(srv_watch *watch);

/** Looks. Errors: those of the machine. */
int srv_watch_look(srv_watch *watch, servet_error *error);

/** Whether what was measured since srv_watch_next() can be trusted. */
bool srv_watch_trusts(const srv_watch *watch);

/** Adds what was seen to the run's noise, steal, others and drift: the worst counts. */
void srv_watch_record(const srv_watch *watch, servet_run *run);

#endif
