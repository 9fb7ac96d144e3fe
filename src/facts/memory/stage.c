/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: bandwidth alone, in pairs and in groups, and from NUMA node to NUMA node. */
#include "facts/stages.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/memory/stage_parts.h"
#include "facts/memory/stage_sizes.h"
#include "run/cores.h"

/* Bytes of both arrays of a copy together: STREAM's rule, four times the cache for each, and at
 * least the reported caches: others leave a part of a shared cache to the benchmark, which may be
 * larger at another time. */
static const double OUTSIDE = 8;
static const double BYTES_LEAST = 64.0 * (1 << 20);

/* Share of the memory that this job may use for the arrays of all cores together. */
static const double MEMORY_SHARE = 0.5;

static const double LINE_LEAST = 64;

/* --- how much is measured ------------------------------------------------------------------------
 */

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
    plan->line_bytes = LINE_LEAST;
    plan->memory_bytes = MEMORY_SHARE * memory;
    for (int i = 0; i < count; i++) {
        const servet_at at = {.node_class = node_class, .core = cores[i]};
        read_caches(profile, &at, machine, &plan->bytes, &plan->line_bytes);
    }
    return SERVET_OK;
}

/* Instances of the last cache whose groups are known; 0: of none. */
static int count_instances(const srv_memory *on)
{
    servet_at at = {.node_class =
                        servet_profile_class_name(on->place->profile, on->place->node_class),
                    .core = SERVET_ANY_CORE};
    int count = 0, known;
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        if (servet_cache_group_count(on->place->profile, &at, level, &known) == SERVET_OK)
            count = known;
    return count;
}

static int plan_sizes(srv_memory *on, servet_error *error)
{
    const servet_profile *profile = on->place->profile;
    on->plan = (srv_memory_plan){.cores = on->cores,
                                 .count = on->count,
                                 .instances = count_instances(on),
                                 .pages = on->stage->options->pages,
                                 .seed = (uint64_t)on->stage->options->seed};
    return srv_memory_sizes(profile, servet_profile_class_name(profile, on->place->node_class),
                            on->stage->machine, on->cores, on->count, &on->plan, error);
}

/* --- begin and end ---------------------------------------------------------------------------- */

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

static void finish(srv_memory *on)
{
    free(on->cores);
    free(on->node);
    free(on->alone);
    free(on->order);
    free(on->slow);
    free(on->remotes);
    srv_sets_finish(&on->objects);
    srv_contentions_finish(&on->found);
}

/* --- what it costs, in probes, so that each part has its share of the time -------------------- */

static double cost_alone(const srv_memory *on)
{
    (void)on;
    return 20;
}

/* With many cores, most pairs are settled together. */
static double cost_pairs(const srv_memory *on)
{
    return fmin(0.5 * on->count * (on->count - 1), 10.0 * on->count);
}

static double cost_curves(const srv_memory *on)
{
    return on->count > 1 ? 3 * log2(on->count) + 3 : 1;
}

static double cost_remotes(const srv_memory *on)
{
    return on->numa_count > 1 ? 4 * fmin(on->numa_count * on->numa_count, SRV_REMOTES_MAX) : 0;
}

static int probe(srv_memory *on, servet_error *error)
{
    static const struct part {
        int (*probe)(srv_memory *on, const srv_stage *part, servet_error *error);
        double (*cost)(const srv_memory *on);
    } parts[] = {
        {srv_memory_probe_alone, cost_alone},
        {srv_memory_probe_pairs, cost_pairs},
        {srv_memory_probe_curves, cost_curves},
        {srv_memory_probe_remotes, cost_remotes},
    };
    enum { COUNT = sizeof parts / sizeof *parts };
    double all = 0, from = 0;
    int code = SERVET_OK;
    for (int i = 0; i < COUNT; i++)
        all += parts[i].cost(on);
    for (int i = 0; i < COUNT && code == SERVET_OK; i++) {
        double to = i + 1 < COUNT ? from + parts[i].cost(on) / all : 1;
        srv_stage part = srv_stage_part(on->stage, from, to);
        code = parts[i].probe(on, &part, error);
        from = to;
    }
    return code;
}

/* --- the whole -------------------------------------------------------------------------------- */

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
        code = srv_memory_save(on, error);
    if (code == SERVET_OK)
        code = srv_memory_store(on, error);
    if (code == SERVET_OK)
        code = srv_memory_repeat(on, error);
    finish(on);
    free(on);
    return code;
}
