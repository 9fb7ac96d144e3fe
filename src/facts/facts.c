/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/facts.h"

#include "core/bit.h"
#include "facts/cache/stage_core_types.h"
#include "facts/concurrency/stage.h"
#include "facts/distance/stage.h"
#include "facts/line/stage.h"
#include "facts/memory/stage.h"
#include "facts/servet2010/stage_sharing.h"
#include "facts/sharing/stage.h"
#include "facts/translation/stage.h"

/* --- costs --------------------------------------------------------------------------------------
 * In seconds, from runs without a budget (share/doc/measuring.md). Probes of pairs run
 * on disjoint pairs at once, so that their time grows with the cores, not with their square. */

/* The curves of one core at several rates; another type's add to it. */
static double cost_caches(const srv_scale *scale)
{
    return 15 + 10 * (scale->core_types - 1);
}

/* The papers' traversals of all sizes. */
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

/* A core of each type alone, pairs, and more and more cores; few pairs are measured one by one. */
static double cost_memory(const srv_scale *scale)
{
    return 6 * scale->core_types + 0.4 * scale->pus;
}

/* --- the tables ------------------------------------------------------------------------------- */

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

/* After the caches comes the fastest benchmark: its probes are repeated during the rest of the run.
 * */
static const srv_benchmark default_plan[] = {
    {SERVET_BENCHMARK_CACHE, NULL, 0, cost_caches, 1, CACHE_FACTS, CACHE_SHARED, CACHE_SERIES,
     srv_measure_core_types, NULL},
    {SERVET_BENCHMARK_DISTANCE, NULL, 0, cost_distances, 1, "distance.layers", "", "distance.csv",
     srv_measure_distances, NULL},
    {SERVET_BENCHMARK_SHARING, NULL, SRV_BIT(SERVET_BENCHMARK_CACHE), cost_sharing, 1,
     SHARING_FACTS, "", SHARING_SERIES, srv_measure_sharing, NULL},
    {SERVET_BENCHMARK_LINE, NULL, SRV_BIT(SERVET_BENCHMARK_CACHE), cost_lines, 1,
     "coherence kinds.caches.line", "", "coherence.csv line-*.csv", srv_measure_lines, NULL},
    {SERVET_BENCHMARK_MEMORY, NULL, SRV_BIT(SERVET_BENCHMARK_CACHE), cost_memory, 1, MEMORY_FACTS,
     MEMORY_FACTS, "memory-*.csv", srv_measure_memory, NULL},
    {SERVET_BENCHMARK_CONCURRENCY, NULL,
     SRV_BIT(SERVET_BENCHMARK_CACHE) | SRV_BIT(SERVET_BENCHMARK_SHARING), cost_concurrency, 1,
     "kinds.caches.concurrency kinds.memory.concurrency",
     "kinds.caches.#.concurrency kinds.memory.concurrency", "concurrency-*.csv",
     srv_measure_concurrency, NULL},
    {SERVET_BENCHMARK_TRANSLATION, NULL, 0, cost_translation, 1,
     "kinds.translation kinds.translation_huge", "", "translation-*.csv", srv_measure_translation,
     NULL},
    {0},
};

static const srv_benchmark plan_2010[] = {
    {SERVET_BENCHMARK_CACHE, NULL, 0, cost_caches_2010, 1, CACHE_FACTS, CACHE_SHARED, CACHE_SERIES,
     srv_measure_core_types, NULL},
    {SERVET_BENCHMARK_SHARING, NULL, SRV_BIT(SERVET_BENCHMARK_CACHE), cost_all_pairs, 1,
     SHARING_FACTS, "", SHARING_SERIES, srv_measure_sharing_2010, NULL},
    {0},
};

const srv_benchmark *srv_facts_of(servet_approach approach)
{
    static const srv_benchmark *const plans[SERVET_APPROACH_COUNT] = {
        [SERVET_APPROACH_DEFAULT] = default_plan,
        [SERVET_APPROACH_SERVET2010] = plan_2010,
    };
    return plans[approach];
}
