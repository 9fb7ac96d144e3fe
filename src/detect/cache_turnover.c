/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_turnover.h"

#include <math.h>

/* Factor between the boundaries at two rates from which on they are not one capacity. The knee of
   a capacity moves by less between patterns; turnover moved it by 1.5 between one and two chains
   and by 20 between the slowest and the fastest rate. */
static const double MOVED_MIN = 1.5;

/* Share of the plain latency behind the boundary that the other rate must show behind its own,
   else it is another boundary. */
static const double SAME_PLATEAU = 0.4;

/* A cache boundary at some rate, on the latency scale of the plain one. */
typedef struct boundary {
    srv_capacity capacity;
    double before, behind, confidence;
} boundary;

/* What one rate shows. */
typedef struct rate_view {
    int n;
    boundary cache[SRV_STEPS_MAX];
} rate_view;

static double latency_behind(const srv_fit *fit, int k)
{
    double sum = fit->base;
    for (int i = 0; i <= k; i++)
        sum += fit->step[i].height;
    return sum;
}

/* Takes out what the rate itself costs: a delay adds to every load, chains divide it. The smallest
   sets of both curves are compared, for there the same cache answers. */
static void load_rate(srv_fitter *room, const servet_curve *curve, double plain)
{
    if (curve->latency[0] > plain)
        srv_fitter_init(room, curve, curve->latency[0] - plain, 1);
    else
        srv_fitter_init(room, curve, 0, plain / curve->latency[0]);
}

static void look(srv_fitter *room, const servet_curve *curve, const srv_fitter *fitter,
                 const srv_fit *plain, rate_view *view)
{
    srv_fit fit;
    srv_judgement judgement[SRV_STEPS_MAX];
    load_rate(room, curve, srv_fit_predict(fitter, plain, log2(curve->bytes[0])));
    room->first_shape = fitter->first_shape;
    room->last_shape = fitter->last_shape;
    srv_fit_steps(room, &fit);
    srv_steps_judge(room, &fit, judgement);
    view->n = 0;
    for (int k = 0; k < fit.n; k++)
        if (judgement[k].cache)
            view->cache[view->n++] =
                (boundary){srv_step_capacity(room, &fit, k, judgement[k].last),
                           judgement[k].before,
                           latency_behind(&fit, k), judgement[k].confidence};
}

static bool apart(const srv_capacity *a, const srv_capacity *b)
{
    return a->raw > MOVED_MIN * b->raw && a->low > b->high;
}

/* Whether the rate has a boundary at this capacity, too. */
static bool shows(const rate_view *view, const srv_capacity *capacity)
{
    for (int i = 0; i < view->n; i++) {
        const srv_capacity *other = &view->cache[i].capacity;
        if (!apart(other, capacity) && !apart(capacity, other))
            return true;
    }
    return false;
}

/* The rate's last boundary, if what lies behind it is what lies behind the plain one. */
static const boundary *last_of(const rate_view *view, double behind)
{
    const boundary *last = view->n > 0 ? &view->cache[view->n - 1] : NULL;
    return last && last->behind >= SAME_PLATEAU * behind ? last : NULL;
}

/* How much slower than the plain rate this one asks for lines: their times at one large size. */
static double rate_against(const servet_curve *curve, const servet_curve *plain)
{
    double bytes = curve->bytes[curve->n - 1], latency = plain->latency[plain->n - 1];
    for (size_t i = plain->n; i-- > 0 && plain->bytes[i] >= bytes;)
        latency = plain->latency[i];
    return curve->latency[curve->n - 1] / latency;
}

/* A level that only other rates show: the plain rate reaches less of it, in proportion. */
static void note_hidden(const boundary *seen, double rate, double at_least, srv_turnover *turnover)
{
    double reach = fmax(at_least, seen->capacity.raw * rate);
    if (turnover->hidden && turnover->reach <= reach)
        return;
    turnover->hidden = true;
    turnover->reach = reach;
    turnover->latency = seen->before;
    turnover->confidence = seen->confidence;
}

bool srv_turnover_find(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                       const srv_fit *fit, const srv_capacity *plain, double behind,
                       srv_fitter *room, srv_turnover *turnover)
{
    srv_capacity smallest = *plain, largest = *plain;
    *turnover = (srv_turnover){.reach = plain->raw};
    for (int i = 0; i < evidence->rate_count; i++) {
        rate_view view;
        look(room, evidence->rates[i], fitter, fit, &view);
        const boundary *seen = last_of(&view, behind);
        if (!seen)
            continue;
        if (seen->capacity.raw < smallest.raw)
            smallest = seen->capacity;
        if (seen->capacity.raw > largest.raw)
            largest = seen->capacity;
        if (apart(&seen->capacity, plain) && shows(&view, plain))
            note_hidden(seen, rate_against(evidence->rates[i], evidence->lines), plain->raw,
                        turnover);
    }
    /* What stays at one rate and moves at another is no capacity, but the one below it is: no reach
       is below that. */
    turnover->low = turnover->hidden ? turnover->reach : smallest.raw;
    turnover->high = largest.raw;
    return turnover->hidden || apart(&largest, &smallest);
}
