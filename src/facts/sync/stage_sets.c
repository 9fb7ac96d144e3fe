/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sync/stage_sets.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "run/cores.h"

typedef struct listing {
    const srv_stage *stage;
    const servet_profile *profile;
    servet_at at;
    int *cores, count; /* one PU of each core */
    srv_sync_sets *sets;
} listing;

/* --- cores ------------------------------------------------------------------------------------ */

/* Keeps the first PU of each set that shares an L1. Where nothing is reported, each PU is a core.
 */
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

/* Finds the first PU of a set, and the first PU that is not in its group of the nearer layer. False
 * if there is none. */
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

/* Lists the cores of a set; returns their number. */
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

int srv_sync_sets_list(const srv_stage *stage, const srv_stage_place *place, srv_sync_sets *sets,
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

void srv_sync_sets_finish(srv_sync_sets *sets)
{
    for (int i = 0; i < sets->count; i++)
        free(sets->set[i].cores);
    *sets = (srv_sync_sets){.count = 0};
}
