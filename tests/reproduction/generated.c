/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated machines: capacities and ways that real caches have, in any combination, under
 * every replacement policy, on 4 KiB pages placed at random, with 2 % noise. How many of their
 * caches does each method find? The last argument says how many machines; 200 without.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "findings.h"
#include "sim/simulated.h"
#include "pool.h"
#include "report.h"

enum { MACHINES_MAX = 200, LEVELS_MAX = 3, SEED = 2010 };
static const double KIB = 1 << 10, MIB = 1 << 20, GIB = 1 << 30;

static const double NOISE = 0.02;
static const double REACH = 4; /* largest working set, in last levels: what servet measure takes */
static const double TOLERANCE = 0.10; /* of a capacity */
static const double MUST_FIND = 0.97; /* of the machines */

/* --- the machines ----------------------------------------------------------------------------- */

typedef struct cache_shape {
    int sets, ways; /* of 64-byte lines */
} cache_shape;

static const cache_shape first_level[] = {
    {64, 4},  /* 16 KiB: Bulldozer */
    {64, 8},  /* 32 KiB: Core 2 to Skylake, Zen */
    {64, 12}, /* 48 KiB: Ice Lake */
    {128, 8}, /* 64 KiB: POWER9's ways */
    {256, 4}, /* 64 KiB: Neoverse */
};
static const cache_shape second_level[] = {
    {512, 8},   /* 256 KiB: Nehalem to Broadwell */
    {1024, 4},  /* 256 KiB: Skylake client */
    {1024, 8},  /* 512 KiB: Zen, Ice Lake client */
    {1024, 16}, /* 1 MiB: Skylake server */
    {2048, 8},  /* 1 MiB: Zen 4, Neoverse */
    {1024, 20}, /* 1.25 MiB: Tiger Lake */
    {2048, 16}, /* 2 MiB: Sapphire Rapids */
};
static const cache_shape third_level_slice[] = {
    {1024, 16}, /* 1 MiB: Zen */
    {2048, 11}, /* 1.375 MiB: Skylake server */
    {2048, 12}, /* 1.5 MiB: Ice Lake server */
    {2048, 15}, /* 1.875 MiB: Sapphire Rapids */
    {2048, 16}, /* 2 MiB: Sandy Bridge, Coffee Lake */
    {2048, 20}, /* 2.5 MiB: Haswell server */
    {4096, 12}, /* 3 MiB: Alder Lake */
    {4096, 16}, /* 4 MiB: Zen 3 */
};
static const int slice_counts[] = {1, 2, 4, 6, 8, 10, 12, 16};

/* The next of a machine's random numbers (splitmix64). */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int draw_below(uint64_t *state, size_t count)
{
    return (int)(draw(state) % count);
}

static double draw_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(draw(state) >> 11) * 0x1p-53;
}

#define DRAW_FROM(state, table) (table)[draw_below(state, sizeof(table) / sizeof *(table))]

static double bytes_of(cache_shape shape)
{
    return 64.0 * shape.sets * shape.ways;
}

/* A policy that this cache can have: a binary tree orders a power of two. */
static srv_replacement draw_policy(uint64_t *state, int ways)
{
    srv_replacement policy;
    do
        policy = (srv_replacement)draw_below(state, SRV_REPLACEMENT_COUNT);
    while (policy == SRV_REPLACE_PLRU && (ways & (ways - 1)) != 0);
    return policy;
}

static void add_cache(srv_model *model, uint64_t *state, cache_shape shape, int slices,
                      double latency)
{
    int level = ++model->cache_count;
    model->cache[level - 1] = (srv_model_cache){
        .level = level,
        .bytes = slices * bytes_of(shape),
        .ways = shape.ways,
        .line_bytes = 64,
        .latency_cycles = floor(latency),
        .pus_per_instance = 1,
        .inclusion = draw_below(state, 2) ? SRV_INCLUSIVE : SRV_NON_INCLUSIVE,
        .replacement = draw_policy(state, shape.ways),
        .slices = slices,
        .virtually_indexed = level == 1,
    };
}

/* A third level of 3 times the second at least, as all that were ever sold. Computing a curve takes
 * time in proportion to the largest cache, so only one in ten may be larger than 4 MiB and twice
 * that least; one machine in five has no third level. */
static void add_third_level(srv_model *model, uint64_t *state)
{
    double least = 3 * model->cache[1].bytes, bytes;
    double most = draw_below(state, 10) == 0 ? 64 * MIB : fmax(4 * MIB, 2 * least);
    if (draw_below(state, 5) == 0)
        return;
    cache_shape slice;
    int slices;
    do {
        slice = DRAW_FROM(state, third_level_slice);
        slices = DRAW_FROM(state, slice_counts);
        bytes = slices * bytes_of(slice);
    } while (bytes < least || bytes > most);
    add_cache(model, state, slice, slices, draw_between(state, 30, 75));
}

static void describe(srv_model *model)
{
    servet_machine *machine = &model->machine;
    snprintf(machine->hostname, sizeof machine->hostname, "%s", model->name);
    snprintf(machine->os, sizeof machine->os, "Linux");
    snprintf(machine->architecture, sizeof machine->architecture, "x86_64");
    snprintf(machine->cores, sizeof machine->cores, "0");
    machine->pu_count = machine->core_count = machine->package_count = machine->numa_count = 1;
    machine->memory_bytes = 16 * GIB;
    machine->page_bytes = 4 * KIB;
}

/* Machine number `index`; NULL without memory. */
static srv_model *generate(int index)
{
    uint64_t random = SEED + (uint64_t)index * 1000003, *state = &random;
    srv_model *model = calloc(1, sizeof *model);
    int *os_index = calloc(1, sizeof *os_index);
    if (!model || !os_index) {
        free(model);
        free(os_index);
        return NULL;
    }
    snprintf(model->name, sizeof model->name, "generated-%d", index);
    describe(model);
    model->node_count = model->pu_count = model->smt = 1;
    model->os_index = os_index;
    model->core_type_count = 1;
    model->core_type[0] = (srv_model_core_type){"default", 0, 1, draw_between(state, 1.8, 4.5), 1};
    add_cache(model, state, DRAW_FROM(state, first_level), 1, draw_between(state, 3, 6));
    add_cache(model, state, DRAW_FROM(state, second_level), 1, draw_between(state, 11, 19));
    add_third_level(model, state);
    model->memory_latency_ns = draw_between(state, 60, 130);
    model->memory_bytes_per_second_core = 10e9;
    model->noise.jitter = NOISE;
    return model;
}

/* --- measuring -------------------------------------------------------------------------------- */

typedef struct machine_result {
    int count;
    double bytes[LEVELS_MAX]; /* the truth */
    srv_replacement last_policy;
    findings found[METHOD_COUNT];
} machine_result;

static findings findings_by(int index, finding_method method, double max_bytes)
{
    srv_machine *machine;
    srv_model *model = generate(index);
    if (!model || srv_simulated_from(&machine, model, NULL) != SERVET_OK)
        return (findings){.code = SERVET_EMEMORY};
    findings found = findings_of(machine, method, max_bytes);
    srv_machine_destroy(machine);
    return found;
}

static void measure(void *context, int index)
{
    machine_result *result = (machine_result *)context + index;
    srv_model *model = generate(index);
    if (!model) {
        result->found[METHOD_2010].code = result->found[METHOD_DEFAULT].code = SERVET_EMEMORY;
        return;
    }
    result->count = model->cache_count;
    for (int i = 0; i < model->cache_count; i++)
        result->bytes[i] = model->cache[i].bytes;
    result->last_policy = model->cache[model->cache_count - 1].replacement;
    srv_model_free(model);
    double max_bytes = REACH * result->bytes[result->count - 1];
    for (finding_method method = 0; method < METHOD_COUNT; method++)
        result->found[method] = findings_by(index, method, max_bytes);
}

/* --- comparing -------------------------------------------------------------------------------- */

typedef struct method_score {
    int machines, machines_right; /* all levels found and no other */
    int caches, caches_right;     /* the level's size is among those found */
} method_score;

static bool near(double found, double truth)
{
    return fabs(found / truth - 1) <= TOLERANCE;
}

static bool found_cache(const findings *found, double bytes)
{
    for (int i = 0; i < found->count; i++)
        if (near(found->bytes[i], bytes))
            return true;
    return false;
}

static bool all_right(const machine_result *result, const findings *found)
{
    bool right = found->code == SERVET_OK && found->count == result->count;
    for (int i = 0; i < result->count && right; i++)
        right = near(found->bytes[i], result->bytes[i]);
    return right;
}

static void add_to(method_score *score, const machine_result *result, const findings *found)
{
    score->machines++;
    score->machines_right += all_right(result, found);
    for (int i = 0; i < result->count; i++) {
        score->caches++;
        score->caches_right += found_cache(found, result->bytes[i]);
    }
}

/* --- saying ----------------------------------------------------------------------------------- */

#define POLICY_TEXT(name, text) text,
static const char *const policies[] = {SRV_REPLACEMENT_LIST(POLICY_TEXT)};
#undef POLICY_TEXT

static void write_row(FILE *out, const char *what, const method_score scores[METHOD_COUNT])
{
    fprintf(out, "| %s | %d |", what, scores[METHOD_2010].machines);
    for (finding_method method = 0; method < METHOD_COUNT; method++)
        fprintf(out, " %d | %d of %d |", scores[method].machines_right, scores[method].caches_right,
                scores[method].caches);
    fputs("\n", out);
}

static void write_section(FILE *out, method_score scores[][METHOD_COUNT])
{
    fprintf(
        out,
        "## Generated machines\n"
        "\n"
        "%d machines with capacities and ways that real caches have, in any combination; 4 KiB "
        "pages placed\nat random; every sample %.0f %% noisy. A machine is right where all its "
        "levels and no others are found,\neach within %.0f %%; rows by the replacement policy of "
        "the last level.\n\n"
        "| last level | machines | servet2010: right | caches | default: right | caches |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        scores[SRV_REPLACEMENT_COUNT][METHOD_DEFAULT].machines, 100 * NOISE, 100 * TOLERANCE);
    for (int i = 0; i < SRV_REPLACEMENT_COUNT; i++)
        write_row(out, policies[i], scores[i]);
    write_row(out, "all", scores[SRV_REPLACEMENT_COUNT]);
}

static void remark_miss(const test_report *report, int index, const machine_result *result)
{
    char line[512], text[32];
    int at = snprintf(line, sizeof line, "machine %d, last level %s: truth", index,
                      policies[result->last_policy]);
    for (int i = 0; i < result->count; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, " %s,",
                       size_text(result->bytes[i], text, sizeof text));
    const findings *found = &result->found[METHOD_DEFAULT];
    at += snprintf(line + at, sizeof line - (size_t)at, " found");
    for (int i = 0; i < found->count; i++)
        at += snprintf(line + at, sizeof line - (size_t)at, " %s,",
                       size_text(found->bytes[i], text, sizeof text));
    report_remark(report, "%s code %d", line, found->code);
}

int main(int argc, char **argv)
{
    static machine_result results[MACHINES_MAX];
    static method_score scores[SRV_REPLACEMENT_COUNT + 1][METHOD_COUNT];
    test_report report;
    int at = report_begin(&report, argc, argv);
    int machines = at < argc ? atoi(argv[at]) : MACHINES_MAX;
    if (machines < 1 || machines > MACHINES_MAX)
        return 2;
    pool_run(machines, measure, results);
    for (int i = 0; i < machines; i++) {
        for (finding_method method = 0; method < METHOD_COUNT; method++) {
            const findings *found = &results[i].found[method];
            add_to(&scores[results[i].last_policy][method], &results[i], found);
            add_to(&scores[SRV_REPLACEMENT_COUNT][method], &results[i], found);
        }
        if (!all_right(&results[i], &results[i].found[METHOD_DEFAULT]))
            remark_miss(&report, i, &results[i]);
    }
    const method_score *all = scores[SRV_REPLACEMENT_COUNT];
    report_claim(&report, all[METHOD_DEFAULT].machines_right >= MUST_FIND * machines,
                 "the default method is right on %d of %d machines, servet2010 on %d",
                 all[METHOD_DEFAULT].machines_right, machines, all[METHOD_2010].machines_right);
    write_section(report.section, scores);
    return report_end(&report);
}
