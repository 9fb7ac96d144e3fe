/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_steps.h"

#include <math.h>

/* --- random loads or a chase -------------------------------------------------------------------- */

/* What a step costs when the two are compared: its parameters, one more where the shape is free. */
static const double PENALTY_RANDOM = 6, PENALTY_CHASE = 7;

static void fit_shapes(srv_fitter *fitter, int first, int last, srv_fit *fit)
{
    fitter->first_shape = first;
    fitter->last_shape = last;
    srv_fit_steps(fitter, fit);
}

static void fit_best(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit random, chase;
    fit_shapes(fitter, SRV_SHAPE_RANDOM, SRV_SHAPE_RANDOM, &random);
    fit_shapes(fitter, SRV_SHAPE_RANDOM + 1, SRV_SHAPE_COUNT - 1, &chase);
    if (random.cost + random.n * PENALTY_RANDOM > chase.cost + chase.n * PENALTY_CHASE) {
        *fit = chase;
        return;
    }
    *fit = random;
    fitter->first_shape = fitter->last_shape = SRV_SHAPE_RANDOM;
}

/* --- cache or not ------------------------------------------------------------------------------- */

/* A level that is not clearly slower than the one before would not be built: real steps are 1.8
   and more, while page walks and page colouring raise a plateau by less than this. */
static const double RISE_MIN = 1.6;

/* A miss in a first-level TLB that the second level serves costs up to 4 times the L1 latency, a
   miss in L2 more. A smaller step must be a clear multiple of its plateau. */
static const double TRANSLATION_MAX = 4.5, RISE_MIN_SMALL = 2.2;

/* Beyond some 40 times the L1 latency lies memory, where only page walks grow. */
static const double MEMORY_MIN = 40, RISE_MIN_MEMORY = 2.5;

static double rise_needed(const srv_fit *fit, int k, double before)
{
    if (k > 0 && fit->step[k].height < TRANSLATION_MAX * fit->base)
        return RISE_MIN_SMALL;
    return before > MEMORY_MIN * fit->base ? RISE_MIN_MEMORY : RISE_MIN;
}

/* What of the step lies within the curve; a fit may promise much behind its end. */
static double height_seen(const srv_fitter *fitter, const srv_step *step)
{
    double end = fitter->size[fitter->n - 1];
    return step->height * srv_model_miss(&fitter->model, step->shape, end - step->knee);
}

void srv_steps_judge(const srv_fitter *fitter, const srv_fit *fit,
                     srv_judgement judgement[SRV_STEPS_MAX])
{
    double before = fit->base;
    for (int k = 0; k < fit->n; k++) {
        double rise = before > 0 ? 1 + height_seen(fitter, &fit->step[k]) / before : INFINITY;
        double margin = log(rise) / log(rise_needed(fit, k, before));
        judgement[k].before = before;
        judgement[k].confidence = 1 - exp2(-margin * margin);
        judgement[k].cache = margin > 1;
        before += fit->step[k].height;
    }
}

void srv_steps_find(srv_fitter *fitter, srv_fit *fit, srv_judgement judgement[SRV_STEPS_MAX])
{
    fit_best(fitter, fit);
    srv_steps_judge(fitter, fit, judgement);
}

int srv_steps_last_cache(const srv_fit *fit, const srv_judgement *judgement)
{
    int last = fit->n - 1;
    while (last >= 0 && !judgement[last].cache)
        last--;
    return last;
}

/* --- capacity ----------------------------------------------------------------------------------- */

/* How far from the best knee capacities are looked for, and how finely (octaves). */
static const double REACH = 1.25, RESOLUTION = 1.0 / 16;

/* Rise of the cost that is no reason yet to exclude a capacity: 95 % of chi-square with one degree
   of freedom. */
static const double COST_95 = 3.84;

/*
 * Simple sizes of caches: a multiple of a power of two, from which size on it occurs, and by how
 * much more cost than a power of two must it be the better explanation. Nine caches of ten are
 * powers of two; a model that is off by a few percent moves the knee on a coarse grid.
 */
static const struct {
    int multiple;
    double bytes_min, handicap;
} simple_sizes[] = {
    {1, 0, 0},
    {3, 0, 18},
    {5, 1 << 20, 60},
    {7, 1 << 20, 60},
    {9, 1 << 20, 60},
    {11, 1 << 20, 60},
};

/* What being no simple size costs. */
static const double RAW_HANDICAP = 60;

enum { SIMPLE_SIZES = sizeof simple_sizes / sizeof simple_sizes[0] };

static double interval(srv_fitter *fitter, const srv_fit *fit, int k, srv_capacity *capacity)
{
    double cost[64], best = INFINITY, center = fit->step[k].knee;
    int n = (int)(2 * REACH / RESOLUTION) + 1;
    for (int i = 0; i < n; i++) {
        cost[i] = srv_fit_cost_at(fitter, fit, k, center - REACH + i * RESOLUTION);
        if (cost[i] < best) {
            best = cost[i];
            capacity->raw = exp2(center - REACH + i * RESOLUTION);
        }
    }
    capacity->low = capacity->high = capacity->raw;
    for (int i = 0; i < n; i++)
        if (cost[i] <= best + COST_95) {
            double bytes = exp2(center - REACH + i * RESOLUTION);
            capacity->low = fmin(capacity->low, bytes);
            capacity->high = fmax(capacity->high, bytes);
        }
    return best;
}

/* Smallest simple size of the row above `bytes`. */
static double simple_above(double bytes, int multiple)
{
    return multiple * exp2(ceil(log2(bytes / multiple)));
}

srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k)
{
    srv_capacity capacity = {0};
    double limit = interval(fitter, fit, k, &capacity) + RAW_HANDICAP;
    capacity.nominal = capacity.raw;
    double from = exp2(fit->step[k].knee - REACH), to = exp2(fit->step[k].knee + REACH);
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double bytes = simple_above(from, simple_sizes[i].multiple);
        for (; bytes <= to; bytes *= 2) {
            double cost = srv_fit_cost_at(fitter, fit, k, log2(bytes)) + simple_sizes[i].handicap;
            if (bytes >= simple_sizes[i].bytes_min && cost < limit) {
                limit = cost;
                capacity.nominal = bytes;
            }
        }
    }
    capacity.low = fmin(capacity.low, capacity.nominal);
    capacity.high = fmax(capacity.high, capacity.nominal);
    return capacity;
}
