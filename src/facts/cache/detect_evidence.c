/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/cache/detect_parts.h"

enum { POINTS_MIN = 4 };

static bool point_is_valid(const servet_curve *curve, size_t i)
{
    if (!srv_unit_holds(SERVET_UNIT_BYTE, curve->bytes[i]) ||
        curve->bytes[i] <= (i > 0 ? curve->bytes[i - 1] : 0) ||
        !srv_unit_holds(curve->unit, curve->latency[i]))
        return false;
    return !curve->low ||
           (srv_unit_holds(curve->unit, curve->low[i]) &&
            srv_unit_holds(curve->unit, curve->high[i]) && curve->low[i] <= curve->high[i]);
}

int srv_curve_check(const servet_curve *curve, const char *name, servet_error *error)
{
    if (!curve || curve->n < POINTS_MIN)
        return srv_fail(error, SERVET_EARGUMENT, "%s: a curve needs at least %d points", name,
                        POINTS_MIN);
    if (curve->unit != SERVET_UNIT_SECOND && curve->unit != SERVET_UNIT_CYCLE)
        return srv_fail(error, SERVET_EARGUMENT, "%s: a curve is in seconds or cycles", name);
    srv_limits limits = srv_unit_limits(curve->unit);
    for (size_t i = 0; i < curve->n; i++)
        if (!point_is_valid(curve, i))
            return srv_fail(error, SERVET_EARGUMENT,
                            "%s: point %zu: sizes must ascend up to 1 PiB, and values must be "
                            "%.15g to %.15g %s",
                            name, i + 1, limits.least, limits.most,
                            servet_unit_symbol(curve->unit));
    return SERVET_OK;
}

static double fastest_of(const servet_curve *curve)
{
    double fastest = INFINITY;
    for (size_t i = 0; i < curve->n; i++)
        fastest = fmin(fastest, curve->latency[i]);
    return fastest;
}

static double *less(const double *column, size_t n, double offset)
{
    double *made = calloc(n, sizeof *made);
    for (size_t i = 0; made && i < n; i++)
        made[i] = column[i] - offset;
    return made;
}

int srv_independent_plain(const servet_cache_evidence *evidence, servet_curve *plain,
                          servet_error *error)
{
    const servet_curve *curve = evidence->independent;
    double offset = fmax(0, fastest_of(curve) - fastest_of(evidence->lines));
    servet_curve made = {.n = curve->n, .unit = curve->unit};
    made.bytes = less(curve->bytes, curve->n, 0);
    made.latency = less(curve->latency, curve->n, offset);
    made.low = curve->low ? less(curve->low, curve->n, offset) : NULL;
    made.high = curve->low ? less(curve->high, curve->n, offset) : NULL;
    if (!made.bytes || !made.latency || (curve->low && (!made.low || !made.high))) {
        servet_curve_free(&made);
        return srv_fail_memory(error);
    }
    /* Intervals may reach below the offset: no latency is. */
    for (size_t i = 0; made.low && i < made.n; i++)
        if (!(made.low[i] > 0))
            made.low[i] = fmin(made.latency[i], made.high[i]) / 2;
    *plain = made;
    return SERVET_OK;
}

/* --- translation ------------------------------------------------------------------------------ */

/* Share of the fastest load that a step of translation must add to be reported. */
static const double TRANSLATION_MIN = 0.15;

/* The curve at `bytes`, straight lines over log size between its points, flat outside. */
static double latency_at(const servet_curve *curve, double bytes)
{
    if (bytes <= curve->bytes[0])
        return curve->latency[0];
    for (size_t i = 1; i < curve->n; i++)
        if (bytes <= curve->bytes[i]) {
            double share =
                log(bytes / curve->bytes[i - 1]) / log(curve->bytes[i] / curve->bytes[i - 1]);
            return curve->latency[i - 1] + share * (curve->latency[i] - curve->latency[i - 1]);
        }
    return curve->latency[curve->n - 1];
}

/* Cost of translation for loads of all lines of `span` bytes. They visit the pages in random order,
 * so that TLBs hit for their share of the pages, while a cycle through pages never hits beyond the
 * reach. */
static double expected_at(const servet_cache_analysis *known, double span)
{
    double sum = 0;
    for (int i = 0; i < known->tlb_count; i++)
        sum += known->tlb[i].penalty.value * fmax(0, 1 - known->tlb[i].bytes.value / span);
    return sum;
}

/* Cost of the loads of one line per page above the same number of lines side by side. With many
 * lines these span enough pages to miss in the TLB themselves; the known part of that is added
 * back. */
static double penalty_at(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                         double span)
{
    double footprint = span * evidence->line_bytes / evidence->page_bytes;
    return fmax(0, latency_at(evidence->pages, span) - latency_at(evidence->lines, footprint) +
                       expected_at(known, footprint));
}

/* Steps closer than this (octaves) are one TLB whose edge no single shape fits. */
static const double SAME_TLB = 1;

static void join_steps(srv_fit *fit)
{
    for (int k = 0; k + 1 < fit->n;) {
        srv_step *step = &fit->step[k], *next = step + 1;
        if (next->knee - step->knee > SAME_TLB) {
            k++;
            continue;
        }
        double height = step->height + next->height;
        if (height > 0)
            step->knee += (next->knee - step->knee) * next->height / height;
        step->height = height;
        fit->n--;
        memmove(next, next + 1, (size_t)(fit->n - k - 1) * sizeof *next);
    }
}

/* Lines that a prefetcher brings for one that is loaded. Lines side by side are all loaded anyway;
 * lines in different pages then take PREFETCHED times their number from the caches. */
static const double PREFETCHED = 4;

/* Octaves above the number of its entries within which a TLB shows. */
static const double TLB_RISE = 1;

/* Latency of adjacent `lines`, without the known cost of their translation. */
static double cached_at(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                        double footprint)
{
    return latency_at(evidence->lines, footprint) - expected_at(known, footprint);
}

/* True if step `k` of the penalty is higher than evictions by prefetched lines explain. */
static bool beyond_caches(const servet_cache_evidence *evidence, const servet_cache_analysis *known,
                          const srv_fitter *fitter, const srv_fit *fit, int k)
{
    for (int i = 0; i < fitter->n && fitter->size[i] <= fit->step[k].knee + TLB_RISE; i++) {
        double footprint = exp2(fitter->size[i]) * evidence->line_bytes / evidence->page_bytes;
        double seen = fit->step[k].height * srv_fit_miss(fitter, fit, k, fitter->size[i]);
        double evicted = cached_at(evidence, known, PREFETCHED * footprint) -
                         cached_at(evidence, known, footprint);
        if (seen > fmax(TRANSLATION_MIN * fit->base, evicted))
            return true;
    }
    return false;
}

static void list_step(srv_fitter *fitter, const srv_fit *fit, int k, servet_unit unit,
                      servet_tlb_step *tlb)
{
    srv_capacity capacity = srv_step_capacity(fitter, fit, k, k, 0);
    double height = fit->step[k].height, error = srv_fit_error(fitter, fit) * (fit->base + height);
    double bytes = exp2(fit->step[k].knee);
    tlb->bytes = (servet_value){.value = bytes,
                                .low = fmin(capacity.low, bytes),
                                .high = fmax(capacity.high, bytes),
                                .samples = fitter->n,
                                .unit = SERVET_UNIT_BYTE,
                                .method = SERVET_METHOD_CURVE_FIT,
                                .trusted = true};
    tlb->penalty = (servet_value){.value = height,
                                  .low = fmax(0, height - error),
                                  .high = height + error,
                                  .samples = fitter->n,
                                  .unit = unit,
                                  .method = SERVET_METHOD_CURVE_FIT,
                                  .trusted = true};
}

/* The steps of the penalty itself, over the fastest load so that errors stay relative. */
static void list_steps(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                       srv_fitter *room, servet_cache_analysis *analysis)
{
    srv_fit fit;
    srv_fitter_init(room, fitter->shapes, evidence->pages, 0, 1);
    for (int i = 0; i < room->n; i++)
        room->latency[i] =
            evidence->lines->latency[0] + penalty_at(evidence, analysis, exp2(room->size[i]));
    room->shapes_allowed = SRV_SHAPES_CHASE;
    srv_fit_steps(room, &fit);
    join_steps(&fit);
    servet_cache_analysis known = *analysis;
    analysis->tlb_count = 0;
    for (int k = 0; k < fit.n && analysis->tlb_count < SERVET_CACHE_LEVELS_MAX; k++)
        if (beyond_caches(evidence, &known, room, &fit, k))
            list_step(room, &fit, k, evidence->lines->unit, &analysis->tlb[analysis->tlb_count++]);
}

/* Small TLBs come first: their cost for adjacent lines must be known to see the large ones. */
enum { PASSES = 2 };

void srv_evidence_penalty(const servet_cache_analysis *known, const srv_fitter *fitter,
                          double penalty[SRV_POINTS_MAX])
{
    for (int i = 0; i < fitter->n; i++)
        penalty[i] = expected_at(known, exp2(fitter->size[i]));
}

bool srv_evidence_translation(const servet_cache_evidence *evidence, const srv_fitter *fitter,
                              srv_fitter *room, double penalty[SRV_POINTS_MAX],
                              servet_cache_analysis *analysis)
{
    if (!evidence->pages || !(evidence->line_bytes > 0) ||
        !(evidence->page_bytes > evidence->line_bytes))
        return false;
    for (int pass = 0; pass < PASSES; pass++)
        list_steps(evidence, fitter, room, analysis);
    srv_evidence_penalty(analysis, fitter, penalty);
    return analysis->tlb_count > 0;
}
