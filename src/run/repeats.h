/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Questions that are repeated all through a run. A machine is not the same at all moments: a
 * hypervisor moves what it runs, others come and go, for seconds. Repeats back to back agree with
 * each other and with no later run. So a benchmark leaves its questions here, and each is asked
 * again now and then between the questions of all others, in other memory each time. What repeats
 * mean, stats/moments.h says.
 */
#ifndef SRV_RUN_REPEATS_H
#define SRV_RUN_REPEATS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "machine/machine.h"
#include "servet/profile.h"
#include "stats/moments.h"

/** A probe of one fact. */
typedef struct srv_probe {
    const char *fact; /**< key of what it measures */
    servet_unit unit;
    /** Asks `whom`, a machine or a network, in memory that `seed` tells from that of other repeats.
     * `*value` that is not positive counts as no answer. Errors: those of the machine or network.
     */
    int (*ask)(void *whom, const void *question, uint64_t seed, double *value, servet_error *error);
    const void *question; /**< a plain struct, which is copied */
    size_t bytes;         /**< of it */
} srv_probe;

/** A probe and its answers, moments ascending. */
typedef struct srv_repeated {
    char fact[SERVET_NAME_MAX];
    servet_unit unit;
    int (*ask)(void *whom, const void *question, uint64_t seed, double *value, servet_error *error);
    void *question;
    double cost, asked; /**< s that an answer takes, and when it was asked last */
    double pause;       /**< s between two repeats at least */
    int buffers;        /**< asked so far */
    int before;         /**< of them, asked before the present part of the run */
    srv_repeat repeat[SRV_REPEATS_MAX];
    int count;
} srv_repeated;

/** All probes of a run, by value; srv_repeats_finish() frees it. */
typedef struct srv_repeats {
    void *whom;
    double (*now)(void *whom); /**< s on its clock */
    uint64_t seed;
    double began;
    srv_repeated *of;
    int count;
    bool asking; /**< a repeat is running */
    int code;    /**< of the first repeat that failed; then nothing is asked any more */
    servet_error error;
} srv_repeats;

void srv_repeats_begin(srv_repeats *on, void *whom, double (*now)(void *whom), uint64_t seed);

/** Adds a question, in place of an earlier one about the same fact. NULL `on`: nobody repeats.
 * Errors: SERVET_EMEMORY. */
int srv_repeats_add(srv_repeats *on, const srv_probe *probe, servet_error *error);

/** Notes an answer that a benchmark has got itself, just now, to the question about `fact`; what
 * nobody asked for is dropped. NULL does nothing. */
void srv_repeats_note(srv_repeats *on, const char *fact, double value);

/**
 * Asks the question that waits the longest, if one is due and its answer comes before `until`
 * (INFINITY: no limit). Due is one whose answers so far took no more than its share of a small part
 * of the time since the beginning, and that was not just asked. To be called between the questions
 * of a run; NULL does nothing.
 */
void srv_repeats_tick(srv_repeats *on, double until);

/** Asks all questions once more that have fewer than `enough` answers (those that take long: than a
 * few), before `until`; returns how many were asked. */
int srv_repeats_round(srv_repeats *on, int enough, double until);

/** A part of the run begins. */
void srv_repeats_part(srv_repeats *on);

/** Drops the answers of this part: others disturbed it. */
void srv_repeats_drop(srv_repeats *on);

/** Forgets all. A zeroed one is valid. */
void srv_repeats_finish(srv_repeats *on);

/* --- at the end of a run --- */

/** So many moments tell two modes that a quarter of the time is enough for (stats/moments.h). */
enum { SRV_REPEATS_ENOUGH = 12 };

/** The clock of a machine, as srv_repeats_begin() wants it. */
double srv_machine_now(void *machine);

/**
 * What the repeats of one question say: value with its interval, and modes; with two the value is
 * not trusted.
 */
servet_value srv_repeated_value(const srv_repeated *one, servet_modes *modes);

/** Prints all repeats as CSV: fact, moment, buffer, value. */
void srv_repeats_print(const srv_repeats *repeats, FILE *stream);

#endif
