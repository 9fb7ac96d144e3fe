/* SPDX-License-Identifier: BSD-3-Clause */
/** Cost of translation by the number of pages: visits to working sets of one line in each page, and
 * to controls with the same number of lines on fewer pages. Their difference is translation. */
#ifndef SRV_STATS_PAGE_VISITS_H
#define SRV_STATS_PAGE_VISITS_H

#include <stdbool.h>
#include <stddef.h>

#include "servet/error.h"

/** One visit. */
typedef struct srv_page_visit {
    double stride; /**< bytes from line to line; of a control 0 (adjacent lines), or
                      srv_page_packed_stride() (several lines in each page) */
    int lines; /**< lines of the working set: with a stride of a page or more, one in each page */
    double ns; /**< time of a load */
} srv_page_visit;

/** Visits in the order of time, and their parameters. Starts zeroed; free with
 * srv_page_visits_free(). */
typedef struct srv_page_visits {
    double base_bytes; /**< size of a base page: the first stride */
    double page_bytes; /**< size of the pages that were requested: base or huge pages */
    double line_bytes; /**< distance of the lines of the control */
    double huge_share; /**< least share of the memory on huge pages (0..1); NaN: not known */
    srv_page_visit *visit;
    size_t count;
} srv_page_visits;

/** Adds a visit. Errors: SERVET_EMEMORY; the series is then unchanged. */
int srv_page_visits_add(srv_page_visits *series, srv_page_visit visit, servet_error *error);

/** Frees the visits and leaves none. */
void srv_page_visits_free(srv_page_visits *series);

/** Cost of translation with a number of lines. */
typedef struct srv_page_point {
    int lines;
    double ns;      /**< additional ns of a load over the control; never falls with more lines */
    double control; /**< ns of a load of the control */
    double alone; /**< ns: additional time over packed lines at this number of lines, without limits
                     by other points, so that it may fall; NaN: not measured */
    double doubt; /**< ns: difference of the two fastest visits; INFINITY: there is only one */
} srv_page_point;

enum { SRV_PAGE_POINTS_MAX = 256 };

/** Returns the stride of packed sets. A base page has 5 to 16 of their lines, depending on its
 * size. The lines use all sets of a cache, as sets with one line in each page do. They are not
 * adjacent, so that prefetchers do not fetch them. */
double srv_page_packed_stride(const srv_page_visits *series);

/** True if all sets of this stride have a packed set with the same number of lines. */
bool srv_page_is_packed(const srv_page_visits *series, double stride);

/** Finds the points of one stride, ascending by lines; returns their number. A point comes from the
 * fastest visits, because interference only makes loads slower. For the same reason, the time of a
 * larger set limits the times of smaller sets, unless caches make both so slow that their
 * difference is not known. The control has packed or adjacent lines; the cost of its own pages is
 * added again. */
int srv_page_curve(const srv_page_visits *series, double stride, bool packed,
                   srv_page_point point[SRV_PAGE_POINTS_MAX]);

#endif
