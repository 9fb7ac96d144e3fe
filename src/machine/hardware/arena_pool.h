/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Arenas that are used again: the system clears each page that a program touches first, which for
 * fresh arenas in each probe took longer than many of the probes. An arena is only given to threads
 * near the memory that it was touched on.
 */
#ifndef SRV_HARDWARE_ARENA_POOL_H
#define SRV_HARDWARE_ARENA_POOL_H

#include <pthread.h>

#include "machine/hardware/arena.h"
#include "machine/hardware/topology.h"

typedef struct srv_pooled_arena srv_pooled_arena;

typedef struct srv_arena_pool {
    srv_topology *topology;
    double bytes; /**< that all arenas together may take */
    pthread_mutex_t lock;
    srv_pooled_arena *first;
} srv_arena_pool;

typedef struct srv_arena_request {
    int core; /**< OS number of the PU that the calling thread is bound to */
    int node; /**< as in srv_nodes_place() */
    servet_pages pages;
    size_t room; /**< bytes that the arena must be able to grow to */
    double most; /**< bytes that it may have at most: the caller's part of the pool */
} srv_arena_request;

/** Begins without memory. The topology must stay valid. */
void srv_arena_pool_init(srv_arena_pool *pool, srv_topology *topology, double bytes);

/**
 * Lends an arena. Its pages were first touched by threads near the same memory, or are untouched.
 * Idle arenas are unmapped where the pool would take too much. Threads may call this at the same
 * time. Errors: SERVET_EMEMORY, those of srv_nodes_place().
 */
int srv_arena_pool_take(srv_arena_pool *pool, const srv_arena_request *request, srv_arena **arena,
                        servet_error *error);

/**
 * Makes `bytes` of an arena usable, on the requested node; where `*arena` is NULL, it takes one.
 * Errors: SERVET_EMEMORY (also for more than request->most), those of srv_nodes_place() and
 * srv_nodes_check().
 */
int srv_arena_pool_fill(srv_arena_pool *pool, const srv_arena_request *request, double bytes,
                        srv_arena **arena, servet_error *error);

/** Takes an arena back, and sets the pointer to NULL. None (NULL) is valid. */
void srv_arena_pool_give(srv_arena_pool *pool, srv_arena **arena);

/** Unmaps all arenas; none may be in use. A zeroed pool is valid. */
void srv_arena_pool_finish(srv_arena_pool *pool);

#endif
