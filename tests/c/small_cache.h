/* SPDX-License-Identifier: BSD-3-Clause */
/** A cache as textbooks have it, to make answers whose truth is known: sets, ways, LRU or random.
 */
#ifndef SRV_TESTS_SMALL_CACHE_H
#define SRV_TESTS_SMALL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct small_cache {
    int sets, ways;
    bool replaces_at_random;
    uint64_t random;
    uint64_t *tag; /**< of each set, the last used first; 0: empty */
} small_cache;

/** An empty cache, which small_cache_finish() frees. */
small_cache small_cache_of(int sets, int ways, bool replaces_at_random, uint64_t seed);

/** Looks for a tag (not 0) in a set, and puts it there. Whether it was there. */
bool small_cache_visit(small_cache *cache, int set, uint64_t tag);

/** Forgets everything. */
void small_cache_clear(small_cache *cache);

void small_cache_finish(small_cache *cache);

#endif
