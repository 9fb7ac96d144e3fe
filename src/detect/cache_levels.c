/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/analyze.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "detect/cache_evidence.h"
#include "detect/cache_steps.h"
#include "detect/cache_turnover.h"
#include "detect/curve.h"

/* A capacity known within this factor is to be trusted. */
static const double TRUSTED_RANGE = 1.5;

/* Share of misses at the end of the curve from which on the latency of memory is more than a
   guess. */
static const double REACHED = 0.5;

/* --- checking --------------------------------------------------------------------------------- */

static int check_evidence(const servet_cache_evidence *evidence, servet_error *error)
{
    int code = srv_curve_check(evidence->lines, "lines", error);
    if (!code && evidence->pages)
        code = srv_curve_check(evidence->pages, "pages", error);
    if (!code && (evidence->rate_count < 0 || evidence->rate_count > SERVET_RATES_MAX))
        code = srv_fail(error, SERVET_EARGUMENT, "at most %d rates", SERVET_RATES_MAX);
    for (int i = 0; !code && i < evidence->rate_count; i++)
        code = srv_curve_check(evidence->rates[i], "rates", error);
    return code;
}

/* --- reporting -------------------------------------------------------------------------------- */

/* Points of the curve within an octave of a knee: those that determine it. */
static int points_near(const srv_fitter *fitter, double knee)
{
    int n = 0;
    for (int i = 0; i < fitter->n; i++)
        n += fabs(fitter->size[i] - knee) <= 1;
    return n;
}

static servet_value latency_value(const srv_fitter *fitter, const srv_fit *fit, double latency,
                                  servet_unit unit)
{
    double error = srv_fit_error(fitter, fit) * latency;
    return (servet_value){
        latency, latency - error, latency + error, fitter->n, unit, SERVET_METHOD_CURVE_FIT, true};
}

static void add_level(srv_fitter *fitter, const srv_fit *fit, int k, const srv_judgement *judgement,
                      servet_unit unit, servet_cache_analysis *analysis)
{
    servet_cache_level *level = &analysis->level[analysis->level_count++];
    srv_capacity capacity = srv_step_capacity(fitter, fit, k, judgement->last);
    *level = (servet_cache_level){
        .level = analysis->level_count,
        .kind = SERVET_CACHE_CAPACITY,
        .measured_bytes = capacity.raw,
        .latency = latency_value(fitter, fit, judgement->before, unit),
        .confidence = judgement->confidence,
        .bytes = {capacity.nominal, capacity.low, capacity.high,
                  points_near(fitter, fit->step[k].knee), SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT,
                  capacity.high <= TRUSTED_RANGE * capacity.low},
    };
}

static double latency_behind(const srv_fit *fit, int last)
{
    double latency = fit->base;
    for (int k = 0; k <= last; k++)
        latency += fit->step[k].height;
    return latency;
}

static void add_memory(const srv_fitter *fitter, const srv_fit *fit, int last, double latency,
                       servet_unit unit, servet_cache_analysis *analysis)
{
    const srv_step *step = &fit->step[last];
    double end = fitter->size[fitter->n - 1];
    if (srv_model_miss(&fitter->model, step->shape, end - step->knee) < REACHED)
        return;
    analysis->memory_latency = latency_value(fitter, fit, latency, unit);
    analysis->memory_latency.high =
        fmax(analysis->memory_latency.high, srv_fit_predict(fitter, fit, end));
}

/* The reach of a churned cache takes the place of the last level, or comes behind it. */
static void mark_turnover(const srv_turnover *turnover, const srv_fitter *fitter,
                          const srv_fit *fit, servet_cache_analysis *analysis)
{
    servet_cache_level *level = &analysis->level[analysis->level_count - 1];
    if (turnover->hidden && analysis->level_count < SERVET_CACHE_LEVELS_MAX) {
        servet_unit unit = level->latency.unit;
        *++level = (servet_cache_level){
            .level = ++analysis->level_count,
            .latency = latency_value(fitter, fit, turnover->latency, unit),
            .confidence = turnover->confidence,
        };
    }
    /* What rates too slow for this level show is the boundary of the one below. */
    double low = fmin(turnover->reach, level->level > 1 ? fmax(turnover->low, level[-1].bytes.value)
                                                        : turnover->low);
    level->kind = SERVET_CACHE_TURNOVER;
    level->measured_bytes = turnover->reach;
    level->bytes = (servet_value){turnover->reach,
                                  low,
                                  turnover->high,
                                  points_near(fitter, log2(turnover->reach)),
                                  SERVET_UNIT_BYTE,
                                  SERVET_METHOD_TURNOVER,
                                  false};
}

static void analyze(const servet_cache_evidence *evidence, srv_fitter *fitter, srv_fitter *room,
                    servet_cache_analysis *analysis)
{
    srv_fit fit;
    srv_judgement judgement[SRV_STEPS_MAX];
    servet_unit unit = evidence->lines->unit;
    srv_fitter_init(fitter, evidence->lines, 0, 1);
    srv_evidence_translation(evidence, fitter, room, analysis);
    srv_steps_find(fitter, &fit, judgement);
    for (int k = 0; k < fit.n && analysis->level_count < SERVET_CACHE_LEVELS_MAX; k++)
        if (judgement[k].cache)
            add_level(fitter, &fit, k, &judgement[k], unit, analysis);
    int last = srv_steps_last_cache(&fit, judgement);
    if (last < 0)
        return;
    last = judgement[last].last;
    double behind = latency_behind(&fit, last);
    add_memory(fitter, &fit, last, behind, unit, analysis);
    const servet_cache_level *level = &analysis->level[analysis->level_count - 1];
    srv_capacity plain = {level->measured_bytes, level->bytes.low, level->bytes.high,
                          level->bytes.value};
    srv_turnover turnover;
    if (srv_turnover_find(evidence, fitter, &fit, &plain, behind, room, &turnover))
        mark_turnover(&turnover, fitter, &fit, analysis);
}

int servet_analyze_cache(const servet_cache_evidence *evidence, servet_cache_analysis *analysis,
                         servet_error *error)
{
    int code = check_evidence(evidence, error);
    if (code)
        return code;
    srv_fitter *fitters = calloc(2, sizeof *fitters);
    if (!fitters)
        return srv_fail_memory(error);
    *analysis =
        (servet_cache_analysis){.memory_latency = servet_value_unknown(evidence->lines->unit)};
    analyze(evidence, &fitters[0], &fitters[1], analysis);
    free(fitters);
    return SERVET_OK;
}
