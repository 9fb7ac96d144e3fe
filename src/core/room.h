/* SPDX-License-Identifier: BSD-3-Clause */
/** Arrays that are freed together. */
#ifndef SRV_CORE_ROOM_H
#define SRV_CORE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/** A zeroed one has no arrays. */
typedef struct srv_room {
    struct srv_taken *last; /**< array; it knows the one before */
    bool failed;            /**< memory was short for one of them */
} srv_room;

/** An array of `count` items of `size` bytes, all zero; NULL without memory. srv_room_free() frees
 * it. */
void *srv_room_take(srv_room *room, size_t count, size_t size);

/** Frees all arrays, and leaves none. */
void srv_room_free(srv_room *room);

#endif
