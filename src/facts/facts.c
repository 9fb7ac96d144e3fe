/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/facts.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/bit.h"
#include "facts/cache/stage_parts.h"
#include "facts/stages.h"

/* --- costs --------------------------------------------------------------------------------------
 * In seconds, from runs without a budget (share/doc/measuring.md). Probes of pairs run
 * on disjoint pairs at once, so that their time grows with the cores, not with their square. */

/* Memory is touched and chained anew for each size, place and rate: all of them together some 20
 * times the largest working set, at 3 GB/s. */
static double quiet_caches(const srv_scale *scale)
{
    return scale->core_types * (2.5 + 7e-9 * scale->largest_bytes);
}

/* The curves of one core at several rates; another type's add to it. */
static double cost_caches(const srv_scale *scale)
{
    return fmax(15 + 10 * (scale->core_types - 1), quiet_caches(scale));
}

static double cost_caches_2010(const srv_scale *scale)
{
    return 25 + 15 * (scale->core_types - 1);
}

/* Each core against a representative of each group, level by level. */
static double cost_sharing(const srv_scale *scale)
{
    return 6 + 0.1 * scale->levels * scale->pus;
}

/* The block, then the levels of one core of each type; memory takes most of it. */
static double cost_lines(const srv_scale *scale)
{
    return 1 + 4 * scale->core_types;
}

/* Several visits of all pairs, as many at once as there are. */
static double cost_distances(const srv_scale *scale)
{
    return 1 + 0.06 * scale->pus;
}

/* All pairs, one after the other, of each level: 20 ms each. */
static double cost_all_pairs(const srv_scale *scale)
{
    return 0.02 * scale->levels * scale->pus * (scale->pus - 1) / 2;
}

/* Each level and memory on one core, then on up to all. */
static double cost_concurrency(const srv_scale *scale)
{
    return (8 + 0.2 * scale->pus) * scale->core_types;
}

/* Pages of two sizes on a core of each type. */
static double cost_translation(const srv_scale *scale)
{
    return 3 * scale->core_types;
}

/* Six visits of 30 ms: four probes of one core, and five of a pair and of a group of each layer of
 * distance, which is that of a cache level or of what is beyond. */
static double cost_sync(const srv_scale *scale)
{
    double sets = scale->pus > 2 ? 2 * (scale->levels + 1) : scale->pus - 1;
    return 6 * 30e-3 * (4 + 5 * sets);
}

/* Two to five visits, mostly at most four, of at most 30 ms: two precisions, two widths, and
 * integers, by a core of each type and by all cores. */
static double cost_peak(const srv_scale *scale)
{
    return 4 * 30e-3 * 5 * (scale->core_types + 1);
}

/* Contexts of the driver, and five visits: each takes some 30 ms, of large copies 100 ms. Each NUMA
 * node has two of both, each two devices in each direction one of both, and a large one at once. */
static double cost_accelerators(const srv_scale *scale)
{
    double devices = scale->devices, pairs = devices * (devices - 1);
    double small = 2 * devices * scale->numas + pairs, large = small + pairs + 2;
    return devices > 0 ? devices + 5 * (0.1 * large + 0.03 * small) : 0;
}

/* A core of each type alone, pairs, and more and more cores; few pairs are measured one by one. */
static double cost_memory(const srv_scale *scale)
{
    return 6 * scale->core_types + 0.4 * scale->pus;
}

/* --- costs on an idle machine -------------------------------------------------------------------
 * The same where visits agree at once: on the recorded machines (tests/data/machines) within a
 * quarter of what all of them took together. */

static double quiet_sharing(const srv_scale *scale)
{
    return 0.5 + 0.1 * scale->levels * scale->pus;
}

static double quiet_lines(const srv_scale *scale)
{
    return 2 * scale->core_types;
}

static double quiet_distances(const srv_scale *scale)
{
    return 0.1 + 0.06 * scale->pus;
}

static double quiet_concurrency(const srv_scale *scale)
{
    return (3 + 0.2 * scale->pus) * scale->core_types;
}

static double quiet_translation(const srv_scale *scale)
{
    return 2 * scale->core_types;
}

static double quiet_sync(const srv_scale *scale)
{
    return cost_sync(scale) / 3;
}

/* Two visits. */
static double quiet_peak(const srv_scale *scale)
{
    return cost_peak(scale) / 2;
}

static double quiet_accelerators(const srv_scale *scale)
{
    return cost_accelerators(scale) * 2 / 5;
}

static double quiet_memory(const srv_scale *scale)
{
    return 0.4 * scale->pus;
}

/* Visits of 15 ms: 14 points, five times on own memory, three times elsewhere; three mixes. */
static double quiet_loaded(const srv_scale *scale)
{
    double curve = 14 * 15e-3, nodes = fmax(1, scale->numas);
    return scale->pus > 1 ? 0.3 + curve * (nodes * (5 + 3 * 3) + 3 * nodes * (nodes - 1)) : 0.1;
}

/* A machine whose cores other programs have half of the time. */
static double cost_loaded(const srv_scale *scale)
{
    return 2 * quiet_loaded(scale);
}

#define CACHE_FACTS                                                                                \
    "kinds.caches.count kinds.caches.kind kinds.caches.bytes kinds.caches.reachable_bytes "        \
    "kinds.caches.verdict kinds.caches.latency_ns kinds.caches.latency_cycles "                    \
    "kinds.caches.confidence kinds.memory.latency_ns"
#define CACHE_SHARED                                                                               \
    "kinds.caches.#.bytes kinds.caches.#.reachable_bytes kinds.caches.#.latency_ns "               \
    "kinds.caches.#.latency_cycles kinds.memory.latency_ns"
#define SHARING_FACTS "kinds.caches.groups kinds.caches.sharing"
#define MEMORY_FACTS  "memory numa.bandwidth numa.latency_ns"

#define CACHE_SERIES   "cache-*.csv geometry-*.csv"
#define SHARING_SERIES "sharing-*.csv"

#define NEED_CACHES SRV_BIT(SERVET_BENCHMARK_CACHE)

#define ROW(number, word, needed, cost_of, quiet_of, raw, measures, stored, of_all, ...)           \
    {                                                                                              \
        .id = number, .name = word, .needs = needed, .cost = cost_of, .quiet = quiet_of,           \
        .series = raw, .run.node = measures, .facts = stored, .shared = of_all, __VA_ARGS__        \
    }

static bool lies_within(const servet_value *value, const servet_value *interval)
{
    return interval->low <= value->value && value->value <= interval->high;
}

/* Working sets for one level serve the other if each size is a likely one of the other. */
static bool is_same_level(const servet_cache *a, const servet_cache *b)
{
    return a->kind == b->kind &&
           (a->kind == SERVET_CACHE_TURNOVER ||
            (lies_within(&a->bytes, &b->bytes) && lies_within(&b->bytes, &a->bytes)));
}

/* Compares the levels that a core sees: the working sets of other benchmarks follow from them, and
 * doubts about memory from those about the number of levels. */
static bool caches_stand(const servet_profile *a, const servet_profile *b, const servet_at *at)
{
    int level = 1, of_a, of_b;
    servet_cache one, other;
    servet_trust trust, other_trust;
    if (servet_profile_trust(a, at, "caches.count", &trust, NULL) != SERVET_OK ||
        servet_profile_trust(b, at, "caches.count", &other_trust, NULL) != SERVET_OK ||
        trust.trusted != other_trust.trusted)
        return false;
    do {
        of_a = servet_cache_get(a, at, level, &one);
        of_b = servet_cache_get(b, at, level++, &other);
    } while (of_a == SERVET_OK && of_b == SERVET_OK && is_same_level(&one, &other));
    return of_a != SERVET_OK && of_b != SERVET_OK;
}

/* The fastest benchmark comes second: its probes are repeated during the whole run. */
static const srv_benchmark default_plan[] = {
    ROW(SERVET_BENCHMARK_CACHE, "cache", 0, cost_caches, quiet_caches, CACHE_SERIES,
        srv_measure_core_types, CACHE_FACTS, CACHE_SHARED, .stands = caches_stand),
    ROW(SERVET_BENCHMARK_DISTANCE, "distance", 0, cost_distances, quiet_distances, "distance.csv",
        srv_measure_distances, "distance.layers", NULL, .rates = false),
    ROW(SERVET_BENCHMARK_SHARING, "sharing", NEED_CACHES, cost_sharing, quiet_sharing,
        SHARING_SERIES, srv_measure_sharing, SHARING_FACTS, NULL, .rates = false),
    ROW(SERVET_BENCHMARK_LINE, "line", NEED_CACHES, cost_lines, quiet_lines,
        "coherence.csv line-*.csv", srv_measure_lines, "coherence kinds.caches.line", NULL,
        .rates = false),
    ROW(SERVET_BENCHMARK_MEMORY, "memory", NEED_CACHES, cost_memory, quiet_memory, "",
        srv_measure_memory, MEMORY_FACTS, MEMORY_FACTS, .rates = true),
    ROW(SERVET_BENCHMARK_CONCURRENCY, "concurrency",
        NEED_CACHES | SRV_BIT(SERVET_BENCHMARK_SHARING), cost_concurrency, quiet_concurrency, "",
        srv_measure_concurrency, "kinds.caches.concurrency kinds.memory.concurrency",
        "kinds.caches.#.concurrency kinds.memory.concurrency", .rates = false),
    ROW(SERVET_BENCHMARK_TRANSLATION, "translation", 0, cost_translation, quiet_translation,
        "translation-*.csv", srv_measure_translation, "kinds.translation kinds.translation_huge",
        NULL, .rates = false),
    ROW(SERVET_BENCHMARK_SYNC, "sync", SRV_BIT(SERVET_BENCHMARK_DISTANCE), cost_sync, quiet_sync,
        "", srv_measure_sync, "sync", NULL, .rates = false),
    ROW(SERVET_BENCHMARK_LOADED, "loaded", NEED_CACHES, cost_loaded, quiet_loaded, "",
        srv_measure_loaded, "loaded", "loaded", .rates = false),
    ROW(SERVET_BENCHMARK_PEAK, "peak", 0, cost_peak, quiet_peak, "", srv_measure_peaks, "peak",
        NULL, .rates = false),
    ROW(SERVET_BENCHMARK_ACCELERATORS, "accelerators", 0, cost_accelerators, quiet_accelerators, "",
        srv_measure_accelerators, "accelerators", "accelerators", .optional = true),
    {0},
};

static const srv_benchmark plan_2010[] = {
    ROW(SERVET_BENCHMARK_CACHE, "cache", 0, cost_caches_2010, NULL, CACHE_SERIES,
        srv_measure_core_types, CACHE_FACTS, CACHE_SHARED, .stands = caches_stand),
    ROW(SERVET_BENCHMARK_SHARING, "sharing", NEED_CACHES, cost_all_pairs, NULL, SHARING_SERIES,
        srv_measure_sharing_2010, SHARING_FACTS, NULL, .rates = false),
    {0},
};

/* Cache levels that most machines have. */
enum { LEVELS_USUAL = 3 };

/* Loading the driver takes a second and more: devices are counted only if they are measured. */
static int count_devices(srv_machine *machine, const servet_measure_options *options)
{
    srv_device *devices = calloc(SRV_DEVICES_MAX, sizeof *devices);
    unsigned wanted = srv_plan_wanted(srv_facts_of(options->approach), options->only);
    int count = 0;
    if (!devices || !(wanted & SRV_BIT(SERVET_BENCHMARK_ACCELERATORS)) ||
        srv_machine_devices(machine, devices, &count, NULL) != SERVET_OK)
        count = 0;
    free(devices);
    return count;
}

srv_scale srv_facts_scale(srv_machine *machine, const servet_measure_options *options,
                          const servet_machine *about, const srv_core_type *types, int count)
{
    double memory;
    int core;
    srv_scale scale = {.pus = about->pu_count,
                       .numas = about->numa_count,
                       .core_types = count,
                       .levels = LEVELS_USUAL,
                       .devices = count_devices(machine, options)};
    if (sscanf(types[0].cores, "%d", &core) == 1 &&
        machine->ops->memory(machine, &memory, NULL) == SERVET_OK)
        scale.largest_bytes = srv_largest_working_set(machine, options, core, memory);
    return scale;
}

const srv_benchmark *srv_facts_of(servet_approach approach)
{
    static const srv_benchmark *const plans[SERVET_APPROACH_COUNT] = {
        [SERVET_APPROACH_DEFAULT] = default_plan,
        [SERVET_APPROACH_SERVET2010] = plan_2010,
    };
    return plans[approach];
}
