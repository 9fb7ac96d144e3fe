/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/arena_pool.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/nodes.h"

struct srv_pooled_arena {
    srv_arena arena; /* first: who has the arena has this */
    int node, home;  /* the requested node; where there is none, that of the core */
    bool taken;
    srv_pooled_arena *next;
};

/* True if an arena is free, and its pages are where and what the request wants. */
static bool is_alike(const srv_pooled_arena *one, const srv_arena_request *request, int home)
{
    return !one->taken && one->node == request->node && one->home == home &&
           one->arena.pages == request->pages;
}

static size_t whole_room(const srv_pooled_arena *one)
{
    return one->arena.skipped + one->arena.room;
}

/* Returns the smallest arena that is large enough, NULL: there is none. */
static srv_pooled_arena *find(const srv_arena_pool *pool, const srv_arena_request *request,
                              int home)
{
    srv_pooled_arena *best = NULL;
    for (srv_pooled_arena *one = pool->first; one; one = one->next)
        if (is_alike(one, request, home) && whole_room(one) >= request->room &&
            (double)whole_room(one) <= request->most &&
            (!best || whole_room(one) < whole_room(best)))
            best = one;
    return best;
}

static void unmap(srv_arena_pool *pool, srv_pooled_arena *gone)
{
    srv_pooled_arena **link = &pool->first;
    while (*link != gone)
        link = &(*link)->next;
    *link = gone->next;
    srv_arena_finish(&gone->arena);
    free(gone);
}

/* A new arena takes the place of one that is free and too small or too large: there are never more
 * of a kind than were in use at once. */
static void unmap_alike(srv_arena_pool *pool, const srv_arena_request *request, int home)
{
    srv_pooled_arena *one = pool->first;
    while (one && !is_alike(one, request, home))
        one = one->next;
    if (one)
        unmap(pool, one);
}

static void make_room(srv_arena_pool *pool, size_t room)
{
    double bytes = (double)room;
    for (const srv_pooled_arena *one = pool->first; one; one = one->next)
        bytes += (double)whole_room(one);
    for (srv_pooled_arena *one = pool->first, *next; one && bytes > pool->bytes; one = next) {
        next = one->next;
        if (one->taken)
            continue;
        bytes -= (double)whole_room(one);
        unmap(pool, one);
    }
}

static int map(srv_arena_pool *pool, const srv_arena_request *request, int home,
               srv_pooled_arena **made, servet_error *error)
{
    srv_pooled_arena *one = calloc(1, sizeof *one);
    if (!one)
        return srv_fail_memory(error);
    int code = srv_arena_init(&one->arena, request->room, request->pages, error);
    if (code == SERVET_OK)
        code =
            srv_nodes_place(pool->topology, request->node, one->arena.base, request->room, error);
    if (code != SERVET_OK) {
        srv_arena_finish(&one->arena);
        free(one);
        return code;
    }
    one->node = request->node;
    one->home = home;
    one->next = pool->first;
    pool->first = *made = one;
    return SERVET_OK;
}

int srv_arena_pool_take(srv_arena_pool *pool, const srv_arena_request *request, srv_arena **arena,
                        servet_error *error)
{
    int home = request->node == 0 ? srv_nodes_home(pool->topology, request->core) : -1;
    int code = SERVET_OK;
    pthread_mutex_lock(&pool->lock);
    srv_pooled_arena *one = find(pool, request, home);
    if (!one) {
        unmap_alike(pool, request, home);
        make_room(pool, request->room);
        code = map(pool, request, home, &one, error);
    }
    if (code == SERVET_OK) {
        srv_arena_move(&one->arena, request->room);
        one->taken = true;
        *arena = &one->arena;
    }
    pthread_mutex_unlock(&pool->lock);
    return code;
}

int srv_arena_pool_fill(srv_arena_pool *pool, const srv_arena_request *request, double bytes,
                        srv_arena **arena, servet_error *error)
{
    if (bytes > request->most)
        return srv_fail(error, SERVET_EMEMORY, "%.0f MiB are more than this job may use (%.0f MiB)",
                        bytes / (1 << 20), request->most / (1 << 20));
    int code = *arena ? SERVET_OK : srv_arena_pool_take(pool, request, arena, error);
    if (code == SERVET_OK)
        code = srv_arena_grow(*arena, (size_t)bytes, error);
    return code == SERVET_OK ? srv_nodes_check(pool->topology, request->node, (*arena)->base,
                                               (size_t)bytes, error)
                             : code;
}

void srv_arena_pool_give(srv_arena_pool *pool, srv_arena **arena)
{
    if (!*arena)
        return;
    pthread_mutex_lock(&pool->lock);
    ((srv_pooled_arena *)(void *)*arena)->taken = false;
    pthread_mutex_unlock(&pool->lock);
    *arena = NULL;
}

void srv_arena_pool_init(srv_arena_pool *pool, srv_topology *topology, double bytes)
{
    *pool = (srv_arena_pool){.topology = topology, .bytes = bytes};
    pthread_mutex_init(&pool->lock, NULL);
}

void srv_arena_pool_finish(srv_arena_pool *pool)
{
    if (pool->topology)
        pthread_mutex_destroy(&pool->lock);
    while (pool->first)
        unmap(pool, pool->first);
    pool->topology = NULL;
}
