/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Separates visits to working sets into quiet and disturbed ones, and computes the curve of the
 * quiet ones (share/doc/measuring.md has the reasons).
 *
 * Every size is visited on several placements (other pages), each at several moments. Interference
 * comes in bursts and only adds time, so the least of the quiet moments counts; the pages of a set
 * are random and belong to it, so placements are averaged.
 */
#ifndef SRV_STATS_VISITS_H
#define SRV_STATS_VISITS_H

#include <stdbool.h>

#include "core/error.h"
#include "servet/analyze.h"

/** One visit. */
typedef struct srv_visit {
    double bytes;
    int placement;  /**< which pages: 0, 1, ... */
    int moment;     /**< visits to this size and placement before this one */
    double seconds; /**< when it ended, on the machine's clock */
    double ns;      /**< of a load: the median of the samples */
    double error;   /**< standard error of `ns`, the clock's step included */
    double busy;    /**< slowdown of a loop of additions relative to the fastest; NaN: not known */
    double ghz;     /**< core cycles per ns */
    bool quiet;     /**< as srv_visits_verify() decides */
} srv_visit;

/** Visits in the order of time. Starts zeroed; free with srv_visits_free(). */
typedef struct srv_visits {
    srv_visit *visit;
    size_t count;
} srv_visits;

/** Adds a copy, its `moment` counted here. Errors: SERVET_EMEMORY, the visits as they were. */
int srv_visits_add(srv_visits *visits, const srv_visit *visit, servet_error *error);

/**
 * Decides of each visit whether it was quiet: a mixture of two kinds of visits, quiet and
 * disturbed, is fitted to all visits by their indicator and by their distance above the least of
 * their size and placement; each visit gets the kind of higher likelihood. Errors: SERVET_EMEMORY.
 */
int srv_visits_verify(srv_visits *visits, servet_error *error);

/** The number of quiet visits. */
size_t srv_visits_quiet(const srv_visits *visits);

/**
 * The curve of verified visits, s: for each size the mean over placements of the fastest quiet
 * visit, with its 95 % interval. If no visit was quiet, the value is the fastest of all, an upper
 * limit, and the interval begins where that of the previous size begins. The time of a larger set
 * is an upper limit, too; the value is then between those of its neighbours. The caller frees.
 * Errors: SERVET_EMEMORY.
 */
int srv_visits_curve(const srv_visits *visits, servet_curve *curve, servet_error *error);

/** Frees the visits and leaves none. */
void srv_visits_free(srv_visits *visits);

#endif
