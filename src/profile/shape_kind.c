/* SPDX-License-Identifier: BSD-3-Clause */
/* What a core sees: caches, and loads in flight. */
#include "profile/shape.h"

#include <assert.h>
#include <stddef.h>

#include "core/ranges.h"

/* --- memory-level parallelism ----------------------------------------------------------------- */

static int check_concurrency(const void *item, srv_json_path *where)
{
    const srv_concurrency *concurrency = item;
    int low = concurrency->requests_low, high = concurrency->requests_high;
    if (low > concurrency->requests || (high > 0 && high < concurrency->requests)) {
        srv_json_path_enter(where, "requests");
        return srv_json_path_fail(where, "%d loads, not within %d to %d", concurrency->requests, low,
                              high);
    }
    if (!concurrency->of_chains.known || concurrency->requests <= concurrency->of_chains.count)
        return SERVET_OK;
    srv_json_path_enter(where, "requests");
    return srv_json_path_fail(where, "%d loads, but up to %d were asked", concurrency->requests,
                          concurrency->of_chains.count);
}

static const srv_field concurrency_fields[] = {
    SRV_MEMBER(srv_concurrency, requests, .type = SRV_INTEGER, .range = SRV_POSITIVE),
    SRV_MEMBER(srv_concurrency, requests_low, .type = SRV_COUNT),
    SRV_MEMBER(srv_concurrency, requests_high, .type = SRV_COUNT),
    SRV_MEMBER_VALUE(srv_concurrency, best, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUES(srv_concurrency, of_chains, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUES(srv_concurrency, of_threads, SERVET_UNIT_BYTE_PER_SECOND, SRV_NOT_NEGATIVE),
    SRV_END,
};
const srv_shape srv_concurrency_shape = {
    .fields = concurrency_fields, .size = sizeof(srv_concurrency), .check = check_concurrency};

/* --- caches ----------------------------------------------------------------------------------- */

static_assert(offsetof(srv_cache, fact) == 0, "the rows of servet_cache serve srv_cache");

static int check_cache(const void *item, srv_json_path *where)
{
    return srv_check_disjoint(&((const srv_cache *)item)->groups, "groups", where);
}

static const srv_field sharing_fields[] = {
    SRV_MEMBER(servet_sharing, confidence, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_MEMBER(servet_sharing, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    SRV_END,
};
static const srv_shape sharing_shape = {.fields = sharing_fields, .size = sizeof(servet_sharing)};

static const srv_field cache_fields[] = {
    SRV_MEMBER(servet_cache, level, .type = SRV_INTEGER, .range = SRV_POSITIVE),
    SRV_MEMBER(servet_cache, kind, .type = SRV_WORD, .words = &srv_cache_kind_words),
    SRV_MEMBER_VALUE(servet_cache, bytes, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_cache, ways, SERVET_UNIT_NONE, SRV_POSITIVE),
    SRV_MEMBER_VALUE(servet_cache, sets, SERVET_UNIT_NONE, SRV_POSITIVE),
    SRV_MEMBER(servet_cache, reachable_bytes, .formerly = "measured_bytes", .type = SRV_VALUE,
               .unit = SERVET_UNIT_BYTE, .range = SRV_POSITIVE, .shape = &srv_value_shape),
    SRV_MEMBER_VALUE(servet_cache, reported_bytes, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_cache, verdict, .type = SRV_WORD, .words = &srv_verdict_words),
    SRV_MEMBER_VALUE(servet_cache, latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_cache, latency_cycles, SERVET_UNIT_CYCLE, SRV_NOT_NEGATIVE),
    SRV_MEMBER_VALUE(servet_cache, line, SERVET_UNIT_BYTE, SRV_POSITIVE),
    SRV_MEMBER(servet_cache, confidence, .type = SRV_NUMBER, .range = SRV_SHARE),
    SRV_MEMBER(srv_cache, groups, .type = SRV_SETS),
    SRV_MEMBER(srv_cache, sharing, .type = SRV_MAYBE, .shape = &sharing_shape),
    SRV_MEMBER(srv_cache, concurrency, .type = SRV_MAYBE, .shape = &srv_concurrency_shape),
    SRV_END,
};
const srv_shape srv_cache_shape = {
    .fields = cache_fields, .size = sizeof(srv_cache), .check = check_cache};

/* --- core kinds ------------------------------------------------------------------------------- */

static int check_kind(const void *item, srv_json_path *where)
{
    const srv_core_kind *kind = item;
    const srv_cache *caches = kind->caches.items;
    if (!*kind->name)
        return srv_json_path_fail(where, "a core kind needs a name");
    if (!srv_ranges_valid(kind->cores)) {
        srv_json_path_enter(where, "cores");
        return srv_json_path_fail(where, "not a set of cores such as 0-3,8");
    }
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
    SRV_CHARS(srv_core_kind, name),
    SRV_MEMBER(srv_core_kind, cores, .type = SRV_STRING),
    SRV_MEMBER(srv_core_kind, caches, .type = SRV_FACTS, .shape = &srv_cache_shape,
               .max = SERVET_CACHE_LEVELS_MAX),
    SRV_MEMBER_VALUE(srv_core_kind, memory_latency, SERVET_UNIT_NANOSECOND, SRV_NOT_NEGATIVE),
    SRV_MEMBER(srv_core_kind, memory_concurrency, .type = SRV_MAYBE,
               .shape = &srv_concurrency_shape),
    SRV_END,
};
const srv_shape srv_kind_shape = {
    .fields = kind_fields, .size = sizeof(srv_core_kind), .check = check_kind};
