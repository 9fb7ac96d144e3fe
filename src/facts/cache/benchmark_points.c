/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An interval over which the latency changes by more than this is halved. */
static const double MOVES = 1.06;

/* Times the range of the other visits from which on one above them is alone. */
static const double LONE = 3;

bool srv_points_add(srv_points *points, double bytes)
{
    const srv_curve_plan *plan = points->plan;
    bytes = fmin(fmax(bytes, plan->min_bytes), plan->max_bytes);
    bytes = fmax(1, floor(bytes / plan->granule + 0.5)) * plan->granule;
    size_t at = points->count;
    while (at > 0 && points->point[at - 1].bytes >= bytes)
        at--;
    if (at < points->count && points->point[at].bytes == bytes)
        return true;
    if (points->count == points->room) {
        size_t room = points->room ? 2 * points->room : 64;
        srv_point *grown = realloc(points->point, room * sizeof *grown);
        if (!grown)
            return false;
        points->point = grown;
        points->room = room;
    }
    memmove(points->point + at + 1, points->point + at,
            (points->count - at) * sizeof *points->point);
    points->point[at] = (srv_point){.bytes = bytes};
    points->count++;
    return true;
}

double srv_visits_median(const double samples[SRV_VISITS_MAX], int n)
{
    double sorted[SRV_VISITS_MAX];
    memcpy(sorted, samples, sizeof sorted);
    srv_sort(sorted, (size_t)n);
    return sorted[(n - 1) / 2];
}

/* The next visited size from twice that of the point on; the largest one if there is none. */
static const srv_point *twice_as_large(const srv_points *points, const srv_point *point)
{
    const srv_point *end = points->point + points->count, *found = point;
    for (const srv_point *at = point; at < end && found->bytes < 2 * point->bytes; at++)
        if (at->visits)
            found = at;
    return found;
}

/* Longest undisturbed duration of a visit: a set twice as large takes longer, whatever pages this
 * one was given. */
static double undisturbed_max(const srv_points *points, const srv_point *point)
{
    const srv_point *larger = twice_as_large(points, point);
    return srv_visits_median(larger->visit, larger->visits) * SRV_DISAGREE;
}

/* Number of the ascending visits that count: all but one far above the others. */
static size_t without_lone(const double *visits, size_t n)
{
    if (n < 3)
        return n;
    double others = visits[n - 2] - visits[0], beyond = visits[n - 1] - visits[n - 2];
    return beyond > LONE * others && visits[n - 1] > visits[n - 2] * SRV_DISAGREE ? n - 1 : n;
}

static srv_mean typical_of(const srv_point *point)
{
    srv_mean all = srv_mean_of(point->visit, (size_t)point->visits);
    for (int i = 0; i < point->visits; i++) {
        all.low = fmin(all.low, point->visit[i]);
        all.high = fmax(all.high, point->visit[i]);
    }
    all.value = srv_visits_median(point->visit, point->visits);
    return all;
}

/* The point's latency. Near a capacity it depends on the pages of the visit, so it is the mean over
 * placements and not that of the most frequent one, without disturbed visits. A single visit far
 * above the others may be either: it widens the interval and does not count. */
srv_mean srv_point_latency(const srv_points *points, const srv_point *point)
{
    double kept[SRV_VISITS_MAX], most = undisturbed_max(points, point);
    size_t n = 0;
    if (points->plan->typical)
        return typical_of(point);
    for (int i = 0; i < point->visits; i++)
        if (point->visit[i] <= most)
            kept[n++] = point->visit[i];
    if (n == 0)
        kept[n++] = srv_visits_median(point->visit, point->visits);
    srv_sort(kept, n);
    srv_mean all = srv_mean_of(kept, n), counted = srv_mean_of(kept, without_lone(kept, n));
    return (srv_mean){counted.value, fmin(all.low, counted.value), all.high};
}

bool srv_point_agrees(const srv_points *points, const srv_point *point)
{
    srv_mean latency = srv_point_latency(points, point);
    return latency.high <= latency.low * SRV_DISAGREE;
}

bool srv_points_move(const srv_points *points, const srv_point *small, const srv_point *large)
{
    srv_mean from = srv_point_latency(points, small), to = srv_point_latency(points, large);
    return to.value > from.value * MOVES && to.low > from.high;
}

void srv_points_free(srv_points *points)
{
    free(points->point);
    *points = (srv_points){.plan = points->plan};
}
