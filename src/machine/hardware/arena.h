/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Memory with an explicit page policy, touched first by the thread that will use it. An arena
 * reserves addresses for the largest array, but takes memory only when it is needed.
 */
#ifndef SRV_HARDWARE_ARENA_H
#define SRV_HARDWARE_ARENA_H

#include <stddef.h>

#include "servet/measure.h"

typedef struct srv_arena {
    char *base;         /**< of the usable part; aligned to a huge page at first; NULL: empty */
    size_t bytes;       /**< touched so far, and usable; whole pages */
    size_t room;        /**< bytes that it may grow to */
    servet_pages pages; /**< the requested policy */
    double huge_share;  /**< share of the touched bytes (0..1) that huge pages back; NaN: unknown */
    size_t used;        /**< bytes that were requested since the base was moved */
    size_t skipped;     /**< bytes before the base */
    double reached;     /**< position (0..1) where the last stream ended: what is before it may be
                             in a cache */
    void *mapping;
    size_t mapping_bytes;
} srv_arena;

#define SRV_ARENA_INIT                                                                             \
    {                                                                                              \
        .base = NULL                                                                               \
    }

/**
 * Reserves addresses for up to `room` bytes under the policy: base pages are forced by disabling
 * transparent huge pages, huge ones are requested. Errors: SERVET_EMEMORY.
 */
int srv_arena_init(srv_arena *arena, size_t room, servet_pages pages, servet_error *error);

/**
 * Makes at least `bytes` usable: touches new pages from the calling thread and notes the kind of
 * pages in `huge_share`. Errors: SERVET_EMEMORY (beyond the room).
 */
int srv_arena_grow(srv_arena *arena, size_t bytes, servet_error *error);

/**
 * Moves the base behind the bytes that were requested, aligned as before, if `room` touched bytes
 * follow there, or else back to the beginning: who uses an arena again gets other pages if it has
 * them.
 */
void srv_arena_move(srv_arena *arena, size_t room);

/** Unmaps. An empty arena is valid. */
void srv_arena_finish(srv_arena *arena);

#endif
