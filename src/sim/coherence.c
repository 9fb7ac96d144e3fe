/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/coherence.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/system.h"
#include "sim/thinning.h"
#include "stats/interval.h"

/* In each round both PUs read a flag that the other one has modified. */
enum { FLAGS = 2 };

/* The lines of a set that are simulated. */
typedef struct lines {
    size_t count, apart; /* apart: bytes from one to the next, where all are simulated */
    size_t thin, period; /* see thinning.h */
} lines;

/* A pair by logical numbers. */
typedef struct couple {
    int owner, reader;
} couple;

static double transfer_ns(const srv_model *model, couple pus)
{
    for (int i = 0; i < model->distance_count; i++)
        if (pus.owner / model->distance[i].pus == pus.reader / model->distance[i].pus)
            return model->distance[i].ns;
    return model->memory_latency_ns; /* a model without a value exchanges through memory */
}

static int find_couple(const srv_model *model, int owner, int reader, couple *pus,
                       servet_error *error)
{
    int code = srv_system_pu(model, owner, &pus->owner, error);
    return code == SERVET_OK ? srv_system_pu(model, reader, &pus->reader, error) : code;
}

/* --- line transfers --------------------------------------------------------------------------- */

static int enter(srv_hierarchy *hierarchy, couple pus, const srv_line_transfer *transfer,
                 size_t thin, servet_error *error)
{
    srv_address_range range = {.pu = pus.owner,
                               .bytes = transfer->bytes,
                               .huge = transfer->pages == SERVET_PAGES_HUGE,
                               .thin = thin};
    int code = srv_hierarchy_enter(hierarchy, &range, error);
    return code == SERVET_OK ? srv_hierarchy_join(hierarchy, pus.reader, pus.owner, error) : code;
}

static uint64_t address_of(const lines *set, size_t line)
{
    return srv_thinned_address(line, set->apart, set->thin, set->period);
}

/* Accesses of the owner do not depend on each other. */
static double own(srv_hierarchy *hierarchy, couple pus, const lines *set)
{
    double now_ns = 0;
    for (size_t i = 0; i < set->count && !srv_hierarchy_ended(hierarchy); i++)
        now_ns +=
            srv_hierarchy_bring(hierarchy, pus.owner, address_of(set, i), now_ns) / SRV_OVERLAP;
    return now_ns;
}

/* A load of the reader. Lines in its own caches were prefetched. */
static double take_line(srv_hierarchy *hierarchy, couple pus, uint64_t address, bool modified,
                        double hop_ns, double now_ns)
{
    bool theirs = srv_hierarchy_keeps(hierarchy, pus.owner, pus.reader, address);
    bool alike = srv_hierarchy_alike(hierarchy, pus.owner, pus.reader);
    bool mine = !alike && srv_hierarchy_keeps(hierarchy, pus.reader, pus.owner, address);
    double ns = srv_hierarchy_load(hierarchy, pus.reader, address, now_ns);
    if (mine || !theirs)
        return ns;
    return modified ? hop_ns : fmin(ns, hop_ns);
}

static uint64_t visited(const srv_order *order, size_t index, const lines *set)
{
    return address_of(set, srv_order_at(order, index));
}

/* In every round after the first, the TLBs hold the translations of the previous round. */
static double take(srv_hierarchy *hierarchy, couple pus, const srv_line_transfer *transfer,
                   const lines *set, double hop_ns, double from_ns)
{
    srv_order order = srv_order_of(set->count, transfer->seed);
    double now_ns = from_ns;
    for (size_t i = 0; i < set->count; i++)
        srv_hierarchy_translate(hierarchy, pus.reader, visited(&order, i, set));
    for (size_t i = 0; i < set->count && !srv_hierarchy_ended(hierarchy); i++)
        now_ns +=
            take_line(hierarchy, pus, visited(&order, i, set), transfer->modified, hop_ns, now_ns);
    return now_ns - from_ns;
}

/* The thinning of sets that meet in a cache, which must be the same for all. */
static size_t thin_of(const srv_model *model, const srv_line_transfer *transfers, int count)
{
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        if (transfers[i].line_bytes != transfers->line_bytes)
            return 1;
        least = fmin(least, transfers[i].bytes / transfers[i].line_bytes);
    }
    return srv_thinning(model, least, transfers->line_bytes);
}

static lines lines_of(const srv_model *model, const srv_line_transfer *transfer, size_t thin)
{
    size_t count = (size_t)(transfer->bytes / transfer->line_bytes) / thin;
    return (lines){count, (size_t)transfer->line_bytes, thin, srv_thinning_period(model)};
}

/* All owners run before all readers, because sets of one owner may evict those of another. */
static void answer(srv_hierarchy *hierarchy, const srv_model *model, couple pus,
                   const srv_line_transfer *transfer, const lines *set, srv_coherence_cost *result)
{
    double hop_ns = transfer_ns(model, pus), owned_ns = result->round_ns, of = (double)set->thin;
    result->lines = (double)set->count * of;
    result->load_ns = take(hierarchy, pus, transfer, set, hop_ns, owned_ns) * of;
    result->round_ns = owned_ns * of + result->load_ns + FLAGS * hop_ns;
}

int srv_coherence_transfer(srv_hierarchy *hierarchy, const srv_model *model,
                           const srv_line_transfer *transfers, int count, srv_coherence_cost *costs,
                           servet_error *error)
{
    couple pus = {0, 0};
    int code = SERVET_OK;
    size_t thin = thin_of(model, transfers, count);
    srv_hierarchy_flush(hierarchy, srv_mix(transfers->seed));
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = find_couple(model, transfers[i].owner, transfers[i].reader, &pus, error);
        if (code == SERVET_OK)
            code = enter(hierarchy, pus, &transfers[i], thin, error);
        lines set = lines_of(model, &transfers[i], thin);
        if (code == SERVET_OK)
            costs[i].round_ns = own(hierarchy, pus, &set);
    }
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = find_couple(model, transfers[i].owner, transfers[i].reader, &pus, error);
        lines set = lines_of(model, &transfers[i], thin);
        if (code == SERVET_OK)
            answer(hierarchy, model, pus, &transfers[i], &set, &costs[i]);
    }
    if (code == SERVET_OK && srv_hierarchy_ended(hierarchy))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return code;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Increments in a sample of false sharing. */
enum { SHARED_INCREMENTS = 1024 };

int srv_coherence_rounds(double seconds, double round_ns)
{
    return (int)fmin(fmax(seconds * 1e9 / round_ns, SRV_SAMPLES_MIN), SRV_SAMPLES_MAX);
}

void srv_coherence_read(srv_simulated *sim, double sample_ns, double round_ns, double loads,
                        int count, srv_timing *timing)
{
    double samples[SRV_SAMPLES_MAX];
    for (int i = 0; i < count; i++)
        samples[i] = srv_noise_apply(&sim->model->noise, &sim->random, sample_ns,
                                     sim->clock_ns + i * round_ns) /
                     loads;
    timing->spread = srv_spread_of(samples, (size_t)count);
    timing->mean = srv_mean_of(samples + count / 4, (size_t)(count - count / 4 * 2)).value;
    timing->huge_share = 0;
    timing->error = NAN;
    timing->busy = NAN;
}

/* --- false sharing ---------------------------------------------------------------------------- */

/* Line of the last cache that the owner does not share with the reader; 0: it shares all. */
static double unshared_line(const srv_model *model, couple pus)
{
    int level = 0;
    double line = 0;
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *row = &model->cache[i];
        if (row->level > level && srv_system_covers(model, row, pus.owner) &&
            !srv_system_shares(model, row, pus.owner, pus.reader)) {
            level = row->level;
            line = row->line_bytes;
        }
    }
    return line;
}

int srv_simulated_false_sharing(srv_simulated *sim, const srv_false_sharing *pair,
                                srv_timing *timing, servet_error *error)
{
    const srv_model *model = sim->model;
    couple pus = {0, 0};
    int code = find_couple(model, pair->core, pair->other, &pus, error);
    if (code != SERVET_OK)
        return code;
    double block =
        fmax(unshared_line(model, pus), unshared_line(model, (couple){pus.reader, pus.owner}));
    double ns = pair->apart < block ? transfer_ns(model, pus) : srv_system_hit_ns(model, pus.owner);
    double sample_ns = SHARED_INCREMENTS * ns;
    int count = srv_coherence_rounds(pair->seconds, sample_ns);
    srv_simulated_pass(sim, SRV_SETTLE_NS + 2 * SRV_THREAD_NS + model->memory_latency_ns);
    srv_coherence_read(sim, sample_ns, sample_ns, SHARED_INCREMENTS, count, timing);
    timing->ghz = srv_simulated_ghz(sim, pus.owner);
    srv_simulated_pass(sim, count * sample_ns + SRV_FREQUENCY_NS);
    return SERVET_OK;
}

/* --- synchronization -------------------------------------------------------------------------- */

/* Logical numbers of PUs that synchronize, and the transfers between them. */
typedef struct ring {
    const srv_model *model;
    int *pus, count;
    double mean_ns, longest_ns;
} ring;

/* The longest transfer to the PU that is `step` further. */
static double longest_ns(const ring *on, int step)
{
    double ns = 0;
    for (int i = 0; i < on->count; i++)
        ns =
            fmax(ns, transfer_ns(on->model, (couple){on->pus[i], on->pus[(i + step) % on->count]}));
    return ns;
}

static void add_transfers(ring *on)
{
    double sum = 0;
    for (int step = 1; step < on->count; step++)
        for (int i = 0; i < on->count; i++) {
            couple pus = {on->pus[i], on->pus[(i + step) % on->count]};
            sum += transfer_ns(on->model, pus);
            on->longest_ns = fmax(on->longest_ns, transfer_ns(on->model, pus));
        }
    on->mean_ns = on->count > 1 ? sum / on->count / (on->count - 1)
                                : srv_system_hit_ns(on->model, on->pus[0]);
}

/* --- their times --- */

static double pass_ns(const ring *on)
{
    return on->mean_ns;
}

static double lock_ns(const ring *on)
{
    return 2 * on->mean_ns;
}

static double meet_centrally_ns(const ring *on)
{
    return on->count * on->mean_ns + on->longest_ns;
}

static double meet_in_rounds_ns(const ring *on)
{
    double ns = 0;
    for (int step = 1; step < on->count; step *= 2)
        ns += longest_ns(on, step);
    return ns;
}

static double (*const sync_ns[SERVET_SYNC_COUNT])(const ring *on) = {
    [SERVET_SYNC_ADD] = pass_ns,
    [SERVET_SYNC_CAS] = pass_ns,
    [SERVET_SYNC_LOCK] = lock_ns,
    [SERVET_SYNC_CENTRAL] = meet_centrally_ns,
    [SERVET_SYNC_DISSEMINATION] = meet_in_rounds_ns,
};

static int find_sync(const srv_model *model, const srv_sync *sync, double *ns, servet_error *error)
{
    if (!sync_ns[sync->op])
        return srv_fail(error, SERVET_EUNSUPPORTED, "models have no hint of spinning loops");
    ring on = {.model = model, .pus = calloc((size_t)sync->count, sizeof *on.pus)};
    int code = on.pus ? SERVET_OK : srv_fail_memory(error);
    for (; on.count < sync->count && code == SERVET_OK; on.count++)
        code = srv_system_pu(model, sync->cores[on.count], &on.pus[on.count], error);
    if (code == SERVET_OK) {
        add_transfers(&on);
        *ns = sync_ns[sync->op](&on);
    }
    free(on.pus);
    return code;
}

int srv_simulated_synchronize(srv_simulated *sim, const srv_sync *sync, srv_spread *ns,
                              servet_error *error)
{
    srv_timing timing;
    double one_ns = 0;
    int code = find_sync(sim->model, sync, &one_ns, error);
    if (code != SERVET_OK)
        return code;
    int count = srv_coherence_rounds(sync->seconds, SRV_SAMPLE_NS);
    srv_simulated_pass(sim, SRV_SETTLE_NS + sync->count * SRV_THREAD_NS);
    srv_coherence_read(sim, SRV_SAMPLE_NS, SRV_SAMPLE_NS, SRV_SAMPLE_NS / one_ns, count, &timing);
    *ns = timing.spread;
    srv_simulated_pass(sim, count * SRV_SAMPLE_NS);
    return SERVET_OK;
}
