/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a probe at the same time in the simulated hierarchy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/coherence.h"
#include "sim/noise.h"
#include "sim/random.h"
#include "sim/relation.h"
#include "sim/system.h"

/* --- results of earlier probes ---------------------------------------------------------------- */

/* Bytes that are kept at a time, at most. */
enum { REMEMBERED_BYTES_MAX = 16 << 20 };

/* The entry of `key`, a sum over all that determines it; NULL: nothing, or no longer. */
static const void *find_known(const srv_remembered_list *list, uint64_t key)
{
    size_t place = key % SRV_REMEMBERED_MAX;
    return list->at[place].key == key ? list->at[place].found : NULL;
}

static void drop(srv_remembered_list *list, size_t place)
{
    free(list->at[place].found);
    list->bytes -= list->at[place].bytes;
    list->at[place].found = NULL;
    list->at[place].bytes = 0;
}

static void forget(srv_remembered_list *list)
{
    for (size_t i = 0; i < SRV_REMEMBERED_MAX; i++)
        drop(list, i);
}

/* Keeps a copy of `bytes` > 0 bytes, if there is memory and room for them. */
static void remember(srv_remembered_list *list, uint64_t key, const void *found, size_t bytes)
{
    size_t place = key % SRV_REMEMBERED_MAX;
    drop(list, place);
    if (bytes > REMEMBERED_BYTES_MAX - list->bytes)
        forget(list);
    void *copy = bytes <= REMEMBERED_BYTES_MAX ? malloc(bytes) : NULL;
    if (!copy)
        return;
    list->at[place].key = key;
    list->at[place].bytes = bytes;
    list->at[place].found = memcpy(copy, found, bytes);
    list->bytes += bytes;
}

void srv_simulated_forget(srv_simulated *sim)
{
    forget(&sim->found);
}

/* --- threads ---------------------------------------------------------------------------------- */

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

static int start(srv_simulated *sim, const threads *all, const srv_traversal *traversals, int count,
                 srv_simulated_run *runs, servet_error *error)
{
    int code = SERVET_OK;
    size_t thin = srv_simulated_traversal_thin(sim->model, traversals, count);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        int pu = all->member[i].pu;
        runs[i].seconds = traversals[i].seconds;
        code = srv_simulated_traversal_start(&runs[i].traversal, sim->hierarchy, sim->model, pu,
                                             &traversals[i], thin, error);
        if (code == SERVET_OK)
            srv_hierarchy_share(sim->hierarchy, pu, all->share[i]);
    }
    return code;
}

static int simulate(srv_simulated *sim, const threads *all, const srv_traversal *traversals,
                    int count, srv_simulated_run *runs, servet_error *error)
{
    /* each visit uses other pages, given by its seed and size */
    uint64_t pages = srv_mix(traversals->seed) ^ srv_mix((uint64_t)traversals->bytes);
    srv_hierarchy_flush(sim->hierarchy, pages);
    srv_hierarchy_set_clock(sim->hierarchy, sim->clock_ns);
    int code = start(sim, all, traversals, count, runs, error);
    if (code == SERVET_OK)
        srv_simulated_runs_execute(runs, count);
    for (int i = 0; i < count; i++)
        srv_simulated_traversal_finish(&runs[i].traversal);
    return code == SERVET_OK ? srv_simulated_check_ended(sim, error) : code;
}

static int find_runs(srv_simulated *sim, const threads *all, const srv_traversal *traversals,
                     int count, srv_simulated_run *runs, servet_error *error)
{
    uint64_t key = key_of(sim->model, all, traversals, count);
    const srv_simulated_run *known = find_known(&sim->found, key);
    if (known) {
        memcpy(runs, known, (size_t)count * sizeof *runs);
        return SERVET_OK;
    }
    int code = simulate(sim, all, traversals, count, runs, error);
    if (code == SERVET_OK && srv_system_is_timeless(sim->model))
        remember(&sim->found, key, runs, (size_t)count * sizeof *runs);
    return code;
}

static int traverse(srv_simulated *sim, threads *all, srv_traversal *traversals, int *number,
                    srv_simulated_run *runs, servet_error *error)
{
    const srv_model *model = sim->model;
    int code = find_members(model, traversals, all, error);
    if (code != SERVET_OK)
        return code;
    find_groups(model, all);
    srv_relation_find(model, all->member, all->group, all->count, all->like, all->share);
    int count = select_some(all, traversals, number);
    code = find_runs(sim, all, traversals, count, runs, error);
    /* The last one comes first, because no number is larger than that of its traversal. */
    for (int i = all->count - 1; i >= 0 && code == SERVET_OK; i--)
        runs[i] = runs[number[i]];
    return code;
}

int srv_simulated_run_together(srv_simulated *sim, const srv_traversal *traversals, int count,
                               srv_simulated_run *runs, servet_error *error)
{
    threads all;
    srv_traversal *own = calloc((size_t)count, sizeof *own);
    int *number = calloc((size_t)count, sizeof *number);
    int code = reserve(&all, count, error);
    if (code == SERVET_OK && (!own || !number))
        code = srv_fail_memory(error);
    if (code == SERVET_OK) {
        memcpy(own, traversals, (size_t)count * sizeof *own);
        code = traverse(sim, &all, own, number, runs, error);
    }
    release(&all);
    free(own);
    free(number);
    return code;
}

/* Independent stores in flight at a time while a cycle is built. */
static const double STORES_OVERLAP = 8;

/* Touches memory of a core that was not touched yet. */
static double fault_ns(srv_simulated *sim, const srv_traversal *traversal, bool alone)
{
    double bytes = fmax(SRV_ARENA_BYTES, traversal->bytes);
    bool same = alone && sim->arena_core == traversal->core && sim->arena_pages == traversal->pages;
    double touched = same ? sim->arena_bytes : 0;
    sim->arena_core = alone ? traversal->core : -1;
    sim->arena_pages = traversal->pages;
    sim->arena_bytes = fmax(touched, bytes);
    return srv_simulated_fault_ns(sim, fmax(0, bytes - touched)) + (same ? 0 : SRV_SETTLE_NS);
}

double srv_simulated_prepare_ns(srv_simulated *sim, const srv_traversal *traversal,
                                const srv_simulated_run *run, bool alone)
{
    double order = run->traversal.random ? 0 : SRV_ORDER_NS;
    double slots = (double)run->traversal.slots.count * (double)run->traversal.thin;
    double build = slots * (order + run->ns_per_load / STORES_OVERLAP);
    return fault_ns(sim, traversal, alone) + build;
}

void srv_simulated_read(srv_simulated *sim, const srv_traversal *traversal, srv_simulated_run *run,
                        srv_timing *timing)
{
    const srv_model *model = sim->model;
    for (int i = 0; i < run->sample_count; i++) {
        double stretch = SRV_SAMPLE_NS / run->sample_ns[i];
        double now_ns = sim->clock_ns + i * SRV_SAMPLE_NS;
        run->sample_ns[i] =
            srv_noise_apply(&model->noise, &sim->random, SRV_SAMPLE_NS, now_ns) / stretch;
    }
    bool huge = traversal->pages == SERVET_PAGES_HUGE && model->huge_bytes > 0;
    double loads = (double)run->enough * run->traversal.chains;
    double round = run->traversal.random ? 1 : fmax(1, (double)run->traversal.slots.count / loads);
    timing->mean = srv_round_mean(run->sample_ns, (size_t)run->sample_count, round);
    timing->spread = srv_spread_of(run->sample_ns, (size_t)run->sample_count);
    timing->error = srv_median_error(&timing->spread, SRV_CLOCK_STEP_NS / loads);
    timing->huge_share = huge ? 1 : 0;
    timing->ghz = srv_simulated_ghz(sim, run->traversal.pu);
    timing->busy = run->others ? SRV_SIBLING_SLOWDOWN : 1;
}

/* Adds the noise of this moment to the simulated times. */
static void answer(srv_simulated *sim, const srv_traversal *traversals, int count,
                   srv_simulated_run *runs, srv_timing *timings)
{
    double prepare = 0, measure = 0;
    for (int i = 0; i < count; i++)
        prepare =
            fmax(prepare, srv_simulated_prepare_ns(sim, &traversals[i], &runs[i], count == 1));
    srv_simulated_pass(sim, prepare + runs->warm_ns);
    for (int i = 0; i < count; i++) {
        srv_simulated_read(sim, &traversals[i], &runs[i], &timings[i]);
        measure = fmax(measure, runs[i].sample_count * SRV_SAMPLE_NS);
    }
    srv_simulated_pass(sim, measure + SRV_FREQUENCY_NS);
}

int srv_simulated_traverse(srv_simulated *sim, const srv_traversal *traversals, int count,
                           srv_timing *timings, servet_error *error)
{
    double bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += traversals[i].bytes;
    int code = srv_simulated_check_room(sim, bytes, error);
    if (code != SERVET_OK)
        return code;
    srv_simulated_run *runs = calloc((size_t)count, sizeof *runs);
    if (!runs)
        return srv_fail_memory(error);
    srv_simulated_drop_elements(sim);
    code = srv_simulated_run_together(sim, traversals, count, runs, error);
    if (code == SERVET_OK)
        answer(sim, traversals, count, runs, timings);
    free(runs);
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
static int find_costs(srv_simulated *sim, const threads *all, int first,
                      const srv_line_transfer *some, int count, srv_coherence_cost *costs,
                      servet_error *error)
{
    const srv_model *model = sim->model;
    size_t bytes = (size_t)count * sizeof *costs;
    uint64_t sum = srv_relation_sum(model, all->member, all->group, all->count, 2 * first);
    uint64_t key = sum;
    for (int i = 0; i < count; i++)
        key = srv_mix_bytes(key, &some[i].seed, sizeof some[i].seed);
    const srv_coherence_cost *known = find_known(&sim->found, key);
    if (known) {
        memcpy(costs, known, bytes);
        return SERVET_OK;
    }
    int code = srv_coherence_transfer(sim->hierarchy, model, some, count, costs, error);
    if (code == SERVET_OK && srv_system_is_timeless(model))
        remember(&sim->found, key, costs, bytes);
    return code;
}

/* Pairs whose caches are apart do not disturb each other: each loads line after line. */
static int transfer(srv_simulated *sim, threads *all, const srv_line_transfer *transfers, int count,
                    srv_line_transfer *some, srv_coherence_cost *costs, srv_coherence_cost *part,
                    servet_error *error)
{
    int *place = all->like, code = find_pairs(sim->model, transfers, count, all, error);
    if (code == SERVET_OK)
        find_groups(sim->model, all);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        if (all->group[2 * i] != 2 * i)
            continue;
        int kept = select_group(all, transfers, i, some, place);
        code = find_costs(sim, all, i, some, kept, part, error);
        for (int k = 0; k < kept; k++)
            costs[place[k]] = part[k];
    }
    return code;
}

static int find_all_costs(srv_simulated *sim, const srv_line_transfer *transfers, int count,
                          srv_coherence_cost *costs, servet_error *error)
{
    threads all;
    srv_line_transfer *some = calloc((size_t)count, sizeof *some);
    srv_coherence_cost *part = calloc((size_t)count, sizeof *part);
    int code = reserve(&all, 2 * count, error);
    if (code == SERVET_OK && (!some || !part))
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = transfer(sim, &all, transfers, count, some, costs, part, error);
    release(&all);
    free(some);
    free(part);
    return code;
}

static void answer_transfers(srv_simulated *sim, const srv_line_transfer *transfers, int count,
                             const srv_coherence_cost *costs, srv_timing *timings)
{
    double prepare = 0, measure = 0;
    for (int i = 0; i < count; i++) {
        double faults = srv_simulated_fault_ns(sim, transfers[i].bytes);
        prepare = fmax(prepare, faults + costs[i].lines * SRV_ORDER_NS);
    }
    srv_simulated_pass(sim, SRV_SETTLE_NS + 2 * count * SRV_THREAD_NS + prepare);
    for (int i = 0; i < count; i++) {
        const srv_coherence_cost *one = &costs[i];
        int pu = 0, rounds = srv_coherence_rounds(transfers[i].seconds, one->round_ns);
        srv_coherence_read(sim, one->load_ns, one->round_ns, one->lines, rounds, &timings[i]);
        measure = fmax(measure, (rounds + SRV_TRANSFER_WARM_ROUNDS) * one->round_ns);
        srv_system_pu(sim->model, transfers[i].reader, &pu, NULL);
        timings[i].ghz = srv_simulated_ghz(sim, pu);
    }
    srv_simulated_pass(sim, measure + SRV_FREQUENCY_NS);
}

int srv_simulated_transfer_lines(srv_simulated *sim, const srv_line_transfer *transfers, int count,
                                 srv_timing *timings, servet_error *error)
{
    srv_coherence_cost *costs = calloc((size_t)count, sizeof *costs);
    if (!costs)
        return srv_fail_memory(error);
    srv_simulated_drop_elements(sim);
    srv_hierarchy_set_clock(sim->hierarchy, sim->clock_ns);
    int code = find_all_costs(sim, transfers, count, costs, error);
    if (code == SERVET_OK)
        answer_transfers(sim, transfers, count, costs, timings);
    free(costs);
    return code;
}
