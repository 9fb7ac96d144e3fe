/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/benchmark_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "sample/quiet.h"

static const double HUGE_PAGE_MIN = 2.0 * (1 << 20);

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
    srv_point *grown = srv_grow(points->point, points->count, sizeof *grown);
    if (!grown)
        return false;
    points->point = grown;
    memmove(points->point + at + 1, points->point + at,
            (points->count - at) * sizeof *points->point);
    points->point[at] = (srv_point){.bytes = bytes};
    points->count++;
    return true;
}

bool srv_points_lay(srv_points *points, const srv_curve_plan *plan)
{
    double step = plan->next ? 0 : exp2(1.0 / plan->points_per_octave), bytes = plan->min_bytes;
    bool added = true;
    *points = (srv_points){.plan = plan, .huge_share = NAN};
    while (bytes < plan->max_bytes && added) {
        added = srv_points_add(points, bytes);
        bytes = plan->next ? plan->next(bytes) : bytes * step;
    }
    return added && srv_points_add(points, plan->max_bytes);
}

int srv_points_visit(srv_points *points, const srv_point *point, int placement, double seconds,
                     srv_timing *timing, double *cost, double *ended, servet_error *error)
{
    const srv_curve_plan *plan = points->plan;
    srv_machine *machine = plan->sampler.machine;
    srv_traversal traversal = plan->traversal;
    traversal.bytes = point->bytes;
    traversal.largest_bytes = plan->max_bytes;
    traversal.seed = plan->seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(placement + 1);
    traversal.seconds = seconds;
    double start = srv_sampler_now(&plan->sampler);
    int code = machine->ops->traverse(machine, &traversal, 1, timing, error);
    if (code != SERVET_OK)
        return code;
    *ended = srv_sampler_now(&plan->sampler);
    *cost = *ended - start;
    if (point->bytes >= HUGE_PAGE_MIN)
        points->huge_share = fmin(points->huge_share, timing->huge_share); /* NaN is no minimum */
    return SERVET_OK;
}

const char *srv_point_text(const srv_point *point, char text[SRV_POINT_TEXT_MAX])
{
    snprintf(text, SRV_POINT_TEXT_MAX, "%.0f KiB", point->bytes / 1024);
    return text;
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
    return srv_visits_median(larger->visit, larger->visits) * SRV_VISITS_RATIO_MAX;
}

static srv_interval typical_of(const srv_point *point)
{
    srv_interval all = srv_mean_of(point->visit, (size_t)point->visits);
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
srv_interval srv_point_latency(const srv_points *points, const srv_point *point)
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
    srv_interval all = srv_mean_of(kept, n), counted = srv_mean_of(kept, srv_without_lone(kept, n));
    return (srv_interval){counted.value, fmin(all.low, counted.value), all.high};
}

bool srv_point_agrees(const srv_points *points, const srv_point *point)
{
    srv_interval latency = srv_point_latency(points, point);
    return latency.high <= latency.low * SRV_VISITS_RATIO_MAX;
}

void srv_points_free(srv_points *points)
{
    free(points->point);
    *points = (srv_points){.plan = points->plan};
}
