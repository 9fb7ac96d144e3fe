/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/request.h"

#include <limits.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "place/thread_cores.h"
#include "profile/types.h"
#include "servet/node.h"
#include "servet/place.h"

/* The state of each candidate while cores are chosen. */
typedef struct picks {
    const srv_thread_cores *from;
    bool *out;   /* taken, or ruled out by the policy */
    int *shared; /* number of groups that it shares with each taken core, summed over these cores */
    int *contended; /* the part of `shared` that is groups of cores that contend for memory */
    bool is_mixed;  /* cores have different speeds */
    bool *sibling;  /* then: shares its level 1 cache with a taken core, a PU of the same core */
} picks;

static void end_choice(picks *choice)
{
    free(choice->out);
    free(choice->shared);
    free(choice->contended);
    free(choice->sibling);
}

static int begin_choice(picks *choice, const srv_thread_cores *from, servet_error *error)
{
    size_t room = (size_t)from->class.core_count + 1;
    choice->from = from;
    choice->out = calloc(room, sizeof *choice->out);
    choice->shared = calloc(room, sizeof *choice->shared);
    choice->contended = calloc(room, sizeof *choice->contended);
    choice->sibling = calloc(room, sizeof *choice->sibling);
    for (int i = 1; i < from->class.core_count; i++)
        choice->is_mixed |= from->class.speed[i] != from->class.speed[0];
    bool made = choice->out && choice->shared && choice->contended && choice->sibling;
    return made ? SERVET_OK : srv_fail_memory(error);
}

/* Returns true for a grouping that makes cores near. Rule 4 does not: all cores share the network.
 */
static bool makes_near(const srv_grouping *grouping)
{
    return grouping->rule != SERVET_RULE_NETWORK;
}

static void take(picks *choice, int core)
{
    const srv_map_class *class = &choice->from->class;
    choice->out[core] = true;
    for (int f = 0; f < class->grouping_count; f++) {
        const srv_grouping *grouping = &class->groupings[f];
        for (int i = 0; i < class->core_count; i++)
            if (makes_near(grouping) && grouping->group[core] >= 0 &&
                grouping->group[i] == grouping->group[core]) {
                choice->shared[i]++;
                choice->contended[i] += grouping->rule == SERVET_RULE_MEMORY;
                choice->sibling[i] |=
                    choice->is_mixed && grouping->level == 1 && grouping->rule == SERVET_RULE_CACHE;
            }
    }
}

/* Returns true if core `a` comes before `b`: by core type, the fastest first, then by number. Types
 * whose speed is the same, or is not known, have the order of the profile. */
static bool comes_first(const srv_thread_cores *of, int a, int b)
{
    const double *speed = of->class.speed;
    if (speed[a] != speed[b])
        return speed[a] > speed[b];
    return of->kind[a] != of->kind[b] ? of->kind[a] < of->kind[b] : a < b;
}

/* --- scattered -------------------------------------------------------------------------------- */

static bool shares_less(const picks *choice, servet_policy policy, int a, int b)
{
    if (policy == SERVET_POLICY_MEMORY && choice->contended[a] != choice->contended[b])
        return choice->contended[a] < choice->contended[b];
    if (choice->sibling[a] != choice->sibling[b])
        return choice->sibling[b];
    const double *speed = choice->from->class.speed;
    if (speed[a] != speed[b])
        return speed[a] > speed[b];
    if (choice->shared[a] != choice->shared[b])
        return choice->shared[a] < choice->shared[b];
    return comes_first(choice->from, a, b);
}

/* Returns the remaining candidate that shares the fewest groups; -1: none is left. */
static int loneliest(const picks *choice, servet_policy policy)
{
    int found = -1;
    for (int i = 0; i < choice->from->class.core_count; i++)
        if (!choice->out[i] && (found < 0 || shares_less(choice, policy, i, found)))
            found = i;
    return found;
}

enum { LAST_LEVEL = INT_MAX, NO_LEVEL = 0 };

static const int level_of[SERVET_POLICY_COUNT] = {
    [SERVET_POLICY_PER_L1] = 1,
    [SERVET_POLICY_PER_L2] = 2,
    [SERVET_POLICY_PER_LAST] = LAST_LEVEL,
};

/* Returns the groups of a cache level of the core's type; NULL: not known. */
static const srv_grouping *caches_of(const srv_thread_cores *of, int core, int level)
{
    if (level == LAST_LEVEL)
        level = of->levels[core];
    for (int f = 0; f < of->class.grouping_count; f++) {
        const srv_grouping *grouping = &of->class.groupings[f];
        if (grouping->rule == SERVET_RULE_CACHE && grouping->kind == of->kind[core] &&
            grouping->level == level && grouping->group[core] >= 0)
            return grouping;
    }
    return NULL;
}

/* Excludes all other cores that share this core's cache. */
static int rule_out(picks *choice, int core, int level, servet_error *error)
{
    const srv_map_class *class = &choice->from->class;
    const srv_grouping *caches = caches_of(choice->from, core, level);
    if (class->core_count == 1)
        return SERVET_OK;
    if (!caches)
        return srv_fail(error, SERVET_EUNMEASURED,
                        "which cores share a cache of core %d was not measured",
                        class->cores[core]);
    for (int i = 0; i < class->core_count; i++)
        choice->out[i] = choice->out[i] || caches->group[i] == caches->group[core];
    return SERVET_OK;
}

static int scatter(picks *choice, servet_policy policy, int threads, int *chosen, int *count,
                   servet_error *error)
{
    int code = SERVET_OK;
    *count = 0;
    while (*count < threads && code == SERVET_OK) {
        int core = loneliest(choice, policy);
        if (core < 0)
            break;
        chosen[(*count)++] = core;
        take(choice, core);
        if (level_of[policy] != NO_LEVEL)
            code = rule_out(choice, core, level_of[policy], error);
    }
    return code;
}

/* --- near ------------------------------------------------------------------------------------- */

static int nearness(const srv_map_class *class, int a, int b)
{
    int near = 0;
    for (int f = 0; f < class->grouping_count; f++) {
        const srv_grouping *grouping = &class->groupings[f];
        near += makes_near(grouping) && grouping->group[a] >= 0 &&
                grouping->group[a] == grouping->group[b];
    }
    return near;
}

/* Returns the remaining candidate that is nearest to `last`; among equals, the one that is nearest
 * to all cores before. */
static int nearest(const picks *choice, int last)
{
    int found = -1, most = 0;
    for (int i = 0; i < choice->from->class.core_count; i++) {
        if (choice->out[i])
            continue;
        int near = nearness(&choice->from->class, last, i);
        bool equal = found >= 0 && near == most && choice->shared[i] == choice->shared[found];
        if (found < 0 || near > most ||
            (near == most && choice->shared[i] > choice->shared[found]) ||
            (equal && comes_first(choice->from, i, found))) {
            found = i;
            most = near;
        }
    }
    return found;
}

/* Begins at `first`, and continues with the nearest of the cores that are not excluded. */
static void follow(picks *choice, int first, int threads, int *chosen, int *count)
{
    chosen[0] = first;
    take(choice, first);
    for (*count = 1; *count < threads; ++*count) {
        int next = nearest(choice, chosen[*count - 1]);
        if (next < 0)
            return;
        chosen[*count] = next;
        take(choice, next);
    }
}

static int first_left(const picks *choice)
{
    int found = -1;
    for (int i = 0; i < choice->from->class.core_count; i++)
        if (!choice->out[i] && (found < 0 || comes_first(choice->from, i, found)))
            found = i;
    return found;
}

/* Excludes core types if those that come before have enough cores. */
static void keep_fastest(picks *choice, int threads)
{
    const srv_thread_cores *from = choice->from;
    for (int i = 0; from->kind_count > 1 && i < from->class.core_count; i++) {
        int before = 0;
        for (int k = 0; k < from->class.core_count && before < threads; k++)
            before += from->kind[k] != from->kind[i] && comes_first(from, k, i);
        choice->out[i] = before >= threads;
    }
}

static int members_left(const picks *choice, const srv_grouping *grouping, int group)
{
    int members = 0;
    for (int i = 0; i < choice->from->class.core_count; i++)
        members += !choice->out[i] && grouping->group[i] == group;
    return members;
}

/* Returns the first core of the smallest group that has enough cores for the threads; without such
 * a group, the first core. */
static int tightest(const picks *choice, int threads)
{
    const srv_map_class *class = &choice->from->class;
    int found = first_left(choice), fewest = INT_MAX;
    for (int f = 0; f < class->grouping_count; f++) {
        const srv_grouping *grouping = &class->groupings[f];
        for (int group = 0; makes_near(grouping) && group < grouping->group_count; group++) {
            int members = members_left(choice, grouping, group), first = -1;
            for (int i = 0; i < class->core_count; i++)
                if (!choice->out[i] && grouping->group[i] == group &&
                    (first < 0 || comes_first(choice->from, i, first)))
                    first = i;
            if (members >= threads &&
                (members < fewest ||
                 (members == fewest && comes_first(choice->from, first, found)))) {
                fewest = members;
                found = first;
            }
        }
    }
    return found;
}

/* Orders the chosen cores so that threads with successive numbers are near. Excludes all other
 * cores. */
static int number(const srv_thread_cores *candidates, int *chosen, int count, servet_error *error)
{
    picks choice = {0};
    int ordered, code = begin_choice(&choice, candidates, error);
    if (code == SERVET_OK) {
        for (int i = 0; i < candidates->class.core_count; i++)
            choice.out[i] = true;
        for (int i = 0; i < count; i++)
            choice.out[chosen[i]] = false;
        follow(&choice, first_left(&choice), count, chosen, &ordered);
    }
    end_choice(&choice);
    return code;
}

/* Chooses cores for up to `threads` threads: their positions in candidates->class.cores into
 * `chosen`, in the order of the threads, and their number into `*count`, which is less if the
 * policy has no more cores. Errors: SERVET_EUNMEASURED (sharing of the caches of the policy),
 * SERVET_EMEMORY. */
static int choose(const srv_thread_cores *candidates, servet_policy policy, int threads,
                  int *chosen, int *count, servet_error *error)
{
    picks choice = {0};
    int code = begin_choice(&choice, candidates, error);
    if (code == SERVET_OK && policy == SERVET_POLICY_COMPACT) {
        keep_fastest(&choice, threads);
        follow(&choice, tightest(&choice, threads), threads, chosen, count);
    } else if (code == SERVET_OK) {
        code = scatter(&choice, policy, threads, chosen, count, error);
        if (code == SERVET_OK)
            code = number(candidates, chosen, *count, error);
    }
    end_choice(&choice);
    return code;
}

int srv_core_request_begin(srv_core_request *request, const servet_profile *profile,
                           const servet_at *at, servet_policy policy, const int *among,
                           int among_count, servet_error *error)
{
    const srv_class *class = srv_class_named(profile, at);
    if ((unsigned)policy >= SERVET_POLICY_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown policy %d", (int)policy);
    if (!class)
        return srv_no_class(profile, at, error);
    request->profile = profile;
    request->at = (servet_at){.node_class = class->name, .core = SERVET_ANY_CORE};
    request->node_class = (int)(class - (const srv_class *)profile->classes.items);
    request->policy = policy;
    request->among = among;
    request->among_count = among_count;
    return SERVET_OK;
}

/* Fails if the policy is for memory, but contention for memory was not measured. */
static int check_memory(const srv_core_request *request, const srv_thread_cores *candidates,
                        servet_error *error)
{
    int levels;
    if (request->policy != SERVET_POLICY_MEMORY || candidates->class.core_count == 1)
        return SERVET_OK;
    int code = servet_memory_level_count(request->profile, &request->at, &levels);
    return code == SERVET_OK
               ? SERVET_OK
               : srv_fail(error, code, "which cores contend for memory was not measured%s",
                          code == SERVET_EUNTRUSTED ? " without noise" : "");
}

int srv_core_request_cores(const srv_core_request *request, int threads, int *cores, int *count,
                           servet_error *error)
{
    srv_thread_cores candidates = {0};
    servet_code limit =
        request->policy == SERVET_POLICY_MEMORY ? SERVET_CODE_MEMORY : SERVET_CODE_COMMUNICATION;
    int code = srv_thread_cores_begin(&candidates, request->profile, request->node_class, limit,
                                      request->among, request->among_count, error);
    int most = candidates.class.core_count < threads ? candidates.class.core_count : threads;
    int *chosen = calloc((size_t)most + 1, sizeof *chosen);
    if (code == SERVET_OK && !chosen)
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = check_memory(request, &candidates, error);
    if (code == SERVET_OK)
        code = choose(&candidates, request->policy, most, chosen, count, error);
    for (int i = 0; code == SERVET_OK && i < *count; i++)
        cores[i] = candidates.class.cores[chosen[i]];
    free(chosen);
    srv_thread_cores_finish(&candidates);
    return code;
}

int srv_core_request_most(const srv_core_request *request)
{
    const srv_class *classes = request->profile->classes.items;
    return srv_ranges_count(classes[request->node_class].machine.cores);
}
