/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/visits.h"

#include <math.h>
#include <stdlib.h>

#include "core/grow.h"
#include "core/units.h"
#include "stats/interval.h"
#include "stats/robust.h"

int srv_visits_add(srv_visits *visits, const srv_visit *visit, servet_error *error)
{
    srv_visit *grown = srv_grow(visits->visit, visits->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    visits->visit = grown;
    srv_visit *added = &visits->visit[visits->count];
    *added = *visit;
    added->moment = 0;
    for (size_t i = 0; i < visits->count; i++)
        added->moment += visits->visit[i].bytes == visit->bytes &&
                         visits->visit[i].placement == visit->placement;
    visits->count++;
    return SERVET_OK;
}

size_t srv_visits_quiet(const srv_visits *visits)
{
    size_t quiet = 0;
    for (size_t i = 0; i < visits->count; i++)
        quiet += visits->visit[i].quiet;
    return quiet;
}

/* --- the curve -------------------------------------------------------------------------------- */

/* Limit of the placements of one size; further ones are ignored. */
enum { PLACEMENTS_MAX = 64 };

/* The result of the visits to one size. */
typedef struct size_reading {
    double ns[PLACEMENTS_MAX]; /* fastest visit of each placement; INFINITY: there is none */
    double error;              /* standard error of their mean */
} size_reading;

/* Finds the fastest visit of each placement, among the quiet ones or among all. Returns the number
 * of placements that have one. */
static size_t read_size(const srv_visits *visits, double bytes, bool quiet, size_reading *reading)
{
    size_t n = 0;
    double squares = 0;
    for (int p = 0; p < PLACEMENTS_MAX; p++) {
        const srv_visit *least = NULL;
        for (size_t i = 0; i < visits->count; i++) {
            const srv_visit *visit = &visits->visit[i];
            if (visit->bytes == bytes && visit->placement == p && (visit->quiet || !quiet) &&
                (!least || visit->ns < least->ns))
                least = visit;
        }
        if (!least)
            continue;
        reading->ns[n++] = least->ns;
        squares += least->error * least->error;
    }
    reading->error = n > 0 ? sqrt(squares) / (double)n : 0;
    return n;
}

/* Two standard errors are half of a 95 % interval. */
static const double INTERVAL_ERRORS = 2;

/* Adds a size without a quiet visit. Its value is the fastest visit: interference that lasts for
 * the whole curve often does not slow dependent loads down. A value in the middle between two sizes
 * would be wrong for both. */
static void add_limits(servet_curve *curve, double bytes, double low, double least, double error)
{
    curve->bytes[curve->n] = bytes;
    curve->latency[curve->n] = least;
    curve->low[curve->n] = fmin(low, least);
    curve->high[curve->n++] = least + error;
}

static void add_size(const srv_visits *visits, double bytes, servet_curve *curve)
{
    size_reading reading;
    size_t n = read_size(visits, bytes, true, &reading);
    bool quiet = n > 0;
    if (!quiet)
        n = read_size(visits, bytes, false, &reading);
    srv_sort(reading.ns, n);
    srv_interval all = srv_mean_of(reading.ns, n);
    srv_interval mean = srv_mean_of(reading.ns, srv_without_lone(reading.ns, n));
    double error = INTERVAL_ERRORS * reading.error,
           below = curve->n ? curve->low[curve->n - 1] : all.low;
    if (!quiet) {
        add_limits(curve, bytes, below, all.low, error);
        return;
    }
    curve->bytes[curve->n] = bytes;
    curve->latency[curve->n] = mean.value;
    curve->low[curve->n] = fmax(mean.low - error, mean.low / 2);
    curve->high[curve->n++] = all.high + error;
}

/* Limits each size by the larger ones: a larger set is not faster. A visit that is slower than a
 * visit to a larger set, beyond the uncertainty of both, was disturbed. */
static void cap_by_larger(servet_curve *curve)
{
    for (size_t i = curve->n; i-- > 1;)
        if (curve->low[i - 1] > curve->high[i]) {
            size_t smaller = i > 1 ? i - 2 : i;
            curve->low[i - 1] = fmin(curve->low[smaller], curve->latency[i]);
            curve->high[i - 1] = curve->high[i];
            curve->latency[i - 1] =
                (fmin(curve->latency[smaller], curve->latency[i]) + curve->high[i]) / 2;
        }
}

/* Converts the curve to seconds; visits have nanoseconds. */
static void to_seconds(servet_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++) {
        curve->latency[i] = srv_seconds(curve->latency[i]);
        curve->low[i] = srv_seconds(curve->low[i]);
        curve->high[i] = srv_seconds(curve->high[i]);
    }
}

static bool make_room(servet_curve *curve, size_t n)
{
    double **columns[] = {&curve->bytes, &curve->latency, &curve->low, &curve->high};
    bool allocated = true;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        allocated = (*columns[i] = calloc(n ? n : 1, sizeof **columns[i])) && allocated;
    return allocated;
}

/* The least size above `bytes`; INFINITY: there is none. */
static double next_size(const srv_visits *visits, double bytes)
{
    double next = INFINITY;
    for (size_t i = 0; i < visits->count; i++)
        if (visits->visit[i].bytes > bytes)
            next = fmin(next, visits->visit[i].bytes);
    return next;
}

int srv_visits_curve(const srv_visits *visits, servet_curve *curve, servet_error *error)
{
    servet_curve made = SERVET_CURVE_INIT;
    if (!make_room(&made, visits->count)) {
        servet_curve_free(&made);
        return srv_fail_memory(error);
    }
    for (double at = next_size(visits, 0); isfinite(at); at = next_size(visits, at))
        add_size(visits, at, &made);
    cap_by_larger(&made);
    to_seconds(&made);
    *curve = made;
    return SERVET_OK;
}

void srv_visits_free(srv_visits *visits)
{
    free(visits->visit);
    *visits = (srv_visits){0};
}
