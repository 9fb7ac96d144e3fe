/* SPDX-License-Identifier: BSD-3-Clause */
/* The probes of memory, and which results select the next ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/memory/stage_parts.h"
#include "run/cores.h"
#include "stats/saturation.h"

/* Sampling the cores of a type takes up to 0.2 s. */
static const double SAMPLE_SECONDS = 1;

static srv_stage_task task_of(const srv_stage *part)
{
    return (srv_stage_task){*part, "memory: "};
}

/* The plan for a task, which must stay valid. */
static srv_memory_plan plan_for(const srv_memory *on, srv_stage_task *task)
{
    srv_memory_plan plan = on->plan;
    plan.sampler = srv_stage_sampler(task);
    return plan;
}

static int place_of(const srv_memory *on, int core)
{
    int i = 0;
    while (i < on->count - 1 && on->cores[i] != core)
        i++;
    return i;
}

/* The quietest core, or without time to find it the first one. */
static int choose_core(const srv_stage *part, const char *cores, int *core, servet_error *error)
{
    int first, last;
    if (srv_stage_left(part) > SAMPLE_SECONDS)
        return srv_quietest_core(part->machine, cores, core, error);
    if (srv_ranges_next(&cores, &first, &last))
        *core = first;
    return SERVET_OK;
}

/* Cores of a kind are alike: one answers for them. */
static int probe_core_type(srv_memory *on, const srv_stage *part, const char *cores, bool is_first,
                           servet_error *error)
{
    srv_spread rates[SERVET_KERNEL_COUNT];
    srv_stage_task task = task_of(part);
    srv_memory_plan plan = plan_for(on, &task);
    int core = -1, code = choose_core(part, cores, &core, error);
    if (code == SERVET_OK)
        code = srv_bench_kernels(&plan, place_of(on, core), rates, error);
    if (code != SERVET_OK)
        return code;
    if (is_first) {
        on->kernels_place = place_of(on, core);
        const srv_spread *plain = &rates[SERVET_KERNEL_COPY], *past = &rates[SERVET_KERNEL_COPY_NT];
        bool better = past->n > 0 && (plain->n == 0 || past->median > plain->median);
        on->plan.kernel = better ? SERVET_KERNEL_COPY_NT : SERVET_KERNEL_COPY;
        for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
            on->kernels[i] = rates[i];
    }
    for (int i = 0; i < on->count && rates[on->plan.kernel].n > 0; i++)
        if (srv_ranges_contain(cores, on->cores[i]))
            on->alone[i] = rates[on->plan.kernel].median;
    return SERVET_OK;
}

int srv_memory_probe_alone(srv_memory *on, const srv_stage *part, servet_error *error)
{
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
    servet_kind kind;
    int code = SERVET_OK;
    for (int i = 0;
         code == SERVET_OK && servet_kind_get(on->place->profile, &at, i, &kind) == SERVET_OK; i++)
        code = probe_core_type(on, part, kind.cores, i == 0, error);
    return code;
}

/* True if there are several cores, all measured alone: the references of all other probes. */
static bool are_known(const srv_memory *on)
{
    for (int i = 0; i < on->count; i++)
        if (!(on->alone[i] > 0))
            return false;
    return on->count > 1;
}

int srv_memory_probe_pairs(srv_memory *on, const srv_stage *part, servet_error *error)
{
    srv_stage_task task = task_of(part);
    srv_memory_plan plan = plan_for(on, &task);
    if (!are_known(on))
        return SERVET_OK;
    int code = srv_bench_contention(&plan, on->alone, SRV_MEMORY_WHOLE, &on->found, error);
    if (code != SERVET_OK)
        return code;
    on->levels_known = !on->found.unmeasured || srv_sampler_fits(&plan.sampler, 0);
    if (on->levels_known)
        on->level_count = srv_detect_overheads(on->found.pair, on->found.count, on->level);
    return SERVET_OK;
}

/* The members of the largest group of a level (from 0), in `places`; returns their number. */
static int memory_members(const srv_memory *on, int level, int *group, int *places)
{
    int count = srv_detect_overhead_groups(on->found.pair, &on->level[level], group, on->count);
    int largest = 0, most = 0, n = 0;
    for (int k = 0; k < count; k++) {
        int members = 0;
        for (int i = 0; i < on->count; i++)
            members += group[i] == k;
        if (members > most) {
            most = members;
            largest = k;
        }
    }
    for (int i = 0; i < on->count; i++)
        if (group[i] == largest)
            places[n++] = i;
    return n;
}

/* --- more and more cores ---------------------------------------------------------------------- */

/* Chance in the sum of the cores is less than in each, by the root of their number. */
static void find_saturation(srv_memory_curve *curve)
{
    srv_rate rates[SRV_SCALING_MAX];
    for (int i = 0; i < curve->count; i++) {
        const srv_scaling *point = &curve->point[i];
        double all = point->cores * point->each, chance = sqrt(point->cores);
        rates[i] = (srv_rate){point->cores, all, all - chance * (point->each - point->low),
                              all + chance * (point->high - point->each), 0};
    }
    srv_enough enough = srv_saturation(rates, curve->count, 0);
    curve->saturation = enough.count;
    for (int i = 0; i < curve->count; i++) {
        int cores = curve->point[i].cores;
        if (cores != enough.count && cores >= enough.fewest && cores <= enough.most)
            curve->unsure = true;
    }
}

static int add_caches(const srv_memory *on, srv_sets *sets, servet_error *error)
{
    servet_profile *profile = on->place->profile;
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
    const char *cores;
    int code = SERVET_OK;
    for (int level = 1; level <= SERVET_CACHE_LEVELS_MAX; level++)
        for (int i = 0;
             code == SERVET_OK && servet_cache_group(profile, &at, level, i, &cores) == SERVET_OK;
             i++)
            code = srv_sets_add(sets, cores, error);
    return code;
}

/* Reads NUMA nodes, the measured caches, and the system's report. */
static int find_neighbours(const srv_memory *on, srv_sets *sets, servet_error *error)
{
    int code = add_caches(on, sets, error);
    for (int i = 0; i < on->numa_count && code == SERVET_OK; i++)
        code = srv_sets_add(sets, on->numa[i].cores, error);
    for (int i = 0; i < on->objects.count && code == SERVET_OK; i++)
        code = srv_sets_add(sets, on->objects.set[i], error);
    return code;
}

static int order_places(const srv_memory *on, int *places, int n, servet_error *error)
{
    srv_neighbours near = {.cores = on->cores};
    size_t count = on->level_count > 0 ? on->found.count : 0;
    srv_contention *alike = calloc(count + 1, sizeof *alike);
    const srv_contentions found = {.pair = alike, .count = count};
    int code = alike ? find_neighbours(on, &near.sets, error) : srv_fail_memory(error);
    if (code == SERVET_OK) {
        /* Pairs of a level are alike: chance must not order the cores. */
        for (int l = 0; l < on->level_count; l++) {
            const srv_overhead_level *level = &on->level[l];
            double share = srv_overhead_typical(on->found.pair, level)->share;
            for (size_t i = level->first; i < level->first + level->count; i++)
                alike[i] = (srv_contention){
                    .a = on->found.pair[i].a, .b = on->found.pair[i].b, .share = share};
        }
        code = srv_scaling_order(&found, &near, places, n, error);
    }
    srv_sets_finish(&near.sets);
    free(alike);
    return code;
}

static int probe_curve(srv_memory *on, const srv_stage *part, int *places, int n,
                       srv_memory_curve *curve, servet_error *error)
{
    srv_stage_task task = task_of(part);
    srv_memory_plan plan = plan_for(on, &task);
    int code = order_places(on, places, n, error);
    if (code == SERVET_OK)
        code =
            srv_bench_scaling(&plan, places, n, SRV_SATURATED, curve->point, &curve->count, error);
    if (code == SERVET_OK && curve->count > 0 && curve->point[curve->count - 1].cores == n &&
        srv_memory_suffices(&plan, n))
        find_saturation(curve);
    return code;
}

static int probe_all_curves(srv_memory *on, const srv_stage *part, int *group, int *places,
                            servet_error *error)
{
    int code = SERVET_OK, curves = on->level_count + 1;
    for (int i = 0; i < curves && code == SERVET_OK; i++) {
        srv_stage one = srv_stage_part(part, (double)i / curves, (i + 1.0) / curves);
        int n = i > 0 ? memory_members(on, i - 1, group, places) : on->count;
        for (int k = 0; k < n && i == 0; k++)
            places[k] = k;
        code = probe_curve(on, &one, places, n, &on->curve[i], error);
        for (int k = 0; k < n && i == 0; k++)
            on->order[k] = places[k];
    }
    return code;
}

int srv_memory_probe_curves(srv_memory *on, const srv_stage *part, servet_error *error)
{
    if (!are_known(on))
        return SERVET_OK;
    int *group = calloc((size_t)on->count, sizeof *group);
    int *places = calloc((size_t)on->count, sizeof *places);
    int code =
        group && places ? probe_all_curves(on, part, group, places, error) : srv_fail_memory(error);
    free(group);
    free(places);
    return code;
}

/* With a single NUMA node there is nothing more to measure. */
int srv_memory_probe_remotes(srv_memory *on, const srv_stage *part, servet_error *error)
{
    srv_stage_task task = task_of(part);
    srv_memory_plan plan = plan_for(on, &task);
    int near[SRV_NUMA_MAX];
    if (on->numa_count < 2)
        return SERVET_OK;
    on->remotes = calloc((size_t)on->numa_count * (size_t)on->numa_count, sizeof *on->remotes);
    if (!on->remotes)
        return srv_fail_memory(error);
    for (int i = 0; i < on->numa_count; i++)
        near[i] = -1;
    for (int i = on->count - 1; i >= 0; i--)
        if (on->node[i] >= 0)
            near[on->node[i]] = on->cores[i];
    return srv_bench_remotes(&plan, near, on->numa_count, on->remotes, error);
}
