/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts about the caches of a core. */
#ifndef SRV_FACTS_CACHE_RESULT_H
#define SRV_FACTS_CACHE_RESULT_H

#include "servet/node.h"

/** All cache facts of one core. */
typedef struct srv_cache_facts {
    servet_cache cache[SERVET_CACHE_LEVELS_MAX];
    int count;
    double reached_bytes;    /**< largest working set there was time for */
    double unseen_bytes;     /**< largest reported cache that matches no level; 0: none */
    double doubtful_bytes;   /**< a level whose size is not trusted, and that the OS, which reports
                                others, does not report or reports as smaller; 0: none */
    double translated_bytes; /**< largest span whose translation there was time to measure; 0: no
                                part of the method */
    bool may_hide_cache;     /**< memory may be a cache that the OS does not report */
    servet_value memory_latency; /**< s */
    servet_value frequency;      /**< of the core while it was measured; Hz */
    servet_value huge_share;     /**< of the arrays (0..1), on huge pages */
} srv_cache_facts;

#endif
