/* SPDX-License-Identifier: BSD-3-Clause */
/** Arrays that grow by one item at a time. */
#ifndef SRV_CORE_GROW_H
#define SRV_CORE_GROW_H

#include <stdlib.h>

/**
 * The array of `count` items of `bytes` bytes each with room for one more: `items` itself, or moved
 * where `count` is a power of two. Its room is never counted, so it must have grown in this way
 * from nothing. NULL without memory; `items` are then as they were.
 */
static inline void *srv_grow(void *items, size_t count, size_t bytes)
{
    if ((count & (count - 1)) != 0)
        return items;
    return realloc(items, (count > 0 ? 2 * count : 1) * bytes);
}

#endif
