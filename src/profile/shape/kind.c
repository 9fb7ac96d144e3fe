/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of a single core: caches, and loads in flight. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

/* --- memory-level parallelism ----------------------------------------------------------------- */

static_assert(offsetof(srv_concurrency, fact) == 0,
              "the rows of servet_concurrency serve srv_concurrency");

static int check_concurrency(const void *item, srv_json_path *where)
{
    const srv_concurrency *stored = item;
    int requests = stored->fact.requests, most = stored->of_chains.count;
    int low = stored->fact.requests_low, high = stored->fact.requests_high;
    bool measured = !stored->of_chains.known || requests <= most;
    bool within = low <= requests && (high <= 0 || high >= requests);
    if (within && measured)
        return SERVET_OK;
    srv_json_path_enter(where, "requests");
    return within
               ? srv_json_path_fail(where, "%d loads, but at most %d were measured", requests, most)
               : srv_json_path_fail(where, "%d loads, not within %d to %d", requests, low, high);
}

/* Facts of a cache level or of memory, whose keys begin with `path`; `number` is the placeholder
 * for chains in them. */
#define CONCURRENCY(name, path, number)                                                            \
    static const srv_field name##_concurrency_fields[] = {                                         \
        SRV_MEMBER(servet_concurrency, requests, .type = SRV_INTEGER, .range = SRV_POSITIVE,       \
                   .label = {path ".requests",                                                     \
                             "memory-level parallelism: loads in flight that suffice",             \
                             SRV_ENOUGH},                                                          \
                   .detail = "smallest number of independent chains that gets 95 % or more of "    \
                             "the best"),                                                          \
        SRV_MEMBER(servet_concurrency, requests_low, .type = SRV_COUNT,                            \
                   .label = {path ".requests_low", "lower bound of requests", SRV_FACT}),          \
        SRV_MEMBER(servet_concurrency, requests_high, .type = SRV_COUNT,                           \
                   .label = {path ".requests_high", "upper bound of requests", SRV_FACT}),         \
        SRV_MEMBER_VALUE(servet_concurrency, best, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,  \
                         .label = {path ".effective_bandwidth",                                    \
                                   "best effective bandwidth of one core, bytes per second",       \
                                   SRV_FACT},                                                      \
                         .detail = "loads of random lines, each counted as a whole line"),         \
        SRV_MEMBER_VALUE(                                                                          \
            servet_concurrency, bandwidth, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,          \
            .label = {path ".bandwidth",                                                           \
                      "bandwidth of the widest loads of one core, bytes per second", SRV_FACT},    \
            .detail = "in the order of addresses, all loaded bytes used"),                         \
        SRV_MEMBER_VALUES(                                                                         \
            srv_concurrency, of_chains, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,             \
            .label = {path ".chains.count",                                                        \
                      "largest number of independent pointer chains measured", SRV_EXTENT},        \
            .items = {path ".chains." number,                                                      \
                      "effective bandwidth of one core with " number " chains, bytes per second",  \
                      SRV_FACT},                                                                   \
            .noun = "numbers of chains",                                                           \
            .detail = "effective bandwidth of one core with 1, 2, ... chains"),                    \
        SRV_MEMBER_VALUES(                                                                         \
            srv_concurrency, of_threads, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE,            \
            .label = {path ".threads.count", "largest number of threads measured on one " #name,   \
                      SRV_EXTENT},                                                                 \
            .items = {path ".threads." number,                                                     \
                      "effective bandwidth of each of " number " threads, bytes per second",       \
                      SRV_FACT},                                                                   \
            .noun = "numbers of threads",                                                          \
            .detail = "effective bandwidth of each of 1, 2, ... threads that share it"),           \
        SRV_END,                                                                                   \
    };                                                                                             \
    const srv_shape srv_##name##_concurrency_shape = {.fields = name##_concurrency_fields,         \
                                                      .size = sizeof(srv_concurrency),             \
                                                      .check = check_concurrency};
CONCURRENCY(instance, "caches.N", "M")
CONCURRENCY(memory, "memory", "N")

/* --- caches ----------------------------------------------------------------------------------- */

static_assert(offsetof(srv_cache, fact) == 0, "the rows of servet_cache serve srv_cache");

static const srv_field sharing_fields[] = {
    SRV_MEMBER_CONFIDENCE(servet_sharing, "caches.N.sharing.confidence",
                          "probability that the groups are right"),
    SRV_MEMBER_VERDICT(servet_sharing, "caches.N.sharing.verdict",
                       "groups compared with those that the OS reports"),
    SRV_END,
};
static const srv_shape sharing_shape = {.fields = sharing_fields, .size = sizeof(servet_sharing)};

/* The ends of the interval under the names that they had before values had them. */
static const srv_derived interval[] = {
    {.label = {"caches.N.low", "lower end of the 95 % interval of bytes", SRV_NOTE},
     .aspect = SRV_ASPECT_LOW},
    {.label = {"caches.N.high", "upper end of the 95 % interval of bytes", SRV_NOTE},
     .aspect = SRV_ASPECT_HIGH},
    {.label = {NULL, NULL, SRV_FACT}},
};

static const srv_field cache_fields[] = {
    SRV_MEMBER(servet_cache, level, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .detail = "1, 2, ... in order"),
    SRV_MEMBER(servet_cache, kind, .type = SRV_WORD, .words = &srv_cache_kind_words,
               .label = {"caches.N.kind", "capacity or turnover", SRV_FACT},
               .detail =
                   "turnover: others replace the cache's lines, low..high is the reachable range"),
    SRV_MEMBER_VALUE(servet_cache, bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"caches.N.bytes", "capacity of one instance, bytes", SRV_FACT},
                     .derived = interval,
                     .detail = "by conflict: ways times sets times line; else by the latency "
                               "curve: the nominal size in the interval, if there is one"),
    SRV_MEMBER_VALUE(servet_cache, ways, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"caches.N.ways", "associativity", SRV_FACT},
                     .detail = "null where conflicts were not clear"),
    SRV_MEMBER_VALUE(servet_cache, sets, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"caches.N.sets", "number of sets of all slices together", SRV_FACT},
                     .detail = "null where conflicts were not clear"),
    SRV_MEMBER_VALUE(
        servet_cache, reachable_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE, .formerly = "measured_bytes",
        .label = {"caches.N.reachable_bytes",
                  "part of the cache that a pointer chase can use now, bytes", SRV_FACT},
        .detail = "less than the capacity if others use the cache, too; more if the next level "
                  "keeps lines that leave this one"),
    SRV_MEMBER_VALUE(
        servet_cache, reported_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
        .label = {"caches.N.reported", "capacity that the OS reports, bytes", SRV_FACT}),
    SRV_MEMBER_VERDICT(servet_cache, "caches.N.verdict",
                       "agrees, differs, not visible or not comparable"),
    SRV_MEMBER_NS(servet_cache, latency,
                  .label = {"caches.N.latency_ns", "latency of a load that hits, ns", SRV_FACT}),
    SRV_MEMBER_VALUE(
        servet_cache, latency_cycles, SERVET_UNIT_CYCLE, SRV_NOT_NEGATIVE,
        .label = {"caches.N.latency_cycles", "latency of a load that hits, core cycles", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_cache, line, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"caches.N.line", "line size, bytes", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_cache, "caches.N.confidence",
                          "probability that the level exists with this capacity"),
    SRV_MEMBER(srv_cache, groups, .type = SRV_SETS, .max = SRV_NODE_CORES_MAX,
               .label = {"caches.N.groups", "sets of cores that share an instance", SRV_FACT},
               .about = "sharing"),
    SRV_MEMBER(srv_cache, sharing, .type = SRV_MAYBE, .shape = &sharing_shape,
               .detail = "what is known about the groups"),
    SRV_MEMBER(srv_cache, concurrency, .type = SRV_MAYBE, .shape = &srv_instance_concurrency_shape,
               .detail = "loads in flight from this level"),
    SRV_END,
};
const srv_shape srv_cache_shape = {
    .name = "cache", .fields = cache_fields, .size = sizeof(srv_cache)};

/* --- translation ------------------------------------------------------------------------------ */

static_assert(offsetof(srv_translation_facts, fact) == 0,
              "the rows of servet_translation serve srv_translation_facts");

/* With pages of one size, whose keys begin with `path`. */
#define TRANSLATION(name, path, pages)                                                             \
    static const srv_field name##_tlb_fields[] = {                                                 \
        SRV_MEMBER_VALUE(                                                                          \
            servet_tlb, entries, SERVET_UNIT_NONE, SRV_POSITIVE,                                   \
            .label = {path ".N.entries", "entries of TLB level N, " pages " pages", SRV_FACT}),    \
        SRV_MEMBER_VALUE(servet_tlb, ways, SERVET_UNIT_NONE, SRV_POSITIVE,                         \
                         .label = {path ".N.ways", "associativity", SRV_FACT}),                    \
        SRV_MEMBER_VALUE(servet_tlb, reach_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,                  \
                         .label = {path ".N.reach_bytes",                                          \
                                   "contiguous memory translated without a miss, bytes",           \
                                   SRV_FACT}),                                                     \
        SRV_MEMBER_NS(servet_tlb, latency,                                                         \
                      .label = {path ".N.latency_ns",                                              \
                                "added time of a load that misses this level, ns", SRV_FACT}),     \
        SRV_MEMBER_CONFIDENCE(servet_tlb, path ".N.confidence",                                    \
                              "probability that the level exists with this number of entries"),    \
        SRV_END,                                                                                   \
    };                                                                                             \
    static const srv_shape name##_tlb_shape = {.fields = name##_tlb_fields,                        \
                                               .size = sizeof(servet_tlb)};                        \
    static const srv_field name##_fields[] = {                                                     \
        SRV_MEMBER_VALUE(                                                                          \
            servet_translation, page_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,                        \
            .label = {path ".page_bytes", "size of the requested pages, bytes", SRV_FACT}),        \
        SRV_MEMBER_VALUE(servet_translation, granule_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,        \
                         .label = {path ".granule_bytes",                                          \
                                   "memory that one entry translates, bytes", SRV_FACT}),          \
        SRV_MEMBER_NS(servet_translation, walk,                                                    \
                      .label = {path ".walk_ns",                                                   \
                                "added time of a load that misses all levels, ns", SRV_FACT},      \
                      .detail = "measured with up to pages_asked pages"),                          \
        SRV_MEMBER(                                                                                \
            servet_translation, pages_asked, .type = SRV_INTEGER, .range = SRV_POSITIVE,           \
            .most = INT_MAX,                                                                       \
                                                                                                   \
            .label = {path ".pages_asked", "largest number of pages measured", SRV_EXTENT}),       \
        SRV_MEMBER(srv_translation_facts, tlbs, .type = SRV_FACTS, .shape = &name##_tlb_shape,     \
                   .max = SERVET_CACHE_LEVELS_MAX,                                                 \
                   .label = {path ".count", "number of TLB levels, " pages " pages", SRV_FACT},    \
                   .noun = "TLB levels"),                                                          \
        SRV_END,                                                                                   \
    };                                                                                             \
    static const srv_shape name##_shape = {.fields = name##_fields,                                \
                                           .size = sizeof(srv_translation_facts)};
TRANSLATION(translation, "translation", "base")
TRANSLATION(translation_huge, "translation_huge", "huge")

/* --- core kinds ------------------------------------------------------------------------------- */

static int check_kind(const void *item, srv_json_path *where)
{
    const srv_core_kind *kind = item;
    const srv_cache *caches = kind->caches.items;
    for (int i = 0; i < kind->caches.count; i++) {
        if (caches[i].fact.level == i + 1)
            continue;
        srv_json_path_enter(where, "caches");
        srv_json_path_enter_item(where, i);
        srv_json_path_enter(where, "level");
        return srv_json_path_fail(where, "level %d where level %d belongs", caches[i].fact.level,
                                  i + 1);
    }
    return SERVET_OK;
}

static const srv_field kind_fields[] = {
    SRV_CHARS(srv_core_kind, name, .needed = true,
              .label = {"kind.name", "core type of the core", SRV_NOTE}),
    SRV_MEMBER(srv_core_kind, cores, .type = SRV_STRING, .is_set = true, .max = SRV_NODE_CORES_MAX,
               .needed = true,
               .label = {"kind.cores", "cores of this core type, as ranges", SRV_FACT}),
    SRV_MEMBER(srv_core_kind, caches, .type = SRV_FACTS, .shape = &srv_cache_shape,
               .max = SERVET_CACHE_LEVELS_MAX,
               .label = {"caches.count", "number of cache levels", SRV_FACT},
               .noun = "cache levels", .detail = "fastest first; empty if none is visible"),
    SRV_MEMBER_NS(srv_core_kind, memory_latency,
                  .label = {"memory.latency_ns", "latency of a load from memory, ns", SRV_FACT}),
    SRV_MEMBER(srv_core_kind, memory_concurrency, .type = SRV_MAYBE,
               .shape = &srv_memory_concurrency_shape, .detail = "loads in flight from memory"),
    {.name = "translation",
     .type = SRV_MAYBE,
     .offset = offsetof(srv_core_kind, translation[SERVET_PAGES_BASE]),
     .optional = true,
     .shape = &translation_shape,
     .detail = "TLBs, with base pages"},
    {.name = "translation_huge",
     .type = SRV_MAYBE,
     .offset = offsetof(srv_core_kind, translation[SERVET_PAGES_HUGE]),
     .optional = true,
     .shape = &translation_huge_shape,
     .detail = "TLBs, with huge pages"},
    SRV_END,
};
const srv_shape srv_kind_shape = {
    .name = "kind", .fields = kind_fields, .size = sizeof(srv_core_kind), .check = check_kind};
