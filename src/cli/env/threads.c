/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the number and the places of OpenMP threads that servet/advice.h and servet/place.h
 * choose. */
#include "cli/env/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/human.h"
#include "core/ranges.h"
#include "servet/advice.h"
#include "servet/node.h"

/* Threads for each kind of program. */
static const struct {
    servet_policy policy;
    const char *reason, *facts;
} kinds[ENV_BOUND_COUNT] = {
    [ENV_BOUND_MEMORY] = {SERVET_POLICY_MEMORY, "as many threads as saturate memory",
                          "memory.saturation, memory.levels"},
    [ENV_BOUND_COMPUTE] = {SERVET_POLICY_PER_L1, "one thread on each core", "caches.1.groups"},
    [ENV_BOUND_BARRIER] = {SERVET_POLICY_PER_L1,
                           "one thread on each core of a set in which lines are passed fastest",
                           "caches.1.groups, distance.layers"},
};

/* The threads, and their cores in order. */
typedef struct threads {
    const env_source *from;
    int *among, among_count; /* NULL: the cores that the process may use */
    int *cores, count;
    bool trusted;
    servet_error *error;
} threads;

static int allocate(int **cores, int count, servet_error *error)
{
    *cores = calloc((size_t)count + 1, sizeof **cores);
    return *cores ? SERVET_OK : srv_fail_memory(error);
}

/* --- cores ------------------------------------------------------------------------------------ */

/* Finds the number of threads and the cores that the policy chooses. */
static int choose(threads *on, servet_policy policy)
{
    const env_source *from = on->from;
    bool sure = true, placed_sure = true;
    free(on->cores);
    on->cores = NULL;
    int code = servet_thread_room(from->profile, &from->at, policy, on->among, on->among_count,
                                  &on->count, &sure, on->error);
    if (code == SERVET_OK)
        code = allocate(&on->cores, on->count, on->error);
    if (code == SERVET_OK)
        code = servet_thread_place(from->profile, &from->at, policy, on->among, on->among_count,
                                   on->cores, on->count, &placed_sure, on->error);
    on->trusted = sure && placed_sure;
    return code;
}

/* Restricts the choice to the usable cores of a set. */
static int restrict_to(threads *on, const int *usable, int count, const char *set)
{
    free(on->among);
    on->among_count = 0;
    int code = allocate(&on->among, count, on->error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (srv_ranges_contain(set, usable[i]))
            on->among[on->among_count++] = usable[i];
    return code;
}

/* Chooses the set of the layer that has the most threads. */
static int choose_in_layer(threads *on, const int *usable, int count, int layer)
{
    const env_source *from = on->from;
    const char *set, *best = NULL;
    int most = 1, code = SERVET_OK;
    for (int i = 0; code == SERVET_OK &&
                    servet_distance_group(from->profile, &from->at, layer, i, &set) == SERVET_OK;
         i++) {
        code = restrict_to(on, usable, count, set);
        if (code == SERVET_OK && on->among_count > most)
            code = choose(on, SERVET_POLICY_PER_L1);
        if (code == SERVET_OK && on->among_count > most && on->count > most) {
            most = on->count;
            best = set;
        }
    }
    on->count = 0;
    if (code == SERVET_OK && best)
        code = restrict_to(on, usable, count, best);
    return code == SERVET_OK && best ? choose(on, SERVET_POLICY_PER_L1) : code;
}

static bool is_trusted_layer(const env_source *from, int layer)
{
    char key[SERVET_NAME_MAX];
    servet_trust trust;
    snprintf(key, sizeof key, "distance.layers.%d.groups", layer);
    return servet_profile_trust(from->profile, &from->at, key, &trust, NULL) == SERVET_OK &&
           trust.trusted;
}

/* Chooses in the fastest layer of distances that joins several cores, not only the PUs of one core.
 */
static int choose_near(threads *on)
{
    int layers = 0, count, *usable = NULL;
    int code = servet_distance_layer_count(on->from->profile, &on->from->at, &layers);
    if (code != SERVET_OK)
        return srv_fail(on->error, code, "distance.layers: %s", servet_error_text(code));
    code = choose(on, SERVET_POLICY_COMPACT);
    usable = on->cores;
    count = on->count;
    on->cores = NULL;
    on->count = 0;
    for (int layer = 1; layer <= layers && code == SERVET_OK && on->count < 2; layer++) {
        code = choose_in_layer(on, usable, count, layer);
        on->trusted = on->trusted && is_trusted_layer(on->from, layer);
    }
    free(usable);
    return code;
}

/* --- output ----------------------------------------------------------------------------------- */

static void print(const threads *on)
{
    env_print(on->from, "OMP_PLACES=");
    for (int i = 0; i < on->count; i++)
        env_print(on->from, "%s{%d}", i ? "," : "", on->cores[i]);
    env_print(on->from, "\nOMP_NUM_THREADS=%d\nOMP_PROC_BIND=close\n", on->count);
}

int env_print_threads(const env_source *from, const char *target, servet_error *error)
{
    static const char names[] = "OMP_PLACES, OMP_NUM_THREADS, OMP_PROC_BIND";
    servet_error reason = SERVET_ERROR_INIT;
    char doubt[SERVET_TEXT_MAX];
    threads on = {.from = from, .error = &reason};
    (void)target;
    snprintf(doubt, sizeof doubt, "not trusted: %s", kinds[from->bound].facts);
    int code = from->bound == ENV_BOUND_BARRIER ? choose_near(&on)
                                                : choose(&on, kinds[from->bound].policy);
    if (code == SERVET_EMEMORY)
        code = srv_fail_memory(error);
    else if (code != SERVET_OK || on.count < 1 || !on.trusted)
        env_leave_out(from, names, code != SERVET_OK || on.count > 0,
                      code != SERVET_OK ? reason.text
                      : on.count < 1    ? "no layer of distances joins several cores"
                                        : doubt);
    else {
        env_explain(from, "%s: %s (%s); a place for each thread, in their order", names,
                    kinds[from->bound].reason, kinds[from->bound].facts);
        print(&on);
    }
    free(on.among);
    free(on.cores);
    return code == SERVET_EMEMORY ? code : SERVET_OK;
}
