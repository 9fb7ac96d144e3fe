/* SPDX-License-Identifier: BSD-3-Clause */
/* The tags of a set are neighbours in memory. LRU and adaptive caches keep them most recent first,
 * so the order of the ways is all the state they have; an empty way is then always the last. */
#include "machine/model/set_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/model/random.h"

/* What others bring in is nobody's tag. */
static const uint32_t FOREIGN = SRV_TAG_MAX;

/* After so many turnover times nothing is left, whatever the policy: e^-16. */
static const double FORGOTTEN = 16;

/* Set duelling with bimodal insertion as in Qureshi et al., Adaptive Insertion Policies, ISCA 2007:
 * one new line in 32 comes in as most recent; one set in 32 leads for each policy; 10 bits decide.
 */
enum { BIMODAL_THROTTLE = 32, DUEL_PERIOD = 32, DUEL_MAX = 512 };

/* Sets whose use is noted together, so that a flush costs what was used. */
enum { BLOCK_SETS = 64 };

typedef struct policy {
    void (*hit)(srv_set_cache *cache, uint32_t set, uint32_t way);
    uint32_t (*fill)(srv_set_cache *cache, uint32_t set, uint32_t tag); /* returns the victim */
    bool ordered;                                                       /* most recent first */
} policy;

struct srv_set_cache {
    srv_set_cache_shape shape;
    const policy *policy;
    uint32_t slice_sets, set_mask, slice_mask; /* masks: of power-of-two counts, else 0 */
    unsigned set_bits;
    uint32_t stride; /* ways in memory, a multiple of AT_ONCE; those beyond the last stay empty */
    uint32_t *tags;
    unsigned char *used; /* of each block: something came in */
    uint64_t *tree;      /* tree-PLRU: bit m of a set points to the older side of node m */
    uint64_t tree_keep[SRV_PLRU_WAYS_MAX], tree_set[SRV_PLRU_WAYS_MAX]; /* a use of each way */
    double *foreign_ns; /* turnover: when the next foreign line comes into a set; 0: never used */
    int duel;           /* adaptive: above 0, LRU misses more */
    uint64_t random;
};

/* --- where a line is ----------------------------------------------------------------------------
 */

/* XOR of address bits, five at a time: enough for 32 slices. */
static uint32_t fold(uint32_t x)
{
    return x ^ x >> 5 ^ x >> 10 ^ x >> 15;
}

/* Any aligned block of as many lines as the cache has fills all sets of all slices alike: for a
 * given set the slice runs through all of them with the bits above. */
static inline uint32_t slice_of(const srv_set_cache *cache, uint32_t above, uint32_t set)
{
    uint32_t x = above + above / cache->shape.slices + fold(set);
    return cache->slice_mask ? x & cache->slice_mask : x % cache->shape.slices;
}

static inline uint32_t set_of(const srv_set_cache *cache, uint32_t index)
{
    uint32_t set, above;
    if (cache->set_mask) {
        set = index & cache->set_mask;
        above = index >> cache->set_bits;
    } else {
        set = index % cache->slice_sets;
        above = index / cache->slice_sets;
    }
    return cache->shape.slices == 1 ? set : slice_of(cache, above, set) * cache->slice_sets + set;
}

/* Tags that are compared at once: two registers of four (SSE2 and NEON have such). */
enum { AT_ONCE = 8 };
typedef uint32_t four_tags __attribute__((vector_size(AT_ONCE / 2 * sizeof(uint32_t))));

static inline bool any_equal(const uint32_t *tags, uint32_t tag)
{
    four_tags low, high, wanted = {tag, tag, tag, tag};
    uint64_t equal[2];
    memcpy(&low, tags, sizeof low);
    memcpy(&high, tags + AT_ONCE / 2, sizeof high);
    low = (four_tags)((low == wanted) | (high == wanted));
    memcpy(equal, &low, sizeof equal);
    return (equal[0] | equal[1]) != 0;
}

/* The way of a tag; `ways` or more: it is not there. */
static inline uint32_t find(const srv_set_cache *cache, const uint32_t *tags, uint32_t tag)
{
    for (uint32_t way = 0; way < cache->stride; way += AT_ONCE)
        if (any_equal(tags + way, tag)) {
            while (tags[way] != tag)
                way++;
            return way;
        }
    return cache->stride;
}

static inline uint32_t *tags_of(const srv_set_cache *cache, uint32_t set)
{
    return cache->tags + (size_t)set * cache->stride;
}

/* --- most recent first --------------------------------------------------------------------------
 */

/* Moves the first `way` tags back by one and puts `tag` before them. */
static void to_front(uint32_t *tags, uint32_t way, uint32_t tag)
{
    memmove(tags + 1, tags, way * sizeof *tags);
    tags[0] = tag;
}

static void ordered_hit(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    uint32_t *tags = tags_of(cache, set);
    to_front(tags, way, tags[way]);
}

static uint32_t lru_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t last = cache->shape.ways - 1, *tags = tags_of(cache, set);
    uint32_t victim = tags[last];
    to_front(tags, last, tag);
    return victim;
}

/* Whether a miss in this set comes in as the least recent; leading sets vote. */
static bool adaptive_inserts_last(srv_set_cache *cache, uint32_t set)
{
    uint32_t role = set % DUEL_PERIOD;
    if (role == 0 && cache->duel < DUEL_MAX)
        cache->duel++;
    if (role == DUEL_PERIOD / 2 && cache->duel > -DUEL_MAX)
        cache->duel--;
    bool bimodal = role == DUEL_PERIOD / 2 || (role != 0 && cache->duel > 0);
    return bimodal && srv_random_below(&cache->random, BIMODAL_THROTTLE) != 0;
}

static uint32_t adaptive_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t *last = tags_of(cache, set) + cache->shape.ways - 1;
    if (!adaptive_inserts_last(cache, set) || *last == SRV_TAG_NONE)
        return lru_fill(cache, set, tag);
    uint32_t victim = *last;
    *last = tag;
    return victim;
}

/* --- random -------------------------------------------------------------------------------------
 */

static void random_hit(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    (void)cache, (void)set, (void)way;
}

static uint32_t random_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t ways = cache->shape.ways, *tags = tags_of(cache, set);
    uint32_t way = find(cache, tags, SRV_TAG_NONE);
    if (way >= ways)
        way = srv_random_below(&cache->random, ways);
    uint32_t victim = tags[way];
    tags[way] = tag;
    return victim;
}

/* --- tree-PLRU ----------------------------------------------------------------------------------
 */

/* A node over the ways low..high-1 parts them at m, the larger half first; every m in 1..ways-1 is
 * that of one node, so m numbers the nodes for any number of ways. */
static uint32_t parting(uint32_t low, uint32_t high)
{
    return (low + high + 1) / 2;
}

/* A use of a way points all nodes above it to the other side. */
static void plan_tree(srv_set_cache *cache)
{
    for (uint32_t way = 0; way < cache->shape.ways; way++) {
        uint64_t keep = ~UINT64_C(0), point = 0;
        for (uint32_t low = 0, high = cache->shape.ways; high - low > 1;) {
            uint32_t m = parting(low, high);
            keep &= ~(UINT64_C(1) << m);
            if (way < m) {
                point |= UINT64_C(1) << m;
                high = m;
            } else {
                low = m;
            }
        }
        cache->tree_keep[way] = keep;
        cache->tree_set[way] = point;
    }
}

static void tree_hit(srv_set_cache *cache, uint32_t set, uint32_t way)
{
    cache->tree[set] = (cache->tree[set] & cache->tree_keep[way]) | cache->tree_set[way];
}

static uint32_t oldest_in_tree(const srv_set_cache *cache, uint32_t set)
{
    uint32_t low = 0, high = cache->shape.ways;
    while (high - low > 1) {
        uint32_t m = parting(low, high);
        if (cache->tree[set] >> m & 1)
            low = m;
        else
            high = m;
    }
    return low;
}

static uint32_t tree_fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    uint32_t ways = cache->shape.ways, *tags = tags_of(cache, set);
    uint32_t way = find(cache, tags, SRV_TAG_NONE);
    if (way >= ways)
        way = oldest_in_tree(cache, set);
    uint32_t victim = tags[way];
    tags[way] = tag;
    tree_hit(cache, set, way);
    return victim;
}

static const policy policies[SRV_REPLACEMENT_COUNT] = {
    [SRV_REPLACE_LRU] = {ordered_hit, lru_fill, true},
    [SRV_REPLACE_PLRU] = {tree_hit, tree_fill, false},
    [SRV_REPLACE_RANDOM] = {random_hit, random_fill, false},
    [SRV_REPLACE_ADAPTIVE] = {ordered_hit, adaptive_fill, true},
};

/* --- uses ---------------------------------------------------------------------------------------
 */

static uint32_t fill(srv_set_cache *cache, uint32_t set, uint32_t tag)
{
    cache->used[set / BLOCK_SETS] = 1;
    uint32_t victim = cache->policy->fill(cache, set, tag);
    return victim == FOREIGN ? SRV_TAG_NONE : victim;
}

bool srv_set_cache_touch(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t set = set_of(cache, index), way = find(cache, tags_of(cache, set), tag);
    bool hit = way < cache->shape.ways;
    if (hit)
        cache->policy->hit(cache, set, way);
    return hit;
}

bool srv_set_cache_access(srv_set_cache *cache, uint32_t index, uint32_t tag, uint32_t *victim)
{
    uint32_t set = set_of(cache, index), way = find(cache, tags_of(cache, set), tag);
    bool hit = way < cache->shape.ways;
    *victim = SRV_TAG_NONE;
    if (hit)
        cache->policy->hit(cache, set, way);
    else
        *victim = fill(cache, set, tag);
    return hit;
}

bool srv_set_cache_remove(srv_set_cache *cache, uint32_t index, uint32_t tag)
{
    uint32_t ways = cache->shape.ways, *tags = tags_of(cache, set_of(cache, index));
    uint32_t way = find(cache, tags, tag);
    if (way >= ways)
        return false;
    if (cache->policy->ordered)
        for (; way + 1 < ways; way++)
            tags[way] = tags[way + 1];
    tags[way] = SRV_TAG_NONE;
    return true;
}

/* --- what others do -----------------------------------------------------------------------------
 */

/* All that was there is gone; the tags of ours go to victims. */
static uint32_t forget(srv_set_cache *cache, uint32_t set, uint32_t *victims)
{
    uint32_t n = 0, *tags = tags_of(cache, set);
    cache->used[set / BLOCK_SETS] = 1;
    for (uint32_t way = 0; way < cache->shape.ways; way++) {
        if (tags[way] != SRV_TAG_NONE && tags[way] != FOREIGN)
            victims[n++] = tags[way];
        tags[way] = FOREIGN;
    }
    return n;
}

/* Time between two foreign lines in one set: they come by chance, independent of each other. */
static double pause_of(srv_set_cache *cache)
{
    double mean = cache->shape.turnover_ns / cache->shape.ways;
    return -log(1 - srv_random_unit(&cache->random)) * mean;
}

uint32_t srv_set_cache_turn_over(srv_set_cache *cache, uint32_t index, double now_ns,
                                 uint32_t *victims)
{
    uint32_t set = set_of(cache, index), n = 0;
    double *due = &cache->foreign_ns[set];
    if (*due == 0 || now_ns - *due > FORGOTTEN * cache->shape.turnover_ns) {
        n = forget(cache, set, victims);
        *due = now_ns + pause_of(cache);
    }
    for (; *due <= now_ns; *due += pause_of(cache)) {
        uint32_t victim = fill(cache, set, FOREIGN);
        if (victim != SRV_TAG_NONE)
            victims[n++] = victim;
    }
    return n;
}

/* --- life ---------------------------------------------------------------------------------------
 */

static uint32_t mask_of(uint32_t count)
{
    return (count & (count - 1)) == 0 ? count - 1 : 0;
}

static unsigned bits_of(uint32_t count)
{
    unsigned bits = 0;
    while (count >> bits > 1)
        bits++;
    return bits;
}

static size_t blocks_of(const srv_set_cache *cache)
{
    return ((size_t)cache->shape.sets + BLOCK_SETS - 1) / BLOCK_SETS;
}

static bool allocate(srv_set_cache *cache)
{
    const srv_set_cache_shape *shape = &cache->shape;
    bool allocated =
        (cache->tags = calloc((size_t)shape->sets * cache->stride, sizeof *cache->tags));
    allocated = (cache->used = calloc(blocks_of(cache), 1)) && allocated;
    if (shape->replacement == SRV_REPLACE_PLRU)
        allocated = (cache->tree = calloc(shape->sets, sizeof *cache->tree)) && allocated;
    if (shape->turnover_ns > 0)
        allocated =
            (cache->foreign_ns = calloc(shape->sets, sizeof *cache->foreign_ns)) && allocated;
    return allocated;
}

int srv_set_cache_create(srv_set_cache **cache, const srv_set_cache_shape *shape, uint64_t seed,
                         servet_error *error)
{
    bool tree = shape->replacement == SRV_REPLACE_PLRU;
    if (tree && shape->ways > SRV_PLRU_WAYS_MAX)
        return srv_fail(error, SERVET_EUNSUPPORTED, "tree-PLRU over %u ways, at most %d",
                        (unsigned)shape->ways, SRV_PLRU_WAYS_MAX);
    srv_set_cache *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    made->shape = *shape;
    made->policy = &policies[shape->replacement];
    made->stride = (shape->ways + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    made->slice_sets = shape->sets / shape->slices;
    made->set_mask = mask_of(made->slice_sets);
    made->set_bits = bits_of(made->slice_sets);
    made->slice_mask = mask_of(shape->slices);
    made->random = seed;
    if (tree)
        plan_tree(made);
    if (!allocate(made)) {
        srv_set_cache_destroy(made);
        return srv_fail_memory(error);
    }
    *cache = made;
    return SERVET_OK;
}

void srv_set_cache_destroy(srv_set_cache *cache)
{
    if (!cache)
        return;
    free(cache->tags);
    free(cache->used);
    free(cache->tree);
    free(cache->foreign_ns);
    free(cache);
}

static void flush_block(srv_set_cache *cache, size_t block)
{
    size_t first = block * BLOCK_SETS, stride = cache->stride;
    size_t sets = cache->shape.sets - first < BLOCK_SETS ? cache->shape.sets - first : BLOCK_SETS;
    memset(cache->tags + first * stride, 0, sets * stride * sizeof *cache->tags);
    if (cache->tree)
        memset(cache->tree + first, 0, sets * sizeof *cache->tree);
    if (cache->foreign_ns)
        memset(cache->foreign_ns + first, 0, sets * sizeof *cache->foreign_ns);
    cache->used[block] = 0;
}

void srv_set_cache_flush(srv_set_cache *cache, uint64_t seed)
{
    for (size_t block = 0; block < blocks_of(cache); block++)
        if (cache->used[block])
            flush_block(cache, block);
    cache->duel = 0;
    cache->random = seed;
}

const srv_set_cache_shape *srv_set_cache_shape_of(const srv_set_cache *cache)
{
    return &cache->shape;
}
