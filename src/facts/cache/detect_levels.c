/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/cache/detect_parts.h"
#include "servet/analyze.h"
#include "stats/robust.h"

/* A capacity that is right with this probability is to be trusted. */
static const double TRUSTED = 0.8;

/* Share of misses at the end of the curve from which on the latency of memory is reported. */
static const double REACHED = 0.5;

/* Ratio of a latency's value to the ends of its interval beyond which it is not trusted. */
static const double LATENCY_SPREAD_MAX = 1.5;

/* Confidence of a level that may hide others behind it. */
static const double SURE = 0.9;

/* Steps that begin up to so far beyond the reach of the fastest rate in a level with turnover are
 * before memory. */
static const double BEHIND_REACH_OCTAVES = 2;

static int check_evidence(const servet_cache_evidence *evidence, servet_error *error)
{
    int code = srv_curve_check(evidence->lines, "lines", error);
    if (!code && evidence->independent)
        code = srv_curve_check(evidence->independent, "independent", error);
    if (!code && evidence->pages)
        code = srv_curve_check(evidence->pages, "pages", error);
    if (!code && (evidence->rate_count < 0 || evidence->rate_count > SERVET_RATES_MAX))
        code = srv_fail(error, SERVET_EARGUMENT, "expected at most %d rates", SERVET_RATES_MAX);
    if (!code && (evidence->counted_count < 0 || evidence->counted_count > SERVET_CACHE_LEVELS_MAX))
        code = srv_fail(error, SERVET_EARGUMENT, "expected at most %d counted capacities",
                        SERVET_CACHE_LEVELS_MAX);
    for (int i = 0; !code && i < evidence->rate_count; i++)
        code = srv_curve_check(evidence->rates[i], "rates", error);
    return code;
}

/* --- reporting -------------------------------------------------------------------------------- */

/* Points of the curve within an octave of a knee: those that determine it. */
static int points_near(const srv_fitter *fitter, double bytes)
{
    int n = 0;
    for (int i = 0; i < fitter->n; i++)
        n += fabs(fitter->size[i] - log2(bytes)) <= 1;
    return n;
}

static bool is_narrow(const servet_value *latency)
{
    return latency->high <= LATENCY_SPREAD_MAX * latency->value &&
           latency->low * LATENCY_SPREAD_MAX >= latency->value;
}

static const srv_latency_doubt NO_DOUBT = {0, 0};

static srv_latency_doubt widest(srv_latency_doubt a, srv_latency_doubt b)
{
    return (srv_latency_doubt){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static servet_value latency_value(const srv_reading *reading, double latency,
                                  srv_latency_doubt doubt)
{
    double error = srv_fit_error(reading->fitter, &reading->fit) * latency;
    servet_value value = {.value = latency,
                          .low = fmax(0, latency - error + doubt.low),
                          .high = latency + error + doubt.high,
                          .samples = reading->fitter->n,
                          .unit = reading->unit,
                          .method = SERVET_METHOD_CURVE_FIT};
    value.trusted = is_narrow(&value);
    return value;
}

/* Rise by the steps between two boundaries that are neither a cache nor translation. Those nearer
 * to boundary `k` are its edge and come after the plateau; the others are the edge of the boundary
 * before, which ends with step `previous` (-1: none). The assignment is not certain. */
static srv_latency_doubt edges_before(const srv_reading *reading, int previous, int k)
{
    srv_latency_doubt edges = NO_DOUBT;
    const srv_step *step = reading->fit.step;
    double middle = previous < 0 ? -INFINITY : (step[previous].knee + step[k].knee) / 2;
    for (int i = previous + 1; i < k; i++) {
        double height = reading->verdict[i].translation ? 0 : step[i].height;
        if (step[i].knee > middle)
            edges.high += height;
        else
            edges.low -= height;
    }
    return edges;
}

/* Points between two caches: BEYOND times the first, IN_FRONT_OCTAVES below the second. */
static const double BEYOND = 1.25, IN_FRONT_OCTAVES = 0.25;

/* A cache serves independent loads in proportion to its share of the working set, with every
 * policy, and fewer if its sets fill unevenly. This gives the time of the remaining loads at each
 * size; the result is their median. A fit with a knee too early is less accurate. `first` is the
 * step at which the boundary before begins, `bytes` its capacity. */
static double latency_by_shares(const srv_reading *reading, int first, int k, double bytes)
{
    const srv_fitter *fitter = reading->fitter;
    srv_fit other = reading->fit; /* steps of nearer caches, and of translation */
    double seen[SRV_POINTS_MAX];
    size_t n = 0;
    other.n = first;
    for (int i = first; i < k; i++)
        if (reading->verdict[i].translation)
            other.step[other.n++] = reading->fit.step[i];
    for (int i = 0; i < fitter->n; i++) {
        double held = bytes / exp2(fitter->size[i]);
        if (held < 1 / BEYOND && fitter->size[i] < reading->fit.step[k].knee - IN_FRONT_OCTAVES)
            seen[n++] = srv_fit_residue(fitter, &other, i) / (1 - held);
    }
    srv_sort(seen, n);
    return reading->verdict[first].before + (n > 0 ? srv_sorted_quantile(seen, n, 0.5) : 0);
}

/* Adds step `k` as a level behind the boundary that begins with step `first` and ends with step
 * `previous` (-1: none); its capacity goes to `capacity`. The plateau lies between two boundaries;
 * with other capacities its latency would be another one. */
static void add_level(srv_reading *reading, int first, int previous, int k, srv_capacity *capacity,
                      servet_cache_analysis *analysis)
{
    const srv_step_verdict *verdict = &reading->verdict[k];
    srv_latency_doubt edges = edges_before(reading, previous, k), from = capacity->behind;
    const double latency = verdict->before - edges.high;
    if (first >= 0 && srv_fitter_is_random(reading->fitter))
        from.high =
            fmax(from.high, latency_by_shares(reading, first, k, capacity->nominal) - latency);
    const double above = capacity->raw;
    *capacity = srv_step_capacity(reading->fitter, &reading->fit, k, verdict->last, above);
    srv_capacity told = srv_capacity_told(reading->fitter, k, *capacity);
    reading->level[k] = analysis->level_count + 1;
    analysis->level[analysis->level_count] = (servet_cache_level){
        .level = analysis->level_count + 1,
        .kind = SERVET_CACHE_CAPACITY,
        .reachable_bytes = told.raw,
        .latency = latency_value(reading, latency, widest(edges, widest(from, capacity->before))),
        .exists = verdict->confidence,
        .confidence = verdict->confidence * capacity->right,
        .bytes = {told.nominal, told.low, told.high, points_near(reading->fitter, told.raw),
                  SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT, told.right >= TRUSTED},
    };
    analysis->level_count++;
}

static double latency_behind(const srv_reading *reading, int last)
{
    double latency = reading->fit.base;
    for (int k = 0; k <= last; k++)
        latency += reading->verdict[k].translation ? 0 : reading->fit.step[k].height;
    return latency;
}

/* Time of a load that misses in all steps up to `bytes`; the mean there contains hits. */
static double latency_beyond(const srv_reading *reading, int last, double bytes)
{
    while (last + 1 < reading->fit.n && reading->fit.step[last + 1].knee <= log2(bytes))
        last++;
    return latency_behind(reading, last);
}

/* The latency of memory: `latency`, and the additions of the last steps at the end of the curve. If
 * these exceed memory itself, the division between the two decides the value. Steps of the last
 * boundary may be translation as well. */
static void add_memory(const srv_reading *reading, int last, double latency, double edge,
                       srv_latency_doubt doubt, servet_cache_analysis *analysis)
{
    const srv_fitter *fitter = reading->fitter;
    servet_value *memory = &analysis->memory_latency;
    double end = fitter->size[fitter->n - 1];
    if (srv_fit_miss(fitter, &reading->fit, last, end) < REACHED)
        return;
    *memory = latency_value(reading, latency, doubt);
    memory->low -= edge;
    memory->high = fmax(memory->high, srv_fit_predict(fitter, &reading->fit, end));
    memory->trusted = is_narrow(memory);
}

/* True if the boundary in front of one that moves is a part of it: it is not sure, or faster rates
 * do not show it. A counted capacity is a cache of its own. */
static bool is_part(const srv_reading *reading, const servet_cache_level *level,
                    const srv_capacity *capacity)
{
    return !srv_steps_counted(reading->fitter, log2(capacity->raw)) &&
           (level->exists < SURE || srv_rates_deny(&reading->rates, capacity));
}

/* The reach of a level with turnover replaces the last level, or follows it. */
static void add_turnover(srv_reading *reading, const srv_turnover *turnover,
                         const srv_capacity *in_front, servet_cache_analysis *analysis)
{
    servet_cache_level *level = &analysis->level[analysis->level_count - 1];
    double exists = level->exists;
    if (turnover->hidden && analysis->level_count < SERVET_CACHE_LEVELS_MAX) {
        exists = turnover->confidence;
        level++;
        analysis->level_count++;
        *level = (servet_cache_level){
            .level = analysis->level_count,
            .latency = latency_value(reading, turnover->latency, NO_DOUBT),
        };
    } else if (level->level > 1 && is_part(reading, &level[-1], in_front)) {
        level--;
        analysis->level_count--;
    }
    level->exists = level->confidence = exists; /* no size is claimed */
    reading->turned_over = true;
    reading->moved = turnover->high / turnover->low;
    /* A boundary that slow rates do not show for this level is that of the level below. */
    double below = level->level > 1 ? level[-1].bytes.value : 0;
    double reach = fmax(turnover->reach, below);
    level->kind = SERVET_CACHE_TURNOVER;
    level->reachable_bytes = reach;
    level->bytes = (servet_value){reach,
                                  fmax(turnover->low, below),
                                  fmax(turnover->high, reach),
                                  points_near(reading->fitter, reach),
                                  SERVET_UNIT_BYTE,
                                  SERVET_METHOD_TURNOVER,
                                  false};
}

/* The last boundary of the plain curve, behind another one, and the latency behind it. */
static void report_end(srv_reading *reading, int last, const srv_capacity *in_front,
                       const srv_capacity *capacity, servet_cache_analysis *analysis)
{
    srv_turnover turnover;
    double behind = latency_behind(reading, last);
    double edge = srv_steps_edge(&reading->fit, reading->verdict, last);
    bool has_turnover = srv_rates_turnover(&reading->rates, capacity, behind, &turnover);
    if (has_turnover) /* behind a hidden level, and behind all of a blurred boundary */
        behind = latency_beyond(reading, last, turnover.high * exp2(BEHIND_REACH_OCTAVES));
    else
        behind += edge;
    add_memory(reading, last, behind, edge, has_turnover ? NO_DOUBT : capacity->behind, analysis);
    /* An uncertain boundary just where another one moves is a part of that. */
    bool found = capacity->noise_high <= SRV_MOVED_MIN * capacity->noise_low ||
                 turnover.reach > capacity->noise_high;
    bool apart = analysis->level[analysis->level_count - 1].exists >= SURE && found;
    if (has_turnover && turnover.hidden && !apart) {
        turnover.hidden = false;
        turnover.low = capacity->low;
    }
    if (has_turnover)
        add_turnover(reading, &turnover, in_front, analysis);
}

static void report(srv_reading *reading, servet_cache_analysis *analysis)
{
    srv_capacity capacity = {.raw = 0}, in_front = capacity;
    int first = -1, previous = -1;
    for (int k = 0; k < reading->fit.n && analysis->level_count < SERVET_CACHE_LEVELS_MAX; k++)
        if (reading->verdict[k].cache) {
            in_front = capacity;
            add_level(reading, first, previous, k, &capacity, analysis);
            first = k;
            previous = reading->verdict[k].last;
        }
    int last = srv_steps_last_cache(&reading->fit, reading->verdict);
    if (last >= 0)
        report_end(reading, reading->verdict[last].last, &in_front, &capacity, analysis);
}

/* Memory of an analysis; too large for the stack. */
typedef struct workroom {
    srv_shapes shapes;
    double penalty[SRV_POINTS_MAX]; /* of translation, at the points of the plain curve */
    srv_fitter fitter, other; /* of the plain curve, and of each of the other curves in turn */
    srv_draws draws;
    srv_reading reading;
} workroom;

static void analyze(const servet_cache_evidence *evidence, workroom *room,
                    servet_cache_analysis *analysis)
{
    srv_reading *reading = &room->reading;
    *reading = (srv_reading){.fitter = &room->fitter, .unit = evidence->lines->unit};
    srv_shapes_init(&room->shapes, evidence->page_bytes);
    srv_fitter_init(&room->fitter, &room->shapes, evidence->lines, 0, 1);
    room->fitter.evidence = evidence;
    if (evidence->independent)
        srv_fitter_set_random(&room->fitter);
    bool translated =
        srv_evidence_translation(evidence, &room->fitter, &room->other, room->penalty, analysis);
    srv_steps_find(&room->fitter, translated ? room->penalty : NULL, analysis, &reading->fit,
                   reading->verdict);
    if (srv_draws_needed(&room->fitter)) {
        srv_draws_make(&room->fitter, analysis, &room->draws);
        srv_draws_assign(&room->draws, &reading->fit, reading->verdict);
        room->fitter.draws = &room->draws;
    }
    srv_rates_find(evidence, analysis, &room->fitter, &reading->fit, &room->other, &reading->rates);
    report(reading, analysis);
}

int servet_explain_cache(const servet_cache_evidence *evidence, servet_cache_analysis *analysis,
                         servet_explanation *explanation, servet_error *error)
{
    int code = check_evidence(evidence, error);
    if (code)
        return code;
    workroom *room = calloc(1, sizeof *room);
    if (!room)
        return srv_fail_memory(error);
    *analysis =
        (servet_cache_analysis){.memory_latency = servet_value_unknown(evidence->lines->unit)};
    servet_curve plain = SERVET_CURVE_INIT;
    servet_cache_evidence seen = *evidence;
    if (evidence->independent &&
        (code = srv_independent_plain(evidence, &plain, error)) == SERVET_OK)
        seen.lines = &plain;
    if (code == SERVET_OK)
        analyze(&seen, room, analysis);
    if (code == SERVET_OK && explanation)
        code = srv_explain(&room->reading, analysis, explanation, error);
    servet_curve_free(&plain);
    free(room);
    return code;
}

int servet_analyze_cache(const servet_cache_evidence *evidence, servet_cache_analysis *analysis,
                         servet_error *error)
{
    return servet_explain_cache(evidence, analysis, NULL, error);
}
