/* SPDX-License-Identifier: BSD-3-Clause */
/* Synchronization: atomics, locks and barriers of one core, of pairs and of groups. */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/units.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "facts/sync/benchmark.h"
#include "run/cores.h"
#include "run/stage.h"
#include "servet/analyze.h"

enum { SRV_SYNC_SETS_MAX = 1 + 2 * SERVET_LAYERS_MAX };

/* A set of cores. */
typedef struct srv_sync_set {
    int layer; /* 0: one core */
    int count;
    int *cores; /* OS numbers, ascending */
} srv_sync_set;

/* Sets in the order of their size, then of their layers; a zeroed one is valid. */
typedef struct srv_sync_sets {
    srv_sync_set set[SRV_SYNC_SETS_MAX];
    int count;
} srv_sync_sets;

typedef struct listing {
    const srv_stage *stage;
    const servet_profile *profile;
    servet_at at;
    int *cores, count; /* one PU of each core */
    srv_sync_sets *sets;
} listing;

/* Keeps the first PU of each reported L1; else each PU is a core. */
static int keep_first(listing *on, servet_error *error)
{
    srv_machine *machine = on->stage->machine;
    int kept = 0, code = SERVET_OK;
    for (int i = 0; i < on->count && code == SERVET_OK; i++) {
        srv_reported reported;
        int first, last;
        code = machine->ops->reported(machine, on->cores[i], &reported, error);
        const char *sharers =
            code == SERVET_OK && reported.count > 0 ? reported.level[0].cores : "";
        if (!srv_ranges_next(&sharers, &first, &last) || first == on->cores[i])
            on->cores[kept++] = on->cores[i];
    }
    on->count = kept;
    return code;
}

/* --- sets ------------------------------------------------------------------------------------- */

static bool is_listed(const srv_sync_sets *sets, int layer, int count)
{
    for (int i = 0; i < sets->count; i++)
        if (sets->set[i].layer == layer && sets->set[i].count == count)
            return true;
    return false;
}

static int add_set(listing *on, int layer, const int *cores, int count, servet_error *error)
{
    if (count < 1 || is_listed(on->sets, layer, count))
        return SERVET_OK;
    srv_sync_set *set = &on->sets->set[on->sets->count];
    *set = (srv_sync_set){.layer = layer, .cores = calloc((size_t)count, sizeof *cores)};
    if (!set->cores)
        return srv_fail_memory(error);
    on->sets->count++;
    while (set->count < count) {
        set->cores[set->count] = cores[set->count];
        set->count++;
    }
    return SERVET_OK;
}

/* The first PU of a set, and the first outside its nearer group; false: none. */
static bool find_pair(const listing *on, int layer, const char *set, int pair[2])
{
    servet_at at = on->at;
    const char *nearer = "";
    int first, last, index;
    bool begun = false;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last; core++) {
            if (begun && !srv_ranges_contain(nearer, core)) {
                pair[1] = core;
                return true;
            }
            if (begun)
                continue;
            begun = true;
            pair[0] = at.core = core;
            if (layer > 1 &&
                servet_distance_group_of(on->profile, &at, layer - 1, &index) == SERVET_OK)
                (void)servet_distance_group(on->profile, &on->at, layer - 1, index, &nearer);
        }
    return false;
}

static int add_pair(listing *on, int layer, servet_error *error)
{
    const char *set;
    int pair[2];
    for (int i = 0; servet_distance_group(on->profile, &on->at, layer, i, &set) == SERVET_OK; i++)
        if (find_pair(on, layer, set, pair))
            return add_set(on, layer, pair, 2, error);
    return SERVET_OK;
}

static int list_cores(const listing *on, const char *set, int *cores)
{
    int count = 0;
    for (int i = 0; i < on->count; i++)
        if (srv_ranges_contain(set, on->cores[i]))
            cores[count++] = on->cores[i];
    return count;
}

/* Adds the group of the layer that has the most cores. */
static int add_group(listing *on, int layer, int *cores, servet_error *error)
{
    const char *set, *largest = "";
    int most = 1;
    for (int i = 0; servet_distance_group(on->profile, &on->at, layer, i, &set) == SERVET_OK; i++) {
        int count = list_cores(on, set, cores);
        largest = count > most ? set : largest;
        most = count > most ? count : most;
    }
    int count = list_cores(on, largest, cores);
    return count > 1 ? add_set(on, layer, cores, count, error) : SERVET_OK;
}

static int by_size(const void *a, const void *b)
{
    const srv_sync_set *x = a, *y = b;
    return x->count != y->count ? x->count - y->count : x->layer - y->layer;
}

static int list(listing *on, servet_error *error)
{
    int layers = 0, *cores = calloc((size_t)on->count + 1, sizeof *cores);
    int code = cores ? add_set(on, 0, on->cores, on->count > 0, error) : srv_fail_memory(error);
    (void)servet_distance_layer_count(on->profile, &on->at, &layers);
    for (int layer = 1; layer <= layers && code == SERVET_OK; layer++) {
        code = add_pair(on, layer, error);
        if (code == SERVET_OK)
            code = add_group(on, layer, cores, error);
    }
    free(cores);
    qsort(on->sets->set, (size_t)on->sets->count, sizeof *on->sets->set, by_size);
    return code;
}

/* Lists the sets by the distances that the profile has. Of PUs that the operating system reports
 * to share an L1, the first one stands for their core, except in the pair of their own layer. */
static int sync_sets_list(const srv_stage *stage, const srv_stage_place *place, srv_sync_sets *sets,
                          servet_error *error)
{
    listing on = {
        .stage = stage,
        .profile = place->profile,
        .at = {servet_profile_class_name(place->profile, place->node_class), SERVET_ANY_CORE},
        .sets = sets};
    int code = srv_cores_of(place, &on.cores, &on.count, error);
    if (code == SERVET_OK)
        code = keep_first(&on, error);
    if (code == SERVET_OK)
        code = list(&on, error);
    free(on.cores);
    return code;
}

typedef struct syncing {
    const srv_stage *stage;
    const srv_stage_place *place;
    srv_sync_sets sets;
    srv_sync_point point[SERVET_SYNC_COUNT * SRV_SYNC_SETS_MAX]; /* in the order of the list */
    int count;
} syncing;

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

int srv_measure_sync(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    syncing *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->stage = stage;
    on->place = place;
    int code = sync_sets_list(stage, place, &on->sets, error);
    list_points(on);
    if (code == SERVET_OK)
        code = measure(on, error);
    if (code == SERVET_OK && on->count > 0)
        code = store(on, error);
    if (code == SERVET_OK)
        code = repeat(on, error);
    /* Frees what they own. */
    for (int i = 0; i < on->sets.count; i++)
        free(on->sets.set[i].cores);
    on->sets = (srv_sync_sets){.count = 0};
    free(on);
    return code;
}
