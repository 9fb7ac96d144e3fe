/* SPDX-License-Identifier: BSD-3-Clause */
#include "node.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"

static const double KIB = 1 << 10, MIB = 1 << 20;

enum { TLB_WAYS = 8 };

/* Errors that a user does not notice: of sizes, of times and bandwidths. */
static const double SIZE = 0.10, TIME = 0.15, RATE = 0.10;

/* --- drawing ---------------------------------------------------------------------------------- */

typedef struct shape {
    int kib, ways;
} shape;

static const shape first[] = {{16, 4}, {32, 8}, {48, 12}, {64, 8}, {64, 4}, {128, 8}};
static const shape second[] = {{256, 8},  {256, 4},   {512, 8},  {1024, 16},
                               {1024, 8}, {1280, 20}, {2048, 16}};
/* Computing a curve takes time in proportion to the largest cache. */
static const shape third[] = {{1536, 12}, {2048, 16}, {2816, 11},
                              {3072, 12}, {4096, 16}, {6144, 12}};
static const int slices[] = {1, 2, 4, 8};
static const char *const inclusions[] = {"non-inclusive", "inclusive", "victim", "exclusive"};
static const char *const policies[] = {"lru", "tree-plru", "random", "adaptive"};

static const char *draw_policy(uint64_t *state, int ways)
{
    const char *policy;
    do
        policy = DRAW_FROM(state, policies);
    while (strcmp(policy, "tree-plru") == 0 && (ways & (ways - 1)) != 0);
    return policy;
}

static void add_cache(node *made, uint64_t *state, shape drawn, int cores, double cycles)
{
    made->cache[made->levels++] = (node_cache){.bytes = drawn.kib * KIB,
                                               .ways = drawn.ways,
                                               .slices = 1,
                                               .cycles = (int)cycles,
                                               .cores = cores,
                                               .inclusion = "non-inclusive",
                                               .replacement = draw_policy(state, drawn.ways)};
}

static void draw_third(node *made, uint64_t *state)
{
    const node_cache *above = &made->cache[1];
    int cores = draw_chance(state, 0.5) ? made->cores : made->cores * made->clusters;
    shape drawn;
    double least = 3 * above->bytes;
    if (draw_chance(state, 0.2))
        return;
    do
        drawn = DRAW_FROM(state, third);
    while (drawn.kib * KIB < fmin(least, 4 * MIB));
    add_cache(made, state, drawn, cores, draw_between(state, 36, 75));
    node_cache *cache = &made->cache[2];
    cache->slices = DRAW_FROM(state, slices);
    cache->inclusion = draw_chance(state, 0.6) ? inclusions[0] : DRAW_FROM(state, inclusions);
    if (cache->bytes < above->bytes * cache->cores / above->cores && cache->inclusion[0] == 'i')
        cache->inclusion = inclusions[0];
}

static void draw_caches(node *made, uint64_t *state)
{
    add_cache(made, state, DRAW_FROM(state, first), 1, draw_between(state, 3, 6));
    bool cluster = draw_chance(state, 0.3);
    add_cache(made, state, DRAW_FROM(state, second), cluster ? made->cores : 1,
              draw_between(state, 11, 21));
    draw_third(made, state);
}

static void draw_translation(node *made, uint64_t *state)
{
    static const int small[] = {32, 48, 64, 96, 128}, large[] = {512, 1024, 1536, 2048};
    made->page = draw_chance(state, 0.85) ? 4 * KIB : 64 * KIB;
    made->huge = draw_chance(state, 0.5) ? 2 * MIB : 0;
    made->tlbs = 1 + draw_chance(state, 0.7);
    made->tlb_entries[0] = DRAW_FROM(state, small);
    made->tlb_cycles[0] = draw_below(state, 4) + 6;
    made->tlb_entries[1] = DRAW_FROM(state, large);
    made->tlb_cycles[1] = draw_below(state, 20) + 20;
}

static void draw_memory(node *made, uint64_t *state)
{
    made->memory_ns = floor(draw_between(state, 70, 140));
    made->remote_ns = floor(made->memory_ns * draw_between(state, 1.4, 2));
    made->core_rate = floor(draw_between(state, 6, 20)) * 1e9;
    made->remote_rate = made->core_rate * 0.6;
    if (made->cores > 1 && made->clusters > 1 && draw_chance(state, 0.3))
        made->domain_rate[0] = made->core_rate * draw_between(state, 1.1, 1.5);
    double together = made->domain_rate[0] > 0 ? made->clusters * made->domain_rate[0]
                                               : made->clusters * made->cores * made->core_rate;
    made->domain_rate[1] = fmax(1.2 * made->core_rate, together * draw_between(state, 0.4, 1));
}

static void draw_transfers(node *made, uint64_t *state)
{
    double ns = draw_between(state, 6, 12);
    for (int i = 0; i < 4; i++) {
        made->transfer_ns[i] = floor(ns);
        ns *= draw_between(state, 1.8, 3);
    }
}

node node_generate(int index, const condition *noise)
{
    uint64_t random = draw_begin(index), *state = &random;
    node made = {.noise = *noise};
    made.packages = 1 + draw_chance(state, 0.3);
    made.clusters = 1 + draw_below(state, 3);
    made.cores = 1 + draw_below(state, made.packages * made.clusters < 3 ? 4 : 2);
    made.smt = 1 + draw_chance(state, 0.25);
    if (noise->sibling_busy > 0)
        made.smt = 1;
    made.smt_last = draw_chance(state, 0.5);
    made.ghz = floor(draw_between(state, 18, 45)) / 10;
    made.line = draw_chance(state, 0.85) ? 64 : 128;
    made.prefetch = draw_chance(state, 0.7);
    draw_caches(&made, state);
    draw_translation(&made, state);
    draw_memory(&made, state);
    draw_transfers(&made, state);
    return made;
}

/* --- numbering -------------------------------------------------------------------------------- */

static int core_total(const node *made)
{
    return made->packages * made->clusters * made->cores;
}

static int os_number(const node *made, int core, int thread)
{
    return made->smt_last ? thread * core_total(made) + core : core * made->smt + thread;
}

/* PUs first..last as the OS numbers them: a range, or the second PUs apart. */
static size_t write_range(char *text, size_t size, int low, int high)
{
    return (size_t)(low == high ? snprintf(text, size, "%d", low)
                                : snprintf(text, size, "%d-%d", low, high));
}

/* The groups of `cores` neighbours each, as `servet get` prints them: "0-1,4-5", "2-3,6-7". */
static void write_groups(const node *made, int cores, char text[TRUTH_TEXT_MAX])
{
    size_t used = 0;
    for (int core = 0; core < core_total(made); core += cores) {
        used += (size_t)snprintf(text + used, TRUTH_TEXT_MAX - used, "%s", core > 0 ? "\n" : "");
        int parts = made->smt_last && cores < core_total(made) ? made->smt : 1;
        for (int part = 0; part < parts; part++) {
            int last = parts > 1 ? part : made->smt - 1;
            used += (size_t)snprintf(text + used, TRUTH_TEXT_MAX - used, "%s", part > 0 ? "," : "");
            used += write_range(text + used, TRUTH_TEXT_MAX - used, os_number(made, core, part),
                                os_number(made, core + cores - 1, last));
        }
    }
}

/* --- the model -------------------------------------------------------------------------------- */

static json_t *cache_model(const node *made, int level)
{
    const node_cache *cache = &made->cache[level];
    return json_pack("{si sf si sf si si si ss ss}", "level", level + 1, "bytes", cache->bytes,
                     "ways", cache->ways, "line_bytes", made->line, "slices", cache->slices,
                     "latency_cycles", cache->cycles, "shared_by", cache->cores * made->smt,
                     "inclusion", cache->inclusion, "replacement", cache->replacement);
}

static json_t *numbering(const node *made)
{
    char text[16];
    json_t *list = json_string("");
    for (int core = 0; core < core_total(made); core++)
        for (int thread = 0; thread < made->smt; thread++) {
            snprintf(text, sizeof text, ",%d", os_number(made, core, thread));
            json_t *longer =
                json_sprintf("%s%s", json_string_value(list), text + (core + thread == 0));
            json_decref(list);
            list = longer;
        }
    return list;
}

static json_t *memory_model(const node *made)
{
    json_t *memory =
        json_pack("{sI sf sf s[]}", "bytes", (json_int_t)(32 * 1024 * MIB), "latency_ns",
                  made->memory_ns, "core_bytes_per_second", made->core_rate, "domains");
    json_t *domains = json_object_get(memory, "domains");
    int cluster = made->cores * made->smt, package = cluster * made->clusters;
    if (made->domain_rate[0] > 0)
        json_array_append_new(domains, json_pack("{si sf}", "shared_by", cluster,
                                                 "bytes_per_second", made->domain_rate[0]));
    json_array_append_new(domains, json_pack("{si sf}", "shared_by", package, "bytes_per_second",
                                             made->domain_rate[1]));
    if (made->packages > 1)
        json_object_set_new(memory, "remote",
                            json_pack("[{si sf sf}]", "within", package * made->packages,
                                      "latency_ns", made->remote_ns, "core_bytes_per_second",
                                      made->remote_rate));
    return memory;
}

static json_t *transfer_model(const node *made)
{
    json_t *list = json_array();
    int counts[] = {1, made->cores, made->clusters, made->packages}, within = made->smt;
    for (int i = 0; i < 4; i++) {
        within *= counts[i];
        if (i == 0 ? made->smt > 1 : counts[i] > 1)
            json_array_append_new(
                list, json_pack("{si sf}", "within", within, "ns", made->transfer_ns[i]));
    }
    return list;
}

static json_t *prefetchers(void)
{
    return json_pack("[{ss si si} {ss si} {ss si si}]", "kind", "stride", "level", 1, "reach_bytes",
                     2048, "kind", "next-line", "level", 2, "kind", "stream", "level", 2,
                     "reach_bytes", 2048);
}

json_t *node_model(const node *made, int index)
{
    char name[32];
    snprintf(name, sizeof name, "generated-%d", index);
    json_t *model = json_pack(
        "{si ss si si si si sf so s[] s[] so s{sf sf} so}", "model", 1, "name", name, "packages",
        made->packages, "numa_nodes", made->packages, "cores", core_total(made), "smt", made->smt,
        "clock_ghz", made->ghz, "os_numbering", numbering(made), "caches", "tlbs", "memory",
        memory_model(made), "pages", "bytes", made->page, "huge_bytes", made->huge, "noise",
        condition_noise(&made->noise, made->cache[1].cores > 1 ? 1 : 2));
    for (int i = 0; i < made->levels; i++)
        json_array_append_new(json_object_get(model, "caches"), cache_model(made, i));
    for (int i = 0; i < made->tlbs; i++)
        json_array_append_new(json_object_get(model, "tlbs"),
                              json_pack("{si si si}", "entries", made->tlb_entries[i], "ways",
                                        TLB_WAYS, "penalty_cycles", made->tlb_cycles[i]));
    if (made->prefetch)
        json_object_set_new(model, "prefetchers", prefetchers());
    json_t *transfers = transfer_model(made);
    if (json_array_size(transfers) > 0)
        json_object_set(model, "line_transfer", transfers);
    json_decref(transfers);
    return model;
}

/* --- the truth -------------------------------------------------------------------------------- */

static void cache_truths(const node *made, truths *all)
{
    char fact[FACT_NAME_MAX], groups[TRUTH_TEXT_MAX];
    truth_number(all, "cache levels", made->levels, 0, "caches.count");
    for (int i = 0; i < made->levels; i++) {
        const node_cache *cache = &made->cache[i];
        snprintf(fact, sizeof fact, "L%d size", i + 1);
        truth_number(all, fact, cache->bytes, SIZE, "caches.%d.bytes", i + 1);
        snprintf(fact, sizeof fact, "L%d ways", i + 1);
        truth_number(all, fact, cache->ways, 0, "caches.%d.ways", i + 1);
        snprintf(fact, sizeof fact, "L%d latency", i + 1);
        truth_number(all, fact, cache->cycles / made->ghz, TIME, "caches.%d.latency_ns", i + 1);
        snprintf(fact, sizeof fact, "L%d line", i + 1);
        truth_number(all, fact, made->line, 0, "caches.%d.line", i + 1);
        snprintf(fact, sizeof fact, "L%d sharing", i + 1);
        write_groups(made, cache->cores, groups);
        truth_text(all, fact, groups, "caches.%d.groups", i + 1);
    }
    if (core_total(made) > 1)
        truth_number(all, "false-sharing granularity", made->line, 0, "coherence_line");
}

/* Layers between PUs: the levels of the tree that join something. */
static void distance_truths(const node *made, truths *all)
{
    int cores[] = {1, made->cores, made->clusters, made->packages}, layer = 0, joined = 1;
    char groups[TRUTH_TEXT_MAX];
    for (int i = 0; i < 4; i++) {
        joined *= cores[i];
        if (i == 0 ? made->smt == 1 : cores[i] == 1)
            continue;
        layer++;
        write_groups(made, joined, groups);
        truth_number(all, "core distance", made->transfer_ns[i], TIME,
                     "distance.layers.%d.latency_ns", layer);
        truth_text(all, "groups of core distances", groups, "distance.layers.%d.groups", layer);
        truth_number(all, "addition by a pair", made->transfer_ns[i], TIME, "sync.%d.time_ns",
                     layer + 1);
    }
    if (layer > 0)
        truth_number(all, "layers of core distances", layer, 0, "distance.layers.count");
}

/* --- memory bandwidth ------------------------------------------------------------------------- */

/* The total bandwidth of `used[p][c]` cores of each cluster. */
static double total_rate(const node *made, int used[2][3])
{
    double total = 0;
    for (int p = 0; p < made->packages; p++) {
        double package = 0;
        for (int c = 0; c < made->clusters; c++) {
            double rate = used[p][c] * made->core_rate;
            package += made->domain_rate[0] > 0 ? fmin(rate, made->domain_rate[0]) : rate;
        }
        total += fmin(package, made->domain_rate[1]);
    }
    return total;
}

/* The most that `count` cores get: each next one where it gains most. */
static double best_rate(const node *made, int count)
{
    int used[2][3] = {{0}};
    for (int i = 0; i < count; i++) {
        int best_p = -1, best_c = -1;
        double best = -1;
        for (int p = 0; p < made->packages; p++)
            for (int c = 0; c < made->clusters; c++)
                if (used[p][c] < made->cores) {
                    used[p][c]++;
                    double rate = total_rate(made, used);
                    used[p][c]--;
                    if (rate > best) {
                        best = rate;
                        best_p = p;
                        best_c = c;
                    }
                }
        used[best_p][best_c]++;
    }
    return total_rate(made, used);
}

static int node_saturation(const node *made)
{
    double best = best_rate(made, core_total(made));
    int count = 1;
    while (best_rate(made, count) < 0.95 * best)
        count++;
    return count;
}

/* A level of overhead is a group whose pairs get less than those of the next larger group: by the
 * definition (share/doc/detection.md), 93 % of what one core gets alone, 95 % of the level before.
 */
static const double OVERHEAD_FIRST = 0.93, OVERHEAD_NEXT = 0.95;

static void overhead_truths(const node *made, truths *all)
{
    const struct {
        int cores, parts;
        double rate;
    } groups[] = {
        {made->cores * made->clusters, made->clusters, made->domain_rate[1]},
        {made->cores, made->cores, made->domain_rate[0] > 0 ? made->domain_rate[0] : INFINITY},
        {1, made->smt, made->smt > 1 ? made->core_rate : INFINITY},
    };
    char text[TRUTH_TEXT_MAX];
    int count = 0;
    double before = made->core_rate, limit = INFINITY;
    for (int i = 0; i < 3; i++) {
        limit = fmin(limit, groups[i].rate / 2);
        if (groups[i].parts == 1 || limit > (count > 0 ? OVERHEAD_NEXT : OVERHEAD_FIRST) * before)
            continue;
        count++;
        before = limit;
        write_groups(made, groups[i].cores, text);
        truth_text(all, "groups of memory overhead", text, "memory.levels.%d.groups", count);
        truth_number(all, "bandwidth of a pair", limit, RATE, "memory.levels.%d.bandwidth", count);
    }
    truth_number(all, "levels of memory overhead", count, 0, "memory.levels.count");
}

/* A kernel counts all bytes that it moves, except for lines that are fetched to write them. */
static void kernel_truths(const node *made, truths *all)
{
    static const struct {
        const char *name;
        double counted;
    } kernels[] = {{"read", 1},     {"write", 1. / 2}, {"copy", 2. / 3}, {"triad", 3. / 4},
                   {"write-nt", 1}, {"copy-nt", 1},    {"triad-nt", 1}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        truth_number(all, "bandwidths of kernels", made->core_rate * kernels[i].counted, RATE,
                     "memory.%s", kernels[i].name);
}

static void memory_truths(const node *made, truths *all)
{
    int cores = core_total(made);
    truth_number(all, "memory latency", made->memory_ns, TIME, "memory.latency_ns");
    truth_number(all, "memory bandwidth", made->core_rate, RATE, "memory.single");
    kernel_truths(made, all);
    if (cores > 1) {
        truth_number(all, "bandwidth of all cores", best_rate(made, cores) / cores, RATE,
                     "memory.scaling.%d", cores);
        overhead_truths(made, all);
        truth_number(all, "saturation of the node", node_saturation(made), 0, "memory.saturation");
    }
    for (int from = 1; from <= made->packages && made->packages > 1; from++)
        for (int to = 1; to <= made->packages; to++) {
            bool local = from == to;
            truth_number(all, "NUMA latency", local ? made->memory_ns : made->remote_ns, TIME,
                         "numa.%d.latency_ns.%d", from, to);
            truth_number(all, "NUMA bandwidth", local ? made->core_rate : made->remote_rate, RATE,
                         "numa.%d.bandwidth.%d", from, to);
        }
}

static void translation_truths(const node *made, truths *all)
{
    double walk = 0;
    truth_number(all, "TLB levels", made->tlbs, 0, "translation.count");
    for (int i = 0; i < made->tlbs; i++) {
        truth_number(all, "TLB entries", made->tlb_entries[i], SIZE, "translation.%d.entries",
                     i + 1);
        truth_number(all, "TLB ways", TLB_WAYS, 0, "translation.%d.ways", i + 1);
        truth_number(all, "TLB miss", made->tlb_cycles[i] / made->ghz, TIME,
                     "translation.%d.latency_ns", i + 1);
        walk += made->tlb_cycles[i] / made->ghz;
    }
    truth_number(all, "page walk", walk, TIME, "translation.walk_ns");
    truth_number(all, "granule", made->page, 0, "translation.granule_bytes");
    if (made->huge == 0)
        return;
    truth_number(all, "huge pages: granule", made->huge, 0, "translation_huge.granule_bytes");
    truth_number(all, "huge pages: TLB entries", made->tlb_entries[0], SIZE,
                 "translation_huge.1.entries");
    truth_number(all, "huge pages: TLB ways", TLB_WAYS, 0, "translation_huge.1.ways");
    truth_number(all, "huge pages: TLB miss", made->tlb_cycles[0] / made->ghz, TIME,
                 "translation_huge.1.latency_ns");
}

void node_truths(const node *made, truths *all)
{
    cache_truths(made, all);
    distance_truths(made, all);
    memory_truths(made, all);
    translation_truths(made, all);
}
