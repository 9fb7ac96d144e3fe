/* SPDX-License-Identifier: BSD-3-Clause */
/** One cache of the hierarchy and its relations to those above it. */
#ifndef SRV_MODEL_INSTANCE_H
#define SRV_MODEL_INSTANCE_H

#include "machine/model/set_cache.h"

/** The address of no line. */
#define SRV_NO_LINE UINT64_MAX

/** When a load comes: on the clock of its PU's loads, and how long others who work in bursts have
 * worked until then (sibling.h). */
typedef struct srv_moment {
    double now_ns, worked_ns;
} srv_moment;

typedef struct srv_instance srv_instance;

struct srv_instance {
    srv_set_cache *cache; /**< NULL: not used yet */
    const srv_model_cache *row;
    unsigned line_bits;
    bool by_eviction; /**< filled by what the caches above evict, not by misses */
    bool inclusive, virtually_indexed, turns_over; /**< every load reads them */
    double always, in_bursts; /**< how fast others turn it over: all the time, and while they work;
                                   1 is once in the shape's turnover_ns */
    uint32_t alias_sets;      /**< the sets of a line whose virtual address is unknown lie so many
                                   apart; 0: there is only one */
    srv_instance **above;     /**< the caches above it that are in use */
    int above_count;
    uint32_t *evicted;      /**< room for the tags of one set: */
    uint32_t evicted_count; /**< what others pushed out of it in the last use */
};

/**
 * Brings a zeroed instance into use. Others who work in bursts bring in as many lines as it has
 * places in `burst_ns` of work; 0: they don't use it. Errors: those of srv_set_cache_create().
 */
int srv_instance_start(srv_instance *at, const srv_model_cache *row, double page_bytes,
                       double burst_ns, uint64_t seed, servet_error *error);

/** Frees what it holds; a zeroed one is valid. */
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

/** Lets the lines of others come in that were due by `now` in the set of `index`. */
void srv_instance_turn_over(srv_instance *at, uint32_t index, srv_moment now);

/** What an inclusive cache has evicted leaves the caches above it, too. */
void srv_instance_expel(const srv_instance *from, uint64_t physical);

/**
 * A use of a line that comes in if it is not there; true if it was. `*evicted` is the physical
 * address of the line that had to go, or SRV_NO_LINE.
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

/** Whether a line is there. */
static inline bool srv_instance_holds(const srv_instance *at, uint64_t virtual, uint64_t physical)
{
    uint64_t address = at->virtually_indexed ? virtual : physical;
    return srv_set_cache_holds(at->cache, (uint32_t)(address >> at->line_bits),
                               srv_instance_tag(at, physical));
}

/** A miss above looks for a line in a cache that evictions fill; true if it was there. */
bool srv_instance_take(srv_instance *at, uint64_t physical, srv_moment now);

#endif
