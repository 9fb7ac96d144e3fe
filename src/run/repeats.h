/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Probes that are repeated throughout a run. A machine changes within seconds: a hypervisor moves
 * its guests, other programs start and end. Repeats in immediate succession agree with each other
 * but not with a later run. So a benchmark registers its probes here, and each is repeated from
 * time to time between all other probes, in other memory each time. stats/moments.h evaluates the
 * repeats.
 */
#ifndef SRV_RUN_REPEATS_H
#define SRV_RUN_REPEATS_H

#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "servet/profile.h"
#include "stats/moments.h"

/** A probe of one fact. */
typedef struct srv_probe {
    const char *fact; /**< key of what it measures */
    servet_unit unit;
    /** Probes `context`, a machine or a network, in memory that `seed` distinguishes from that of
     * other repeats. A `*value` that is not positive counts as no answer. Errors: those of the
     * machine or network.
     */
    int (*measure)(void *context, const void *arguments, uint64_t seed, double *value,
                   servet_error *error);
    const void *arguments; /**< a plain struct, which is copied */
    size_t bytes;          /**< of it */
} srv_probe;

/** A probe and its answers, moments ascending. */
typedef struct srv_repeated {
    char fact[SERVET_NAME_MAX];
    servet_unit unit;
    int (*measure)(void *context, const void *arguments, uint64_t seed, double *value,
                   servet_error *error);
    void *arguments;
    double cost, sent; /**< s that an answer takes, and when the last probe was */
    double pause;      /**< s between two repeats at least */
    int buffers;       /**< used so far */
    int before;        /**< of them, used before the present part of the run */
    srv_repeat repeat[SRV_REPEATS_MAX];
    int count;
} srv_repeated;

/** All probes of a run, by value; srv_repeats_finish() frees it. */
typedef struct srv_repeats {
    void *context;
    double (*now)(void *context); /**< s on its clock */
    uint64_t seed;
    srv_repeated *of;
    int count;
    bool repeating; /**< a repeat is running */
    int code;       /**< of the first repeat that failed; then there are no further probes */
    servet_error error;
} srv_repeats;

void srv_repeats_begin(srv_repeats *on, void *context, double (*now)(void *context), uint64_t seed);

/** Adds a probe, in place of an earlier one for the same fact. NULL `on` does nothing.
 * Errors: SERVET_EMEMORY. */
int srv_repeats_add(srv_repeats *on, const srv_probe *probe, servet_error *error);

/**
 * Sends the probe that has waited longest, if one is due and its answer comes before `until`
 * (INFINITY: no limit). A probe is due if its answers so far took no more than its share of a small
 * part of the time since the beginning, and if it was not just sent. To be called between the
 * probes of a run; NULL does nothing.
 */
void srv_repeats_tick(srv_repeats *on, double until);

/** Sends all probes once more that have fewer than `enough` answers (those that take long: than a
 * few), before `until`; returns how many were sent. */
int srv_repeats_round(srv_repeats *on, int enough, double until);

/** A part of the run begins. */
void srv_repeats_part(srv_repeats *on);

/** Moves the probes of `from` with their repeats to `on`, in place of those for the same facts. */
void srv_repeats_take(srv_repeats *on, srv_repeats *from);

/** Drops the answers of this part: others disturbed it. */
void srv_repeats_drop(srv_repeats *on);

/** Forgets all. A zeroed one is valid. */
void srv_repeats_finish(srv_repeats *on);

/* --- at the end of a run --- */

/** Repeats that suffice to find a mode of a quarter of the time (stats/moments.h). */
enum { SRV_REPEATS_ENOUGH = 12 };

/**
 * Repeats probes with few answers, a moment apart, for `seconds` or until `limit` comes: facts that
 * were measured last, or alone, have seen few moments. `wait` is called in between with the seconds
 * to the next moment, which may be negative. A repeat or wait that is not on record ends it.
 * Errors: those of `wait`, and of the first repeat that failed.
 */
int srv_repeats_linger(srv_repeats *on, double seconds, double limit,
                       int (*wait)(void *context, double seconds, servet_error *error),
                       void *context, servet_error *error);

/** The clock of a machine, as srv_repeats_begin() wants it. */
double srv_machine_now(void *machine);

/**
 * The result of the repeats of one probe: value with its interval, and modes; with two modes the
 * value is the slower one, a longer time or a lower bandwidth, and its interval contains both.
 */
servet_value srv_repeated_value(const srv_repeated *one, servet_modes *modes);

/** Writes all repeats, if there are any, into the raw file `name` of a folder (NULL: none) as CSV:
 * fact, moment, buffer, value. Errors: SERVET_EIO. */
int srv_repeats_save(const srv_repeats *repeats, const char *raw_dir, const char *name,
                     servet_error *error);

#endif
