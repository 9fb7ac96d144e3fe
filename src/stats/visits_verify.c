/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which visits were quiet: fits a mixture of two kinds of visits by expectation and
 * maximisation (Dempster, Laird, Rubin 1977). */
#include "stats/visits.h"

#include <math.h>
#include <stdlib.h>

/*
 * Three quantities are small in a quiet visit: the slowdown of the loop of additions over the
 * fastest one, the slowdown of a load over the fastest visit of the same placement (both as
 * logarithms), and the spread of its samples. Each follows the upper half of a normal distribution.
 * The fit finds its deviation between these limits: repeated spins agree to a few parts in a
 * thousand at best, and a thread that shares a core's units or its caches costs more than 5 %.
 */
static const double DEVIATION_MIN = 2e-3, DEVIATION_MAX = 0.05;

/* Limit of the logarithm of the slowdown of a disturbed visit. */
static const double SLOWER_MAX = 4;

static const double PI = 3.14159265358979323846;
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

/* Returns the density of the upper half of a normal distribution, divided by the density of a
 * uniform distribution up to log(SLOWER_MAX). */
static double odds(double x, double deviation)
{
    double z = x / deviation;
    return isnan(x) ? 1 : log(SLOWER_MAX) * sqrt(2 / PI) / deviation * exp(-z * z / 2);
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
