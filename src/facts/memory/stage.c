/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: bandwidth alone, in pairs and in groups, and from NUMA node to NUMA node. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/memory/stage_parts.h"
#include "facts/stages.h"
#include "run/cores.h"

/* --- the same at other moments ---------------------------------------------------------------- */

/* Probes of memory that are repeated at other moments. */

/* Kernels on some cores at once, and which of their rates is the fact. */
typedef struct together {
    bool slowest; /* else the mean */
    int count;
    srv_stream stream[];
} together;

static double rate_of(const together *arguments, const srv_spread *rates)
{
    double sum = 0, least = INFINITY;
    for (int i = 0; i < arguments->count; i++) {
        sum += rates[i].median;
        least = fmin(least, rates[i].median);
    }
    return arguments->slowest ? least : sum / arguments->count;
}

/* A stream has no seed: it continues where the last one in its memory ended, or in fresh memory. */
static int probe_again(void *context, const void *arguments, uint64_t seed, double *value,
                       servet_error *error)
{
    srv_machine *machine = context;
    const together *on = arguments;
    srv_spread *rates = calloc((size_t)on->count, sizeof *rates);
    (void)seed;
    if (!rates)
        return srv_fail_memory(error);
    int code = machine->ops->stream(machine, on->stream, on->count, rates, error);
    if (code == SERVET_OK)
        *value = rate_of(on, rates);
    free(rates);
    return code;
}

static int add(const srv_memory *on, const char *fact, servet_kernel kernel, const int *places,
               int count, bool slowest, servet_error *error)
{
    size_t bytes = sizeof(together) + (size_t)count * sizeof(srv_stream);
    together *arguments = calloc(1, bytes);
    if (!arguments)
        return srv_fail_memory(error);
    arguments->slowest = slowest;
    arguments->count = count;
    for (int i = 0; i < count; i++) {
        arguments->stream[i] = srv_memory_plan_stream(&on->plan, on->plan.cores[places[i]], count);
        arguments->stream[i].kernel = kernel;
    }
    srv_probe probe = {fact, SERVET_UNIT_BYTE_PER_SECOND, probe_again, arguments, bytes};
    int code = srv_repeats_add(on->stage->slot.repeats, &probe, error);
    free(arguments);
    return code;
}

static int repeat_kernels(const srv_memory *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < SERVET_KERNEL_COUNT && code == SERVET_OK; i++) {
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.%s", servet_kernel_name((servet_kernel)i));
        if (on->kernels[i].n > 0)
            code = add(on, fact, (servet_kernel)i, &on->kernels_place, 1, false, error);
    }
    return code;
}

static int repeat_levels(const srv_memory *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->level_count && code == SERVET_OK; i++) {
        const srv_overhead_level *level = &on->level[i];
        const srv_contention *typical = &on->found.pair[level->first + level->count / 2];
        const int pair[] = {typical->a, typical->b};
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.levels.%d.bandwidth", i + 1);
        code = add(on, fact, on->plan.kernel, pair, 2, true, error);
    }
    return code;
}

/* Only the ends of the node's curve: the points between cost as much and add less. */
static int repeat_scaling(const srv_memory *on, servet_error *error)
{
    const srv_memory_curve *curve = &on->curve[0];
    int code = SERVET_OK;
    for (int i = 0; i < curve->count && code == SERVET_OK; i++) {
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.scaling.%d", curve->point[i].cores);
        if (i == 0 || i + 1 == curve->count)
            code = add(on, fact, on->plan.kernel, on->order, curve->point[i].cores, false, error);
    }
    return code;
}

static int memory_repeat(const srv_memory *on, servet_error *error)
{
    int code = repeat_kernels(on, error);
    if (code == SERVET_OK)
        code = repeat_levels(on, error);
    return code == SERVET_OK ? repeat_scaling(on, error) : code;
}

/* Bytes of both arrays of a copy together: STREAM's rule, four times the cache for each, and at
 * least the reported caches: others leave a part of a shared cache to the benchmark, which may be
 * larger at another time. */
static const double OUTSIDE = 8;
static const double BYTES_LEAST = 64.0 * (1 << 20);

/* Share of the memory that this job may use for the arrays of all cores together. */
static const double MEMORY_SHARE = 0.5;

/* The largest cache and line that a core is known to have, or reported to. */
static void read_caches(const servet_profile *profile, const servet_at *at, srv_machine *machine,
                        double *bytes, double *line)
{
    servet_cache cache;
    srv_reported reported;
    for (int level = 1; servet_cache_get(profile, at, level, &cache) == SERVET_OK; level++) {
        *bytes = fmax(*bytes, OUTSIDE * cache.bytes.high);
        if (servet_value_known(&cache.line))
            *line = fmax(*line, cache.line.value);
    }
    if (machine->ops->reported(machine, at->core, &reported, NULL) != SERVET_OK)
        return;
    for (int i = 0; i < reported.count; i++) {
        *bytes = fmax(*bytes, reported.level[i].bytes);
        *line = fmax(*line, reported.level[i].line_bytes);
    }
}

int srv_memory_sizes(const servet_profile *profile, const char *node_class, srv_machine *machine,
                     const int *cores, int count, srv_memory_plan *plan, servet_error *error)
{
    double memory;
    int code = machine->ops->memory(machine, &memory, error);
    if (code != SERVET_OK)
        return code;
    plan->bytes = BYTES_LEAST;
    plan->line_bytes = SRV_LINE_DEFAULT;
    plan->memory_bytes = MEMORY_SHARE * memory;
    for (int i = 0; i < count; i++) {
        const servet_at at = {.node_class = node_class, .core = cores[i]};
        read_caches(profile, &at, machine, &plan->bytes, &plan->line_bytes);
    }
    return SERVET_OK;
}

static int plan_sizes(srv_memory *on, servet_error *error)
{
    const servet_profile *profile = on->place->profile;
    /* Instances of the last cache whose groups are known; 0: of none. */
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
    int count = 0, known;
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (servet_cache_group_count(on->place->profile, &at, level, &known) == SERVET_OK)
            count = known;
    on->plan = (srv_memory_plan){.cores = on->cores,
                                 .count = on->count,
                                 .instances = count,
                                 .pages = on->stage->options->pages,
                                 .seed = (uint64_t)on->stage->options->seed};
    return srv_memory_sizes(profile, servet_profile_class_name(profile, on->place->node_class),
                            on->stage->machine, on->cores, on->count, &on->plan, error);
}

static int find_nodes(srv_memory *on, servet_error *error)
{
    srv_machine *machine = on->stage->machine;
    int code = machine->ops->nodes(machine, on->numa, &on->numa_count, error);
    for (int i = 0; i < on->count && code == SERVET_OK; i++) {
        on->node[i] = -1;
        for (int k = 0; k < on->numa_count; k++)
            if (srv_ranges_contain(on->numa[k].cores, on->cores[i]))
                on->node[i] = k;
    }
    return code;
}

static int begin(srv_memory *on, servet_error *error)
{
    srv_machine *machine = on->stage->machine;
    int code = srv_cores_of(on->place, &on->cores, &on->count, error);
    if (code != SERVET_OK)
        return code;
    on->node = calloc((size_t)on->count + 1, sizeof *on->node);
    on->alone = calloc((size_t)on->count + 1, sizeof *on->alone);
    on->order = calloc((size_t)on->count + 1, sizeof *on->order);
    if (!on->node || !on->alone || !on->order)
        return srv_fail_memory(error);
    code = find_nodes(on, error);
    if (code == SERVET_OK)
        code = machine->ops->objects(machine, &on->objects, error);
    return code == SERVET_OK ? plan_sizes(on, error) : code;
}

/* Each part gets time in proportion to its probes. With many cores, most pairs are settled
 * together. */
static int probe(srv_memory *on, servet_error *error)
{
    double cores = on->count, nodes = on->numa_count;
    const struct part {
        int (*probe)(srv_memory *on, const srv_stage *part, servet_error *error);
        double probes;
    } parts[] = {
        {srv_memory_probe_alone, 20},
        {srv_memory_probe_pairs, fmin(0.5 * cores * (cores - 1), 10 * cores)},
        {srv_memory_probe_curves, cores > 1 ? 3 * log2(cores) + 3 : 1},
        {srv_memory_probe_remotes, nodes > 1 ? 4 * fmin(nodes * nodes, SRV_REMOTES_MAX) : 0},
    };
    enum { COUNT = sizeof parts / sizeof *parts };
    double all = 0, from = 0;
    int code = SERVET_OK;
    for (int i = 0; i < COUNT; i++)
        all += parts[i].probes;
    for (int i = 0; i < COUNT && code == SERVET_OK; i++) {
        double to = i + 1 < COUNT ? from + parts[i].probes / all : 1;
        srv_stage part = srv_stage_part(on->stage, from, to);
        code = parts[i].probe(on, &part, error);
        from = to;
    }
    return code;
}

int srv_measure_memory(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    srv_memory *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = stage;
    on->place = place;
    int code = begin(on, error);
    if (code == SERVET_OK)
        code = probe(on, error);
    if (code == SERVET_OK)
        code = srv_memory_store(on, error);
    if (code == SERVET_OK)
        code = memory_repeat(on, error);
    free(on->cores);
    free(on->node);
    free(on->alone);
    free(on->order);
    free(on->remotes);
    srv_sets_finish(&on->objects);
    srv_contentions_finish(&on->found);
    free(on);
    return code;
}
