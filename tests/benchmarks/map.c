/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times the placement of processes and measures its memory: on nodes of two sockets with 16 cores
 * each and all facts that the rules use, 4096 and 100,000 processes by the rules, and 4096 by the
 * messages of a 3-D stencil with shuffled ranks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "servet/record.h"
#include "servet/map.h"
#include "../record.h"

enum { NODES = 3125, CORES = 32, SWITCH = 25, RUNS = 11, MIX = 1365 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static servet_value value(double number, servet_unit unit)
{
    return (servet_value){number, number, number, 31, unit, SERVET_METHOD_TIMED, true};
}

static void check(int code, const char *what)
{
    if (code == SERVET_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, servet_error_text(code));
    exit(1);
}

/* --- a cluster -------------------------------------------------------------------------------- */

/* Caches of 1, 4 and 8 cores. */
static void add_caches(servet_profile *profile)
{
    static const int shared[] = {1, 4, 8};
    servet_cache caches[3] = {{.level = 0}};
    servet_value memory = value(90e-9, SERVET_UNIT_SECOND);
    int kind;
    for (int i = 0; i < 3; i++)
        caches[i] = (servet_cache){.level = i + 1,
                                   .bytes = value(32768 << (5 * i), SERVET_UNIT_BYTE),
                                   .reachable_bytes = value(32768 << (5 * i), SERVET_UNIT_BYTE),
                                   .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
                                   .verdict = SERVET_VERDICT_NOT_VISIBLE,
                                   .latency = value(1e-9 * (1 << (2 * i)), SERVET_UNIT_SECOND),
                                   .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
                                   .line = servet_value_unknown(SERVET_UNIT_BYTE),
                                   .confidence = 1};
    check(servet_profile_add_kind(profile, 0, "core", "0-31", &kind, NULL), "kind");
    check(record_caches(profile, 0, kind, caches, 3, &memory, NULL), "caches");
    for (int i = 1; i < 3; i++) {
        char text[CORES][32];
        const char *sets[CORES];
        int count = 0;
        for (int core = 0; core < CORES; core += shared[i]) {
            snprintf(text[count], sizeof text[count], "%d-%d", core, core + shared[i] - 1);
            sets[count] = text[count];
            count++;
        }
        check(record_cache_groups(profile, 0, kind, i + 1, sets, count, NULL, NULL), "sharing");
    }
}

/* A layer whose groups have `nodes` nodes each. */
static void add_groups(servet_profile *profile, int layer, int nodes)
{
    static char text[NODES][32];
    static const char *groups[NODES];
    int count = 0;
    for (int node = 0; node < NODES; node += nodes) {
        if (nodes == 1)
            snprintf(text[count], sizeof text[count], "%d:0-%d", node, CORES - 1);
        else
            snprintf(text[count], sizeof text[count], "%d-%d:0-%d", node, node + nodes - 1,
                     CORES - 1);
        groups[count] = text[count];
        count++;
    }
    check(record_network_groups(profile, layer, groups, count, NULL), "groups");
}

static void add_network(servet_profile *profile, const char *const *names)
{
    static const double latency[] = {1e-6, 3e-6, 5e-6}, access[] = {1, 1, 1.9, 3.6, 7, 14};
    static const int nodes[] = {1, SWITCH, NODES};
    const servet_network job = {"layers,access", NODES, NODES * CORES, NODES, 32768};
    const servet_ratios about = {33554432, 0, true};
    servet_network_layer layers[3];
    servet_ratio ratios[6];
    for (int i = 0; i < 3; i++)
        layers[i] = (servet_network_layer){.between_nodes = i > 0,
                                           .latency = value(latency[i], SERVET_UNIT_SECOND),
                                           .bandwidth = value(1e9, SERVET_UNIT_BYTE_PER_SECOND),
                                           .confidence = 1,
                                           .to = {i > 0, 1}};
    for (int i = 0; i < 6; i++)
        ratios[i] =
            (servet_ratio){1 << i, NODES, value(3e9 / access[i], SERVET_UNIT_BYTE_PER_SECOND),
                           value(access[i], SERVET_UNIT_NONE), true};
    check(servet_profile_set_network(profile, &job, names, NULL), "job");
    check(record_network_layers(profile, layers, 3, NULL), "layers");
    for (int i = 0; i < 3; i++)
        add_groups(profile, i + 1, nodes[i]);
    check(record_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about, ratios, 6, NULL),
          "ratNC");
}

static servet_profile *make_cluster(void)
{
    static char text[NODES][16];
    static const char *names[NODES];
    servet_profile *profile;
    servet_machine machine = {.hostname = "nid00000",
                              .cores = "0-31",
                              .pu_count = CORES,
                              .core_count = CORES,
                              .package_count = 2,
                              .numa_count = 2,
                              .memory_bytes = 64e9,
                              .page_bytes = 4096};
    int index;
    check(servet_profile_create(&profile, NULL), "profile");
    check(servet_profile_add_class(profile, "node", &machine, &index, NULL), "class");
    for (int i = 0; i < NODES; i++) {
        snprintf(text[i], sizeof text[i], "nid%05d", i);
        names[i] = text[i];
        check(servet_profile_add_node(profile, 0, names[i], NULL), "node");
    }
    add_caches(profile);
    add_network(profile, names);
    return profile;
}

/* --- what it costs ---------------------------------------------------------------------------- */

/* The ranks of a 3-D stencil under other names. */
static servet_traffic *mixed_stencil(int processes)
{
    servet_traffic *traffic;
    int edge = 1;
    while (edge * edge * edge < processes)
        edge++;
    check(servet_traffic_create(&traffic, processes, NULL), "traffic");
    for (int rank = 0; rank < processes; rank++)
        for (int stride = 1; stride < processes; stride *= edge)
            if (rank / stride % edge + 1 < edge) {
                int from = rank * MIX % processes, to = (rank + stride) * MIX % processes;
                check(servet_traffic_add(traffic, from, to, 65536, NULL), "message");
                check(servet_traffic_add(traffic, to, from, 65536, NULL), "message");
            }
    return traffic;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_placing(const char *name, const servet_profile *profile,
                         const servet_map_request *request)
{
    double seconds[RUNS];
    servet_map *map;
    for (int i = 0; i < RUNS; i++) {
        double begin = now();
        check(servet_map_create(&map, profile, request, NULL), name);
        seconds[i] = now() - begin;
        servet_map_destroy(map);
    }
    qsort(seconds, RUNS, sizeof *seconds, ascending);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %8.1f ms, %5.1f MB so far\n", name, seconds[RUNS / 2] * 1e3,
           (double)usage.ru_maxrss / 1e3);
}

int main(void)
{
    servet_profile *profile = make_cluster();
    servet_map_request request = {
        .processes = 4096, .code = SERVET_CODE_COMMUNICATION, .node_count = 128};
    servet_traffic *stencil = mixed_stencil(4096);
    time_placing("4096 processes", profile, &request);
    request.traffic = stencil;
    time_placing("4096 of a 3-D stencil", profile, &request);
    request = (servet_map_request){.processes = NODES * CORES, .code = SERVET_CODE_COMMUNICATION};
    time_placing("100,000 processes", profile, &request);
    request.code = SERVET_CODE_MEMORY;
    time_placing("100,000, memory bound", profile, &request);
    servet_traffic_destroy(stencil);
    servet_profile_close(profile);
    return 0;
}
