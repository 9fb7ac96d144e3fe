/* SPDX-License-Identifier: BSD-3-Clause */
/** Profiles for tests: a function for each kind of items, with types and levels, on top of
 * servet_profile_set(). Each returns the first error. */
#ifndef SERVET_TESTS_RECORD_H
#define SERVET_TESTS_RECORD_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "servet/record.h"

#if defined __GNUC__
__attribute__((format(printf, 7, 8)))
#endif
static inline int
record(servet_profile *profile, int node_class, const void *items, size_t size, int count,
       servet_error *error, const char *format, ...)
{
    char path[128];
    va_list numbers;
    va_start(numbers, format);
    vsnprintf(path, sizeof path, format, numbers);
    va_end(numbers);
    return servet_profile_set(profile, node_class, path, items, size, count, error);
}

/** A value that is known exactly, and trusted. */
static inline servet_value sure_value(double value, servet_unit unit)
{
    return (servet_value){value, value, value, 9, unit, SERVET_METHOD_TIMED, true};
}

/* A list of structs or texts at `path` of a class, of an item of a class, of a layer. */
#define RECORD_LIST(name, type, path)                                                              \
    static inline int name(servet_profile *profile, int node_class, const type *items, int count,  \
                           servet_error *error)                                                    \
    {                                                                                              \
        return record(profile, node_class, items, sizeof *items, count, error, path);              \
    }
#define RECORD_LIST_OF(name, type, path)                                                           \
    static inline int name(servet_profile *profile, int node_class, int level, const type *items,  \
                           int count, servet_error *error)                                         \
    {                                                                                              \
        return record(profile, node_class, items, sizeof *items, count, error, path, level);       \
    }
#define RECORD_NETWORK(name, type, path)                                                           \
    static inline int name(servet_profile *profile, const type *items, int count,                  \
                           servet_error *error)                                                    \
    {                                                                                              \
        return record(profile, 0, items, sizeof *items, count, error, path);                       \
    }
#define RECORD_NETWORK_LAYER(name, type, path)                                                     \
    static inline int name(servet_profile *profile, int layer, const type *items, int count,       \
                           servet_error *error)                                                    \
    {                                                                                              \
        return record(profile, 0, items, sizeof *items, count, error, path, layer);                \
    }
typedef const char *record_text;
RECORD_LIST(record_distances, servet_distance_layer, "distance.layers")
RECORD_LIST_OF(record_distance_groups, record_text, "distance.layers.%d.groups")
RECORD_LIST(record_sync, servet_sync, "sync")
RECORD_LIST(record_memory_levels, servet_memory_level, "memory.levels")
RECORD_LIST_OF(record_memory_groups, record_text, "memory.levels.%d.groups")
RECORD_LIST(record_peaks, servet_peak, "peak")
RECORD_LIST(record_accelerators, servet_accelerator, "accelerators.devices")
RECORD_LIST_OF(record_accelerator_links, servet_accelerator_link, "accelerators.devices.%d.links")
RECORD_LIST_OF(record_accelerator_caches, servet_accelerator_cache,
               "accelerators.devices.%d.caches")
RECORD_LIST(record_accelerator_pairs, servet_accelerator_pair, "accelerators.pairs")
RECORD_LIST(record_accelerator_levels, servet_accelerator_level, "accelerators.levels")
RECORD_LIST_OF(record_accelerator_groups, record_text, "accelerators.levels.%d.groups")
RECORD_NETWORK(record_network_slowness, servet_value, "network.slowness")
RECORD_NETWORK(record_network_slow_links, servet_slow_link, "network.slow_links")
RECORD_NETWORK(record_network_torus, servet_dimension, "network.torus")
RECORD_NETWORK(record_network_collectives, servet_collective, "network.collectives")
RECORD_NETWORK(record_network_bisection, servet_bisection, "network.bisection")
RECORD_NETWORK(record_network_node_rates, servet_node_rate, "network.node_rates")
RECORD_NETWORK(record_network_layers, servet_network_layer, "network.layers")
RECORD_NETWORK_LAYER(record_network_groups, record_text, "network.layers.%d.groups")
RECORD_NETWORK_LAYER(record_network_together, servet_together, "network.layers.%d.together")

/* --- a core type ------------------------------------------------------------------------------ */

static inline int record_caches(servet_profile *profile, int node_class, int kind,
                                const servet_cache *caches, int count,
                                const servet_value *memory_latency, servet_error *error)
{
    int code = record(profile, node_class, caches, sizeof *caches, count, error, "kinds.%d.caches",
                      kind + 1);
    return code ? code
                : record(profile, node_class, memory_latency, sizeof *memory_latency, 1, error,
                         "kinds.%d.memory.latency_ns", kind + 1);
}

/** `sharing` may be NULL: unknown. */
static inline int record_cache_groups(servet_profile *profile, int node_class, int kind, int level,
                                      const char *const *groups, int count,
                                      const servet_sharing *sharing, servet_error *error)
{
    int code = record(profile, node_class, groups, sizeof *groups, count, error,
                      "kinds.%d.caches.%d.groups", kind + 1, level);
    return code ? code
                : record(profile, node_class, sharing, sizeof *sharing, sharing ? 1 : 0, error,
                         "kinds.%d.caches.%d.sharing", kind + 1, level);
}

static inline int record_cache_line(servet_profile *profile, int node_class, int kind, int level,
                                    const servet_value *line, servet_error *error)
{
    return record(profile, node_class, line, sizeof *line, 1, error, "kinds.%d.caches.%d.line",
                  kind + 1, level);
}

/** Level 0 is memory. */
static inline int record_concurrency(servet_profile *profile, int node_class, int kind, int level,
                                     const servet_concurrency *concurrency,
                                     const servet_value *of_chains, const servet_value *of_threads,
                                     servet_error *error)
{
    char at[64];
    snprintf(at, sizeof at, level ? "kinds.%d.caches.%d" : "kinds.%d.memory", kind + 1, level);
    int code = record(profile, node_class, concurrency, sizeof *concurrency, 1, error,
                      "%s.concurrency", at);
    if (code == SERVET_OK)
        code = record(profile, node_class, of_chains, sizeof *of_chains, concurrency->chains, error,
                      "%s.concurrency.chains", at);
    return code ? code
                : record(profile, node_class, of_threads, sizeof *of_threads, concurrency->threads,
                         error, "%s.concurrency.threads", at);
}

static inline int record_translation(servet_profile *profile, int node_class, int kind,
                                     servet_pages pages, const servet_translation *translation,
                                     const servet_tlb *tlbs, int count, servet_error *error)
{
    const char *of = pages == SERVET_PAGES_HUGE ? "_huge" : "";
    int code = record(profile, node_class, translation, sizeof *translation, 1, error,
                      "kinds.%d.translation%s", kind + 1, of);
    return code ? code
                : record(profile, node_class, tlbs, sizeof *tlbs, count, error,
                         "kinds.%d.translation%s.tlbs", kind + 1, of);
}

/* --- a node class ----------------------------------------------------------------------------- */

static inline int record_coherence(servet_profile *profile, int node_class,
                                   const servet_coherence *coherence, servet_error *error)
{
    return record(profile, node_class, coherence, sizeof *coherence, 1, error, "coherence");
}

/** The first `count` kernels; the others are unknown. */
static inline int record_memory(servet_profile *profile, int node_class,
                                const servet_value bandwidth[], int count, servet_error *error)
{
    servet_value all[SERVET_KERNEL_COUNT];
    for (int i = 0; i < SERVET_KERNEL_COUNT; i++)
        all[i] = i < count ? bandwidth[i] : servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    return record(profile, node_class, all, sizeof all, 1, error, "memory.bandwidth");
}

/** Level 0 is the node, the only one with its saturation point. */
static inline int record_memory_scaling(servet_profile *profile, int node_class, int level,
                                        const servet_value *bandwidth, int count, int saturation,
                                        servet_error *error)
{
    const int unknown = 0;
    if (level)
        return record(profile, node_class, bandwidth, sizeof *bandwidth, count, error,
                      "memory.levels.%d.scaling", level);
    int code = record(profile, node_class, &unknown, sizeof unknown, 1, error, "memory.saturation");
    if (code == SERVET_OK)
        code = record(profile, node_class, bandwidth, sizeof *bandwidth, count, error,
                      "memory.scaling");
    return code ? code
                : record(profile, node_class, &saturation, sizeof saturation, 1, error,
                         "memory.saturation");
}

static inline int record_row(servet_profile *profile, int node_class, const servet_value *row,
                             int node, int count, const char *name, servet_error *error)
{
    bool known = false;
    for (int i = 0; i < count; i++)
        known = known || servet_value_known(&row[i]);
    return record(profile, node_class, row, sizeof *row, known ? count : 0, error, "numa.%d.%s",
                  node + 1, name);
}

/** The matrices have a row for each node; a row without any known value was not measured. */
static inline int record_numa(servet_profile *profile, int node_class, const servet_numa *nodes,
                              int count, const servet_value *bandwidth, const servet_value *latency,
                              servet_error *error)
{
    int code = record(profile, node_class, nodes, sizeof *nodes, count, error, "numa");
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = record_row(profile, node_class, bandwidth + i * count, i, count, "bandwidth", error);
        if (code == SERVET_OK)
            code =
                record_row(profile, node_class, latency + i * count, i, count, "latency_ns", error);
    }
    return code;
}

/** Curve `number` (from 1) of all of them has points. */
static inline int record_loaded(servet_profile *profile, int node_class,
                                const servet_loaded *curves, int count, int number,
                                const servet_loaded_point *points, int point_count,
                                servet_error *error)
{
    int code = record(profile, node_class, curves, sizeof *curves, count, error, "loaded");
    return code ? code
                : record(profile, node_class, points, sizeof *points, point_count, error,
                         "loaded.%d.points", number);
}

/* --- communication ---------------------------------------------------------------------------- */

static inline int record_network_curve(servet_profile *profile, int layer,
                                       const servet_message *points, int count,
                                       const servet_protocol *protocols, int protocol_count,
                                       servet_error *error)
{
    int code =
        record(profile, 0, points, sizeof *points, count, error, "network.layers.%d.points", layer);
    return code ? code
                : record(profile, 0, protocols, sizeof *protocols, protocol_count, error,
                         "network.layers.%d.protocols", layer);
}

static inline int record_network_aggregation(servet_profile *profile, int layer,
                                             const servet_batch *batches, int count,
                                             const servet_aggregation *ranges, int range_count,
                                             servet_error *error)
{
    int code = record(profile, 0, batches, sizeof *batches, count, error,
                      "network.layers.%d.batches", layer);
    return code ? code
                : record(profile, 0, ranges, sizeof *ranges, range_count, error,
                         "network.layers.%d.aggregation", layer);
}

static inline int record_network_ratios(servet_profile *profile, servet_degradation degradation,
                                        const servet_ratios *about, const servet_ratio *ratios,
                                        int count, servet_error *error)
{
    const char *name = servet_degradation_name(degradation);
    int code = record(profile, 0, about, sizeof *about, 1, error, "network.%s", name);
    return code ? code
                : record(profile, 0, ratios, sizeof *ratios, count, error, "network.%s.ratios",
                         name);
}

#endif
