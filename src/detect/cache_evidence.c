/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/cache_evidence.h"

#include <math.h>

/* --- translation -------------------------------------------------------------------------------- */

/* Share of the fastest load that a step of translation must add to be reported. */
static const double TRANSLATION_MIN = 0.15;

/* The curve at `bytes`, straight lines over log size between its points, flat outside. */
static double latency_at(const servet_curve *curve, double bytes)
{
    if (bytes <= curve->bytes[0])
        return curve->latency[0];
    for (size_t i = 1; i < curve->n; i++)
        if (bytes <= curve->bytes[i]) {
            double share = log(bytes / curve->bytes[i - 1]) /
                           log(curve->bytes[i] / curve->bytes[i - 1]);
            return curve->latency[i - 1] + share * (curve->latency[i] - curve->latency[i - 1]);
        }
    return curve->latency[curve->n - 1];
}

static double penalty_at(const servet_cache_evidence *evidence, double span)
{
    if (span < evidence->pages->bytes[0])
        return 0;
    double footprint = span * evidence->line_bytes / evidence->page_bytes;
    return fmax(0, latency_at(evidence->pages, span) - latency_at(evidence->lines, footprint));
}

static void list_step(srv_fitter *fitter, const srv_fit *fit, int k, servet_unit unit,
                      servet_tlb_step *tlb)
{
    srv_capacity capacity = srv_step_capacity(fitter, fit, k);
    double height = fit->step[k].height, error = srv_fit_error(fitter, fit) * (fit->base + height);
    tlb->bytes = (servet_value){capacity.raw,      fmin(capacity.low, capacity.raw),
                                capacity.high,     fitter->n,
                                SERVET_UNIT_BYTE,  SERVET_METHOD_CURVE_FIT,
                                true};
    tlb->penalty = (servet_value){height, fmax(0, height - error), height + error, fitter->n,
                                  unit,   SERVET_METHOD_CURVE_FIT, true};
}

/* The steps of the penalty itself, over the fastest load so that errors stay relative. */
static void list_steps(const servet_cache_evidence *evidence, srv_fitter *room,
                       servet_cache_analysis *analysis)
{
    srv_fit fit;
    srv_fitter_init(room, evidence->pages, 0, 1);
    for (int i = 0; i < room->n; i++)
        room->latency[i] = evidence->lines->latency[0] + penalty_at(evidence, exp2(room->size[i]));
    room->first_shape = SRV_SHAPE_RANDOM + 1;
    srv_fit_steps(room, &fit);
    for (int k = 0; k < fit.n && analysis->tlb_count < SERVET_CACHE_LEVELS_MAX; k++)
        if (fit.step[k].height > TRANSLATION_MIN * fit.base)
            list_step(room, &fit, k, evidence->lines->unit, &analysis->tlb[analysis->tlb_count++]);
}

void srv_evidence_translation(const servet_cache_evidence *evidence, srv_fitter *fitter,
                              srv_fitter *room, servet_cache_analysis *analysis)
{
    if (!evidence->pages || evidence->page_bytes <= 0 || evidence->line_bytes <= 0)
        return;
    double penalty[SRV_POINTS_MAX];
    for (int i = 0; i < fitter->n; i++)
        penalty[i] = penalty_at(evidence, exp2(fitter->size[i]));
    srv_fitter_set_penalty(fitter, penalty);
    list_steps(evidence, room, analysis);
}

/* --- turnover ----------------------------------------------------------------------------------- */

/* Factor between the boundaries at two rates from which on they are not one capacity. The knee of
   a capacity moves by less between patterns; turnover moved it by 1.5 between one and two chains
   and by 20 between the slowest and the fastest rate. */
static const double MOVED_MIN = 1.5;

/* Share of the plain latency behind the boundary that the other rate must show behind its own,
   else it is another boundary. */
static const double SAME_PLATEAU = 0.4;

static double latency_behind(const srv_fit *fit, int k)
{
    double sum = fit->base;
    for (int i = 0; i <= k; i++)
        sum += fit->step[i].height;
    return sum;
}

/* Takes out what the rate itself costs: a delay adds to every load, chains divide it. */
static void load_rate(srv_fitter *room, const servet_curve *curve, double base)
{
    double fastest = curve->latency[0];
    for (size_t i = 1; i < curve->n; i++)
        fastest = fmin(fastest, curve->latency[i]);
    if (fastest > base)
        srv_fitter_init(room, curve, fastest - base, 1);
    else
        srv_fitter_init(room, curve, 0, base / fastest);
}

/* The last boundary at one rate; false if there is none that compares. */
static bool boundary_at(srv_fitter *room, const servet_curve *curve, const srv_fitter *fitter,
                        const srv_fit *plain, int last, srv_capacity *capacity)
{
    srv_fit fit;
    srv_judgement judgement[SRV_STEPS_MAX];
    load_rate(room, curve, plain->base);
    room->first_shape = fitter->first_shape;
    room->last_shape = fitter->last_shape;
    srv_fit_steps(room, &fit);
    srv_steps_judge(room, &fit, judgement);
    int k = srv_steps_last_cache(&fit, judgement);
    if (k < 0 || latency_behind(&fit, k) < SAME_PLATEAU * latency_behind(plain, last))
        return false;
    *capacity = srv_step_capacity(room, &fit, k);
    return true;
}

bool srv_evidence_turnover(const servet_cache_evidence *evidence, srv_fitter *fitter,
                           const srv_fit *fit, int last, srv_fitter *room, double *low,
                           double *high)
{
    srv_capacity smallest = srv_step_capacity(fitter, fit, last), largest = smallest;
    for (int i = 0; i < evidence->rate_count; i++) {
        srv_capacity other;
        if (!boundary_at(room, evidence->rates[i], fitter, fit, last, &other))
            continue;
        if (other.raw < smallest.raw)
            smallest = other;
        if (other.raw > largest.raw)
            largest = other;
    }
    *low = smallest.raw;
    *high = largest.raw;
    return largest.raw > MOVED_MIN * smallest.raw && largest.low > smallest.high;
}
