/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory-level parallelism of each level: by one core, and by those that share it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/concurrency/benchmark.h"
#include "facts/concurrency/stage_targets.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "stats/interval.h"
#include "stats/saturation.h"

/* The widest loads are measured first, chains next, and threads in the rest of the time. */
static const double WIDE_SHARE = 0.1, CHAINS_SHARE = 0.6;

/* The measurements of a target and their results. */
typedef struct answers {
    srv_measure_target of;
    int chain_count, team_count;
    srv_spread wide;
    srv_load chains[SRV_CHAINS_MAX], teams[SRV_TEAMS_MAX];
    servet_concurrency found;
} answers;

typedef struct concurrency {
    const srv_stage *stage;
    const srv_stage_place *place;
    int kind;
    servet_at at;
    double memory;
    int count;
    answers answers[SRV_TARGETS_MAX];
} concurrency;

/* --- probes ----------------------------------------------------------------------------------- */

static srv_stage_task task_of(const answers *to, const srv_stage *stage)
{
    srv_stage_task task = {*stage, "concurrency in memory: "};
    if (to->of.level > 0)
        snprintf(task.what, sizeof task.what, "concurrency in L%d: ", to->of.level);
    return task;
}

static srv_load_plan plan_of(const concurrency *on, const answers *to, srv_stage_task *task)
{
    return (srv_load_plan){.traversal = {.core = on->at.core,
                                         .bytes = to->of.bytes,
                                         .line_bytes = to->of.line,
                                         .chains = 1,
                                         .pages = on->stage->options->pages},
                           .seed = (uint64_t)on->stage->options->seed,
                           .sampler = srv_stage_sampler(task)};
}

static void pool(srv_pooled *pooled, const srv_load *loads, int count)
{
    for (int i = 0; i < count; i++)
        if (loads[i].visits > 0)
            srv_pool(pooled, loads[i].visit, (size_t)loads[i].visits);
}

/* Visits of all loads of a target deviate alike: they share the level and its neighbours. */
static servet_value value_of(const answers *to, const srv_load *load)
{
    double times[SRV_LOAD_VISITS_MAX], scale = to->of.line * 1e9;
    srv_pooled pooled = {0};
    pool(&pooled, to->chains, to->chain_count);
    pool(&pooled, to->teams, to->team_count);
    memcpy(times, load->visit, sizeof times);
    srv_interval ns = srv_interval_pooled(&pooled, times, (size_t)load->visits);
    return (servet_value){scale / ns.value,
                          scale / ns.high,
                          scale / ns.low,
                          load->visits,
                          SERVET_UNIT_BYTE_PER_SECOND,
                          SERVET_METHOD_TIMED,
                          to->of.trusted};
}

static void find_saturation(answers *to)
{
    srv_rate rates[SRV_CHAINS_MAX];
    int n = to->chain_count;
    /* Effective bytes a second of one core: a line for each load. */
    for (int i = 0; i < n; i++) {
        double scale = to->of.line * 1e9;
        rates[i] =
            (srv_rate){to->chains[i].count, scale / to->chains[i].ns, scale / to->chains[i].high,
                       scale / to->chains[i].low, to->chains[i].visits};
    }
    srv_enough enough = srv_saturation(rates, n, SRV_LOADS_ALIKE / 2);
    to->found.requests = enough.count;
    to->found.requests_low = enough.fewest;
    to->found.requests_high = enough.most;
    to->found.best = value_of(to, &to->chains[srv_best_rate(rates, n)]);
}

static int probe_wide(const concurrency *on, answers *to, const srv_stage *stage,
                      servet_error *error)
{
    srv_stage_task task = task_of(to, stage);
    srv_load_plan plan = plan_of(on, to, &task);
    int code = srv_bench_loads(&plan, &to->wide, error);
    if (code == SERVET_OK)
        to->found.bandwidth = to->wide.n > 0 ? (servet_value){to->wide.median,
                                                              to->wide.low,
                                                              to->wide.high,
                                                              (int)to->wide.n,
                                                              SERVET_UNIT_BYTE_PER_SECOND,
                                                              SERVET_METHOD_TIMED,
                                                              to->of.trusted}
                                             : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    return code;
}

static int probe_chains(const concurrency *on, answers *to, const srv_stage *stage,
                        servet_error *error)
{
    srv_stage_task task = task_of(to, stage);
    srv_load_plan plan = plan_of(on, to, &task);
    int code = srv_bench_chains(&plan, to->chains, &to->chain_count, error);
    if (code == SERVET_OK && to->chain_count > 0)
        find_saturation(to);
    return code;
}

/* The number of cores that share the last cache with this one; 1 if it is not known. */
static int count_together(const concurrency *on, servet_error *error)
{
    int *cores = NULL, count = 0;
    if (on->count > 1) {
        srv_target_cores(on->place->profile, &on->at, &on->answers[on->count - 2].of, &cores,
                         &count, error);
        free(cores);
    }
    return count > 0 ? count : 1;
}

static int probe_threads(const concurrency *on, answers *to, const srv_stage *stage,
                         servet_error *error)
{
    srv_stage_task task = task_of(to, stage);
    srv_load_plan plan = plan_of(on, to, &task);
    int *cores, count;
    if (to->chain_count == 0)
        return SERVET_OK;
    int code = srv_target_cores(on->place->profile, &on->at, &to->of, &cores, &count, error);
    if (code != SERVET_OK)
        return code;
    int together = to->of.level > 0 ? count : count_together(on, error);
    plan.traversal.chains = to->found.requests;
    to->team_count = srv_target_teams(&to->of, count, together, on->memory, to->teams);
    code = srv_bench_threads(&plan, cores, to->teams, to->team_count, error);
    free(cores);
    return code;
}

/* The loads as a list without gaps, unknown for numbers that were not measured; its length. */
static int spread_out(const answers *to, const srv_load *loads, int n, servet_value *values)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        while (loads[i].visits > 0 && last < loads[i].count)
            values[last++] = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
        if (loads[i].visits > 0)
            values[loads[i].count - 1] = value_of(to, &loads[i]);
    }
    return last;
}

/* Facts of the target's `path` "kinds.1.caches.2" or "kinds.1.memory". */
static int store_facts(const concurrency *on, const answers *to, const char *path,
                       const servet_value *of_chains, const servet_value *of_threads,
                       servet_error *error)
{
    int code = srv_store(SRV_PLACE(on->place), &to->found, sizeof to->found, 1, error,
                         "%s.concurrency", path);
    if (code == SERVET_OK)
        code = srv_store(SRV_PLACE(on->place), of_chains, sizeof *of_chains, to->found.chains,
                         error, "%s.concurrency.chains", path);
    return code == SERVET_OK ? srv_store(SRV_PLACE(on->place), of_threads, sizeof *of_threads,
                                         to->found.threads, error, "%s.concurrency.threads", path)
                             : code;
}

static int store(const concurrency *on, answers *to, servet_error *error)
{
    char path[SERVET_NAME_MAX];
    servet_value of_chains[SRV_CHAINS_MAX];
    int most = to->team_count > 0 ? to->teams[to->team_count - 1].count : 1;
    servet_value *of_threads = malloc((size_t)most * sizeof *of_threads);
    if (!of_threads)
        return srv_fail_memory(error);
    to->found.chains = spread_out(to, to->chains, to->chain_count, of_chains);
    int threads = spread_out(to, to->teams, to->team_count, of_threads);
    of_threads[0] = of_chains[to->found.requests - 1];
    to->found.threads = threads > 0 ? threads : 1;
    snprintf(path, sizeof path, to->of.level ? "kinds.%d.caches.%d" : "kinds.%d.memory",
             on->kind + 1, to->of.level);
    int code = store_facts(on, to, path, of_chains, of_threads, error);
    free(of_threads);
    if (code != SERVET_OK || to->of.level > 0)
        return code;
    snprintf(path, sizeof path, "kinds.%d.memory.concurrency", on->kind + 1);
    return srv_doubt_memory(SRV_PLACE(on->place), on->kind + 1, path, error);
}

typedef int probe(const concurrency *on, answers *to, const srv_stage *stage, servet_error *error);

/* Measures each target, with its part of the time that is left. */
static int probe_all(concurrency *on, probe *probe_target, const srv_stage *stage,
                     servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->count && code == SERVET_OK; i++) {
        srv_stage part = srv_stage_part(stage, (double)i / on->count, (i + 1.0) / on->count);
        if (on->answers[i].of.bytes > 0)
            code = probe_target(on, &on->answers[i], &part, error);
    }
    return code;
}

static int probe_core(concurrency *on, servet_error *error)
{
    srv_measure_target targets[SRV_TARGETS_MAX];
    on->count = srv_targets_of(on->place->profile, &on->at, on->memory, targets);
    for (int i = 0; i < on->count; i++)
        on->answers[i].of = targets[i];
    srv_stage wide = srv_stage_part(on->stage, 0, WIDE_SHARE);
    int code = probe_all(on, probe_wide, &wide, error);
    srv_stage chains = srv_stage_part(on->stage, WIDE_SHARE, CHAINS_SHARE);
    if (code == SERVET_OK)
        code = probe_all(on, probe_chains, &chains, error);
    srv_stage threads = srv_stage_part(on->stage, CHAINS_SHARE, 1);
    if (code == SERVET_OK)
        code = probe_all(on, probe_threads, &threads, error);
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        if (on->answers[i].chain_count > 0)
            code = store(on, &on->answers[i], error);
    return code;
}

static int measure_kind(const srv_stage *stage, const srv_stage_place *place, int number,
                        const servet_kind *kind, servet_error *error)
{
    srv_machine *machine = stage->machine;
    srv_stage of_kind = *stage;
    of_kind.name = kind->name;
    concurrency *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = &of_kind;
    on->place = place;
    on->kind = number;
    on->at.node_class = servet_profile_class_name(place->profile, place->node_class);
    int code = srv_quietest_core(machine, kind->cores, &on->at.core, error);
    if (code == SERVET_OK)
        code = machine->ops->memory(machine, &on->memory, error);
    if (code == SERVET_OK)
        code = probe_core(on, error);
    free(on);
    return code;
}

int srv_measure_concurrency(const srv_stage *stage, const srv_stage_place *place,
                            servet_error *error)
{
    servet_at any = srv_place_at(place, SERVET_ANY_CORE);
    servet_kind kind;
    int code = SERVET_OK, count = 0;
    while (servet_kind_get(place->profile, &any, count, &kind) == SERVET_OK)
        count++;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_stage part = srv_stage_part(stage, (double)i / count, (i + 1.0) / count);
        servet_kind_get(place->profile, &any, i, &kind);
        code = measure_kind(&part, place, i, &kind, error);
    }
    return code;
}
