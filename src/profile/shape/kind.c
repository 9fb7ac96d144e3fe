/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts of a single core: caches, translation, and loads in flight. */
#include "profile/shape/shape.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

static_assert(offsetof(srv_concurrency, fact) == 0 && offsetof(srv_cache, fact) == 0 &&
                  offsetof(srv_translation_facts, fact) == 0,
              "the rows of the public structs serve the stored ones");

/* --- memory-level parallelism ----------------------------------------------------------------- */

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

static const srv_field concurrency_fields[] = {
    SRV_MEMBER(servet_concurrency, requests, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .label = {"memory-level parallelism: loads in flight that suffice", SRV_ENOUGH},
               .detail =
                   "smallest number of independent chains that gets 95 % or more of the best"),
    SRV_MEMBER(servet_concurrency, requests_low, .type = SRV_COUNT,
               .label = {"lower bound of requests", SRV_FACT}),
    SRV_MEMBER(servet_concurrency, requests_high, .type = SRV_COUNT,
               .label = {"upper bound of requests", SRV_FACT}),
    SRV_NAMED_VALUE("effective_bandwidth", servet_concurrency, best, SERVET_UNIT_BYTE_PER_SECOND,
                    SRV_NOT_NEGATIVE,
                    .label = {"best effective bandwidth of one core, bytes per second", SRV_FACT},
                    .detail = "loads of random lines, each counted as a whole line"),
    SRV_MEMBER_RATE(
        servet_concurrency, bandwidth,
        .label = {"bandwidth of the widest loads of one core, bytes per second", SRV_FACT},
        .detail = "in the order of addresses, all loaded bytes used"),
    SRV_NAMED_RATES(
        "chains", srv_concurrency, of_chains,
        .label = {"largest number of independent pointer chains measured", SRV_EXTENT},
        .items = {"effective bandwidth of one core with that number of chains, bytes per second",
                  SRV_FACT},
        .noun = "numbers of chains",
        .detail = "effective bandwidth of one core with 1, 2, ... chains"),
    SRV_NAMED_RATES(
        "threads", srv_concurrency, of_threads,
        .label = {"largest number of threads measured together", SRV_EXTENT},
        .items = {"effective bandwidth of each of that number of threads, bytes per second",
                  SRV_FACT},
        .noun = "numbers of threads",
        .detail = "effective bandwidth of each of 1, 2, ... threads that share it"),
    SRV_END,
};
static const srv_shape concurrency_shape = {.name = "concurrency",
                                            .fields = concurrency_fields,
                                            .size = sizeof(srv_concurrency),
                                            SRV_PART(servet_concurrency),
                                            .check = check_concurrency};

/* --- caches ----------------------------------------------------------------------------------- */

static const srv_field sharing_fields[] = {
    SRV_MEMBER_CONFIDENCE(servet_sharing, "probability that the groups are right"),
    SRV_MEMBER_VERDICT(servet_sharing, "groups compared with those that the OS reports"),
    SRV_END,
};
static const srv_shape sharing_shape = {.fields = sharing_fields, SRV_WHOLE(servet_sharing)};

/* Further keys for the ends of the interval. */
static const srv_derived interval[] = {
    {.name = "low",
     .label = {"lower end of the 95 % interval of bytes", SRV_NOTE},
     .aspect = SRV_ASPECT_LOW},
    {.name = "high",
     .label = {"upper end of the 95 % interval of bytes", SRV_NOTE},
     .aspect = SRV_ASPECT_HIGH},
    {.name = NULL},
};

static const srv_field cache_fields[] = {
    SRV_MEMBER(servet_cache, level, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .detail = "1, 2, ... in order"),
    SRV_MEMBER(servet_cache, kind, .type = SRV_WORD, .words = &srv_cache_kind_words,
               .label = {"capacity or turnover", SRV_FACT},
               .detail =
                   "turnover: others replace the cache's lines, low..high is the reachable range"),
    SRV_MEMBER_VALUE(servet_cache, bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"capacity of one instance, bytes", SRV_FACT}, .derived = interval,
                     .detail =
                         "ways times sets times line, if conflicts were clear; otherwise from the "
                         "latency curve"),
    SRV_MEMBER_VALUE(servet_cache, ways, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"associativity", SRV_FACT},
                     .detail = "null where conflicts were not clear"),
    SRV_MEMBER_VALUE(servet_cache, sets, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"number of sets of all slices together", SRV_FACT},
                     .detail = "null where conflicts were not clear"),
    SRV_MEMBER_VALUE(
        servet_cache, reachable_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
        .label = {"part of the cache that a pointer chase can use now, bytes", SRV_FACT},
        .detail = "less than the capacity if others use the cache, too; more if the next level "
                  "keeps lines that leave this one"),
    SRV_NAMED_VALUE("reported", servet_cache, reported_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                    .label = {"capacity that the OS reports, bytes", SRV_FACT}),
    SRV_MEMBER_VERDICT(servet_cache, "agrees, differs, not visible or not comparable"),
    SRV_MEMBER_NS(servet_cache, latency, .label = {"latency of a load that hits, ns", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_cache, latency_cycles, SERVET_UNIT_CYCLE, SRV_NOT_NEGATIVE,
                     .label = {"latency of a load that hits, core cycles", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_cache, line, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"line size, bytes", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_cache, "probability that the level exists with this capacity"),
    SRV_MEMBER(srv_cache, groups, .type = SRV_SETS, .max = SRV_NODE_CORES_MAX,
               .label = {"sets of cores that share an instance", SRV_FACT}, .about = "sharing"),
    SRV_MEMBER(srv_cache, sharing, .type = SRV_MAYBE, .shape = &sharing_shape,
               .detail = "confidence and verdict of the groups"),
    SRV_MEMBER(srv_cache, concurrency, .type = SRV_MAYBE, .shape = &concurrency_shape,
               .is_inner = true, .detail = "loads in flight from this level"),
    SRV_END,
};
static const srv_shape cache_shape = {
    .name = "cache", .fields = cache_fields, .size = sizeof(srv_cache), SRV_PART(servet_cache)};

/* --- translation ------------------------------------------------------------------------------ */

static const srv_field tlb_fields[] = {
    SRV_MEMBER_VALUE(servet_tlb, entries, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"entries of TLB level N", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_tlb, ways, SERVET_UNIT_NONE, SRV_POSITIVE,
                     .label = {"associativity", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_tlb, reach_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"contiguous memory translated without a miss, bytes", SRV_FACT}),
    SRV_MEMBER_NS(servet_tlb, latency,
                  .label = {"added time of a load that misses this level, ns", SRV_FACT}),
    SRV_MEMBER_CONFIDENCE(servet_tlb,
                          "probability that the level exists with this number of entries"),
    SRV_END,
};
static const srv_shape tlb_shape = {.name = "tlb", .fields = tlb_fields, SRV_WHOLE(servet_tlb)};

static const srv_field translation_fields[] = {
    SRV_MEMBER_VALUE(servet_translation, page_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"size of the requested pages, bytes", SRV_FACT}),
    SRV_MEMBER_VALUE(servet_translation, granule_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE,
                     .label = {"memory that one entry translates, bytes", SRV_FACT}),
    SRV_MEMBER_NS(servet_translation, walk,
                  .label = {"added time of a load that misses all levels, ns", SRV_FACT},
                  .detail = "measured with up to pages_asked pages"),
    SRV_MEMBER(servet_translation, pages_asked, .type = SRV_INTEGER, .range = SRV_POSITIVE,
               .most = INT_MAX, .label = {"largest number of pages measured", SRV_EXTENT}),
    SRV_MEMBER(srv_translation_facts, tlbs, .type = SRV_FACTS, .shape = &tlb_shape,
               .max = SERVET_CACHE_LEVELS_MAX, .is_inner = true,
               .label = {"number of TLB levels", SRV_FACT}, .noun = "TLB levels"),
    SRV_END,
};
static const srv_shape translation_shape = {.name = "translation",
                                            .fields = translation_fields,
                                            .size = sizeof(srv_translation_facts),
                                            SRV_PART(servet_translation)};

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

static const srv_derived speeds[] = {
    {.name = "speed.vector",
     .label = {"speed of the core with vectors, relative to the fastest core type", SRV_NOTE},
     .derivation = SRV_DERIVE_VECTOR_SPEED},
    {.name = "speed.integer",
     .label = {"the same with integers", SRV_NOTE},
     .derivation = SRV_DERIVE_INTEGER_SPEED},
    {.name = "speed.memory",
     .label = {"the same with loads from memory", SRV_NOTE},
     .derivation = SRV_DERIVE_MEMORY_SPEED},
    {.name = NULL},
};

static const srv_field kind_fields[] = {
    SRV_CHARS(srv_core_kind, name, .needed = true,
              .label = {"core type of the core", SRV_NOTE, "kind.name"}),
    SRV_MEMBER(srv_core_kind, cores, .type = SRV_STRING, .is_set = true, .max = SRV_NODE_CORES_MAX,
               .needed = true,
               .label = {"cores of this core type, as ranges", SRV_FACT, "kind.cores"},
               .derived = speeds),
    SRV_MEMBER(srv_core_kind, caches, .type = SRV_FACTS, .shape = &cache_shape,
               .max = SERVET_CACHE_LEVELS_MAX, .label = {"number of cache levels", SRV_FACT},
               .noun = "cache levels", .detail = "fastest first; empty if none is visible"),
    SRV_NAMED_VALUE("memory.latency_ns", srv_core_kind, memory_latency, SRV_UNIT_NANOSECOND,
                    SRV_NOT_NEGATIVE, .label = {"latency of a load from memory, ns", SRV_FACT}),
    SRV_NAMED("memory.concurrency", srv_core_kind, memory_concurrency, .type = SRV_MAYBE,
              .shape = &concurrency_shape, .is_inner = true,
              .detail = "loads in flight from memory"),
    SRV_NAMED("translation", srv_core_kind, translation[SERVET_PAGES_BASE], .type = SRV_MAYBE,
              .optional = true, .shape = &translation_shape, .detail = "TLBs, with base pages"),
    SRV_NAMED("translation_huge", srv_core_kind, translation[SERVET_PAGES_HUGE], .type = SRV_MAYBE,
              .optional = true, .shape = &translation_shape, .detail = "TLBs, with huge pages"),
    SRV_END,
};
const srv_shape srv_kind_shape = {
    .name = "kind", .fields = kind_fields, .size = sizeof(srv_core_kind), .check = check_kind};
