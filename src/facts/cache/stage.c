/* SPDX-License-Identifier: BSD-3-Clause */
/* One core's caches: the main curve, then the series that distinguish translation and turnover. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/units.h"
#include "facts/cache/benchmark_curve.h"
#include "facts/cache/stage_parts.h"
#include "facts/geometry/stage_parts.h"

/* No cache holds this working set: the largest one known has 504 MiB (Granite Rapids). */
#define SRV_BEYOND_CACHES (1024.0 * (1 << 20))

/* Seconds of a load that no cache takes. On 136 curves of 54 processors the last caches take up to
 * 46 ns, and memory takes more than this on 123. */
static const double CACHE_SECONDS_MAX = 100e-9;

/* True if loads that take `seconds` (NaN: unknown) at the end of working sets of up to `bytes`
 * go to memory, because no cache is as slow or as large. */
static bool is_memory(double seconds, double bytes)
{
    return seconds > CACHE_SECONDS_MAX || bytes >= SRV_BEYOND_CACHES;
}

/* Shares of the work of a core kind: independent loads, the chase, translation, each other rate;
 * the last includes larger sets, where these are needed. */
static const double MAIN_SHARE = 0.5, LINES_SHARE = 0.1, PAGES_SHARE = 0.1, RATE_SHARE = 0.1;

/* Share of the main series' time of a further one: beyond it, the largest sizes are left out. */
static const double SIDE_SERIES_MAX = 0.4;

/* The other access rates: independent chains load faster, dependent multiplications (3 or 4 cycles
 * each) between two loads slow them down to about half the rate of loads from memory. `down` and
 * `up` limit the sizes relative to the last boundary: turnover moves it in proportion to the rate,
 * and a level with turnover may show at a high rate only. */
static const struct rate {
    const char *name;
    int chains, delay;
    double down, up;
} rates[] = {
    {"slow", 1, 64, 8, 8},
    {"fast4", 4, 0, 4, 16},
    {"fast8", 8, 0, 4, 32},
};
enum { RATE_COUNT = sizeof rates / sizeof *rates, FREQUENCIES_MAX = 256 };

/* A series of visits. */
typedef struct visited {
    srv_visits visits;
    servet_curve curve; /* that the quiet ones make */
    double huge_share;  /* see srv_series */
} visited;

static void visited_free(visited *series)
{
    srv_visits_free(&series->visits);
    servet_curve_free(&series->curve);
}

/* The series of one core, and the results so far. */
typedef struct core_series {
    visited independent, pages;
    srv_series lines, rate[RATE_COUNT];
    servet_cache_evidence evidence;
    servet_cache_analysis analysis;
    double main_seconds;     /* that independent loads took */
    double analysis_seconds; /* that reading it took: seconds where it is a noisy one */
} core_series;

static void series_free(core_series *series)
{
    visited_free(&series->independent);
    visited_free(&series->pages);
    srv_series_free(&series->lines);
    for (int i = 0; i < RATE_COUNT; i++)
        srv_series_free(&series->rate[i]);
}

/* --- probes ----------------------------------------------------------------------------------- */

/* Runs and stores one series, unless there was too little time for it to be read. */
static int run(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
               double share, srv_series *series, servet_error *error)
{
    int code = srv_stage_curve(stage, plan, what, from, share, series, error);
    bool whole = code == SERVET_OK && series->curve.n >= SERVET_CURVE_POINTS_MIN;
    return whole ? srv_stage_save(stage, what, &series->curve, error) : code;
}

static int run_visits(const srv_stage *stage, srv_curve_plan *plan, const char *what, double from,
                      double share, visited *series, servet_error *error)
{
    int code = srv_stage_visits(stage, plan, what, from, share, &series->visits,
                                &series->huge_share, error);
    if (code == SERVET_OK)
        code = srv_visits_curve(&series->visits, &series->curve, error);
    if (code != SERVET_OK || series->curve.n < SERVET_CURVE_POINTS_MIN)
        return code;
    code = srv_stage_save_visits(stage, what, &series->visits, error);
    return code == SERVET_OK ? srv_stage_save(stage, what, &series->curve, error) : code;
}

static int analyze(const srv_stage *stage, core_series *series, servet_error *error)
{
    double start = stage->machine->ops->elapsed(stage->machine);
    int code = servet_analyze_cache(&series->evidence, &series->analysis, error);
    series->analysis_seconds = stage->machine->ops->elapsed(stage->machine) - start;
    return code;
}

/* When other series than the main one must end, so that they can be read in time, too. */
static srv_deadline side_deadline(const srv_stage *stage, const core_series *series)
{
    srv_deadline end = srv_stage_deadline(stage);
    if (end.at > 0)
        end.at = fmax(DBL_MIN, end.at - series->analysis_seconds);
    return end;
}

/* The main curve, all sizes, by loads that no replacement biases. */
static int measure_independent(const srv_stage *stage, const srv_traversal *base, double max_bytes,
                               core_series *series, servet_error *error)
{
    srv_curve_plan plan = {.traversal = *base,
                           .min_bytes = stage->options->min_bytes,
                           .max_bytes = max_bytes,
                           .granule = base->line_bytes,
                           .points_per_octave = 4,
                           .refinements = 1};
    plan.traversal.pattern = SRV_PATTERN_RANDOM;
    double start = stage->machine->ops->elapsed(stage->machine);
    series->evidence.independent = &series->independent.curve;
    int code = run_visits(stage, &plan, "independent", 0, MAIN_SHARE, &series->independent, error);
    series->main_seconds = stage->machine->ops->elapsed(stage->machine) - start;
    if (series->independent.curve.n < SERVET_CURVE_POINTS_MIN) /* an old record has none */
        series->evidence.independent = NULL;
    return code;
}

static int measure_lines(const srv_stage *stage, const srv_traversal *base, double max_bytes,
                         core_series *series, servet_error *error)
{
    srv_curve_plan plan = {.traversal = *base,
                           .min_bytes = stage->options->min_bytes,
                           .max_bytes = max_bytes,
                           .granule = base->line_bytes,
                           .points_per_octave = 2,
                           .rounds = 2};
    series->evidence.lines = &series->lines.curve;
    int code = run(stage, &plan, "lines", MAIN_SHARE, LINES_SHARE, &series->lines, error);
    return code == SERVET_OK ? analyze(stage, series, error) : code;
}

static int measure_pages(const srv_stage *stage, const srv_traversal *base, double max_bytes,
                         core_series *series, servet_error *error)
{
    double page = series->evidence.page_bytes;
    srv_curve_plan plan = {.traversal = *base,
                           .min_bytes = fmax(stage->options->min_bytes, 16 * page),
                           .max_bytes = max_bytes,
                           .granule = page,
                           .points_per_octave = 4,
                           .refinements = 1,
                           .optional = true,
                           .sampler.deadline = side_deadline(stage, series)};
    plan.traversal.pattern = SRV_PATTERN_PAGES;
    if (plan.max_bytes <= plan.min_bytes)
        return SERVET_OK;
    int code = run_visits(stage, &plan, "pages", MAIN_SHARE + LINES_SHARE, PAGES_SHARE,
                          &series->pages, error);
    if (code != SERVET_OK || series->pages.curve.n < SERVET_CURVE_POINTS_MIN)
        return code;
    series->evidence.pages = &series->pages.curve;
    return analyze(stage, series, error);
}

/* --- memory or a hidden cache ----------------------------------------------------------------- */

/* Share of this job's memory for the largest sets, as for the arrays of all cores. */
static const double BEYOND_SHARE = 0.5;

/* Levels of a report that is taken for complete: of fewer the system may hide the last. */
enum { LEVELS_COMPLETE = 3 };

/* Octaves by which the last level may exceed its report. */
static const double BEYOND_REPORT = 1;

/* True if the system reports all levels; the last may be less than reported. */
static bool is_reported(const srv_reported *reported, const servet_cache_analysis *analysis)
{
    int count = reported->count;
    return count >= LEVELS_COMPLETE && count == analysis->level_count &&
           log2(analysis->level[count - 1].reachable_bytes / reported->level[count - 1].bytes) <
               BEYOND_REPORT;
}

static double largest_set(const core_series *series)
{
    const servet_curve *sizes =
        series->evidence.independent ? &series->independent.curve : &series->lines.curve;
    return sizes->bytes[sizes->n - 1];
}

/* True if a cache that the system does not report may pass for memory. */
static bool may_hide_cache(const srv_reported *reported, const core_series *series)
{
    const servet_value *latency = &series->analysis.memory_latency;
    return !is_reported(reported, &series->analysis) &&
           !is_memory(latency->low, largest_set(series));
}

static int append_visits(visited *to, const visited *from, servet_error *error)
{
    int code = SERVET_OK;
    for (size_t i = 0; i < from->visits.count && code == SERVET_OK; i++)
        code = srv_visits_add(&to->visits, &from->visits.visit[i], error);
    if (code != SERVET_OK)
        return code;
    servet_curve_free(&to->curve);
    return srv_visits_curve(&to->visits, &to->curve, error);
}

static bool has_time_beyond(const core_series *series, const srv_curve_plan *plan)
{
    /* Seconds in which all sets were visited for the first time, the largest last: their memory
     * was touched then, which takes most of it. */
    const srv_visits *visits = &series->independent.visits;
    const srv_visit *largest = visits->visit;
    for (size_t i = 1; i < visits->count; i++)
        if (visits->visit[i].bytes > largest->bytes)
            largest = &visits->visit[i];
    return srv_sampler_fits(&plan->sampler, 2 * (largest->seconds - visits->visit[0].seconds));
}

static int measure_beyond(const srv_stage *stage, const srv_traversal *base,
                          const srv_reported *reported, double max_bytes, core_series *series,
                          servet_error *error)
{
    double memory;
    visited beyond = {0};
    if (stage->options->max_bytes > 0 || !series->evidence.independent ||
        !may_hide_cache(reported, series))
        return SERVET_OK;
    int code = stage->machine->ops->memory(stage->machine, &memory, error);
    srv_curve_plan plan = {
        .traversal = *base,
        .min_bytes = 2 * max_bytes,
        .max_bytes = fmin(SRV_BEYOND_CACHES, BEYOND_SHARE * memory),
        .granule = base->line_bytes,
        .points_per_octave = 2,
        .optional = true,
        .sampler = {.machine = stage->machine, .deadline = side_deadline(stage, series)}};
    plan.traversal.pattern = SRV_PATTERN_RANDOM;
    if (code != SERVET_OK || plan.max_bytes < plan.min_bytes || !has_time_beyond(series, &plan))
        return code;
    code = run_visits(stage, &plan, "beyond", MAIN_SHARE + LINES_SHARE + PAGES_SHARE, RATE_SHARE,
                      &beyond, error);
    if (code == SERVET_OK && beyond.visits.count > 0)
        code = append_visits(&series->independent, &beyond, error);
    if (code == SERVET_OK && beyond.visits.count > 0)
        code = analyze(stage, series, error);
    visited_free(&beyond);
    return code;
}

static int measure_rates(const srv_stage *stage, const srv_traversal *base, double max_bytes,
                         core_series *series, servet_error *error)
{
    if (series->analysis.level_count == 0)
        return SERVET_OK;
    double last = series->analysis.level[series->analysis.level_count - 1].reachable_bytes;
    srv_curve_plan plan = {.traversal = *base,
                           .granule = base->line_bytes,
                           .points_per_octave = 4,
                           .rounds = 2,
                           .optional = true};
    int code = SERVET_OK;
    for (int i = 0; i < RATE_COUNT && code == SERVET_OK; i++) {
        plan.traversal.chains = rates[i].chains;
        plan.traversal.delay = rates[i].delay;
        plan.min_bytes = fmax(stage->options->min_bytes, last / rates[i].down);
        plan.max_bytes = fmin(max_bytes, last * rates[i].up);
        /* No more time than a series of other rates is worth. */
        srv_sampler side = {.machine = stage->machine, .deadline = side_deadline(stage, series)};
        double most = SIDE_SERIES_MAX * series->main_seconds;
        double now = stage->machine->ops->elapsed(stage->machine);
        plan.sampler.deadline =
            most < srv_sampler_left(&side) ? (srv_deadline){.at = now + most} : side.deadline;
        code = run(stage, &plan, rates[i].name,
                   MAIN_SHARE + LINES_SHARE + PAGES_SHARE + RATE_SHARE * i, RATE_SHARE,
                   &series->rate[i], error);
        if (code == SERVET_OK && series->rate[i].curve.n >= SERVET_CURVE_POINTS_MIN)
            series->evidence.rates[series->evidence.rate_count++] = &series->rate[i].curve;
    }
    bool more = code == SERVET_OK && series->evidence.rate_count > 0;
    return more ? analyze(stage, series, error) : code;
}

/* Repeats the last analysis, a pure function, to list its reasons. */
static int explain_curve(const srv_stage *stage, const core_series *series, servet_error *error)
{
    servet_cache_analysis same;
    servet_explanation why = SERVET_EXPLANATION_INIT;
    srv_account account = srv_stage_account(stage, SERVET_TOPIC_CURVE, 0);
    int code = account.to ? servet_explain_cache(&series->evidence, &same, &why, error) : SERVET_OK;
    for (size_t i = 0; i < why.n; i++) {
        const servet_reason *reason = &why.reason[i];
        char text[SERVET_FINDING_TEXT_MAX], size[SRV_SIZE_TEXT_MAX];
        account.level = reason->level;
        srv_note_rule(
            &account,
            (srv_rule){reason->rule, reason->value, reason->limit, srv_outcome(reason->accepted)},
            "%s%s%s", reason->bytes > 0 ? srv_size_text(reason->bytes, size) : "",
            reason->bytes > 0 ? ": " : "", servet_reason_text(reason, text, sizeof text));
    }
    servet_explanation_free(&why);
    return code;
}

static void join(const srv_stage *stage, const srv_geometry *geometry, srv_cache_facts *facts)
{
    srv_account account = srv_stage_account(stage, SERVET_TOPIC_JOIN, 0);
    srv_cache_facts curve = *facts;
    srv_geometry_join(geometry, facts);
    if (account.to)
        srv_geometry_explain(geometry, &curve, facts, &account);
}

/* --- facts ------------------------------------------------------------------------------------ */

/* The core's frequency while sizes from low (exclusive) to high were measured; ghz. */
static srv_spread frequency_within(const srv_visits *visits, double low, double high)
{
    double samples[FREQUENCIES_MAX] = {NAN};
    size_t n = 0;
    for (size_t i = 0; i < visits->count && n < FREQUENCIES_MAX; i++)
        if (visits->visit[i].bytes > low && visits->visit[i].bytes <= high)
            samples[n++] = visits->visit[i].ghz;
    return srv_spread_of(samples, n > 0 ? n : 1);
}

static double converted(double time, servet_unit unit, double ghz)
{
    const double hertz = ghz * 1e9;
    return unit == SERVET_UNIT_CYCLE ? time * hertz : time / hertz;
}

servet_value srv_latency_in(servet_value time, servet_unit unit, double ghz)
{
    if (!servet_value_known(&time) || (time.unit != unit && !(ghz > 0)))
        return servet_value_unknown(unit);
    if (time.unit == unit)
        return time;
    time.value = converted(time.value, unit, ghz);
    time.low = converted(time.low, unit, ghz);
    time.high = converted(time.high, unit, ghz);
    time.unit = unit;
    return time;
}

servet_cache srv_cache_fact(const servet_cache_level *level, double ghz)
{
    servet_value reachable = level->bytes;
    reachable.value = level->reachable_bytes;
    reachable.low = fmin(reachable.low, reachable.value);
    reachable.high = fmax(reachable.high, reachable.value);
    return (servet_cache){
        .level = level->level,
        .kind = level->kind,
        .bytes = level->bytes,
        .ways = servet_value_unknown(SERVET_UNIT_NONE),
        .sets = servet_value_unknown(SERVET_UNIT_NONE),
        .reachable_bytes = reachable,
        .latency = srv_latency_in(level->latency, SERVET_UNIT_SECOND, ghz),
        .latency_cycles = srv_latency_in(level->latency, SERVET_UNIT_CYCLE, ghz),
        .confidence = level->confidence,
    };
}

servet_value srv_cache_seen(const srv_spread *spread, double scale, servet_unit unit)
{
    if (isnan(spread->median))
        return servet_value_unknown(unit);
    return srv_timed(spread->median * scale, spread->low * scale, spread->high * scale,
                     (int)spread->n, unit);
}

/* Range (octaves) around a capacity, and the share of its visits that must be quiet to trust it. */
static const double NEAR_OCTAVES = 1, QUIET_ENOUGH = 0.2;

/* True if enough visits near a capacity were quiet to determine it. */
static bool quiet_near(const srv_visits *visits, double bytes)
{
    double near = 0, quiet = 0;
    for (size_t i = 0; i < visits->count; i++)
        if (fabs(log2(visits->visit[i].bytes / bytes)) <= NEAR_OCTAVES) {
            near++;
            quiet += visits->visit[i].quiet;
        }
    return quiet >= QUIET_ENOUGH * near;
}

static void collect(const core_series *series, double max_bytes, srv_cache_facts *facts)
{
    const servet_cache_analysis *analysis = &series->analysis;
    double below = 0;
    facts->count = analysis->level_count;
    facts->reached_bytes = largest_set(series);
    /* The largest span whose translation is known: the whole series reaches beyond any TLB. */
    const servet_curve *pages = series->evidence.pages;
    double last = pages ? pages->bytes[pages->n - 1] : series->evidence.page_bytes;
    facts->translated_bytes = last + series->evidence.page_bytes > max_bytes ? INFINITY : last;
    for (int i = 0; i < facts->count; i++) {
        srv_spread ghz = frequency_within(&series->independent.visits, below,
                                          analysis->level[i].reachable_bytes);
        facts->cache[i] = srv_cache_fact(&analysis->level[i], ghz.median);
        if (series->evidence.independent)
            facts->cache[i].bytes.trusted &=
                quiet_near(&series->independent.visits, analysis->level[i].reachable_bytes);
        below = analysis->level[i].reachable_bytes;
    }
    facts->memory_latency = analysis->memory_latency;
    srv_spread ghz = frequency_within(&series->independent.visits, 0, INFINITY);
    facts->frequency = srv_cache_seen(&ghz, 1e9, SERVET_UNIT_HERTZ);
    double huge = series->independent.huge_share;
    facts->huge_share =
        srv_cache_seen(&(srv_spread){huge, huge, huge, huge, 1}, 1, SERVET_UNIT_NONE);
}

int srv_measure_caches(const srv_stage *stage, int core, double max_bytes, srv_cache_facts *facts,
                       servet_error *error)
{
    srv_reported reported;
    servet_machine machine;
    int code = stage->machine->ops->reported(stage->machine, core, &reported, error);
    if (code == SERVET_OK)
        code = stage->machine->ops->describe(stage->machine, &machine, error);
    if (code != SERVET_OK)
        return code;
    srv_traversal base = {.core = core,
                          .line_bytes = srv_reported_line(&reported),
                          .chains = 1,
                          .pages = stage->options->pages};
    core_series series = {
        .evidence = {.page_bytes = machine.page_bytes, .line_bytes = base.line_bytes}};
    srv_geometry geometry = srv_geometry_of(facts);
    *facts = (srv_cache_facts){.count = 0};
    code = srv_measure_geometry(stage, core, base.line_bytes, max_bytes, &geometry, error);
    if (code == SERVET_OK) {
        srv_account account = srv_stage_account(stage, SERVET_TOPIC_JOIN, 0);
        srv_geometry_settle(&geometry, &reported, &account);
        for (int i = 0; i < geometry.count; i++)
            series.evidence.counted_bytes[series.evidence.counted_count++] =
                srv_geometry_bytes(&geometry.cache[i]);
    }
    if (code == SERVET_OK)
        code = measure_independent(stage, &base, max_bytes, &series, error);
    if (code == SERVET_OK)
        code = measure_lines(stage, &base, max_bytes, &series, error);
    if (code == SERVET_OK)
        code = measure_pages(stage, &base, max_bytes, &series, error);
    if (code == SERVET_OK)
        code = measure_beyond(stage, &base, &reported, max_bytes, &series, error);
    if (code == SERVET_OK)
        code = measure_rates(stage, &base, fmax(max_bytes, largest_set(&series)), &series, error);
    if (code == SERVET_OK)
        code = explain_curve(stage, &series, error);
    if (code == SERVET_OK) {
        collect(&series, max_bytes, facts);
        facts->may_hide_cache = may_hide_cache(&reported, &series);
        join(stage, &geometry, facts);
        srv_compare_caches(&reported, facts);
        if (series.analysis.level_count > 0)
            srv_take_last_as_share(
                &reported, series.analysis.level[series.analysis.level_count - 1].exists, facts);
    }
    series_free(&series);
    return code;
}
