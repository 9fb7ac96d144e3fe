/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/concurrent.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sim/numa.h"
#include "sim/random.h"
#include "sim/relation.h"
#include "sim/system.h"

/* Threads, and those that are simulated for them. */
typedef struct threads {
    int count;
    srv_member *member;
    int *group, *like;
    double (*share)[SRV_MODEL_DOMAINS_MAX];
} threads;

static void release(threads *all)
{
    free(all->member);
    free(all->group);
    free(all->like);
    free(all->share);
}

/* Each in a group of its own. */
static int reserve(threads *all, int count, servet_error *error)
{
    size_t room = count > 0 ? (size_t)count : 1;
    *all = (threads){.count = count};
    all->member = calloc(room, sizeof *all->member);
    all->group = calloc(room, sizeof *all->group);
    all->like = calloc(room, sizeof *all->like);
    all->share = calloc(room, sizeof *all->share);
    if (!all->member || !all->group || !all->like || !all->share)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        all->group[i] = i;
    return SERVET_OK;
}

static int check_ended(const srv_simulation *simulation, servet_error *error)
{
    return srv_hierarchy_ended(simulation->hierarchy)
               ? srv_fail(error, SERVET_EINTERRUPTED, "interrupted")
               : SERVET_OK;
}

/* Siblings work by the clock, each at times of its own: beside them no thread is like another. */
static void find_groups(const srv_model *model, threads *all)
{
    if (srv_system_is_timeless(model))
        srv_relation_groups(model, all->member, all->count, all->group);
    else
        memset(all->group, 0, (size_t)all->count * sizeof *all->group);
}

/* --- traversals ------------------------------------------------------------------------------- */

static uint64_t work_of(const srv_traversal *one)
{
    const double size[] = {one->bytes,  one->largest_bytes, one->line_bytes,
                           one->stride, one->apart,         one->seconds};
    const int32_t form[] = {(int32_t)one->pattern, one->phases, one->chains, one->delay,
                            (int32_t)one->pages};
    return srv_mix_bytes(srv_mix_bytes(0, size, sizeof size), form, sizeof form);
}

static int find_members(const srv_model *model, const srv_traversal *traversals, threads *all,
                        servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < all->count && code == SERVET_OK; i++) {
        srv_member *member = &all->member[i];
        member->work = work_of(&traversals[i]);
        code = srv_system_pu(model, traversals[i].core, &member->pu, error);
        if (code == SERVET_OK)
            code = srv_numa_requested(model, member->pu, traversals[i].node, &member->node, error);
    }
    return code;
}

/* Moves the traversals that are simulated to the beginning, where they are numbered; `number[i]`
 * becomes the number of the one that equals traversal i. Returns how many are simulated. */
static int select_some(threads *all, srv_traversal *traversals, int *number)
{
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        if (all->like[i] != i)
            continue;
        number[i] = kept;
        all->member[kept] = all->member[i];
        memmove(all->share[kept], all->share[i], sizeof *all->share);
        traversals[kept] = traversals[i];
        all->group[kept++] = 0;
    }
    for (int i = 0; i < all->count; i++)
        number[i] = number[all->like[i]];
    return kept;
}

/* A sum over all that determines the results of the first `count` threads. */
static uint64_t key_of(const srv_model *model, const threads *all, const srv_traversal *traversals,
                       int count)
{
    uint64_t words[] = {(uint64_t)all->count, (uint64_t)count,
                        srv_relation_sum(model, all->member, all->group, count, 0)};
    uint64_t sum = srv_mix_bytes(0, words, sizeof words);
    for (int i = 0; i < count; i++)
        sum = srv_mix_bytes(sum, &traversals[i].seed, sizeof traversals[i].seed);
    return srv_mix_bytes(sum, all->share, (size_t)count * sizeof *all->share);
}

static int start(srv_simulation *simulation, const threads *all, const srv_traversal *traversals,
                 int count, srv_simulated_run *runs, servet_error *error)
{
    int code = SERVET_OK;
    size_t thin = srv_simulated_traversal_thin(simulation->model, traversals, count);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        int pu = all->member[i].pu;
        runs[i].seconds = traversals[i].seconds;
        code = srv_simulated_traversal_start(&runs[i].traversal, simulation->hierarchy,
                                             simulation->model, pu, &traversals[i], thin, error);
        if (code == SERVET_OK)
            srv_hierarchy_share(simulation->hierarchy, pu, all->share[i]);
    }
    return code;
}

/* Each visit uses other pages, given by its seed and size. */
static uint64_t seed_of(const srv_traversal *traversal)
{
    return srv_mix(traversal->seed) ^ srv_mix((uint64_t)traversal->bytes);
}

static int simulate(srv_simulation *simulation, const threads *all, const srv_traversal *traversals,
                    int count, double clock_ns, srv_simulated_run *runs, servet_error *error)
{
    srv_hierarchy_flush(simulation->hierarchy, seed_of(traversals));
    srv_hierarchy_set_clock(simulation->hierarchy, clock_ns);
    int code = start(simulation, all, traversals, count, runs, error);
    if (code == SERVET_OK)
        srv_simulated_runs_execute(runs, count);
    for (int i = 0; i < count; i++)
        srv_simulated_traversal_finish(&runs[i].traversal);
    return code == SERVET_OK ? check_ended(simulation, error) : code;
}

static int find_runs(srv_simulation *simulation, const threads *all,
                     const srv_traversal *traversals, int count, double clock_ns,
                     srv_simulated_run *runs, servet_error *error)
{
    uint64_t key = key_of(simulation->model, all, traversals, count);
    const srv_simulated_run *known = srv_remembered_find(&simulation->found, key);
    if (known) {
        memcpy(runs, known, (size_t)count * sizeof *runs);
        return SERVET_OK;
    }
    int code = simulate(simulation, all, traversals, count, clock_ns, runs, error);
    if (code == SERVET_OK && srv_system_is_timeless(simulation->model))
        srv_remembered_keep(&simulation->found, key, runs, (size_t)count * sizeof *runs);
    return code;
}

static int traverse(srv_simulation *simulation, threads *all, srv_traversal *traversals,
                    int *number, double clock_ns, srv_simulated_run *runs, servet_error *error)
{
    const srv_model *model = simulation->model;
    int code = find_members(model, traversals, all, error);
    if (code != SERVET_OK)
        return code;
    find_groups(model, all);
    srv_relation_find(model, all->member, all->group, all->count, all->like, all->share);
    int count = select_some(all, traversals, number);
    code = find_runs(simulation, all, traversals, count, clock_ns, runs, error);
    /* The last one comes first, because no number is larger than that of its traversal. */
    for (int i = all->count - 1; i >= 0 && code == SERVET_OK; i--)
        runs[i] = runs[number[i]];
    return code;
}

int srv_concurrent_traverse(srv_simulation *simulation, const srv_traversal *traversals, int count,
                            double clock_ns, srv_simulated_run *runs, servet_error *error)
{
    threads all;
    srv_traversal *own = calloc((size_t)count, sizeof *own);
    int *number = calloc((size_t)count, sizeof *number);
    int code = reserve(&all, count, error);
    if (code == SERVET_OK && (!own || !number))
        code = srv_fail_memory(error);
    if (code == SERVET_OK) {
        memcpy(own, traversals, (size_t)count * sizeof *own);
        code = traverse(simulation, &all, own, number, clock_ns, runs, error);
    }
    release(&all);
    free(own);
    free(number);
    return code;
}

/* --- line transfers --------------------------------------------------------------------------- */

/* Owners and readers in turn. Both use the memory of the owner. */
static int find_pairs(const srv_model *model, const srv_line_transfer *transfers, int count,
                      threads *all, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        const srv_line_transfer *one = &transfers[i];
        srv_member *owner = &all->member[2 * i], *reader = owner + 1;
        const double work[] = {one->bytes, one->line_bytes, one->modified, one->pages};
        all->group[2 * i + 1] = 2 * i;
        code = srv_system_pu(model, one->owner, &owner->pu, error);
        if (code == SERVET_OK)
            code = srv_system_pu(model, one->reader, &reader->pu, error);
        owner->node = reader->node = srv_numa_of(model, owner->pu);
        owner->work = srv_mix_bytes(0, work, sizeof work);
        reader->work = owner->work + 1;
    }
    return code;
}

/* The transfers of the group that begins with transfer `first`, with their places. */
static int select_group(const threads *all, const srv_line_transfer *transfers, int first,
                        srv_line_transfer *some, int *place)
{
    int kept = 0;
    for (int i = first; 2 * i < all->count; i++)
        if (all->group[2 * i] == 2 * first) {
            some[kept] = transfers[i];
            place[kept++] = i;
        }
    return kept;
}

/* The costs of such a group. */
static int find_costs(srv_simulation *simulation, const threads *all, int first,
                      const srv_line_transfer *some, int count, srv_coherence_cost *costs,
                      servet_error *error)
{
    const srv_model *model = simulation->model;
    size_t bytes = (size_t)count * sizeof *costs;
    uint64_t sum = srv_relation_sum(model, all->member, all->group, all->count, 2 * first);
    uint64_t key = sum;
    for (int i = 0; i < count; i++)
        key = srv_mix_bytes(key, &some[i].seed, sizeof some[i].seed);
    const srv_coherence_cost *known = srv_remembered_find(&simulation->found, key);
    if (known) {
        memcpy(costs, known, bytes);
        return SERVET_OK;
    }
    int code = srv_coherence_transfer(simulation->hierarchy, model, some, count, costs, error);
    if (code == SERVET_OK && srv_system_is_timeless(model))
        srv_remembered_keep(&simulation->found, key, costs, bytes);
    return code;
}

/* Pairs whose caches are apart do not disturb each other: each loads line after line. */
static int transfer(srv_simulation *simulation, threads *all, const srv_line_transfer *transfers,
                    int count, srv_line_transfer *some, srv_coherence_cost *costs,
                    srv_coherence_cost *part, servet_error *error)
{
    int *place = all->like, code = find_pairs(simulation->model, transfers, count, all, error);
    if (code == SERVET_OK)
        find_groups(simulation->model, all);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        if (all->group[2 * i] != 2 * i)
            continue;
        int kept = select_group(all, transfers, i, some, place);
        code = find_costs(simulation, all, i, some, kept, part, error);
        for (int k = 0; k < kept; k++)
            costs[place[k]] = part[k];
    }
    return code;
}

int srv_concurrent_transfer(srv_simulation *simulation, const srv_line_transfer *transfers,
                            int count, srv_coherence_cost *costs, servet_error *error)
{
    threads all;
    int code = srv_coherence_check(transfers, count, error);
    if (code != SERVET_OK)
        return code;
    srv_line_transfer *some = calloc((size_t)count, sizeof *some);
    srv_coherence_cost *part = calloc((size_t)count, sizeof *part);
    code = reserve(&all, 2 * count, error);
    if (code == SERVET_OK && (!some || !part))
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = transfer(simulation, &all, transfers, count, some, costs, part, error);
    release(&all);
    free(some);
    free(part);
    return code;
}
