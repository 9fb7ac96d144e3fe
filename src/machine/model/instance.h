/* SPDX-License-Identifier: BSD-3-Clause */
/** One cache of the hierarchy and its relations to those above it. */
#ifndef SRV_MODEL_INSTANCE_H
#define SRV_MODEL_INSTANCE_H

#include "machine/model/set_cache.h"

/** The address of no line. */
#define SRV_NO_LINE UINT64_MAX

typedef struct srv_instance srv_instance;

struct srv_instance {
    srv_set_cache *cache; /**< NULL: nobody uses it yet */
    const srv_model_cache *row;
    unsigned line_bits;
    bool by_eviction;     /**< filled by what the caches above evict, not by misses */
    uint32_t alias_sets;  /**< the sets of a line whose virtual address is unknown lie so many
                               apart; 0: there is only one */
    srv_instance **above; /**< the caches above it that are in use */
    int above_count;
    uint32_t *evicted; /**< room for the tags of one set */
};

/** Brings a zeroed instance into use. Errors: those of srv_set_cache_create(). */
int srv_instance_start(srv_instance *at, const srv_model_cache *row, double page_bytes,
                       uint64_t seed, servet_error *error);

/** Frees what it holds; a zeroed one is fine. */
void srv_instance_finish(srv_instance *at);

/** Notes that `upper` lies above `lower`. Errors: SERVET_EMEMORY. */
int srv_instance_add_above(srv_instance *lower, srv_instance *upper, servet_error *error);

/**
 * A use of a line that comes in if it is not there; true if it was. `*evicted` is the physical
 * address of the line that had to go, or SRV_NO_LINE.
 */
bool srv_instance_use(srv_instance *at, uint64_t virtual, uint64_t physical, double now_ns,
                      uint64_t *evicted);

/** A miss above looks for a line in a cache that evictions fill; true if it was there. */
bool srv_instance_take(srv_instance *at, uint64_t physical, double now_ns);

#endif
