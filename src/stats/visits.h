/* SPDX-License-Identifier: BSD-3-Clause */
/** Separates visits to working sets into quiet and disturbed ones, and computes the curve of the
 * quiet ones (share/doc/measuring.md has the reasons).
 *
 * Every size is visited on several placements (other pages), each at several moments. Interference
 * comes in bursts and only adds time; therefore the fastest quiet moment counts. The random pages
 * of a set are a property of the set; therefore placements are averaged. */
#ifndef SRV_STATS_VISITS_H
#define SRV_STATS_VISITS_H

#include <stdbool.h>

#include "core/error.h"
#include "servet/analyze.h"

/** One visit. */
typedef struct srv_visit {
    double bytes;
    int placement;  /**< number of the pages: 0, 1, ... */
    int moment;     /**< number of earlier visits to this size and placement */
    double seconds; /**< time at which it ended, on the machine's clock */
    double ns;      /**< time of a load: the median of the samples */
    double error;   /**< standard error of `ns`, the clock's step included */
    double busy;    /**< slowdown of a loop of additions relative to the fastest; NaN: not known */
    double ghz;     /**< core cycles per ns */
    bool quiet;     /**< the decision of srv_visits_verify() */
} srv_visit;

/** Visits in the order of time. Starts zeroed; free with srv_visits_free(). */
typedef struct srv_visits {
    srv_visit *visit;
    size_t count;
} srv_visits;

/** Adds a copy of the visit and sets its `moment`. Errors: SERVET_EMEMORY; the visits are then
 * unchanged. */
int srv_visits_add(srv_visits *visits, const srv_visit *visit, servet_error *error);

/** Decides for each visit whether it was quiet. A mixture of quiet and disturbed visits is fitted
 * to all visits: to their indicator, and to their excess over the fastest visit of their size and
 * placement. Each visit gets the more likely kind. Errors: SERVET_EMEMORY. */
int srv_visits_verify(srv_visits *visits, servet_error *error);

/** The number of quiet visits. */
size_t srv_visits_quiet(const srv_visits *visits);

/** Computes the curve of verified visits, s: for each size the mean, over the placements, of the
 * fastest quiet visit, with its 95 % interval. If no visit was quiet, the value is the fastest of
 * all visits, an upper limit, and the interval begins where the interval of the previous size
 * begins. The time of a larger set is an upper limit, too; the value is then between the values of
 * its neighbours. The caller frees the curve. Errors: SERVET_EMEMORY. */
int srv_visits_curve(const srv_visits *visits, servet_curve *curve, servet_error *error);

/** Frees the visits and leaves none. */
void srv_visits_free(srv_visits *visits);

#endif
