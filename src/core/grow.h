/* SPDX-License-Identifier: BSD-3-Clause */
/** Arrays that grow by one item at a time. */
#ifndef SRV_CORE_GROW_H
#define SRV_CORE_GROW_H

#include <stdlib.h>

/**
 * Returns the array of `count` items of `bytes` bytes each, with room for one more item: `items`
 * itself or, if `count` is a power of two, a larger array. The size of the array is not stored, so
 * all items must have been added by this function. Returns NULL without memory; `items` is then
 * unchanged.
 */
static inline void *srv_grow(void *items, size_t count, size_t bytes)
{
    if ((count & (count - 1)) != 0)
        return items;
    return realloc(items, (count > 0 ? 2 * count : 1) * bytes);
}

#endif
