/* SPDX-License-Identifier: BSD-3-Clause */
/* One core's caches by the method of the papers of 2010: one curve in cycles, and its analysis. */
#include "facts/servet2010/stage.h"

#include <math.h>

#include "facts/cache/stage_curve.h"
#include "facts/cache/stage_verdict.h"
#include "facts/servet2010/benchmark.h"

/* Cycles in seconds, at the core's frequency in that run. */
static servet_value in_seconds(servet_value cycles, double ghz)
{
    const double hertz = ghz * 1e9;
    if (!servet_value_known(&cycles) || !(ghz > 0))
        return servet_value_unknown(SERVET_UNIT_SECOND);
    cycles.value /= hertz;
    cycles.low /= hertz;
    cycles.high /= hertz;
    cycles.unit = SERVET_UNIT_SECOND;
    return cycles;
}

static servet_cache fact_of(const servet_cache_level *level, double ghz)
{
    return (servet_cache){
        .level = level->level,
        .kind = level->kind,
        .bytes = level->bytes,
        .ways = servet_value_unknown(SERVET_UNIT_NONE),
        .sets = servet_value_unknown(SERVET_UNIT_NONE),
        .reachable_bytes = level->bytes,
        .latency = in_seconds(level->latency, ghz),
        .latency_cycles = level->latency,
        .confidence = level->confidence,
    };
}

static servet_value timed(const srv_spread *spread, double scale, servet_unit unit)
{
    if (!(spread->median > 0))
        return servet_value_unknown(unit);
    return (servet_value){spread->median * scale,
                          spread->low * scale,
                          spread->high * scale,
                          (int)spread->n,
                          unit,
                          SERVET_METHOD_TIMED,
                          true};
}

/* Sorts the frequencies: code that needs them by size must run before. */
static void collect(srv_series *series, const servet_cache_analysis *analysis,
                    srv_cache_facts *facts)
{
    srv_spread ghz = srv_spread_of(series->ghz, series->curve.n);
    double huge = series->huge_share;
    facts->count = analysis->level_count;
    facts->reached_bytes = series->curve.bytes[series->curve.n - 1];
    for (int i = 0; i < facts->count; i++)
        facts->cache[i] = fact_of(&analysis->level[i], ghz.median);
    facts->memory_latency = in_seconds(analysis->memory_latency, ghz.median);
    facts->frequency = timed(&ghz, 1e9, SERVET_UNIT_HERTZ);
    facts->huge_share =
        isnan(huge)
            ? servet_value_unknown(SERVET_UNIT_NONE)
            : (servet_value){huge, huge, huge, 1, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
}

static int analyze(const srv_stage *stage, srv_series *series, double page_bytes,
                   srv_cache_facts *facts, servet_error *error)
{
    servet_2010_options options = SERVET_2010_OPTIONS_INIT;
    servet_cache_analysis analysis;
    options.page_bytes = page_bytes;
    options.votes = stage->options->votes;
    srv_2010_to_cycles(series);
    int code = srv_stage_save(stage, "servet2010", &series->curve, error);
    if (code == SERVET_OK)
        code = servet_analyze_cache_2010(&series->curve, &options, &analysis, error);
    if (code == SERVET_OK)
        collect(series, &analysis, facts);
    return code;
}

int srv_measure_caches_2010(const srv_stage *stage, int core, double max_bytes,
                            srv_cache_facts *facts, servet_error *error)
{
    srv_machine *machine = stage->machine;
    srv_curve_plan plan = srv_2010_curve_plan(core, stage->options->min_bytes, max_bytes);
    srv_series series = {.curve = SERVET_CURVE_INIT};
    srv_reported reported;
    servet_machine description;
    int code = machine->ops->reported(machine, core, &reported, error);
    if (code == SERVET_OK)
        code = machine->ops->describe(machine, &description, error);
    if (code == SERVET_OK)
        code = srv_stage_curve(stage, &plan, "servet2010", 0, 1, &series, error);
    if (code == SERVET_OK)
        code = analyze(stage, &series, description.page_bytes, facts, error);
    if (code == SERVET_OK)
        srv_compare_caches(&reported, facts);
    srv_series_free(&series);
    return code;
}
