/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/visits.h"

#include <math.h>
#include <stdlib.h>

#include "core/grow.h"
#include "core/units.h"
#include "stats/interval.h"
#include "stats/robust.h"

/* --- quiet visits ----------------------------------------------------------------------------- */

/* Decides which visits were quiet: fits a mixture of two kinds of visits by expectation and
 * maximisation (Dempster, Laird, Rubin 1977). */

/* Three quantities are small in a quiet visit: the slowdown of the loop of additions over the
 * fastest one, the slowdown of a load over the fastest visit of the same placement (both as
 * logarithms), and the spread of its samples. Each follows the upper half of a normal distribution.
 * The fit finds its deviation between these limits: repeated spins agree to a few parts in a
 * thousand at best, and a thread that shares a core's units or its caches costs more than 5 %. */
static const double DEVIATION_MIN = 2e-3, DEVIATION_MAX = 0.05;

/* Limit of the logarithm of the slowdown of a disturbed visit. */
static const double SLOWER_MAX = 4;

enum { ROUNDS = 30, FEATURES = 3 };

/* Features of a visit; NaN: not known. */
typedef struct features {
    double value[FEATURES]; /* indicator, time over the fastest visit, standard error; relative */
    double error[FEATURES]; /* its measurement error */
} features;

/* The mixture of quiet and disturbed visits. */
typedef struct mixture {
    double share;               /* share of quiet visits */
    double deviation[FEATURES]; /* deviation of the features of quiet visits */
} mixture;

static features features_of(const srv_visits *visits, size_t at)
{
    const srv_visit *own = &visits->visit[at];
    double least = own->ns, error = own->error / own->ns;
    int together = 0;
    for (size_t i = 0; i < visits->count; i++) {
        const srv_visit *other = &visits->visit[i];
        if (other->bytes == own->bytes && other->placement == own->placement) {
            least = fmin(least, other->ns);
            together++;
        }
    }
    double busy = own->busy > 0 ? log(fmax(1, own->busy)) : NAN;
    double above = together > 1 ? log(own->ns / least) : NAN;
    return (features){{busy, above, error}, {0, fmin(error, DEVIATION_MAX), 0}};
}

/* Density of half a normal distribution over a uniform one up to log(SLOWER_MAX). */
static double odds(double x, double deviation)
{
    double z = x / deviation;
    return isnan(x) ? 1 : log(SLOWER_MAX) * sqrt(2 / M_PI) / deviation * exp(-z * z / 2);
}

/* Probability that the visit was quiet. */
static double quiet_of(const mixture *kinds, const features *visit)
{
    double quiet = kinds->share;
    for (int f = 0; f < FEATURES; f++)
        quiet *= odds(visit->value[f], hypot(kinds->deviation[f], visit->error[f]));
    return quiet / (quiet + 1 - kinds->share);
}

/* The deviation of a feature over the visits, each weighted by its probability of being quiet. */
static double deviation_of(int f, const features *visit, const double *quiet, size_t count)
{
    double squares = 0, weight = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(visit[i].value[f])) {
            squares += quiet[i] * visit[i].value[f] * visit[i].value[f];
            weight += quiet[i];
        }
    double deviation = weight > 0 ? sqrt(squares / weight) : DEVIATION_MAX;
    return fmin(fmax(deviation, DEVIATION_MIN), DEVIATION_MAX);
}

/* Makes one step: computes from the mixture the probability that each visit is quiet, and then the
 * most likely mixture for these probabilities. */
static void refit(mixture *kinds, const features *visit, double *quiet, size_t count)
{
    double share = 1;
    for (size_t i = 0; i < count; i++) {
        quiet[i] = quiet_of(kinds, &visit[i]);
        share += quiet[i];
    }
    kinds->share =
        share / ((double)count + 2); /* one more visit of each kind is assumed (Laplace) */
    for (int f = 0; f < FEATURES; f++)
        kinds->deviation[f] = deviation_of(f, visit, quiet, count);
}

int srv_visits_verify(srv_visits *visits, servet_error *error)
{
    mixture kinds = {0.5, {DEVIATION_MAX, DEVIATION_MAX, DEVIATION_MAX}};
    features *visit = calloc(visits->count + 1, sizeof *visit);
    double *quiet = calloc(visits->count + 1, sizeof *quiet);
    int code = visit && quiet ? SERVET_OK : srv_fail_memory(error);
    for (size_t i = 0; i < visits->count && code == SERVET_OK; i++)
        visit[i] = features_of(visits, i);
    for (int round = 0; round < ROUNDS && code == SERVET_OK; round++)
        refit(&kinds, visit, quiet, visits->count);
    for (size_t i = 0; i < visits->count && code == SERVET_OK; i++)
        visits->visit[i].quiet = quiet[i] > 0.5;
    free(visit);
    free(quiet);
    return code;
}

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

/* The fastest visit of each placement, quiet or of all; returns their number. */
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
        /* Adds a size without a quiet visit. Its value is the fastest visit: interference that
         * lasts for the whole curve often does not slow dependent loads down. A value in the
         * middle between two sizes would be wrong for both. */
        curve->bytes[curve->n] = bytes;
        curve->latency[curve->n] = all.low;
        curve->low[curve->n] = fmin(below, all.low);
        curve->high[curve->n++] = all.low + error;
        return;
    }
    curve->bytes[curve->n] = bytes;
    curve->latency[curve->n] = mean.value;
    curve->low[curve->n] = fmax(mean.low - error, mean.low / 2);
    curve->high[curve->n++] = all.high + error;
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
    /* Limits each size by the larger ones: a larger set is not faster. A visit that is slower
     * than a visit to a larger set, beyond the uncertainty of both, was disturbed. */
    for (size_t i = made.n; i-- > 1;)
        if (made.low[i - 1] > made.high[i]) {
            size_t smaller = i > 1 ? i - 2 : i;
            made.low[i - 1] = fmin(made.low[smaller], made.latency[i]);
            made.high[i - 1] = made.high[i];
            made.latency[i - 1] = (fmin(made.latency[smaller], made.latency[i]) + made.high[i]) / 2;
        }
    /* Converts the curve to seconds; visits have nanoseconds. */
    for (size_t i = 0; i < made.n; i++) {
        made.latency[i] = srv_seconds(made.latency[i]);
        made.low[i] = srv_seconds(made.low[i]);
        made.high[i] = srv_seconds(made.high[i]);
    }
    *curve = made;
    return SERVET_OK;
}

void srv_visits_free(srv_visits *visits)
{
    free(visits->visit);
    *visits = (srv_visits){0};
}
