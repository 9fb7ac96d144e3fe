/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_steps.h"

#include <math.h>

/* --- random loads or a chase ------------------------------------------------------------------ */

/* What a step costs when the two are compared: its parameters, one more where the shape is free. */
static const double PENALTY_RANDOM = 6, PENALTY_CHASE = 7;

static void fit_shapes(srv_fitter *fitter, srv_shape_set shapes, srv_fit *fit)
{
    fitter->shapes_allowed = shapes;
    srv_fit_steps(fitter, fit);
}

/* Every step of a fine curve shows by itself which it is. */
static void fit_fine(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit_steps(fitter, fit);
    srv_fit_reshape(fitter, fit);
}

static void fit_coarse(srv_fitter *fitter, srv_fit *fit)
{
    srv_fit random, chase;
    fit_shapes(fitter, SRV_SHAPE_ONLY(SRV_SHAPE_KEEP), &random);
    fit_shapes(fitter, SRV_SHAPES_CHASE, &chase);
    if (random.cost + random.n * PENALTY_RANDOM > chase.cost + chase.n * PENALTY_CHASE) {
        *fit = chase;
        return;
    }
    *fit = random;
    fitter->shapes_allowed = SRV_SHAPE_ONLY(SRV_SHAPE_KEEP);
}

/* What translation must save, besides steps, to be believed in where a curve can do without: where it rises near a
   capacity by chance, its part in the curve can imitate the misses of the cache. */
static const double TRANSLATION_PENALTY = 4;

static void fit_translated(srv_fitter *fitter, const double *penalty, srv_fit *fit)
{
    srv_fit translated;
    srv_fitter_set_penalty(fitter, penalty);
    fit_fine(fitter, &translated);
    double steps = (fit->n - translated.n) * SRV_STEP_PENALTY;
    if (translated.cost + TRANSLATION_PENALTY < fit->cost + steps)
        *fit = translated;
    else
        srv_fitter_set_penalty(fitter, NULL);
}

static void fit_best(srv_fitter *fitter, const double *penalty, srv_fit *fit)
{
    if (!fitter->fine) {
        srv_fitter_set_penalty(fitter, penalty);
        fit_coarse(fitter, fit);
        return;
    }
    srv_fit_steps(fitter, fit);
    srv_fitter_sharpen(fitter, fit);
    fit_fine(fitter, fit);
    if (penalty)
        fit_translated(fitter, penalty, fit);
}

/* --- cache or not ----------------------------------------------------------------------------- */

/* A level that is not clearly slower than the one before would not be built: the smallest real
   rises in 150 curves are 1.7, and page walks and prefetching rarely raise a plateau by so much. */
static const double RISE_MIN = 1.6;

/* A miss in the first-level TLB that the second level serves costs up to 4 times the L1 latency, a
   miss in L2 more. A smaller step must double its plateau; so must one in what may be memory already,
   some 40 times the L1 latency, where page walks grow. No cache known is slower than 100 times: from
   there on, page tables that outgrow the caches (twice the latency where a hypervisor has tables of
   its own, and more while others use these caches) are the likelier reason. */
static const double TRANSLATION_MAX = 4, RISE_MIN_DOUBTFUL = 2;
static const double MEMORY_LIKELY = 40, MEMORY_SURE = 100, RISE_MIN_IN_MEMORY = 3;

/* Two rises below this within so many octaves are one boundary that something spreads (slices,
   translation, others' share of the cache): no two levels lie so close in size and in latency. */
static const double WEAK_RISE = 2.4, WEAK_DISTANCE = 3;

static double rise_needed(const srv_fit *fit, double height, bool first, double before)
{
    bool translation = !first && height < TRANSLATION_MAX * fit->base;
    if (before > MEMORY_SURE * fit->base)
        return RISE_MIN_IN_MEMORY;
    return translation || before > MEMORY_LIKELY * fit->base ? RISE_MIN_DOUBTFUL : RISE_MIN;
}

/* Steps of a fine curve that lie so close (octaves) are one boundary whose knee no single shape fits. */
static const double SAME_KNEE = 0.3;

/* The last of the steps that form one boundary with step k. */
static int boundary_end(const srv_fitter *fitter, const srv_fit *fit, int k)
{
    while (fitter->fine && k + 1 < fit->n &&
           fit->step[k + 1].knee - fit->step[k].knee < SAME_KNEE)
        k++;
    return k;
}

/* How far from the step of a TLB (octaves) one of the curve may lie to be the same, and how many times
   as high it may be. */
static const double SAME_TLB_KNEE = 0.2, SAME_TLB_HEIGHT = 1.5;

/* Whether the step is translation that one line per page has shown, and that is not in the fit yet. */
static bool is_translation(const srv_fitter *fitter, const srv_step *step,
                           const servet_cache_analysis *known)
{
    for (int i = 0; i < known->tlb_count && fitter->fixed == 1 && fitter->fine; i++) {
        double knee = log2(known->tlb[i].bytes.value);
        if (fabs(step->knee - knee) < SAME_TLB_KNEE &&
            step->height < SAME_TLB_HEIGHT * known->tlb[i].penalty.value)
            return true;
    }
    return false;
}

/* Steps k to last as one boundary. What of it lies within the curve counts; a fit may promise much
   behind its end. */
static srv_judgement judge_steps(const srv_fitter *fitter, const srv_fit *fit, int k, int last,
                                 double before)
{
    double height = 0, seen = 0, end = fitter->size[fitter->n - 1];
    for (int i = k; i <= last; i++) {
        height += fit->step[i].height;
        seen += fit->step[i].height * srv_fit_miss(fitter, fit, i, end);
    }
    double rise = before > 0 ? 1 + seen / before : INFINITY;
    double margin = log(rise) / log(rise_needed(fit, height, k == 0, before));
    return (srv_judgement){margin > 1, last, before, rise, 1 - exp2(-margin * margin)};
}

static void join_weak(const srv_fit *fit, srv_judgement *judgement)
{
    int previous = -1;
    for (int k = 0; k < fit->n; k++) {
        if (!judgement[k].cache)
            continue;
        bool near = previous >= 0 && fit->step[k].knee - fit->step[previous].knee < WEAK_DISTANCE;
        if (near && judgement[k].rise < WEAK_RISE && judgement[previous].rise < WEAK_RISE) {
            judgement[k].cache = false;
            judgement[previous].last = judgement[k].last;
        }
        previous = k;
    }
}

void srv_steps_judge(const srv_fitter *fitter, const srv_fit *fit,
                     const servet_cache_analysis *known, srv_judgement judgement[SRV_STEPS_MAX])
{
    double before = fit->base;
    for (int k = 0; k < fit->n;) {
        int last = boundary_end(fitter, fit, k);
        if (k > 0 && last == k && is_translation(fitter, &fit->step[k], known)) {
            judgement[k] = (srv_judgement){.last = k, .before = before};
            k++;
            continue;
        }
        for (int i = k; i <= last; i++)
            judgement[i] = (srv_judgement){.last = i};
        judgement[k] = judge_steps(fitter, fit, k, last, before);
        for (; k <= last; k++)
            before += fit->step[k].height;
    }
    join_weak(fit, judgement);
}

void srv_steps_find(srv_fitter *fitter, const double *penalty, const servet_cache_analysis *known,
                    srv_fit *fit, srv_judgement judgement[SRV_STEPS_MAX])
{
    fit_best(fitter, penalty, fit);
    srv_steps_judge(fitter, fit, known, judgement);
}

int srv_steps_last_cache(const srv_fit *fit, const srv_judgement *judgement)
{
    int last = fit->n - 1;
    while (last >= 0 && !judgement[last].cache)
        last--;
    return last;
}

/* --- capacity --------------------------------------------------------------------------------- */

/* How finely knees are looked for (octaves), and in how many steps to each side at most. */
static const double RESOLUTION = 1.0 / 64;
enum { WALK_MAX = 81 };

/* Rise of the cost that is no reason yet to exclude a capacity: 95 % of chi-square with one degree
   of freedom. */
static const double COST_95 = 3.84;

/*
 * Simple sizes of caches: a multiple of a power of two, from which size on it occurs, by how much
 * more cost than a power of two must it be the better explanation on a grid of powers of two (finer
 * grids ask less), and, on fine grids, how far from the raw estimate it may lie (octaves times the
 * coarseness: 11, 9 and 5 % at four points per octave). Nine caches of ten are powers of two, and a
 * model that is off by a few percent at one point moves the knee of a coarse curve. On fine grids
 * what is left is the model's own error.
 */
static const struct {
    int multiple;
    double bytes_min, handicap, octaves;
} simple_sizes[] = {
    {1, 0, 0, 0.6},         {3, 0, 30, 0.5},        {5, 1 << 20, 60, 0.3},
    {7, 1 << 20, 60, 0.3},  {9, 1 << 20, 60, 0.3},  {11, 1 << 20, 60, 0.3},
    {13, 1 << 20, 60, 0.3}, {15, 1 << 20, 60, 0.3},
};

/* What being no simple size costs. */
static const double RAW_HANDICAP = 60;

/* The first step rises from a plateau that nothing has bent, so it asks for half of that. */
static const double FIRST_SHARE = 0.5;

/* From so many points per octave on (1 over this), the model's error counts for more than the
   grid's; on coarser grids simple sizes are looked for within so many octaves. */
static const double FINE_GRID = 0.5, COARSE_REACH = 1.25;

enum { SIMPLE_SIZES = sizeof simple_sizes / sizeof simple_sizes[0] };

/* Costs along one direction from the fitted knee, until no capacity beyond can matter. */
static int walk(srv_fitter *fitter, const srv_fit *fit, int k, double step, double *cost)
{
    double best = INFINITY;
    int n = 0;
    while (n < WALK_MAX) {
        cost[n] = srv_fit_cost_at(fitter, fit, k, fit->step[k].knee + n * step);
        best = fmin(best, cost[n]);
        if (cost[n++] > best + RAW_HANDICAP)
            break;
    }
    return n;
}

/* Sets raw, low and high from the cost of knees around the fitted one; returns the least cost. */
static double find_interval(srv_fitter *fitter, const srv_fit *fit, int k, srv_capacity *capacity)
{
    double cost[2][WALK_MAX], best = INFINITY, knee = fit->step[k].knee;
    int n[2];
    for (int side = 0; side < 2; side++) {
        n[side] = walk(fitter, fit, k, side ? RESOLUTION : -RESOLUTION, cost[side]);
        for (int i = 0; i < n[side]; i++)
            if (cost[side][i] < best) {
                best = cost[side][i];
                capacity->raw = exp2(knee + (side ? i : -i) * RESOLUTION);
            }
    }
    capacity->low = capacity->high = capacity->raw;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < n[side]; i++)
            if (cost[side][i] <= best + COST_95) {
                double bytes = exp2(knee + (side ? i : -i) * RESOLUTION);
                capacity->low = fmin(capacity->low, bytes);
                capacity->high = fmax(capacity->high, bytes);
            }
    return best;
}

/* The simple size nearest to the raw estimate, of the simplest multiple within reach; else raw. */
static double nearest_simple(double raw, double coarseness)
{
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double offset = log2(simple_sizes[i].multiple);
        double size = round(log2(raw) - offset) + offset;
        if (fabs(size - log2(raw)) <= simple_sizes[i].octaves * coarseness &&
            exp2(size) >= simple_sizes[i].bytes_min)
            return round(exp2(size));
    }
    return raw;
}

/* The simple size whose cost, handicap included, is least and below `limit`; else raw. */
static double cheapest_simple(srv_fitter *fitter, const srv_fit *fit, int k, double limit,
                              double share, double raw)
{
    double from = fit->step[k].knee - COARSE_REACH, to = fit->step[k].knee + COARSE_REACH;
    double best = raw;
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double offset = log2(simple_sizes[i].multiple);
        for (double size = ceil(from - offset) + offset; size <= to; size++) {
            double cost = srv_fit_cost_at(fitter, fit, k, size) + simple_sizes[i].handicap * share;
            if (exp2(size) >= simple_sizes[i].bytes_min && cost < limit) {
                limit = cost;
                best = round(exp2(size));
            }
        }
    }
    return best;
}

/* The interval holds what is said to be the capacity. */
static srv_capacity widened(srv_capacity capacity)
{
    capacity.low = fmin(capacity.low, capacity.nominal);
    capacity.high = fmax(capacity.high, capacity.nominal);
    return capacity;
}

/*
 * Shapes differ in where they put the knee of a smeared step by up to half an octave, and noise or
 * the luck of page placement decides which of them fits best: one machine's 2 MiB came out as 1.75
 * or 2.4 MiB so, from curves that look alike. Their mean, each weighed by its likelihood, is steady.
 * Costs are those of a model that is itself wrong by a few percent; so the likelihood exp(-cost / 2)
 * is taken with half as much variance again.
 */
static const double COST_SCALE = 1;

static void average_shapes(srv_fitter *fitter, const srv_fit *fit, int k, double best,
                           srv_capacity *capacity)
{
    double sum = 0, mean = 0, square = 0;
    for (int s = 0; s < SRV_SHAPE_COUNT; s++) {
        if (!(fitter->shapes_allowed & SRV_SHAPE_ONLY(s)))
            continue;
        double knee, cost = srv_fit_best_knee(fitter, fit, k, (srv_shape)s, &knee);
        double weight = exp(-fmax(0, cost - best) / COST_SCALE);
        sum += weight;
        mean += weight * knee;
        square += weight * knee * knee;
    }
    mean /= sum;
    double deviation = sqrt(fmax(0, square / sum - mean * mean));
    capacity->raw = exp2(mean);
    capacity->low = fmin(capacity->low, exp2(mean - deviation));
    capacity->high = fmax(capacity->high, exp2(mean + deviation));
}

static srv_capacity capacity_of(srv_fitter *fitter, const srv_fit *fit, int k)
{
    srv_capacity capacity;
    double cost = find_interval(fitter, fit, k, &capacity);
    if (fitter->coarseness >= FINE_GRID) {
        double share = fitter->coarseness * (k == 0 ? FIRST_SHARE : 1);
        capacity.nominal = cheapest_simple(fitter, fit, k, cost + RAW_HANDICAP * share, share,
                                           capacity.raw);
        return widened(capacity);
    }
    /* The first step is indexed inside a page: nothing smears it. */
    if (k > 0)
        average_shapes(fitter, fit, k, cost, &capacity);
    capacity.nominal = nearest_simple(capacity.raw, fitter->coarseness);
    return widened(capacity);
}

/* Of a boundary that takes several steps to explain nothing is known but from where to where it reaches:
   the simplest size in between, of several the nearest; else the middle. */
static double simplest_within(const srv_capacity *capacity)
{
    for (int i = 0; i < SIMPLE_SIZES; i++) {
        double offset = log2(simple_sizes[i].multiple);
        double size = exp2(round(log2(capacity->raw) - offset) + offset);
        if (size >= capacity->low && size <= capacity->high && size >= simple_sizes[i].bytes_min)
            return round(size);
    }
    return capacity->raw;
}

srv_capacity srv_step_capacity(srv_fitter *fitter, const srv_fit *fit, int k, int last)
{
    srv_capacity capacity = capacity_of(fitter, fit, k);
    if (last == k)
        return capacity;
    srv_capacity end = capacity_of(fitter, fit, last);
    capacity.high = end.high;
    capacity.raw = sqrt(capacity.raw * end.raw);
    capacity.nominal = fitter->fine ? simplest_within(&capacity)
                                    : nearest_simple(capacity.raw, fitter->coarseness);
    return widened(capacity);
}
