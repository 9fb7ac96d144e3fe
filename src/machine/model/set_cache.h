/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * One set-associative cache: which lines are in it, and which one goes when another comes. Also
 * what translation buffers are made of.
 *
 * A line has two numbers: its `tag` (not 0, below SRV_TAG_MAX) tells it from all others, its
 * `index` chooses the set. They differ where a cache is indexed by virtual and tagged by physical
 * addresses.
 */
#ifndef SRV_MODEL_SET_CACHE_H
#define SRV_MODEL_SET_CACHE_H

#include "machine/model/model.h"

typedef struct srv_set_cache srv_set_cache;

/** What it is made of. No count needs to be a power of two. */
typedef struct srv_set_cache_shape {
    uint32_t sets; /**< of all slices together; a multiple of `slices` */
    uint32_t ways;
    uint32_t slices; /**< a hash of the index spreads the lines over them; 1: none */
    srv_replacement replacement;
    double turnover_ns; /**< others bring in as many lines as there are in this time, of the time
                             that they work; 0: nobody does */
} srv_set_cache_shape;

/** No line; and the first number that is no tag. */
enum { SRV_TAG_NONE = 0 };
#define SRV_TAG_MAX UINT32_MAX

enum { SRV_PLRU_WAYS_MAX = 64 };

/**
 * An empty cache. Errors: SERVET_EMEMORY, SERVET_EUNSUPPORTED (tree-PLRU with more than
 * SRV_PLRU_WAYS_MAX ways).
 */
int srv_set_cache_create(srv_set_cache **cache, const srv_set_cache_shape *shape, uint64_t seed,
                         servet_error *error);

/** NULL is fine. */
void srv_set_cache_destroy(srv_set_cache *cache);

/** Empties it; chance starts again from `seed`. */
void srv_set_cache_flush(srv_set_cache *cache, uint64_t seed);

/**
 * A use of a line: true if it was there. If not, it comes in, and `*victim` is the tag of the line
 * that had to go, or SRV_TAG_NONE.
 */
static inline bool srv_set_cache_access(srv_set_cache *cache, uint32_t index, uint32_t tag,
                                        uint32_t *victim);

/** A use of a line that does not come in if it is not there. */
static inline bool srv_set_cache_touch(srv_set_cache *cache, uint32_t index, uint32_t tag);

/** Whether a line is there: no use of it. */
static inline bool srv_set_cache_holds(const srv_set_cache *cache, uint32_t index, uint32_t tag);

/** Takes a line out; true if it was there. */
static inline bool srv_set_cache_remove(srv_set_cache *cache, uint32_t index, uint32_t tag);

/**
 * For caches with turnover: lets the lines of others come into the set of `index` that were due
 * when they had worked for `now_ns`, which must not decrease. The tags that had to go are in
 * victims[0..result-1]; there is room for `ways` of them.
 */
uint32_t srv_set_cache_turn_over(srv_set_cache *cache, uint32_t index, double now_ns,
                                 uint32_t *victims);

/** What it was created from. */
static inline const srv_set_cache_shape *srv_set_cache_shape_of(const srv_set_cache *cache);

#include "machine/model/set_uses.h"

#endif
