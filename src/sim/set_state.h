/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The state of a set cache, for set_*.[ch] only, and the search for a line. Functions are in this
 * header because each simulated load calls them up to ten times.
 */
#ifndef SRV_MODEL_SET_STATE_H
#define SRV_MODEL_SET_STATE_H

#include <string.h>

#include "sim/divisor.h"
#include "sim/model.h"

typedef struct srv_set_cache srv_set_cache;

/** The structure of a cache. No count needs to be a power of two. */
typedef struct srv_set_cache_shape {
    uint32_t sets; /**< of all slices together; a multiple of `slices` */
    uint32_t ways;
    uint32_t slices; /**< a hash of the index spreads the lines over them; 1: none */
    srv_replacement replacement;
    double turnover_ns; /**< others bring in as many lines as there are in this time, of the time
                           that they work; 0: none do */
} srv_set_cache_shape;

/** No line; and the first number that is no tag. */
enum { SRV_TAG_NONE = 0 };
#define SRV_TAG_MAX UINT32_MAX

enum { SRV_PLRU_WAYS_MAX = 64 };

/** Tag of all foreign lines. */
#define SRV_TAG_FOREIGN SRV_TAG_MAX

/** Tags that a line of the caches of the machine that simulates has room for: of 64 bytes. */
enum { SRV_TAGS_IN_LINE = 16 };

/** Sets with a common flag of use, so that a flush only costs time for used sets. */
enum { SRV_BLOCK_SETS = 8 };

/** How a set stores the order of uses (set_policy.h). */
typedef enum srv_set_memory {
    SRV_MEMORY_NONE, /**< not at all */
    SRV_MEMORY_TREE, /**< the set's word points to the older side of each node */
    SRV_MEMORY_LIST, /**< the tags lie in this order themselves, so that an empty way is last */
} srv_set_memory;

struct srv_set_cache {
    srv_set_cache_shape shape;
    srv_divisor slice_sets, slices;
    uint32_t stride; /**< ways in memory, a multiple of SRV_AT_ONCE; the extra ones stay empty */
    uint32_t *tags;  /**< those of a set are neighbours, in few lines of this machine's caches */
    uint32_t *allocated; /**< where `tags` are in it */
    srv_set_memory memory;
    uint64_t *word;      /**< of each set, if they remember in words */
    unsigned char *used; /**< of each block: a line was inserted */
    uint64_t random;
    int duel;           /**< adaptive: above 0, LRU misses more */
    double *foreign_ns; /**< turnover: when the next foreign line comes into a set; 0: never used */
    unsigned tree_height;
    unsigned char tree_way[SRV_PLRU_WAYS_MAX]; /**< below each lowest node */
    uint64_t tree_keep[SRV_PLRU_WAYS_MAX], tree_set[SRV_PLRU_WAYS_MAX]; /**< a use of each way */
};

/* --- which set -------------------------------------------------------------------------------- */

/* XOR of address bits, five at a time: enough for 32 slices. */
static inline uint32_t srv_fold(uint32_t x)
{
    return x ^ x >> 5 ^ x >> 10 ^ x >> 15;
}

/* Any aligned block of as many lines as the cache has fills all sets of all slices alike: for a
 * given set the slice runs through all of them with the bits above. */
static inline uint32_t srv_slice_of(const srv_set_cache *cache, uint32_t above, uint32_t set)
{
    uint32_t x = above + srv_quotient(above, &cache->slices) + srv_fold(set);
    return srv_rest(x, srv_quotient(x, &cache->slices), &cache->slices);
}

/** The set of a line with this index. */
static inline uint32_t srv_set_of(const srv_set_cache *cache, uint32_t index)
{
    uint32_t above = srv_quotient(index, &cache->slice_sets);
    uint32_t set = srv_rest(index, above, &cache->slice_sets);
    if (cache->slices.value == 1)
        return set;
    return srv_slice_of(cache, above, set) * cache->slice_sets.value + set;
}

static inline uint32_t *srv_tags_of(const srv_set_cache *cache, uint32_t set)
{
    return cache->tags + (size_t)set * cache->stride;
}

/* --- which way -------------------------------------------------------------------------------- */

/** Tags that are handled at once: SSE2 and NEON have registers of four. */
enum { SRV_AT_ONCE = 4 };

/** Wide sets are searched in spans, because they are mostly in order of use (set_policy.h). */
enum { SRV_SPAN = 16 };

typedef uint32_t srv_four __attribute__((vector_size(SRV_AT_ONCE * sizeof(uint32_t))));

/* Sets all bits of those of the four tags from `tags` on that are `wanted`. Vectors are passed by
 * address: calling conventions for them depend on the processor's registers. */
static inline void srv_compare_four(const uint32_t *tags, const srv_four *wanted, srv_four *equal)
{
    srv_four four;
    memcpy(&four, tags, sizeof four);
    *equal = (srv_four)(four == *wanted);
}

/* All four in one. */
static inline uint64_t srv_any_of(const srv_four *four)
{
    uint64_t half[2];
    memcpy(half, four, sizeof half);
    return half[0] | half[1];
}

/* True if a tag is among the first `ways` ones, rounded up to a multiple of SRV_AT_ONCE. */
static inline bool srv_holds(const uint32_t *tags, uint32_t ways, uint32_t tag)
{
    srv_four found = {0}, equal, wanted = {tag, tag, tag, tag};
    for (uint32_t way = 0; way < ways; way += SRV_AT_ONCE) {
        srv_compare_four(tags + way, &wanted, &equal);
        found |= equal;
    }
    return srv_any_of(&found) != 0;
}

/* The place, from 1 on, of a tag that is at most once among the first `ways` ones, rounded up as
 * above; 0: it is not there. */
static inline uint32_t srv_place_of(const uint32_t *tags, uint32_t ways, uint32_t tag)
{
    srv_four found = {0}, equal, number = {1, 2, 3, 4}, wanted = {tag, tag, tag, tag};
    for (uint32_t way = 0; way < ways; way += SRV_AT_ONCE) {
        srv_compare_four(tags + way, &wanted, &equal);
        found |= equal & number;
        number += SRV_AT_ONCE;
    }
    uint64_t two = srv_any_of(&found);
    return (uint32_t)(two | two >> 32);
}

/**
 * The way of a tag that is in a set at most once; UINT32_MAX if it is not there. Its place within a
 * span is computed without a branch, which could not be predicted.
 */
static inline uint32_t srv_way_of(const srv_set_cache *cache, const uint32_t *tags, uint32_t tag)
{
    uint32_t from = 0, place = 0;
    for (; from < cache->stride && place == 0; from += SRV_SPAN) {
        uint32_t left = cache->stride - from;
        place = srv_place_of(tags + from, left < SRV_SPAN ? left : SRV_SPAN, tag);
    }
    return place > 0 ? from - SRV_SPAN + place - 1 : UINT32_MAX;
}

/** The first empty way of a set; UINT32_MAX: it is full. */
static inline uint32_t srv_empty_way(const srv_set_cache *cache, const uint32_t *tags)
{
    uint32_t way = 0, ways = cache->shape.ways;
    if (!srv_holds(tags, ways, SRV_TAG_NONE))
        return UINT32_MAX;
    while (way < ways && tags[way] != SRV_TAG_NONE)
        way++;
    return way < ways ? way : UINT32_MAX;
}

#endif
