/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "facts/cache/detect_parts.h"

/* --- sizes that caches are built with --------------------------------------------------------- */

/* How common sizes are among the cores and processors of thirty years: a logarithm, to a whole
 * number, from data sheets. Of first levels 32 KiB is the usual size, then 48 (Intel since 2019,
 * Zen 5) and 64; 16, 24 and 128 belong to a few families each. Larger caches are classified by
 * their multiple of a power of two: second levels of 1.25 MiB and last levels of 2.5 MiB a core are
 * as common as multiples of 3. */
static const struct {
    double kib, prior;
} small_sizes[] = {
    {4, -4},  {8, -4},  {12, -4}, {16, -2},  {24, -2},  {32, 0},
    {48, -1}, {64, -1}, {96, -4}, {128, -2}, {192, -4},
};

static const struct {
    int multiple;
    double prior, kib_min; /* from which size on it occurs */
} multiples[] = {{1, 0, 256},   {3, -2, 256},   {5, -2, 1024},  {7, -4, 1024},
                 {9, -4, 1024}, {11, -4, 1024}, {13, -4, 1024}, {15, -4, 1024}};

/* Five caches in a hundred of an octave have other sizes, such as 33 or 38.5 MiB. */
static const double OTHER = -3;

enum {
    SMALL_COUNT = sizeof small_sizes / sizeof *small_sizes,
    MULTIPLE_COUNT = sizeof multiples / sizeof *multiples
};

static int add_size(double bytes, double prior, double low, double high, srv_size *sizes, int n)
{
    if (bytes < low || bytes > high || n == SRV_BUILT_SIZES_MAX)
        return n;
    sizes[n] = (srv_size){bytes, prior};
    return n + 1;
}

int srv_sizes_list(double low, double high, srv_size sizes[SRV_BUILT_SIZES_MAX])
{
    int n = 0;
    for (int i = 0; i < SMALL_COUNT; i++)
        n = add_size(1024 * small_sizes[i].kib, small_sizes[i].prior, low, high, sizes, n);
    for (int i = 0; i < MULTIPLE_COUNT; i++) {
        double from = fmax(low, 1024 * multiples[i].kib_min) / multiples[i].multiple;
        for (double unit = exp2(ceil(log2(from))); unit * multiples[i].multiple <= high; unit *= 2)
            n = add_size(unit * multiples[i].multiple, multiples[i].prior, low, high, sizes, n);
    }
    return n;
}

double srv_sizes_density(double knee, double error)
{
    srv_size sizes[SRV_BUILT_SIZES_MAX];
    const double peak = 1 / (error * sqrt(2 * acos(-1)));
    double sum = exp(OTHER);
    int n = srv_sizes_list(exp2(knee - SRV_SIZE_ERRORS_MAX * error),
                           exp2(knee + SRV_SIZE_ERRORS_MAX * error), sizes);
    for (int i = 0; i < n; i++) {
        double z = (knee - log2(sizes[i].bytes)) / error;
        sum += peak * exp(sizes[i].prior - z * z / 2);
    }
    return sum;
}

double srv_sizes_other(void)
{
    return OTHER;
}

/* --- random loads or a chase ------------------------------------------------------------------ */

/* Extra cost per step of a chase in the comparison, because its shape is free. Curves of one point
 * per octave hardly distinguish shapes: from 0.25 to 0.75 is as good. */
static const double FREE_SHAPE = 0.5;

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
    fitter->as_random = random.cost + random.n * SRV_STEP_PENALTY;
    fitter->as_chase = chase.cost + chase.n * (SRV_STEP_PENALTY + FREE_SHAPE);
    if (fitter->as_random > fitter->as_chase) {
        *fit = chase;
        return;
    }
    *fit = random;
    fitter->shapes_allowed = SRV_SHAPE_ONLY(SRV_SHAPE_KEEP);
}

static void fit_translated(srv_fitter *fitter, const double *penalty, srv_fit *fit)
{
    srv_fit translated;
    srv_fitter_set_penalty(fitter, penalty);
    fit_fine(fitter, &translated);
    double steps = (fit->n - translated.n) * SRV_STEP_PENALTY;
    if (translated.cost < fit->cost + steps)
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
   miss in L2 more. A smaller step must double its plateau unless one line per page gave the cost of
   translation; so must one in what may be memory already, some 40 times the L1 latency, where page
   walks grow. No cache known is slower than 100 times: from there on, page tables that outgrow the
   caches (twice the latency where a hypervisor has tables of its own, and more while others use
   these caches) are the likelier reason. */
static const double TRANSLATION_MAX = 4, RISE_MIN_DOUBTFUL = 2;
static const double MEMORY_LIKELY = 40, MEMORY_SURE = 100, RISE_MIN_IN_MEMORY = 3;

/* Entries of the smallest TLB whose misses cost as much: micro-TLBs have fewer, and cost a few
 * cycles. A step at fewer pages is none of translation. */
static const double TLB_ENTRIES_MIN = 16, PAGE_USUAL = 4096;

static bool may_be_translation(const srv_fitter *fitter, const srv_step *step)
{
    double page = fitter->shapes->page_bytes > 0 ? fitter->shapes->page_bytes : PAGE_USUAL;
    return step->knee > log2(TLB_ENTRIES_MIN * page);
}

/* Two rises below WEAK_RISE within WEAK_DISTANCE octaves are one blurred boundary (slices,
 * translation, other users of the cache): no two levels are so close in size and in latency. */
static const double WEAK_RISE = 2.4, WEAK_DISTANCE = 3;

/* A rise is the edge of another one within EDGE_DISTANCE octaves whose logarithm is EDGE_RATIO
 * times its own: a boundary spreads over two octaves, and levels this close do not differ so much.
 */
static const double EDGE_RATIO = 3, EDGE_DISTANCE = 2;

/* A limit, and the constant that defines it. */
typedef struct bound {
    double amount;
    const char *rule;
} bound;

static bound rise_needed(const srv_fit *fit, double height, bool doubtful, double before)
{
    if (before > MEMORY_SURE * fit->base)
        return (bound){RISE_MIN_IN_MEMORY, "MEMORY_SURE"};
    if (before > MEMORY_LIKELY * fit->base)
        return (bound){RISE_MIN_DOUBTFUL, "MEMORY_LIKELY"};
    if (doubtful && height < TRANSLATION_MAX * fit->base)
        return (bound){RISE_MIN_DOUBTFUL, "TRANSLATION_MAX"};
    return (bound){RISE_MIN, "RISE_MIN"};
}

/* Steps of a fine curve this close (octaves) are one boundary that no single shape fits. */
static const double SAME_KNEE = 0.6;

/* The last of the steps that form one boundary with step k. */
static int boundary_end(const srv_fitter *fitter, const srv_fit *fit, int k)
{
    while (fitter->fine && k + 1 < fit->n && fit->step[k + 1].knee - fit->step[k].knee < SAME_KNEE)
        k++;
    return k;
}

/* Octaves between a TLB's step and a step of the curve that are the same; ratio of the heights. */
static const double SAME_TLB_KNEE = 0.2, SAME_TLB_HEIGHT = 1.5;

/* With independent loads both knees are sharp, and no cache has the size of a TLB's reach: a step
 * within this number of octaves of it is translation. */
static const double SAME_TLB_KNEE_RANDOM = 0.4;

/* True if one line per page has shown the step, and the fit does not contain it already. */
static bool is_translation(const srv_fitter *fitter, const srv_fit *fit, const srv_step *step,
                           const servet_cache_analysis *known)
{
    double reach = srv_fitter_is_random(fitter) ? SAME_TLB_KNEE_RANDOM : SAME_TLB_KNEE;
    for (int i = 0; i < known->tlb_count && fitter->fine; i++) {
        double knee = log2(known->tlb[i].bytes.value);
        double left = (SAME_TLB_HEIGHT - fit->translation) * known->tlb[i].penalty.value;
        if (fabs(step->knee - knee) < reach && step->height < left)
            return true;
    }
    return false;
}

/* Steps k to last as one boundary, as far as the curve goes: a fit may extrapolate. */
static srv_step_verdict classify_steps(const srv_fitter *fitter, const srv_fit *fit, int k,
                                       int last, double before, bool doubtful)
{
    double height = 0, seen = 0, end = fitter->size[fitter->n - 1];
    for (int i = k; i <= last; i++) {
        height += fit->step[i].height;
        seen += fit->step[i].height * srv_fit_miss(fitter, fit, i, end);
    }
    double rise = before > 0 ? 1 + seen / before : INFINITY;
    bound limit = rise_needed(fit, height, doubtful, before);
    double margin = log(rise) / log(limit.amount);
    return (srv_step_verdict){.cache = margin > 1,
                              .last = last,
                              .before = before,
                              .rise = rise,
                              .needed = limit.amount,
                              .rule = limit.rule,
                              .confidence = 1 - exp2(-margin * margin)};
}

/* Distance below which two boundaries are one: weak ones, or an edge; 0: they are two. */
static bound distance_of_one(const srv_step_verdict *a, const srv_step_verdict *b)
{
    double small = log(fmin(a->rise, b->rise)), large = log(fmax(a->rise, b->rise));
    if (a->rise < WEAK_RISE && b->rise < WEAK_RISE)
        return (bound){WEAK_DISTANCE, "WEAK_DISTANCE"};
    return (bound){large > EDGE_RATIO * small ? EDGE_DISTANCE : 0, "EDGE_DISTANCE"};
}

bool srv_steps_counted(const srv_fitter *fitter, double knee)
{
    const servet_cache_evidence *evidence = fitter->evidence;
    for (int i = 0; evidence && i < evidence->counted_count; i++)
        if (fabs(log2(evidence->counted_bytes[i]) - knee) < SAME_KNEE)
            return true;
    return false;
}

static void join_neighbours(const srv_fitter *fitter, const srv_fit *fit, srv_step_verdict *verdict)
{
    int previous = -1;
    for (int k = 0; k < fit->n; k++) {
        if (!verdict[k].cache)
            continue;
        if (previous >= 0) {
            double octaves = fit->step[k].knee - fit->step[previous].knee;
            bound limit = distance_of_one(&verdict[previous], &verdict[k]);
            if (octaves < limit.amount && !srv_steps_counted(fitter, fit->step[previous].knee)) {
                /* Makes boundary `part` a part of `whole`, which lies before it. */
                srv_step_verdict *whole = &verdict[previous];
                srv_step_verdict *part = &verdict[k];
                whole->last = part->last;
                whole->confidence = fmax(whole->confidence, part->confidence);
                whole->rise *= part->rise;
                *part = (srv_step_verdict){.last = part->last,
                                           .before = part->before,
                                           .rise = part->rise,
                                           .rule = limit.rule,
                                           .apart = octaves,
                                           .apart_max = limit.amount};
                continue;
            }
        }
        previous = k;
    }
}

void srv_steps_classify(const srv_fitter *fitter, const srv_fit *fit,
                        const servet_cache_analysis *known, srv_step_verdict verdict[SRV_STEPS_MAX])
{
    double before = fit->base;
    for (int k = 0; k < fit->n;) {
        int last = boundary_end(fitter, fit, k);
        if (k > 0 && last == k && is_translation(fitter, fit, &fit->step[k], known)) {
            verdict[k] = (srv_step_verdict){
                .translation = true, .last = k, .before = before, .rule = "SAME_TLB_KNEE"};
            k++;
            continue;
        }
        for (int i = k + 1; i <= last; i++)
            verdict[i] = (srv_step_verdict){.last = i,
                                            .rule = "SAME_KNEE",
                                            .apart = fit->step[i].knee - fit->step[i - 1].knee,
                                            .apart_max = SAME_KNEE};
        verdict[k] = classify_steps(fitter, fit, k, last, before,
                                    k > 0 && known->tlb_count == 0 &&
                                        may_be_translation(fitter, &fit->step[k]));
        for (; k <= last; k++)
            before += fit->step[k].height;
    }
    join_neighbours(fitter, fit, verdict);
}

void srv_steps_find(srv_fitter *fitter, const double *penalty, const servet_cache_analysis *known,
                    srv_fit *fit, srv_step_verdict verdict[SRV_STEPS_MAX])
{
    fit_best(fitter, penalty, fit);
    srv_steps_classify(fitter, fit, known, verdict);
}

double srv_steps_edge(const srv_fit *fit, const srv_step_verdict *verdict, int last)
{
    double sum = 0;
    for (int k = last + 1; k < fit->n; k++)
        if (!verdict[k].translation && fit->step[k].knee - fit->step[last].knee < EDGE_DISTANCE)
            sum += fit->step[k].height;
    return sum;
}

int srv_steps_last_cache(const srv_fit *fit, const srv_step_verdict *verdict)
{
    int last = fit->n - 1;
    while (last >= 0 && !verdict[last].cache)
        last--;
    return last;
}
