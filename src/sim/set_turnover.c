/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates turnover: foreign lines that other work inserts into a shared cache. */
#include <math.h>

#include "sim/set_cache.h"

/* Turnover times after which no line is left, under any policy: e^-16. */
static const double FORGOTTEN = 16;

/* Evicts all lines; the tags of own lines go to victims. */
static uint32_t forget(srv_set_cache *cache, uint32_t set, uint32_t *victims)
{
    uint32_t n = 0, *tags = srv_tags_of(cache, set);
    cache->used[set / SRV_BLOCK_SETS] = 1;
    for (uint32_t way = 0; way < cache->shape.ways; way++) {
        if (tags[way] != SRV_TAG_NONE && tags[way] != SRV_TAG_FOREIGN)
            victims[n++] = tags[way];
        tags[way] = SRV_TAG_FOREIGN;
    }
    return n;
}

/* Time between two foreign lines in one set: independent random arrivals. */
static double pause_of(srv_set_cache *cache)
{
    double mean = cache->shape.turnover_ns / cache->shape.ways;
    return -log(1 - srv_random_unit(&cache->random)) * mean;
}

uint32_t srv_set_cache_turn_over(srv_set_cache *cache, uint32_t index, double now_ns,
                                 uint32_t *victims)
{
    uint32_t set = srv_set_of(cache, index), n = 0;
    double *due = &cache->foreign_ns[set];
    if (*due == 0 || now_ns - *due > FORGOTTEN * cache->shape.turnover_ns) {
        n = forget(cache, set, victims);
        *due = now_ns + pause_of(cache);
    }
    for (; *due <= now_ns; *due += pause_of(cache)) {
        uint32_t victim = srv_set_fill(cache, set, SRV_TAG_FOREIGN);
        if (victim != SRV_TAG_NONE)
            victims[n++] = victim;
    }
    return n;
}
