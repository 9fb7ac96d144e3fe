/* SPDX-License-Identifier: BSD-3-Clause */
#include "largest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "servet/identity.h"
#include "../record.h"

enum {
    CLASSES = 4,
    NODES = 256,
    CORES = 256,
    KINDS = 2,
    CACHES = 4,
    DISTANCES = 4,
    OVERHEADS = 3,
    NUMA = 16,
    LAYERS = 7,
    CHAINS = 64,
    LARGEST = 1 << 25,
    TEXT = 64
};

void check(int code, const char *what)
{
    if (code == SERVET_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, servet_error_text(code));
    exit(1);
}

/* With seven digits, as measurements are stored. */
static double figure(double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.7g", number * (1 + 1 / 3e3));
    return strtod(text, NULL);
}

static servet_value value(double number, servet_unit unit)
{
    return (servet_value){figure(number),
                          figure(number * 0.97),
                          figure(number * 1.04),
                          31,
                          unit,
                          SERVET_METHOD_TIMED,
                          true};
}

static void fill(servet_value *values, int count, double number, servet_unit unit)
{
    for (int i = 0; i < count; i++)
        values[i] = value(number / (1 + i), unit);
}

/* --- sets ------------------------------------------------------------------------------------- */

typedef struct sets {
    char (*text)[TEXT];
    const char **set;
    int count;
} sets;

static void add_set(sets *to, const char *text)
{
    snprintf(to->text[to->count], TEXT, "%s", text);
    to->set[to->count] = to->text[to->count];
    to->count++;
}

static sets room_for(int count)
{
    sets made = {malloc((size_t)count * TEXT), malloc((size_t)count * sizeof(char *)), 0};
    check(made.text && made.set ? SERVET_OK : SERVET_EMEMORY, "sets");
    return made;
}

static void free_sets(sets *of)
{
    free(of->text);
    free(of->set);
}

/* The cores from `first` to `end` in sets of `size`; two are SMT siblings, with numbers apart. */
static sets sets_of(int first, int end, int size)
{
    sets made = room_for(CORES);
    char text[TEXT];
    int siblings = (first + end) / 2;
    for (int core = first; core < (size == 2 ? siblings : end); core += size == 2 ? 1 : size) {
        if (size == 2)
            snprintf(text, sizeof text, "%d,%d", core, core + siblings - first);
        else
            snprintf(text, sizeof text, size == 1 ? "%d" : "%d-%d", core, core + size - 1);
        add_set(&made, text);
    }
    return made;
}

/* Sets of `cores` cores of a node, or of all cores of `nodes` nodes. */
static sets places_of(int nodes, int cores)
{
    sets made = room_for(NODES * CORES);
    char text[TEXT];
    for (int node = 0; node < NODES; node += nodes)
        for (int core = 0; core < CORES; core += cores) {
            if (nodes == 1)
                snprintf(text, sizeof text, "%d:%d-%d", node, core, core + cores - 1);
            else
                snprintf(text, sizeof text, "%d-%d:%d-%d", node, node + nodes - 1, core,
                         core + cores - 1);
            add_set(&made, text);
        }
    return made;
}

/* --- a core type ------------------------------------------------------------------------------ */

/* Half of the cores of a node. */
typedef struct core_type {
    servet_profile *profile;
    int node_class, number, first, end;
} core_type;

static void add_sharing(const core_type *of, int level)
{
    static const int sharers[CACHES] = {2, 2, 16, 128};
    const servet_sharing sharing = {0.99, SERVET_VERDICT_AGREES, true};
    sets groups = sets_of(of->first, of->end, sharers[level - 1]);
    check(record_cache_groups(of->profile, of->node_class, of->number, level, groups.set,
                              groups.count, &sharing, NULL),
          "cache groups");
    free_sets(&groups);
}

static void add_concurrency(const core_type *of, int level)
{
    servet_value of_chains[CHAINS], of_threads[CORES];
    const servet_concurrency found = {
        10, 9, 11, value(1e10, SERVET_UNIT_BYTE_PER_SECOND), CHAINS, CORES / 2, true};
    fill(of_chains, CHAINS, 1e10, SERVET_UNIT_BYTE_PER_SECOND);
    fill(of_threads, CORES, 1e10, SERVET_UNIT_BYTE_PER_SECOND);
    check(record_concurrency(of->profile, of->node_class, of->number, level, &found, of_chains,
                             of_threads, NULL),
          "concurrency");
}

static void add_translation(const core_type *of, servet_pages pages)
{
    servet_tlb tlbs[3];
    const servet_value bytes = value(4096, SERVET_UNIT_BYTE), one = value(1, SERVET_UNIT_NONE),
                       walk = value(1e-8, SERVET_UNIT_SECOND);
    const servet_translation found = {
        .page_bytes = bytes, .granule_bytes = bytes, .walk = walk, .pages_asked = 65536};
    for (int i = 0; i < 3; i++)
        tlbs[i] = (servet_tlb){
            .entries = one, .ways = one, .reach_bytes = bytes, .latency = walk, .confidence = 0.9};
    check(record_translation(of->profile, of->node_class, of->number, pages, &found, tlbs, 3, NULL),
          "translation");
}

static void add_core_type(servet_profile *profile, int node_class, int number)
{
    char cores[TEXT], name[TEXT];
    const servet_value memory = value(90e-9, SERVET_UNIT_SECOND);
    core_type of = {profile, node_class, 0, number * CORES / KINDS, (number + 1) * CORES / KINDS};
    servet_cache caches[CACHES];
    for (int i = 0; i < CACHES; i++) {
        const servet_value bytes = value(32768 << (4 * i), SERVET_UNIT_BYTE),
                           one = value(16, SERVET_UNIT_NONE);
        caches[i] = (servet_cache){.level = i + 1,
                                   .bytes = bytes,
                                   .ways = one,
                                   .sets = one,
                                   .reachable_bytes = bytes,
                                   .reported_bytes = bytes,
                                   .latency = memory,
                                   .latency_cycles = value(i + 4, SERVET_UNIT_CYCLE),
                                   .line = bytes,
                                   .confidence = 0.99};
    }
    snprintf(cores, sizeof cores, "%d-%d", of.first, of.end - 1);
    snprintf(name, sizeof name, "type %d", number);
    check(servet_profile_add_kind(profile, node_class, name, cores, &of.number, NULL), "core type");
    check(record_caches(profile, node_class, of.number, caches, CACHES, &memory, NULL), "caches");
    for (int level = 0; level <= CACHES; level++) {
        if (level > 0)
            add_sharing(&of, level);
        add_concurrency(&of, level);
    }
    for (int pages = 0; pages < SERVET_PAGES_COUNT; pages++)
        add_translation(&of, (servet_pages)pages);
}

/* --- a class ---------------------------------------------------------------------------------- */

static void add_distances(servet_profile *profile, int node_class)
{
    static const int cores[DISTANCES] = {2, 16, 128, CORES};
    servet_distance_layer layers[DISTANCES];
    for (int i = 0; i < DISTANCES; i++)
        layers[i] = (servet_distance_layer){value(1e-8 * (i + 1), SERVET_UNIT_SECOND), 0.99,
                                            SERVET_VERDICT_AGREES, true};
    check(record_distances(profile, node_class, layers, DISTANCES, NULL), "distances");
    for (int i = 0; i < DISTANCES; i++) {
        sets groups = sets_of(0, CORES, cores[i]);
        check(record_distance_groups(profile, node_class, i + 1, groups.set, groups.count, NULL),
              "distance groups");
        free_sets(&groups);
    }
}

static void add_memory(servet_profile *profile, int node_class)
{
    static const int cores[OVERHEADS] = {CORES, 128, 16};
    servet_value kernels[SERVET_KERNEL_COUNT], scaling[CORES];
    servet_memory_level levels[OVERHEADS];
    fill(kernels, SERVET_KERNEL_COUNT, 1e10, SERVET_UNIT_BYTE_PER_SECOND);
    fill(scaling, CORES, 1e10, SERVET_UNIT_BYTE_PER_SECOND);
    for (int i = 0; i < OVERHEADS; i++)
        levels[i] =
            (servet_memory_level){kernels[0], cores[i] / 4, SERVET_VERDICT_NOT_VISIBLE, true};
    check(record_memory(profile, node_class, kernels, SERVET_KERNEL_COUNT, NULL), "memory");
    check(record_memory_levels(profile, node_class, levels, OVERHEADS, NULL), "overhead levels");
    for (int i = 0; i < OVERHEADS; i++) {
        sets groups = sets_of(0, CORES, cores[i]);
        check(record_memory_groups(profile, node_class, i + 1, groups.set, groups.count, NULL),
              "overhead groups");
        check(record_memory_scaling(profile, node_class, i + 1, scaling, cores[i], 0, NULL),
              "scaling of groups");
        free_sets(&groups);
    }
    check(record_memory_scaling(profile, node_class, 0, scaling, CORES, CORES / 4, NULL),
          "scaling");
}

static void add_numa(servet_profile *profile, int node_class)
{
    servet_numa nodes[NUMA];
    servet_value bandwidth[NUMA * NUMA], latency[NUMA * NUMA];
    sets cores = sets_of(0, CORES, CORES / NUMA);
    for (int i = 0; i < NUMA; i++)
        nodes[i] = (servet_numa){i, cores.set[i]};
    fill(bandwidth, NUMA * NUMA, 1e10, SERVET_UNIT_BYTE_PER_SECOND);
    fill(latency, NUMA * NUMA, 1e-7, SERVET_UNIT_SECOND);
    check(record_numa(profile, node_class, nodes, NUMA, bandwidth, latency, NULL), "NUMA nodes");
    free_sets(&cores);
}

static void host_of(int node, char name[SERVET_NAME_MAX])
{
    snprintf(name, SERVET_NAME_MAX, "nid%05d", node);
    if (node == 0)
        (void)gethostname(name, SERVET_NAME_MAX);
    name[SERVET_NAME_MAX - 1] = '\0';
}

/* Queries of this node are answered from the first class. */
static void add_class(servet_profile *profile, int number)
{
    servet_machine machine = {.cores = "0-255", .pu_count = CORES, .core_count = CORES / 2};
    char name[SERVET_NAME_MAX], host[SERVET_NAME_MAX];
    int index;
    host_of(number, machine.hostname);
    if (number == 0)
        (void)servet_node_fingerprint(machine.fingerprint, sizeof machine.fingerprint);
    snprintf(name, sizeof name, "nodes of type %d", number);
    check(servet_profile_add_class(profile, name, &machine, &index, NULL), "class");
    for (int node = number + CLASSES; node < NODES; node += CLASSES) {
        host_of(node, host);
        check(servet_profile_add_node(profile, index, host, NULL), "node");
    }
    for (int i = 0; i < KINDS; i++)
        add_core_type(profile, index, i);
    const servet_value line = value(64, SERVET_UNIT_BYTE);
    check(
        record_coherence(profile, index, &(servet_coherence){.line = line, .reported = line}, NULL),
        "coherence");
    add_distances(profile, index);
    add_memory(profile, index);
    add_numa(profile, index);
    check(servet_profile_distrust(profile, index,
                                  "kinds.caches.2.groups distance.layers.3 memory.levels.1 "
                                  "memory.scaling kinds.1.translation",
                                  "other work took 51 % of the core's time", NULL),
          "doubts");
}

/* --- communication ---------------------------------------------------------------------------- */

static void add_curve(servet_profile *profile, int layer)
{
    servet_message points[64];
    servet_protocol protocols[3];
    int count = 0;
    for (double bytes = 1; bytes <= LARGEST; bytes *= 2)
        for (int half = 0; half < 2 && bytes * (1 + 0.5 * half) <= LARGEST; half++) {
            double size = floor(bytes * (1 + 0.5 * half));
            if (count == 0 || size > points[count - 1].bytes)
                points[count++] =
                    (servet_message){size, value(layer * (1e-6 + size / 3e9), SERVET_UNIT_SECOND)};
        }
    for (int i = 0; i < 3; i++)
        protocols[i] = (servet_protocol){value(1 + 8192 * i, SERVET_UNIT_BYTE),
                                         value(1e-6, SERVET_UNIT_SECOND),
                                         value(3e9, SERVET_UNIT_BYTE_PER_SECOND)};
    check(record_network_curve(profile, layer, points, count, protocols, 3, NULL), "curve");
}

static void add_together(servet_profile *profile, int layer)
{
    static const double sizes[] = {64, 1024, 32768, 1048576};
    servet_together together[128];
    int count = 0;
    for (int i = 0; i < 4; i++)
        for (int messages = 1; messages <= NODES * CORES / 2; messages *= 2)
            together[count++] =
                (servet_together){messages, sizes[i], value(1e-6 * messages, SERVET_UNIT_SECOND),
                                  value(sqrt(messages), SERVET_UNIT_NONE)};
    check(record_network_together(profile, layer, together, count, NULL), "together");
}

static void add_batches(servet_profile *profile, int layer)
{
    enum { NUMBERS = 6, SIZES = 15 };
    servet_batch batches[NUMBERS * SIZES];
    servet_aggregation ranges[NUMBERS];
    const servet_value gain = value(1.5, SERVET_UNIT_NONE);
    for (int i = 0; i < NUMBERS; i++) {
        int messages = 2 << i;
        for (int j = 0; j < SIZES; j++) {
            double bytes = 8 << j;
            const servet_value one = value(1e-6 + messages * bytes / 1e10, SERVET_UNIT_SECOND);
            batches[i * SIZES + j] =
                (servet_batch){messages, bytes, one, one, one, gain, SERVET_PAYOFF_PAYS, true};
        }
        ranges[i] = (servet_aggregation){messages, 8,   8 << (SIZES - 1), true, SERVET_PAYOFF_PAYS,
                                         gain,     true};
    }
    check(
        record_network_aggregation(profile, layer, batches, NUMBERS * SIZES, ranges, NUMBERS, NULL),
        "batches");
}

static void add_ratios(servet_profile *profile, servet_degradation degradation, int largest)
{
    servet_ratio ratios[NODES];
    const servet_ratios about = {33554432, 0, true};
    int count = 0;
    for (int at = 1; at <= largest; at = at < 32 ? at + 1 : (int)ceil(at * 1.19))
        ratios[count++] = (servet_ratio){at, NODES, value(1e9 / at, SERVET_UNIT_BYTE_PER_SECOND),
                                         value(at, SERVET_UNIT_NONE), true};
    check(record_network_ratios(profile, degradation, &about, ratios, count, NULL), "ratios");
}

static void add_layers(servet_profile *profile)
{
    static const int sizes[LAYERS][2] = {{1, 2},      {1, 16},      {1, 128},      {1, CORES},
                                         {16, CORES}, {128, CORES}, {NODES, CORES}};
    servet_network_layer layers[LAYERS];
    for (int i = 0; i < LAYERS; i++)
        layers[i] = (servet_network_layer){i > 3,
                                           value(1e-6 * (i + 1), SERVET_UNIT_SECOND),
                                           value(3e9 / (i + 1), SERVET_UNIT_BYTE_PER_SECOND),
                                           0.99,
                                           {0, 0},
                                           {i > 3, 1},
                                           true};
    check(record_network_layers(profile, layers, LAYERS, NULL), "layers");
    for (int i = 0; i < LAYERS; i++) {
        sets groups = places_of(sizes[i][0], sizes[i][1]);
        check(record_network_groups(profile, i + 1, groups.set, groups.count, NULL), "groups");
        free_sets(&groups);
        add_curve(profile, i + 1);
        add_together(profile, i + 1);
        add_batches(profile, i + 1);
    }
}

static void add_network(servet_profile *profile)
{
    static char text[NODES][SERVET_NAME_MAX];
    const char *names[NODES];
    servet_value slowness[NODES];
    const servet_slow_link links[] = {
        {"0-15", "16-255", value(2, SERVET_UNIT_NONE), 0.99, true},
        {"17", "18", value(2, SERVET_UNIT_NONE), 0.99, true},
    };
    const servet_network job = {"layers,curves,scalability,aggregation,distance,access", NODES,
                                NODES * CORES, NODES, 32768};
    for (int i = 0; i < NODES; i++) {
        host_of(i, text[i]);
        names[i] = text[i];
        slowness[i] = value(i == 3 ? 2 : 1, SERVET_UNIT_NONE);
    }
    check(servet_profile_set_network(profile, &job, names, NULL), "job");
    check(record_network_slowness(profile, slowness, NODES, NULL), "slowness");
    check(record_network_slow_links(profile, links, 2, NULL), "slow links");
    add_layers(profile);
    add_ratios(profile, SERVET_DEGRADATION_DISTANCE, NODES / 2);
    add_ratios(profile, SERVET_DEGRADATION_ACCESS, CORES);
    check(servet_profile_distrust(profile, 0,
                                  "network.layers.2.points network.layers.5.groups "
                                  "network.layers.1.batches network.access",
                                  "other work took 51 % of the core's time", NULL),
          "doubts");
}

servet_profile *make_largest(void)
{
    servet_profile *profile;
    const servet_value second = value(1, SERVET_UNIT_SECOND);
    const servet_run run = {.version = "0", .clock = "tsc", .clock_overhead = second};
    check(servet_profile_create(&profile, NULL), "profile");
    check(servet_profile_set_run(profile, &run, NULL), "run");
    for (int i = 0; i < CLASSES; i++)
        add_class(profile, i);
    add_network(profile);
    return profile;
}
