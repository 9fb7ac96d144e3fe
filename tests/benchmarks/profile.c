/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of the profile of a cluster of 4096 cores: its size, opening it, queries. 256 nodes of
 * two sockets, eight cores and four caches each; 16 nodes on a switch. As much is known of each of
 * the five layers as a measurement finds out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "servet/record.h"

enum { NODES = 256, CORES = 16, LAYERS = 5, LARGEST = 1 << 25, OPENINGS = 21, QUERIES = 200000 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
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

static void check(int code, const char *what)
{
    if (code == SERVET_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, servet_error_text(code));
    exit(1);
}

/* --- a cluster -------------------------------------------------------------------------------- */

static void add_job(servet_profile *profile)
{
    static char text[NODES][16];
    const char *names[NODES];
    const servet_network job = {"layers,curves,scalability,distance,access", NODES, NODES * CORES,
                                NODES, 32768};
    for (int i = 0; i < NODES; i++) {
        snprintf(text[i], sizeof text[i], "nid%05d", i);
        names[i] = text[i];
    }
    check(servet_profile_set_network(profile, &job, names, NULL), "job");
}

/* Sets of `cores` cores of a node, or of all cores of `nodes` nodes. */
static void add_groups(servet_profile *profile, int layer, int nodes, int cores)
{
    static char text[NODES * CORES][40];
    const char *groups[NODES * CORES];
    int count = 0;
    for (int node = 0; node < NODES; node += nodes)
        for (int core = 0; core < CORES; core += cores) {
            if (nodes == 1)
                snprintf(text[count], sizeof text[count], "%d:%d-%d", node, core, core + cores - 1);
            else
                snprintf(text[count], sizeof text[count], "%d-%d:0-%d", node, node + nodes - 1,
                         CORES - 1);
            groups[count] = text[count];
            count++;
        }
    check(servet_profile_set_network_groups(profile, layer, groups, count, NULL), "groups");
}

static void add_curve(servet_profile *profile, int layer)
{
    servet_message points[64];
    servet_protocol protocols[2];
    int count = 0;
    for (double bytes = 1; bytes <= LARGEST; bytes *= 2)
        for (int half = 0; half < 2 && bytes * (1 + 0.5 * half) <= LARGEST; half++) {
            double size = floor(bytes * (1 + 0.5 * half));
            if (count == 0 || size > points[count - 1].bytes)
                points[count++] =
                    (servet_message){size, value(layer * (1e-6 + size / 3e9), SERVET_UNIT_SECOND)};
        }
    for (int i = 0; i < 2; i++)
        protocols[i] = (servet_protocol){value(i ? 8192 : 1, SERVET_UNIT_BYTE),
                                         value(1e-6, SERVET_UNIT_SECOND),
                                         value(3e9, SERVET_UNIT_BYTE_PER_SECOND)};
    check(servet_profile_set_network_curve(profile, layer, points, count, protocols, 2, NULL),
          "curve");
}

static void add_together(servet_profile *profile, int layer)
{
    static const double sizes[] = {64, 1024, 32768, 1048576};
    servet_together together[64];
    int count = 0;
    for (int i = 0; i < 4; i++)
        for (int messages = 1; messages <= NODES * CORES / 2; messages *= 2)
            together[count++] =
                (servet_together){messages, sizes[i], value(1e-6 * messages, SERVET_UNIT_SECOND),
                                  value(sqrt(messages), SERVET_UNIT_NONE)};
    check(servet_profile_set_network_together(profile, layer, together, count, NULL), "together");
}

static void add_ratios(servet_profile *profile, servet_degradation degradation, int largest)
{
    servet_ratio ratios[NODES];
    const servet_ratios about = {33554432, 0, true};
    int count = 0;
    for (int at = 1; at <= largest; at = at < 32 ? at + 1 : (int)ceil(at * 1.19))
        ratios[count++] = (servet_ratio){at, NODES, value(1e9 / at, SERVET_UNIT_BYTE_PER_SECOND),
                                         value(at, SERVET_UNIT_NONE), true};
    check(servet_profile_set_network_ratios(profile, degradation, &about, ratios, count, NULL),
          "ratios");
}

/* --- its nodes -------------------------------------------------------------------------------- */

static servet_cache cache_level(int level, double bytes)
{
    const servet_value size = value(bytes, SERVET_UNIT_BYTE);
    return (servet_cache){
        .level = level,
        .bytes = size,
        .reachable_bytes = size,
        .reported_bytes = size,
        .latency = value(1e-9 * level, SERVET_UNIT_SECOND),
        .latency_cycles = value(level, SERVET_UNIT_CYCLE),
        .line = size,
        .confidence = 0.99,
    };
}

/* Sets of `cores` cores each, as text of their own. */
static int sets_of(int cores, char text[CORES][16], const char *sets[CORES])
{
    int count = CORES / cores;
    for (int i = 0; i < count; i++) {
        snprintf(text[i], 16, cores > 1 ? "%d-%d" : "%d", i * cores, (i + 1) * cores - 1);
        sets[i] = text[i];
    }
    return count;
}

/* A class of all nodes: a private cache, one of two cores, one of a socket's eight; two distances.
 */
static void add_class(servet_profile *profile)
{
    static const int shared[] = {1, 2, CORES / 2};
    const servet_value memory = value(90e-9, SERVET_UNIT_SECOND);
    servet_cache caches[3];
    servet_machine machine = {.hostname = "nid00000", .cores = "0-15", .core_count = CORES};
    char text[CORES][16];
    const char *sets[CORES];
    int class, kind;
    for (int i = 0; i < 3; i++)
        caches[i] = cache_level(i + 1, 32768 << (4 * i));
    check(servet_profile_add_class(profile, "nodes", &machine, &class, NULL), "class");
    for (int i = 1; i < NODES; i++) {
        char host[16];
        snprintf(host, sizeof host, "nid%05d", i);
        check(servet_profile_add_node(profile, class, host, NULL), "node");
    }
    check(servet_profile_add_kind(profile, class, "all", "0-15", &kind, NULL), "kind");
    check(servet_profile_set_caches(profile, class, kind, caches, 3, &memory, NULL), "caches");
    for (int i = 0; i < 3; i++)
        check(servet_profile_set_cache_groups(profile, class, kind, i + 1, sets,
                                              sets_of(shared[i], text, sets), NULL, NULL),
              "sharing");
    const servet_distance_layer layers[2] = {{memory, 0.99, SERVET_VERDICT_AGREES, true},
                                             {memory, 0.99, SERVET_VERDICT_AGREES, true}};
    check(servet_profile_set_distances(profile, class, layers, 2, NULL), "distances");
    for (int i = 0; i < 2; i++)
        check(servet_profile_set_distance_groups(profile, class, i + 1, sets,
                                                 sets_of(CORES / 2 * (i + 1), text, sets), NULL),
              "distance groups");
}

/* --- the profile ------------------------------------------------------------------------------ */

static void make(const char *path)
{
    static const int sets[LAYERS][2] = {{1, 2}, {1, 8}, {1, CORES}, {16, CORES}, {NODES, CORES}};
    servet_profile *profile;
    servet_network_layer layers[LAYERS];
    check(servet_profile_create(&profile, NULL), "profile");
    add_class(profile);
    add_job(profile);
    for (int i = 0; i < LAYERS; i++)
        layers[i] = (servet_network_layer){i > 2,
                                           value(1e-6 * (i + 1), SERVET_UNIT_SECOND),
                                           value(3e9 / (i + 1), SERVET_UNIT_BYTE_PER_SECOND),
                                           0.99,
                                           {0, 0},
                                           {i > 2, 1},
                                           true};
    check(servet_profile_set_network_layers(profile, layers, LAYERS, NULL), "layers");
    for (int i = 0; i < LAYERS; i++) {
        add_groups(profile, i + 1, sets[i][0], sets[i][1]);
        add_curve(profile, i + 1);
        add_together(profile, i + 1);
    }
    add_ratios(profile, SERVET_DEGRADATION_DISTANCE, NODES / 2);
    add_ratios(profile, SERVET_DEGRADATION_ACCESS, CORES);
    check(servet_profile_write(profile, path, NULL), path);
    servet_profile_close(profile);
}

/* --- what it costs ---------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double seconds_to_open(const char *path)
{
    double seconds[OPENINGS];
    servet_profile *profile;
    for (int i = 0; i < OPENINGS; i++) {
        double begin = now();
        check(servet_profile_open(&profile, path, NULL), path);
        seconds[i] = now() - begin;
        servet_profile_close(profile);
    }
    qsort(seconds, OPENINGS, sizeof *seconds, ascending);
    return seconds[OPENINGS / 2];
}

typedef int query(const servet_profile *profile, unsigned number);

static int query_layer(const servet_profile *profile, unsigned number)
{
    int layer;
    servet_place a = {(int)(number % NODES), (int)(number / 7 % CORES)};
    servet_place b = {(int)(number / 3 % NODES), (int)((number / 7 + 1) % CORES)};
    return servet_network_layer_of(profile, a, b, &layer);
}

static int query_time(const servet_profile *profile, unsigned number)
{
    servet_value time;
    return servet_network_time(profile, (int)(number % LAYERS) + 1, number * 97 % LARGEST, &time);
}

static int query_bandwidth(const servet_profile *profile, unsigned number)
{
    servet_value bandwidth;
    return servet_network_bandwidth(profile, (int)(number % LAYERS) + 1, number * 97 % LARGEST + 1,
                                    &bandwidth);
}

static int query_cost(const servet_profile *profile, unsigned number)
{
    servet_value time;
    return servet_network_cost(profile, (int)(number % LAYERS) + 1, number * 97 % LARGEST,
                               (int)(number % (NODES * CORES / 2)) + 1, &time);
}

static int query_ratio(const servet_profile *profile, unsigned number)
{
    servet_ratio ratio;
    return servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE,
                                (int)(number % (NODES / 3)) + 1, &ratio);
}

static int query_host(const servet_profile *profile, unsigned number)
{
    int index;
    char host[] = "nid00000";
    host[7] += (char)(number % 10);
    host[6] += (char)(number / 10 % 10);
    return servet_profile_class_of(profile, host, &index);
}

static int query_node(const servet_profile *profile, unsigned number)
{
    int node;
    char host[] = "nid00100.cluster.org";
    host[7] += (char)(number % 10);
    host[6] += (char)(number / 10 % 10);
    return servet_network_node_of(profile, host, &node);
}

static int query_cache(const servet_profile *profile, unsigned number)
{
    servet_cache cache;
    const servet_at at = {NULL, (int)(number % CORES)};
    return servet_cache_get(profile, &at, (int)(number % 3) + 1, &cache);
}

static int query_instance(const servet_profile *profile, unsigned number)
{
    int index;
    const servet_at at = {NULL, (int)(number % CORES)};
    return servet_cache_group_of(profile, &at, 1, &index);
}

static int query_distance(const servet_profile *profile, unsigned number)
{
    int layer;
    const servet_at at = {NULL, (int)(number % CORES)};
    return servet_distance_layer_of(profile, &at, (int)((number + 1) % CORES), &layer);
}

static int query_pair(const servet_profile *profile, unsigned number)
{
    servet_value time;
    servet_place a = {(int)(number % NODES), (int)(number / 7 % CORES)};
    servet_place b = {(int)(number / 3 % NODES), (int)((number / 7 + 1) % CORES)};
    return servet_network_cost_between(profile, a, b, number * 97 % LARGEST,
                                       (int)(number % (NODES * CORES / 2)) + 1, &time);
}

static int query_nearest(const servet_profile *profile, unsigned number)
{
    int count;
    servet_place nearest;
    servet_place from = {(int)(number % NODES), (int)(number / 7 % CORES)};
    return servet_network_nearest(profile, from, &nearest, 1, &count);
}

static void time_query(const servet_profile *profile, const char *name, query *run)
{
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        double begin = now();
        for (unsigned i = 0; i < QUERIES; i++)
            check(run(profile, i * 2654435761u >> 7), name);
        best = fmin(best, (now() - begin) / QUERIES);
    }
    printf("%-12s %6.1f ns\n", name, best * 1e9);
}

int main(void)
{
    char folder[] = "/tmp/servet-benchmark-XXXXXX", path[64];
    struct stat status;
    servet_profile *profile;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/profile.json", folder);
    make(path);
    if (stat(path, &status) != 0)
        return 1;
    printf("%-12s %6.1f KB\n", "file", (double)status.st_size / 1e3);
    printf("%-12s %6.2f ms\n", "open", seconds_to_open(path) * 1e3);
    check(servet_profile_open(&profile, path, NULL), path);
    time_query(profile, "layer_of", query_layer);
    time_query(profile, "time", query_time);
    time_query(profile, "bandwidth", query_bandwidth);
    time_query(profile, "cost", query_cost);
    time_query(profile, "cost of pair", query_pair);
    time_query(profile, "nearest", query_nearest);
    time_query(profile, "ratio", query_ratio);
    time_query(profile, "class_of", query_host);
    time_query(profile, "node_of", query_node);
    time_query(profile, "cache", query_cache);
    time_query(profile, "instance", query_instance);
    time_query(profile, "distance", query_distance);
    servet_profile_close(profile);
    unlink(path);
    return rmdir(folder);
}
