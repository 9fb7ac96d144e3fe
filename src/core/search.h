/* SPDX-License-Identifier: BSD-3-Clause */
/** Binary search in ordered arrays. */
#ifndef SRV_CORE_SEARCH_H
#define SRV_CORE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/** True if an item comes before the key. */
typedef bool srv_is_before(const void *item, const void *key);

/**
 * Returns how many of `count` items of `size` bytes come before the key: the index of the first one
 * that does not. The items that come before it are the first ones.
 */
static inline int srv_count_before(const void *items, int count, size_t size, srv_is_before *before,
                                   const void *key)
{
    int low = 0;
    while (low < count) {
        int middle = low + (count - low) / 2;
        if (before((const char *)items + (size_t)middle * size, key))
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

#endif
