/* SPDX-License-Identifier: BSD-3-Clause */
/** A profile in which every field is set, to something that no other field holds. */
#ifndef SRV_TESTS_PROFILE_SAMPLE_H
#define SRV_TESTS_PROFILE_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/units.h"
#include "folder.h"
#include "network_sample.h"
#include "servet/record.h"
#include "../record.h"

static inline servet_value sample_value(double value, servet_unit unit)
{
    return (servet_value){value,        value * 0.75,
                          value * 1.25, (int)((long long)(value / 2) % 1000) + 3,
                          unit,         SERVET_METHOD_CURVE_FIT,
                          true};
}

static inline servet_run sample_run(void)
{
    servet_run run = {
        .version = "0.1.0",
        .started = "2026-11-20T12:00:00Z",
        .options = "--only cache -o \"a b\"\\c",
        .clock = "tsc",
        .clock_overhead = srv_value_in_seconds(sample_value(11.25, SRV_UNIT_NANOSECOND)),
        .clock_resolution = srv_value_in_seconds(sample_value(1.0 / 3.0, SRV_UNIT_NANOSECOND)),
        .frequency = sample_value(2.5e9, SERVET_UNIT_HERTZ),
        .huge_pages = sample_value(0.25, SERVET_UNIT_NONE),
        .duration = sample_value(21.7, SERVET_UNIT_SECOND),
        .noise = sample_value(0.03, SERVET_UNIT_NONE),
        .steal = sample_value(0, SERVET_UNIT_NONE),
        .others = sample_value(0.01, SERVET_UNIT_NONE),
        .drift = sample_value(0.125, SERVET_UNIT_NONE),
        .benchmarks = "cache,sharing",
        .unfinished = "distance",
        .cut = "sharing",
        .seed = 9007199254740993, /* 2^53 + 1: no double holds it */
    };
    run.duration.trusted = false;
    run.duration.method = SERVET_METHOD_TIMED;
    return run;
}

static inline servet_machine sample_machine(const char *hostname)
{
    servet_machine machine = {
        .os = "Linux 6.1.0",
        .architecture = "x86_64",
        .cpu = "Example(R) CPU \xc3\xa9 @ 2.0 GHz",
        .cores = "0-3,8-11",
        .pu_count = 8,
        .core_count = 7,
        .package_count = 2,
        .numa_count = 3,
        .memory_bytes = 68719476736.0,
        .page_bytes = 4096,
        .fingerprint = "cpu=Imaginary/9 pus=4 threads=1 package=4 numa=1 L1=1K",
        .logical_order = "0,8,1-3,9-11",
    };
    snprintf(machine.hostname, sizeof machine.hostname, "%s", hostname);
    return machine;
}

/** Level `level` of three: a capacity, one the OS is silent on, and one that is turned over. */
static inline servet_cache sample_cache(int level)
{
    double scale = 1 << (5 * level);
    servet_cache cache = {
        .level = level,
        .kind = level == 3 ? SERVET_CACHE_TURNOVER : SERVET_CACHE_CAPACITY,
        .bytes = sample_value(1536 * scale, SERVET_UNIT_BYTE),
        .ways = sample_value(6 * level, SERVET_UNIT_NONE),
        .sets = sample_value(4 * scale, SERVET_UNIT_NONE),
        .reachable_bytes = sample_value(1500.5 * scale, SERVET_UNIT_BYTE),
        .reported_bytes = sample_value(level == 3 ? 5e8 : 1536 * scale, SERVET_UNIT_BYTE),
        .verdict = level == 3 ? SERVET_VERDICT_DIFFERS : SERVET_VERDICT_AGREES,
        .latency = srv_value_in_seconds(sample_value(1.39 * level * level, SRV_UNIT_NANOSECOND)),
        .latency_cycles = sample_value(2.9 * level * level, SERVET_UNIT_CYCLE),
        .line = sample_value(64, SERVET_UNIT_BYTE),
        .confidence = 0.5 + 0.1 * level,
    };
    cache.reported_bytes.method = SERVET_METHOD_OS;
    cache.ways.method = cache.sets.method = SERVET_METHOD_CONFLICT;
    if (level == 2) {
        cache.ways = cache.sets = servet_value_unknown(SERVET_UNIT_NONE);
        cache.reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
        cache.latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE);
        cache.verdict = SERVET_VERDICT_NOT_VISIBLE;
    }
    return cache;
}

static inline servet_value sample_memory(void)
{
    return srv_value_in_seconds(sample_value(187.5, SRV_UNIT_NANOSECOND));
}

/** Who shares level 1 of "big". */
static const char *const sample_groups[] = {"0,2", "1", "3"};
static const servet_sharing sample_sharing = {0.875, SERVET_VERDICT_DIFFERS, true};

/** Bandwidth number `n` (from 1) of `what`; every third one was not measured. */
static inline servet_value sample_rate(int what, int n)
{
    return n % 3 == 0 ? servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)
                      : sample_value(1e9 * what + 1e6 * n, SERVET_UNIT_BYTE_PER_SECOND);
}

/** Number `n` of the rates is that of sample_rate(what, n). */
static inline void sample_rates(int what, servet_value *rates, int count)
{
    for (int i = 0; i < count; i++)
        rates[i] = sample_rate(what, i + 1);
}

/** The resources that the rates belong to. */
enum {
    SAMPLE_CHAINS = 1,
    SAMPLE_THREADS,
    SAMPLE_MEMORY_CHAINS,
    SAMPLE_KERNELS,
    SAMPLE_LEVEL,
    SAMPLE_NODE,
    SAMPLE_NUMA /* and those after it */
};

/** Bandwidth of a core alone; that of both kernels that write is not known. */
static inline servet_value sample_kernel(servet_kernel kernel)
{
    return sample_rate(SAMPLE_KERNELS, (int)kernel + 2);
}

/** The concurrency of level 1 of "big", and of memory behind it. */
static inline servet_concurrency sample_concurrency(void)
{
    return (servet_concurrency){
        2, 2, 3,    sample_value(4e10, SERVET_UNIT_BYTE_PER_SECOND),
        4, 2, true, .bandwidth = sample_value(2.5e10, SERVET_UNIT_BYTE_PER_SECOND)};
}

static inline servet_concurrency sample_memory_concurrency(void)
{
    return (servet_concurrency){
        5, 0, 0,    sample_value(1.25e10, SERVET_UNIT_BYTE_PER_SECOND),
        5, 0, true, .bandwidth = sample_value(1.5e10, SERVET_UNIT_BYTE_PER_SECOND)};
}

static inline servet_coherence sample_coherence(void)
{
    servet_coherence coherence = {
        .line = sample_value(128, SERVET_UNIT_BYTE),
        .level = 2,
        .reported = sample_value(64, SERVET_UNIT_BYTE),
        .verdict = SERVET_VERDICT_DIFFERS,
    };
    coherence.reported.method = SERVET_METHOD_OS;
    return coherence;
}

/** Distances of three layers; the groups of the third were not measured. */
static inline servet_distance_layer sample_layer(int layer)
{
    return (servet_distance_layer){
        .latency = srv_value_in_seconds(sample_value(40.5 * layer, SRV_UNIT_NANOSECOND)),
        .confidence = 1 - 0.125 * layer,
        .verdict = layer == 2 ? SERVET_VERDICT_NOT_VISIBLE : SERVET_VERDICT_AGREES,
    };
}
static const char *const sample_layer_groups[2][2] = {{"0-1", "2-3"}, {"0-3", "8-11"}};

/** A lock of one thread, of two on neighbouring cores, and a barrier of four. */
static inline servet_sync sample_sync(int number)
{
    return (servet_sync){
        .op = number == 3 ? SERVET_SYNC_CENTRAL : SERVET_SYNC_LOCK,
        .threads = 1 << (number - 1),
        .layer = number - 1,
        .time = srv_value_in_seconds(sample_value(8.25 * number, SRV_UNIT_NANOSECOND))};
}

/** Vectors of doubles on a core of each type and on all, then scalars of floats on all. */
static inline servet_peak sample_peak(int number)
{
    return (servet_peak){.precision = number == 4 ? SERVET_PRECISION_F32 : SERVET_PRECISION_F64,
                         .width = number == 4 ? SERVET_WIDTH_SCALAR : SERVET_WIDTH_VECTOR,
                         .bits = number == 4 ? 32 : 256,
                         .cores = number < 3 ? 1 : 8,
                         .core = number == 2 ? 8 : 0,
                         .rate = sample_value(8e9 * number, SERVET_UNIT_FLOP_PER_SECOND),
                         .clock = sample_value(1e9 + 5e8 * number, SERVET_UNIT_HERTZ)};
}

/** Two accelerators: the first one near to two cores, the other one not measured. */
static const servet_accelerator sample_accelerators[2] = {
    {"Made up 1", "0000:17:00.0", "ib0,mlx5_0", 0, "0-1", false, SERVET_VERDICT_AGREES, false},
    {"Made up 2", "0000:18:00.0", "", -1, "", true, SERVET_VERDICT_NOT_VISIBLE, false}};

/** The first one's link to NUMA node `node`; the second link was measured alone. */
static inline servet_accelerator_link sample_link(int node)
{
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    return (servet_accelerator_link){
        .node = node,
        .to_device = sample_value(26e9 - node * 1e9, SERVET_UNIT_BYTE_PER_SECOND),
        .to_host = sample_value(24e9 - node * 1e9, SERVET_UNIT_BYTE_PER_SECOND),
        .to_device_together = node ? unknown : sample_value(13e9, SERVET_UNIT_BYTE_PER_SECOND),
        .to_host_together = node ? unknown : sample_value(12e9, SERVET_UNIT_BYTE_PER_SECOND),
        .to_device_latency = srv_value_in_seconds(sample_value(8.5 + node, SRV_UNIT_MICROSECOND)),
        .to_host_latency = srv_value_in_seconds(sample_value(7.5 + node, SRV_UNIT_MICROSECOND))};
}

/** Overhead levels of memory; only the first one has groups, scaling and saturation. */
static inline servet_memory_level sample_overhead(int level)
{
    return (servet_memory_level){
        .bandwidth = sample_value(6.5e9 / level, SERVET_UNIT_BYTE_PER_SECOND),
        .saturation = level == 1 ? 3 : 0,
        .verdict = level == 1 ? SERVET_VERDICT_AGREES : SERVET_VERDICT_DIFFERS,
    };
}
static const char *const sample_overhead_groups[2] = {"0-1,8", "2-3"};

/** NUMA nodes: nothing is known from the third one, for it has no cores. */
static const servet_numa sample_numa[3] = {{0, "0-3"}, {1, "8-11"}, {4, ""}};

/* Huge pages: half the entries, all else 512 times as large. */
static inline int sample_translation(servet_profile *made, int class, int kind, servet_pages pages,
                                     servet_error *error)
{
    double factor = pages == SERVET_PAGES_HUGE ? 512 : 1, entries = factor > 1 ? 32 : 64;
    const servet_translation translation = {
        .page_bytes = sample_value(4096 * factor, SERVET_UNIT_BYTE),
        .granule_bytes = sample_value(16384 * factor, SERVET_UNIT_BYTE),
        .walk = srv_value_in_seconds(sample_value(24 * factor, SRV_UNIT_NANOSECOND)),
        .pages_asked = (int)(4096 / factor)};
    const servet_tlb tlb = {
        .entries = sample_value(entries, SERVET_UNIT_NONE),
        .ways = sample_value(4, SERVET_UNIT_NONE),
        .reach_bytes = sample_value(16384 * factor * entries, SERVET_UNIT_BYTE),
        .latency = srv_value_in_seconds(sample_value(2.5 * factor, SRV_UNIT_NANOSECOND)),
        .confidence = 0.75};
    return record_translation(made, class, kind, pages, &translation, &tlb, 1, error);
}

static inline int sample_kind_facts(servet_profile *made, int class, int kind, servet_error *error)
{
    servet_cache caches[3] = {sample_cache(1), sample_cache(2), sample_cache(3)};
    servet_value memory = sample_memory(), line = sample_value(256, SERVET_UNIT_BYTE);
    servet_value chains[5], threads[2];
    servet_concurrency of_cache = sample_concurrency(), of_memory = sample_memory_concurrency();
    int code = record_caches(made, class, kind, caches, 3, &memory, error);
    code =
        code ? code
             : record_cache_groups(made, class, kind, 1, sample_groups, 3, &sample_sharing, error);
    code = code ? code : record_cache_line(made, class, kind, 3, &line, error);
    sample_rates(SAMPLE_CHAINS, chains, 4);
    sample_rates(SAMPLE_THREADS, threads, 2);
    code =
        code ? code : record_concurrency(made, class, kind, 1, &of_cache, chains, threads, error);
    sample_rates(SAMPLE_MEMORY_CHAINS, chains, 5);
    code = code ? code : record_concurrency(made, class, kind, 0, &of_memory, chains, NULL, error);
    for (int pages = 0; pages < SERVET_PAGES_COUNT && code == SERVET_OK; pages++)
        code = sample_translation(made, class, kind, (servet_pages)pages, error);
    return code;
}

static inline int sample_distances(servet_profile *made, int class, servet_error *error)
{
    servet_coherence coherence = sample_coherence();
    servet_distance_layer layers[3] = {sample_layer(1), sample_layer(2), sample_layer(3)};
    servet_sync syncs[3] = {sample_sync(1), sample_sync(2), sample_sync(3)};
    int code = record_coherence(made, class, &coherence, error);
    code = code ? code : record_sync(made, class, syncs, 3, error);
    code = code ? code : record_distances(made, class, layers, 3, error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        code = record_distance_groups(made, class, i + 1, sample_layer_groups[i], 2, error);
    return code;
}

static inline int sample_memories(servet_profile *made, int class, servet_error *error)
{
    servet_value rates[9], latencies[9];
    servet_memory_level levels[2] = {sample_overhead(1), sample_overhead(2)};
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        rates[i] = sample_kernel((servet_kernel)i);
    int code = record_memory(made, class, rates, SERVET_KERNEL_COUNT, error);
    code = code ? code : record_memory_levels(made, class, levels, 2, error);
    code = code ? code : record_memory_groups(made, class, 1, sample_overhead_groups, 2, error);
    sample_rates(SAMPLE_LEVEL, rates, 4);
    code = code ? code : record_memory_scaling(made, class, 1, rates, 4, 0, error);
    sample_rates(SAMPLE_NODE, rates, 8);
    code = code ? code : record_memory_scaling(made, class, 0, rates, 8, 6, error);
    for (int i = 0; i < 9; i++) {
        rates[i] = i < 6 ? sample_rate(SAMPLE_NUMA + i / 3, i % 3 + 1)
                         : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
        latencies[i] = i < 6 ? srv_value_in_seconds(sample_value(90 + i, SRV_UNIT_NANOSECOND))
                             : servet_value_unknown(SERVET_UNIT_SECOND);
    }
    return code == SERVET_OK ? record_numa(made, class, sample_numa, 3, rates, latencies, error)
                             : code;
}

/** Reads by node 0 from node 1, and a mix on node 1 that has no knee. */
static inline servet_loaded sample_loaded(int number)
{
    servet_value knee = sample_value(30e9, SERVET_UNIT_BYTE_PER_SECOND);
    return (servet_loaded){
        .from = number - 1,
        .node = 1,
        .reads = number,
        .writes = number - 1,
        .generators = 4,
        .unloaded = srv_value_in_seconds(sample_value(100 * number, SRV_UNIT_NANOSECOND)),
        .best = sample_value(40e9, SERVET_UNIT_BYTE_PER_SECOND),
        .knee = number == 1 ? knee : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND),
        .at_50 = srv_value_in_seconds(sample_value(110 * number, SRV_UNIT_NANOSECOND)),
        .at_80 = srv_value_in_seconds(sample_value(150 * number, SRV_UNIT_NANOSECOND)),
        .at_95 = srv_value_in_seconds(sample_value(200 * number, SRV_UNIT_NANOSECOND))};
}

/** Points from 100 ns alone to 300 ns at 40 GB/s; the third one is behind the fourth. */
static inline servet_loaded_point sample_loaded_point(int number)
{
    static const double points[][2] = {{0, 100}, {20e9, 120}, {30e9, 350}, {40e9, 300}};
    return (servet_loaded_point){
        sample_value(points[number - 1][0], SERVET_UNIT_BYTE_PER_SECOND),
        srv_value_in_seconds(sample_value(points[number - 1][1], SRV_UNIT_NANOSECOND))};
}

static inline int sample_loads(servet_profile *made, int class, servet_error *error)
{
    const servet_loaded curves[] = {sample_loaded(1), sample_loaded(2)};
    const servet_loaded_point points[] = {sample_loaded_point(1), sample_loaded_point(2),
                                          sample_loaded_point(3), sample_loaded_point(4)};
    return record_loaded(made, class, curves, 2, 1, points, 4, error);
}

static inline int sample_peaks(servet_profile *made, int class, servet_error *error)
{
    servet_peak peaks[4];
    for (int i = 0; i < 4; i++)
        peaks[i] = sample_peak(i + 1);
    return record_peaks(made, class, peaks, 4, error);
}

static inline int sample_devices(servet_profile *made, int class, servet_error *error)
{
    const servet_accelerator_link links[] = {sample_link(0), sample_link(1)};
    const servet_accelerator_cache cache = {
        SERVET_DEVICE_CACHE_CONSTANT_L15, sample_value(65536, SERVET_UNIT_BYTE),
        sample_value(256, SERVET_UNIT_BYTE), sample_value(104, SERVET_UNIT_CYCLE)};
    const servet_accelerator_pair pairs[] = {
        {.from = 0,
         .to = 1,
         .direct = true,
         .bandwidth = sample_value(20e9, SERVET_UNIT_BYTE_PER_SECOND),
         .latency = srv_value_in_seconds(sample_value(9.5, SRV_UNIT_MICROSECOND))}};
    const servet_accelerator_level levels[] = {
        {SERVET_DIRECTION_TO_HOST, sample_value(12e9, SERVET_UNIT_BYTE_PER_SECOND)}};
    const char *const groups[] = {"0-1"};
    int code = record_accelerators(made, class, sample_accelerators, 2, error);
    if (code == SERVET_OK)
        code = record_accelerator_links(made, class, 1, links, 2, error);
    if (code == SERVET_OK)
        code = record_accelerator_caches(made, class, 1, &cache, 1, error);
    if (code == SERVET_OK)
        code = record_accelerator_pairs(made, class, pairs, 1, error);
    if (code == SERVET_OK)
        code = record_accelerator_levels(made, class, levels, 1, error);
    return code == SERVET_OK ? record_accelerator_groups(made, class, 1, groups, 1, error) : code;
}

/**
 * Two classes: "fat" (node01) with all that is known of a node, kinds "big" (0-3, three caches) and
 * "little" (8-11, measured: no caches at all), and "thin" (node02) with an unmeasured kind "core";
 * and what both say to each other (network_sample.h).
 */
static inline int sample_profile(servet_profile **profile, servet_error *error)
{
    servet_profile *made = NULL;
    servet_run run = sample_run();
    servet_machine first = sample_machine("node01"), second = sample_machine("node02");
    servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    int code, class, kind;
    if ((code = servet_profile_create(&made, error)) == 0 &&
        (code = servet_profile_set_run(made, &run, error)) == 0 &&
        (code = servet_profile_add_class(made, "fat", &first, &class, error)) == 0 &&
        (code = servet_profile_add_kind(made, class, "big", "0-3", &kind, error)) == 0 &&
        (code = sample_kind_facts(made, class, kind, error)) == 0 &&
        (code = servet_profile_add_kind(made, class, "little", "8-11", &kind, error)) == 0 &&
        (code = record_caches(made, class, kind, NULL, 0, &unknown, error)) == 0 &&
        (code = sample_distances(made, class, error)) == 0 &&
        (code = sample_memories(made, class, error)) == 0 &&
        (code = sample_loads(made, class, error)) == 0 &&
        (code = sample_peaks(made, class, error)) == 0 &&
        (code = sample_devices(made, class, error)) == 0 &&
        (code = servet_profile_add_class(made, "thin", &second, &class, error)) == 0 &&
        (code = servet_profile_add_kind(made, class, "core", "0-7", &kind, error)) == 0 &&
        (code = network_sample(made, error)) == 0) {
        *profile = made;
        return SERVET_OK;
    }
    servet_profile_close(made);
    return code;
}

/** A name for a file that does not exist yet, in a folder of its own. */
static inline void sample_path(char path[TEST_PATH_MAX])
{
    if (make_folder(NULL) != 0)
        abort();
    snprintf(path, 64, "%s/profile.json", folder);
}

/** Removes the file and its folder; fails if anything else was left there. */
static inline int sample_remove(const char path[TEST_PATH_MAX])
{
    unlink(path);
    return rmdir(folder);
}

/** The text of each key for the class "fat" and its core 0, except for facts that are left out. */
static const struct {
    const char *key, *text;
} sample_keys[] = {
    {"speed.vector", "0.5"},
    {"caches.count", "3"},
    {"caches.1.bytes", "49152"},
    {"caches.01.bytes", "49152"},
    {"caches.2.bytes", "1572864"},
    {"caches.3.bytes", "50331648"},
    {"caches.1.low", "36864"},
    {"caches.1.high", "61440"},
    {"caches.1.ways", "6"},
    {"caches.3.sets", "131072"},
    {"caches.1.sets.method", "conflict"},
    {"caches.1.reachable_bytes", "48016"},
    {"caches.3.reported", "500000000"},
    {"caches.1.verdict", "agrees"},
    {"caches.2.verdict", "not visible"},
    {"caches.3.kind", "turnover"},
    {"caches.1.latency_ns", "1.39"},
    {"caches.1.latency_cycles", "2.9"},
    {"caches.1.line", "64"},
    {"caches.3.confidence", "0.8"},
    {"caches.1.groups", "0,2\n1\n3"},
    {"caches.3.line", "256"},
    {"caches.1.sharing.confidence", "0.875"},
    {"caches.1.sharing.verdict", "differs"},
    {"caches.1.requests", "2"},
    {"caches.1.requests_low", "2"},
    {"caches.1.requests_high", "3"},
    {"caches.1.bandwidth", "25000000000"},
    {"caches.1.effective_bandwidth", "40000000000"},
    {"caches.1.chains.count", "4"},
    {"caches.1.chains.2", "1002000000"},
    {"caches.1.threads.count", "2"},
    {"caches.1.threads.1", "2001000000"},
    {"memory.requests", "5"},
    {"memory.bandwidth", "15000000000"},
    {"memory.effective_bandwidth", "12500000000"},
    {"memory.chains.count", "5"},
    {"memory.chains.5", "3005000000"},
    {"memory.single", "4007000000"},
    {"memory.read", "4002000000"},
    {"memory.copy", "4004000000"},
    {"memory.triad", "4005000000"},
    {"memory.copy-nt", "4007000000"},
    {"memory.triad-nt", "4008000000"},
    {"memory.levels.count", "2"},
    {"memory.levels.1.bandwidth", "6500000000"},
    {"memory.levels.2.bandwidth", "3250000000"},
    {"memory.levels.1.groups", "0-1,8\n2-3"},
    {"memory.levels.1.verdict", "agrees"},
    {"memory.levels.1.saturation", "3"},
    {"memory.levels.1.scaling.count", "4"},
    {"memory.levels.1.scaling.4", "5004000000"},
    {"memory.saturation", "6"},
    {"memory.scaling.count", "8"},
    {"memory.scaling.8", "6008000000"},
    {"peak.count", "4"},
    {"peak.4.precision", "f32"},
    {"peak.4.width", "scalar"},
    {"peak.1.bits", "256"},
    {"peak.3.cores", "8"},
    {"peak.2.core", "8"},
    {"peak.3.rate", "24000000000"},
    {"peak.2.clock_hz", "2000000000"},
    {"accelerators.devices.count", "2"},
    {"accelerators.devices.1.name", "Made up 1"},
    {"accelerators.devices.2.bus", "0000:18:00.0"},
    {"accelerators.devices.1.cards", "ib0,mlx5_0"},
    {"accelerators.devices.2.node", "-1"},
    {"accelerators.devices.1.cores", "0-1"},
    {"accelerators.devices.2.uniform", "yes"},
    {"accelerators.devices.1.verdict", "agrees"},
    {"accelerators.devices.1.links.count", "2"},
    {"accelerators.devices.1.caches.count", "1"},
    {"accelerators.devices.1.caches.1.cache", "constant-l1.5"},
    {"accelerators.devices.1.caches.1.bytes", "65536"},
    {"accelerators.devices.1.caches.1.line", "256"},
    {"accelerators.devices.1.caches.1.latency_cycles", "104"},
    {"accelerators.devices.1.links.2.node", "1"},
    {"accelerators.devices.1.links.1.to_device", "26000000000"},
    {"accelerators.devices.1.links.2.to_host", "23000000000"},
    {"accelerators.devices.1.links.1.to_device_together", "13000000000"},
    {"accelerators.devices.1.links.1.to_host_together", "12000000000"},
    {"accelerators.devices.1.links.2.to_device_latency_us", "9.5"},
    {"accelerators.devices.1.links.1.to_host_latency_us", "7.5"},
    {"accelerators.pairs.count", "1"},
    {"accelerators.pairs.1.from", "0"},
    {"accelerators.pairs.1.to", "1"},
    {"accelerators.pairs.1.direct", "yes"},
    {"accelerators.pairs.1.bandwidth", "20000000000"},
    {"accelerators.pairs.1.latency_us", "9.5"},
    {"accelerators.levels.count", "1"},
    {"accelerators.levels.1.direction", "to-host"},
    {"accelerators.levels.1.bandwidth", "12000000000"},
    {"accelerators.levels.1.groups", "0-1"},
    {"numa.count", "3"},
    {"numa.3.number", "4"},
    {"numa.2.cores", "8-11"},
    {"numa.3.cores", ""},
    {"numa.2.bandwidth.1", "8001000000"},
    {"numa.2.bandwidth.count", "3"},
    {"numa.2.latency_ns.count", "3"},
    {"numa.2.latency_ns.3", "95"},
    {"loaded.count", "2"},
    {"loaded.2.from", "1"},
    {"loaded.1.node", "1"},
    {"loaded.2.reads", "2"},
    {"loaded.1.writes", "0"},
    {"loaded.1.generators", "4"},
    {"loaded.2.unloaded_ns", "200"},
    {"loaded.1.at_50_ns", "110"},
    {"loaded.1.at_80_ns", "150"},
    {"loaded.1.at_95_ns", "200"},
    {"loaded.1.best", "40000000000"},
    {"loaded.1.knee", "30000000000"},
    {"loaded.1.points.count", "4"},
    {"loaded.1.points.2.bandwidth", "20000000000"},
    {"loaded.1.points.2.latency_ns", "120"},
    {"coherence_line", "128"},
    {"coherence_level", "2"},
    {"coherence_reported", "64"},
    {"coherence_verdict", "differs"},
    {"distance.layers.count", "3"},
    {"distance.layers.2.latency_ns", "81"},
    {"distance.layers.2.groups", "0-3\n8-11"},
    {"distance.layers.3.confidence", "0.625"},
    {"distance.layers.2.verdict", "not visible"},
    {"sync.count", "3"},
    {"sync.3.op", "central-barrier"},
    {"sync.2.threads", "2"},
    {"sync.3.layer", "2"},
    {"sync.2.time_ns", "16.5"},
    {"layers.count", "3"},
    {"layers.1.latency_us", "2.5"},
    {"layers.3.latency_us", "7.5"},
    {"layers.2.bandwidth", "2000000000"},
    {"layers.1.groups", "0:0-1\n0:2-3\n1:0-3"},
    {"layers.1.confidence", "0.875"},
    {"layers.1.time_us.1024", "1"},
    {"layers.1.time_us.8192", "5"},
    {"layers.1.time_us.2816", "2"},
    {"layers.1.slowdown.2", "2.5"},
    {"layers.1.between_nodes", "no"},
    {"layers.2.between_nodes", "yes"},
    {"layers.2.from", "0:2"},
    {"layers.2.to", "1:3"},
    {"layers.1.points.count", "3"},
    {"layers.1.points.3.bytes", "8192"},
    {"layers.1.points.3.time_us", "5"},
    {"layers.1.together.count", "4"},
    {"layers.1.together.2.messages", "4"},
    {"layers.1.together.3.bytes", "1024"},
    {"layers.1.together.3.time_us", "2.5"},
    {"layers.1.together.4.ratio", "4"},
    {"layers.1.protocols.count", "2"},
    {"layers.1.protocols.2.from", "4096"},
    {"layers.1.protocols.1.latency_us", "0.875"},
    {"layers.1.protocols.1.bandwidth", "1000000000"},
    {"layers.1.batches.count", "4"},
    {"layers.1.batches.3.messages", "4"},
    {"layers.1.batches.2.bytes", "1024"},
    {"layers.1.batches.1.in_turn_us", "3"},
    {"layers.1.batches.1.at_once_us", "2"},
    {"layers.1.batches.3.as_one_us", "1.25"},
    {"layers.1.batches.3.gain", "3.2"},
    {"layers.1.batches.2.payoff", "loses"},
    {"layers.1.aggregation.count", "4"},
    {"layers.1.aggregation.3.messages", "4"},
    {"layers.1.aggregation.2.from", "256"},
    {"layers.1.aggregation.3.below", "512"},
    {"layers.1.aggregation.1.unbounded", "no"},
    {"layers.1.aggregation.2.unbounded", "yes"},
    {"layers.1.aggregation.3.payoff", "pays"},
    {"layers.1.aggregation.4.gain", "0.8"},
    {"layers.1.aggregation_below.4", "512"},
    {"network.distance.count", "2"},
    {"network.distance.bytes", "33554432"},
    {"network.distance.constant_total", "yes"},
    {"network.distance.2.at", "5"},
    {"network.distance.2.nodes", "10"},
    {"network.distance.1.bandwidth", "1000000000"},
    {"network.distance.2.ratio", "3"},
    {"network.access.count", "3"},
    {"network.access.bytes", "1048576"},
    {"network.access.constant_total", "no"},
    {"network.access.3.at", "4"},
    {"network.access.3.nodes", "2"},
    {"network.access.3.bandwidth", "500000000"},
    {"network.access.2.ratio", "1.25"},
    {"network.node.2", "node02"},
    {"network.nodes_asked", "2"},
    {"network.slowness.count", "2"},
    {"network.slowness.2", "2.5"},
    {"network.slow_links.count", "1"},
    {"network.slow_links.1.from", "0"},
    {"network.slow_links.1.to", "1"},
    {"network.slow_links.1.factor", "1.75"},
    {"network.slow_links.1.confidence", "0.875"},
    {"network.torus.count", "2"},
    {"network.torus.2.nodes", "5"},
    {"network.torus.1.step_us", "3"},
    {"network.collectives.count", "4"},
    {"network.collectives.2.op", "broadcast"},
    {"network.collectives.1.ranks", "2"},
    {"network.collectives.4.groups", "3"},
    {"network.collectives.3.bytes", "1088"},
    {"network.collectives.1.time_us", "0.75"},
    {"network.bisection.nodes", "2"},
    {"network.bisection.processes", "2"},
    {"network.bisection.bytes", "16777216"},
    {"network.bisection.bandwidth", "2000000000"},
    {"network.bisection.usual", "1000000000"},
    {"network.node_rates.count", "2"},
    {"network.node_rates.2.bandwidth", "500000000"},
    {"network.node_rates.1.lost", "0.125"},
    {"network.node_rates.2.slow", "yes"},
    {"network.node_rates.1.noisy", "no"},
    {"network.distance_ratio.5", "3"},
    {"network.distance_ratio.2", "1.5"},
    {"network.distance_ratio.count", "5"},
    {"network.other_distance.count", "1"},
    {"network.other_distance.1.count", "1"},
    {"network.other_distance.1.bytes", "33554432"},
    {"network.other_distance.1.constant_total", "yes"},
    {"network.other_distance.1.1.at", "1"},
    {"network.other_distance.1.1.nodes", "2"},
    {"network.other_distance.1.1.bandwidth", "1000000000"},
    {"network.other_distance.1.1.ratio", "1"},
    {"network.other_access.count", "1"},
    {"network.other_access.1.count", "1"},
    {"network.other_access.1.bytes", "512"},
    {"network.other_access.1.constant_total", "yes"},
    {"network.other_access.1.1.at", "1"},
    {"network.other_access.1.1.nodes", "8"},
    {"network.other_access.1.1.bandwidth", "1000000000"},
    {"network.other_access.1.1.ratio", "1"},
    {"network.access_ratio.2", "1.25"},
    {"network.access_ratio.count", "4"},
    {"network.nodes", "2"},
    {"network.ranks", "8"},
    {"network.message_bytes", "32768"},
    {"network.benchmarks", "layers,curves,scalability,distance,access"},
    {"memory.latency_ns", "187.5"},
    {"translation.page_bytes", "4096"},
    {"translation.granule_bytes", "16384"},
    {"translation.walk_ns", "24"},
    {"translation.pages_asked", "4096"},
    {"translation.count", "1"},
    {"translation.1.entries", "64"},
    {"translation.1.ways", "4"},
    {"translation.1.reach_bytes", "1048576"},
    {"translation.1.latency_ns", "2.5"},
    {"translation.1.confidence", "0.75"},
    {"translation_huge.page_bytes", "2097152"},
    {"translation_huge.granule_bytes", "8388608"},
    {"translation_huge.walk_ns", "12288"},
    {"translation_huge.pages_asked", "8"},
    {"translation_huge.count", "1"},
    {"translation_huge.1.entries", "32"},
    {"translation_huge.1.ways", "4"},
    {"translation_huge.1.reach_bytes", "268435456"},
    {"translation_huge.1.latency_ns", "1280"},
    {"translation_huge.1.confidence", "0.75"},
    {"kind.name", "big"},
    {"kind.cores", "0-3"},
    {"kinds.count", "2"},
    {"classes.count", "2"},
    {"class.name", "fat"},
    {"class.nodes", "1"},
    {"class.node.1", "node01"},
    {"classes.2.name", "thin"},
    {"machine.hostname", "node01"},
    {"machine.os", "Linux 6.1.0"},
    {"machine.architecture", "x86_64"},
    {"machine.cpu", "Example(R) CPU \xc3\xa9 @ 2.0 GHz"},
    {"machine.cores", "0-3,8-11"},
    {"machine.pu_count", "8"},
    {"machine.core_count", "7"},
    {"machine.package_count", "2"},
    {"machine.numa_count", "3"},
    {"machine.memory_bytes", "68719476736"},
    {"machine.page_bytes", "4096"},
    {"machine.fingerprint", "cpu=Imaginary/9 pus=4 threads=1 package=4 numa=1 L1=1K"},
    {"machine.logical_order", "0,8,1-3,9-11"},
    {"run.version", "0.1.0"},
    {"run.started", "2026-11-20T12:00:00Z"},
    {"run.options", "--only cache -o \"a b\"\\c"},
    {"run.clock", "tsc"},
    {"run.clock_overhead_ns", "11.25"},
    {"run.clock_resolution_ns", "0.333333333333333"}, /* the digits that a time keeps */
    {"run.frequency_hz", "2500000000"},
    {"run.huge_pages", "0.25"},
    {"run.duration_s", "21.7"},
    {"run.noise", "0.03"},
    {"run.steal", "0"},
    {"run.others", "0.01"},
    {"run.drift", "0.125"},
    {"run.benchmarks", "cache,sharing"},
    {"run.unfinished", "distance"},
    {"run.cut", "sharing"},
    {"run.seed", "9007199254740993"},
    {"schema", "4"},
};

#endif
