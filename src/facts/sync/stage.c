/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronization: atomics, locks and barriers of one core, of pairs and of groups. */
#include "facts/stages.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/store.h"
#include "facts/sync/benchmark.h"
#include "facts/sync/stage_sets.h"
#include "run/raw_file.h"

typedef struct syncing {
    const srv_stage *stage;
    const srv_stage_place *place;
    srv_sync_sets sets;
    srv_sync_point point[SERVET_SYNC_COUNT * SRV_SYNC_SETS_MAX]; /* in the order of the list */
    int count;
} syncing;

/* --- probes ----------------------------------------------------------------------------------- */

/* A hint needs one core, a barrier several. */
static bool has_use(servet_sync_op op, int count)
{
    bool meets = op == SERVET_SYNC_CENTRAL || op == SERVET_SYNC_DISSEMINATION;
    return op == SERVET_SYNC_PAUSE ? count == 1 : count > 1 || !meets;
}

static void list_points(syncing *on)
{
    for (int op = 0; op < SERVET_SYNC_COUNT; op++)
        for (int i = 0; i < on->sets.count; i++) {
            const srv_sync_set *set = &on->sets.set[i];
            if (has_use((servet_sync_op)op, set->count))
                on->point[on->count++] = (srv_sync_point){.op = (servet_sync_op)op,
                                                          .cores = set->cores,
                                                          .count = set->count,
                                                          .layer = set->layer};
        }
}

/* Points without a visit leave the list. */
static int measure(syncing *on, servet_error *error)
{
    srv_stage_task task = {*on->stage, "synchronization: "};
    srv_sampler sampler = srv_stage_sampler(&task);
    int kept = 0, code = srv_bench_sync(&sampler, on->point, on->count, error);
    for (int i = 0; i < on->count; i++)
        if (on->point[i].visits > 0)
            on->point[kept++] = on->point[i];
    on->count = kept;
    return code;
}

/* --- the raw series --------------------------------------------------------------------------- */

static void print(const syncing *on, FILE *stream)
{
    for (int i = 0; i < on->sets.count; i++) {
        const srv_sync_set *set = &on->sets.set[i];
        fprintf(stream, "# %d threads, layer %d, cores:", set->count, set->layer);
        for (int k = 0; k < set->count; k++)
            fprintf(stream, " %d", set->cores[k]);
        fputc('\n', stream);
    }
    fputs("operation,threads,layer,moment,ns\n", stream);
    for (int i = 0; i < on->count; i++) {
        const srv_sync_point *at = &on->point[i];
        for (int k = 0; k < at->visits; k++)
            fprintf(stream, "%s,%d,%d,%.6g,%.5g\n", servet_sync_name(at->op), at->count, at->layer,
                    at->visit[k].moment, at->visit[k].value);
    }
}

static int save(const syncing *on, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, "sync.csv", error))
        print(on, file.stream);
    return srv_raw_end(&file, error);
}

/* --- facts ------------------------------------------------------------------------------------ */

static int store(const syncing *on, servet_error *error)
{
    servet_sync *facts = calloc((size_t)on->count + 1, sizeof *facts);
    if (!facts)
        return srv_fail_memory(error);
    for (int i = 0; i < on->count; i++) {
        const srv_sync_point *at = &on->point[i];
        servet_value ns = srv_repeats_value(at->visit, at->visits, SRV_UNIT_NANOSECOND);
        ns.trusted = true;
        facts[i] = (servet_sync){at->op, at->count, at->layer, srv_value_in_seconds(ns)};
    }
    int code = srv_store(SRV_PLACE(on->place), facts, sizeof *facts, on->count, error, "sync");
    free(facts);
    return code;
}

/* --- the same at other moments ---------------------------------------------------------------- */

/* A probe with its cores. */
typedef struct again {
    srv_sync probe;
    int cores[];
} again;

static int measure_again(void *context, const void *arguments, uint64_t seed, double *value,
                         servet_error *error)
{
    srv_machine *machine = context;
    const again *on = arguments;
    srv_sync probe = on->probe;
    srv_spread ns;
    (void)seed;
    probe.cores = on->cores;
    int code = machine->ops->synchronize(machine, &probe, &ns, error);
    if (code == SERVET_OK)
        *value = srv_seconds(ns.median);
    return code;
}

static int repeat_point(const syncing *on, int number, servet_error *error)
{
    const srv_sync_point *at = &on->point[number];
    size_t bytes = sizeof(again) + (size_t)at->count * sizeof(int);
    again *arguments = calloc(1, bytes);
    char fact[SERVET_NAME_MAX];
    if (!arguments)
        return srv_fail_memory(error);
    arguments->probe = srv_sync_probe(at);
    for (int i = 0; i < at->count; i++)
        arguments->cores[i] = at->cores[i];
    snprintf(fact, sizeof fact, "sync.%d.time_ns", number + 1);
    srv_probe probe = {fact, SERVET_UNIT_SECOND, measure_again, arguments, bytes};
    int code = srv_repeats_add(on->stage->slot.repeats, &probe, error);
    free(arguments);
    return code;
}

static int repeat(const syncing *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        code = repeat_point(on, i, error);
    return code;
}

/* --- the whole -------------------------------------------------------------------------------- */

int srv_measure_sync(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    syncing *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = stage;
    on->place = place;
    int code = srv_sync_sets_list(stage, place, &on->sets, error);
    list_points(on);
    if (code == SERVET_OK)
        code = measure(on, error);
    if (code == SERVET_OK)
        code = save(on, error);
    if (code == SERVET_OK && on->count > 0)
        code = store(on, error);
    if (code == SERVET_OK)
        code = repeat(on, error);
    srv_sync_sets_finish(&on->sets);
    free(on);
    return code;
}
