/* SPDX-License-Identifier: BSD-3-Clause */
/** One cache of the hierarchy and its relations to those above it. */
#ifndef SRV_MODEL_INSTANCE_H
#define SRV_MODEL_INSTANCE_H

#include "sim/set_cache.h"

/** The address of no line. */
#define SRV_NO_LINE UINT64_MAX

/**
 * The time of a load for others who replace lines: on the clock of its PU, and the time for which
 * siblings that work in bursts have worked until then (sibling.h).
 */
typedef struct srv_moment {
    double now_ns, worked_ns;
} srv_moment;

typedef struct srv_instance srv_instance;

struct srv_instance {
    srv_set_cache *cache; /**< NULL: not used yet */
    const srv_model_cache *row;
    unsigned line_bits;
    bool by_eviction; /**< filled by evictions of the caches above, not by misses */
    bool inclusive, virtually_indexed, turns_over; /**< every load reads them */
    double always, in_bursts; /**< rates at which other work replaces its lines: all the time, and
                                 while a sibling works; 1 is once in turnover_ns of the shape */
    uint32_t alias_sets;  /**< distance of the sets in which a line of unknown virtual address may
                             be; 0: there is only one */
    srv_instance **above; /**< the caches above it that are in use */
    int above_count;
    uint32_t *evicted;      /**< room for the tags of one set: */
    uint32_t evicted_count; /**< lines that other work evicted from it in the last use */
};

/**
 * Initializes a zeroed instance. Siblings that work in bursts insert as many lines as the cache has
 * places in `burst_ns` of work; 0: they do not use it. Errors: those of srv_set_cache_create().
 */
int srv_instance_start(srv_instance *at, const srv_model_cache *row, double page_bytes,
                       double burst_ns, uint64_t seed, servet_error *error);

/** Frees its memory; a zeroed instance is valid. */
void srv_instance_finish(srv_instance *at);

/** Notes that `upper` lies above `lower`. Errors: SERVET_EMEMORY. */
int srv_instance_add_above(srv_instance *lower, srv_instance *upper, servet_error *error);

/* --- uses ------------------------------------------------------------------------------------- */

/** The number of a line for the cache; see set_cache.h. */
static inline uint32_t srv_instance_tag(const srv_instance *at, uint64_t physical)
{
    return (uint32_t)(physical >> at->line_bits) + 1;
}

static inline uint64_t srv_instance_address(const srv_instance *at, uint32_t tag)
{
    return tag == SRV_TAG_NONE ? SRV_NO_LINE : (uint64_t)(tag - 1) << at->line_bits;
}

/** Inserts the foreign lines that are due by `now` into the set of `index`. */
void srv_instance_turn_over(srv_instance *at, uint32_t index, srv_moment now);

/** Removes a line that an inclusive cache has evicted from the caches above it. */
void srv_instance_expel(const srv_instance *from, uint64_t physical);

/**
 * Uses a line, and inserts it if it is missing; true if it was present. `*evicted` is the physical
 * address of the evicted line, or SRV_NO_LINE.
 */
static inline bool srv_instance_use(srv_instance *at, uint64_t virtual, uint64_t physical,
                                    srv_moment now, uint64_t *evicted)
{
    uint32_t victim,
        index = (uint32_t)((at->virtually_indexed ? virtual : physical) >> at->line_bits);
    if (at->turns_over)
        srv_instance_turn_over(at, index, now);
    bool hit = srv_set_cache_access(at->cache, index, srv_instance_tag(at, physical), &victim);
    *evicted = srv_instance_address(at, victim);
    if (at->inclusive && victim != SRV_TAG_NONE)
        srv_instance_expel(at, *evicted);
    return hit;
}

/** True if a line is present. */
static inline bool srv_instance_holds(const srv_instance *at, uint64_t virtual, uint64_t physical)
{
    uint64_t address = at->virtually_indexed ? virtual : physical;
    return srv_set_cache_holds(at->cache, (uint32_t)(address >> at->line_bits),
                               srv_instance_tag(at, physical));
}

/** Looks up a line, for a miss above, in a cache that evictions fill; true if it was present. */
bool srv_instance_take(srv_instance *at, uint64_t physical, srv_moment now);

#endif
