/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency of memory under load: which curves, and their facts. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/units.h"
#include "facts/loaded/benchmark.h"
#include "facts/memory/stage_parts.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "sample/visit.h"
#include "servet/analyze.h"
#include "stats/interval.h"
#include "stats/robust.h"

/* Rounds: five for the first curves, else three, whose median outvotes one. */
enum { ROUNDS_READS = 5, ROUNDS_OTHERS = 3 };

/* The mixes on a node's own memory: one of this many lines is modified. */
static const int mixes[] = {3, 2, 1};
enum { MIXES = sizeof mixes / sizeof *mixes };

/* Most curves: those of 16 nodes, as of bandwidths between nodes. */
enum { CURVES_MAX = SRV_REMOTES_MAX + 3 * 16 };

/* A curve to be measured, and its results. */
typedef struct curve {
    int from, node; /* indices in loaded.numa */
    int modified;
    int generators;
    bool suffices; /* there is memory for arrays that no cache holds */
    srv_loaded_series series;
    int rounds; /* complete ones */
    servet_loaded fact;
    servet_loaded_point point[SRV_LOADED_POINTS_MAX];
} curve;

typedef struct loaded {
    const srv_stage *stage;
    const srv_stage_place *place;
    int *cores; /* OS numbers, ascending */
    int core_count;
    int *generators; /* of the curve that is measured */
    srv_numa numa[SRV_NUMA_MAX];
    int numa_count;
    int chaser[SRV_NUMA_MAX]; /* the core of each node that chases; -1: it has none */
    srv_memory_plan plan;
    curve *curve;
    int curve_count;
} loaded;

/* --- what is measured ------------------------------------------------------------------------- */

static int choose_chasers(loaded *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->numa_count && code == SERVET_OK; i++) {
        on->chaser[i] = -1;
        if (*on->numa[i].cores)
            code = srv_quietest_core(on->stage->machine, on->numa[i].cores, &on->chaser[i], error);
    }
    return code;
}

static void add_curve(loaded *on, int from, int node, int modified)
{
    if (on->curve_count < CURVES_MAX && on->chaser[from] >= 0)
        on->curve[on->curve_count++] = (curve){.from = from, .node = node, .modified = modified};
}

/* Own memory comes first, in case that time is short. */
static void list_curves(loaded *on)
{
    for (int i = 0; i < on->numa_count; i++)
        add_curve(on, i, i, 0);
    for (int k = 0; k < MIXES; k++)
        for (int i = 0; i < on->numa_count; i++)
            add_curve(on, i, i, mixes[k]);
    for (int i = 0; i < on->numa_count; i++)
        for (int j = 0; j < on->numa_count; j++)
            if (i != j)
                add_curve(on, i, j, 0);
}

static int begin(loaded *on, servet_error *error)
{
    const servet_profile *profile = on->place->profile;
    srv_machine *machine = on->stage->machine;
    int code = srv_cores_of(on->place, &on->cores, &on->core_count, error);
    if (code == SERVET_OK)
        code = machine->ops->nodes(machine, on->numa, &on->numa_count, error);
    if (code == SERVET_OK)
        code = choose_chasers(on, error);
    if (code != SERVET_OK)
        return code;
    on->generators = calloc((size_t)on->core_count + 1, sizeof *on->generators);
    on->curve = calloc(CURVES_MAX, sizeof *on->curve);
    if (!on->generators || !on->curve)
        return srv_fail_memory(error);
    list_curves(on);
    on->plan = (srv_memory_plan){.cores = on->cores,
                                 .count = on->core_count,
                                 .pages = on->stage->options->pages,
                                 .seed = (uint64_t)on->stage->options->seed};
    return srv_memory_sizes(profile, servet_profile_class_name(profile, on->place->node_class),
                            machine, on->cores, on->core_count, &on->plan, error);
}

/* Cores near to the memory, else of the node itself; no threads of the chasing core. */
static int find_generators(loaded *on, const curve *of, int *count, servet_error *error)
{
    srv_reported reported;
    srv_machine *machine = on->stage->machine;
    const char *near =
        *on->numa[of->node].cores ? on->numa[of->node].cores : on->numa[of->from].cores;
    int chaser = on->chaser[of->from],
        code = machine->ops->reported(machine, chaser, &reported, error);
    const char *core = code == SERVET_OK && reported.count > 0 ? reported.level[0].cores : "";
    *count = 0;
    for (int i = 0; i < on->core_count && code == SERVET_OK; i++)
        if (on->cores[i] != chaser && srv_ranges_contain(near, on->cores[i]) &&
            !srv_ranges_contain(core, on->cores[i]))
            on->generators[(*count)++] = on->cores[i];
    return code;
}

static int measure_curve(loaded *on, curve *of, const srv_stage *part, servet_error *error)
{
    srv_stage_task task = {*part, "latency under load: "};
    srv_memory_plan memory = on->plan;
    memory.sampler = srv_stage_sampler(&task);
    int code = find_generators(on, of, &of->generators, error);
    if (code != SERVET_OK || of->generators == 0)
        return code;
    of->suffices = srv_loaded_bytes(&memory, of->generators) > 0.99 * memory.bytes;
    srv_loaded_plan plan = {.memory = &memory,
                            .core = on->chaser[of->from],
                            .node = on->numa_count > 1 ? of->node + 1 : 0,
                            .generators = on->generators,
                            .count = of->generators,
                            .modified = of->modified,
                            .rounds = of->from == of->node && of->modified == 0 ? ROUNDS_READS
                                                                                : ROUNDS_OTHERS};
    return srv_bench_loaded(&plan, &of->series, error);
}

/* The first curve has two shares of the time, because memory is touched for it. */
static int measure_curves(loaded *on, servet_error *error)
{
    int code = SERVET_OK;
    double shares = on->curve_count + 1, from = 0;
    for (int i = 0; i < on->curve_count && code == SERVET_OK; i++) {
        double to = (i + 2) / shares;
        srv_stage part = srv_stage_part(on->stage, from, to);
        code = measure_curve(on, &on->curve[i], &part, error);
        from = to;
    }
    return code;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* The median of visits with its interval; those at rest are exactly 0. */
static servet_value value_of(const double *visits, int count, servet_unit unit)
{
    double copy[SRV_LOADED_ROUNDS_MAX];
    srv_interval found = {0, 0, 0};
    for (int i = 0; i < count; i++)
        copy[i] = visits[i];
    if (copy[0] > 0)
        found = srv_interval_of(copy, (size_t)count);
    return srv_timed(found.value, found.low, found.high, count, unit);
}

/* The points of one round, or for -1 the medians of all; the least load comes first. */
static void take_points(const curve *of, int round, servet_loaded_point *points)
{
    const srv_loaded_series *series = &of->series;
    for (int i = 0; i < series->count; i++) {
        const srv_loaded_point *point = &series->point[series->count - 1 - i];
        int first = round < 0 ? 0 : round, count = round < 0 ? point->visits : 1;
        points[i].bandwidth = value_of(point->rate + first, count, SERVET_UNIT_BYTE_PER_SECOND);
        points[i].latency =
            srv_value_in_seconds(value_of(point->ns + first, count, SRV_UNIT_NANOSECOND));
        points[i].latency.trusted = points[i].bandwidth.trusted = of->suffices;
    }
}

static int analyze(const curve *of, int round, servet_loaded *fact, servet_error *error)
{
    servet_loaded_point points[SRV_LOADED_POINTS_MAX];
    servet_loaded_curve all = {(size_t)of->series.count, points};
    take_points(of, round, points);
    return servet_analyze_loaded(&all, fact, error);
}

static const size_t members[] = {offsetof(servet_loaded, unloaded), offsetof(servet_loaded, best),
                                 offsetof(servet_loaded, knee),     offsetof(servet_loaded, at_50),
                                 offsetof(servet_loaded, at_80),    offsetof(servet_loaded, at_95)};
/* Values from BEST on rest on the knee: without a knee, memory was not loaded to its limit. */
enum { BEST = 1, KNEE = 2, MEMBERS = sizeof members / sizeof *members };

static servet_value *member_of(servet_loaded *fact, int member)
{
    return (servet_value *)(void *)((char *)fact + members[member]);
}

/* The interval of a value, from the same value of each round: all errors of the curve are in it. A
 * knee is one of the points, and may be anywhere between its neighbours. */
static void set_interval(servet_value *value, const double *rounds, int count)
{
    double copy[SRV_LOADED_ROUNDS_MAX];
    if (!servet_value_known(value) || count == 0)
        return;
    for (int i = 0; i < count; i++)
        copy[i] = rounds[i];
    srv_spread spread = srv_spread_of(copy, (size_t)count);
    srv_interval found = srv_interval_of(copy, (size_t)count);
    bool agree = count > 1 && spread.high - spread.low <= SRV_QUARTILES_SHARE_MAX * spread.median;
    bool between = value->method == SERVET_METHOD_INTERPOLATED;
    value->low = fmin(between ? value->value : value->low, found.low);
    value->high = fmax(between ? value->value : value->high, found.high);
    value->samples = count;
    value->method = SERVET_METHOD_TIMED;
    value->trusted = value->trusted && agree;
}

static int complete_rounds(const srv_loaded_series *series)
{
    int rounds = SRV_LOADED_ROUNDS_MAX;
    for (int i = 0; i < series->count; i++)
        rounds = series->point[i].visits < rounds ? series->point[i].visits : rounds;
    return rounds;
}

static int decide(curve *of, servet_error *error)
{
    double rounds[MEMBERS][SRV_LOADED_ROUNDS_MAX];
    int counts[MEMBERS] = {0}, complete = complete_rounds(&of->series);
    int code = analyze(of, -1, &of->fact, error);
    for (int k = 0; k < complete && code == SERVET_OK; k++) {
        servet_loaded one;
        code = analyze(of, k, &one, error);
        for (int m = 0; m < MEMBERS && code == SERVET_OK; m++)
            if (servet_value_known(member_of(&one, m)))
                rounds[m][counts[m]++] = member_of(&one, m)->value;
    }
    for (int m = 0; m < MEMBERS && code == SERVET_OK; m++)
        set_interval(member_of(&of->fact, m), rounds[m], counts[m]);
    for (int m = BEST; m < MEMBERS && 2 * counts[KNEE] <= complete; m++)
        member_of(&of->fact, m)->trusted = false;
    return code;
}

static int by_bandwidth(const void *a, const void *b)
{
    double x = ((const servet_loaded_point *)a)->bandwidth.value,
           y = ((const servet_loaded_point *)b)->bandwidth.value;
    return (x > y) - (x < y);
}

static int decide_curves(loaded *on, servet_error *error)
{
    int kept = 0, code = SERVET_OK;
    for (int i = 0; i < on->curve_count && code == SERVET_OK; i++) {
        curve *of = &on->curve[kept];
        if (on->curve[i].series.count < 3)
            continue;
        *of = on->curve[i];
        code = decide(of, error);
        take_points(of, -1, of->point);
        qsort(of->point, (size_t)of->series.count, sizeof *of->point, by_bandwidth);
        of->fact.from = on->numa[of->from].number;
        of->fact.node = on->numa[of->node].number;
        of->fact.reads = of->modified > 0 ? of->modified : 1;
        of->fact.writes = of->modified > 0;
        of->fact.generators = of->generators;
        kept++;
    }
    on->curve_count = kept;
    return code;
}

static int doubt_limit(const loaded *on, int number, const curve *of, servet_error *error)
{
    char reason[SERVET_TEXT_MAX];
    if (servet_value_known(&of->fact.knee))
        return SERVET_OK;
    snprintf(reason, sizeof reason, "%d core%s not load this memory to its limit", of->generators,
             of->generators == 1 ? " does" : "s do");
    return srv_doubt_facts(SRV_PLACE(on->place), reason, error,
                           "loaded.%d.best loaded.%d.at_50_ns loaded.%d.at_80_ns "
                           "loaded.%d.at_95_ns",
                           number, number, number, number);
}

static int store(const loaded *on, servet_error *error)
{
    servet_loaded *facts = calloc((size_t)on->curve_count + 1, sizeof *facts);
    if (!facts)
        return srv_fail_memory(error);
    for (int i = 0; i < on->curve_count; i++)
        facts[i] = on->curve[i].fact;
    int code =
        srv_store(SRV_PLACE(on->place), facts, sizeof *facts, on->curve_count, error, "loaded");
    free(facts);
    for (int i = 0; i < on->curve_count && code == SERVET_OK; i++) {
        const curve *of = &on->curve[i];
        code = srv_store(SRV_PLACE(on->place), of->point, sizeof *of->point, of->series.count,
                         error, "loaded.%d.points", i + 1);
        if (code == SERVET_OK)
            code = doubt_limit(on, i + 1, of, error);
    }
    if (code == SERVET_OK)
        code = srv_doubt_memory(SRV_PLACE(on->place), 0, "loaded", error);
    return code;
}

int srv_measure_loaded(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    loaded *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = stage;
    on->place = place;
    int code = begin(on, error);
    if (code == SERVET_OK)
        code = measure_curves(on, error);
    if (code == SERVET_OK)
        code = decide_curves(on, error);
    if (code == SERVET_OK && on->curve_count > 0)
        code = store(on, error);
    free(on->cores);
    free(on->generators);
    free(on->curve);
    free(on);
    return code;
}
