/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

typedef struct flow_link {
    double alone, contended; /* capacity for one flow, and for more */
} flow_link;

struct srv_flows {
    flow_link *links;
    int link_count, link_room;
    int *begin; /* index of the first link of each flow in `path`; begin[flow_count] is that of the
                   next flow */
    int flow_count, flow_room;
    int *path;
    int path_count, path_room;
};

/* --- building --------------------------------------------------------------------------------- */

/* The items with room for `more` behind `count`; NULL without memory, and they are as they were. */
static void *reserve(void *items, int *room, int count, int more, size_t size)
{
    if (count + more <= *room)
        return items;
    int wanted = 2 * (count + more);
    void *grown = realloc(items, (size_t)wanted * size);
    *room = grown ? wanted : *room;
    return grown;
}

int srv_flows_create(srv_flows **flows, servet_error *error)
{
    srv_flows *made = calloc(1, sizeof *made);
    if (made)
        made->begin = calloc(1, sizeof *made->begin);
    if (!made || !made->begin) {
        srv_flows_destroy(made);
        return srv_fail_memory(error);
    }
    made->flow_room = 1;
    *flows = made;
    return SERVET_OK;
}

void srv_flows_destroy(srv_flows *flows)
{
    if (!flows)
        return;
    free(flows->links);
    free(flows->begin);
    free(flows->path);
    free(flows);
}

int srv_flows_add_bus(srv_flows *flows, double alone, double contended, int *link,
                      servet_error *error)
{
    flow_link *links =
        reserve(flows->links, &flows->link_room, flows->link_count, 1, sizeof *links);
    if (!links)
        return srv_fail_memory(error);
    flows->links = links;
    *link = flows->link_count++;
    flows->links[*link] = (flow_link){alone, contended};
    return SERVET_OK;
}

int srv_flows_add_link(srv_flows *flows, double capacity, int *link, servet_error *error)
{
    return srv_flows_add_bus(flows, capacity, capacity, link, error);
}

void srv_flows_slow_link(srv_flows *flows, int link, double factor)
{
    flows->links[link].alone /= factor;
    flows->links[link].contended /= factor;
}

int srv_flows_add_flow(srv_flows *flows, double demand, const int *links, int count,
                       servet_error *error)
{
    int own = -1; /* a demand is a private link */
    int *path = reserve(flows->path, &flows->path_room, flows->path_count, count + 1, sizeof *path);
    flows->path = path ? path : flows->path;
    int *begin = reserve(flows->begin, &flows->flow_room, flows->flow_count + 1, 1, sizeof *begin);
    flows->begin = begin ? begin : flows->begin;
    if (!path || !begin)
        return srv_fail_memory(error);
    if (isfinite(demand) && srv_flows_add_link(flows, demand, &own, error) != SERVET_OK)
        return SERVET_EMEMORY;
    if (count > 0)
        memcpy(flows->path + flows->path_count, links, (size_t)count * sizeof *links);
    flows->path_count += count;
    if (own >= 0)
        flows->path[flows->path_count++] = own;
    flows->begin[++flows->flow_count] = flows->path_count;
    return SERVET_OK;
}

/* --- filling ---------------------------------------------------------------------------------- */

/* A link with flows that have no rate yet: its remaining capacity, and its position in the heap. */
typedef struct fill_link {
    double left; /* bytes/s */
    int users;   /* flows without a rate */
    int first;   /* its flows: users_of[first..] */
} fill_link;

/* The heap is ordered by earlier values of the shares. Filling only raises shares, so the share
 * of the head is computed again before it is used. */
typedef struct fill_entry {
    double share;
    int link;
} fill_entry;

typedef struct filling {
    const srv_flows *flows;
    fill_link *links;
    int *users_of;    /* flows by link */
    fill_entry *heap; /* the least share first */
    int heap_count;
    double *rates; /* NaN: not yet */
} filling;

static double share_of(const fill_link *link)
{
    return fmax(link->left, 0) / link->users;
}

static void sink(filling *fill, int at)
{
    fill_entry moved = fill->heap[at];
    for (int child; (child = 2 * at + 1) < fill->heap_count; at = child) {
        if (child + 1 < fill->heap_count && fill->heap[child + 1].share < fill->heap[child].share)
            child++;
        if (fill->heap[child].share >= moved.share)
            break;
        fill->heap[at] = fill->heap[child];
    }
    fill->heap[at] = moved;
}

/* Lists the flows of each link. */
static void index_users(filling *fill)
{
    const srv_flows *flows = fill->flows;
    for (int i = 0; i < flows->path_count; i++)
        fill->links[flows->path[i]].users++;
    for (int link = 0, first = 0; link < flows->link_count; link++) {
        const flow_link *made = &flows->links[link];
        fill->links[link].left = fill->links[link].users > 1 ? made->contended : made->alone;
        fill->links[link].first = first;
        first += fill->links[link].users;
        fill->links[link].users = 0;
    }
    for (int flow = 0; flow < flows->flow_count; flow++)
        for (int i = flows->begin[flow]; i < flows->begin[flow + 1]; i++) {
            fill_link *link = &fill->links[flows->path[i]];
            fill->users_of[link->first + link->users++] = flow;
        }
}

static void heap_links(filling *fill)
{
    for (int link = 0; link < fill->flows->link_count; link++)
        if (fill->links[link].users > 0)
            fill->heap[fill->heap_count++] = (fill_entry){share_of(&fill->links[link]), link};
    for (int at = fill->heap_count / 2 - 1; at >= 0; at--)
        sink(fill, at);
}

static void give(filling *fill, int flow, double rate)
{
    const srv_flows *flows = fill->flows;
    fill->rates[flow] = rate;
    for (int i = flows->begin[flow]; i < flows->begin[flow + 1]; i++) {
        fill_link *link = &fill->links[flows->path[i]];
        link->left -= rate;
        link->users--;
    }
}

/* The link is full: its flows without a rate get its share. */
static void saturate(filling *fill, int number)
{
    const fill_link *link = &fill->links[number];
    double rate = share_of(link);
    for (int i = link->first; link->users > 0; i++)
        if (isnan(fill->rates[fill->users_of[i]]))
            give(fill, fill->users_of[i], rate);
}

static void fill_up(filling *fill)
{
    while (fill->heap_count > 0) {
        fill_entry *head = fill->heap;
        const fill_link *link = &fill->links[head->link];
        double share = link->users > 0 ? share_of(link) : INFINITY;
        if (share <= head->share)
            saturate(fill, head->link);
        if (link->users > 0)
            head->share = share;
        else
            *head = fill->heap[--fill->heap_count];
        sink(fill, 0);
    }
}

int srv_flows_solve(const srv_flows *flows, double *rates, servet_error *error)
{
    size_t links = (size_t)flows->link_count + 1, paths = (size_t)flows->path_count + 1;
    filling fill = {.flows = flows,
                    .links = calloc(links, sizeof *fill.links),
                    .users_of = calloc(paths, sizeof *fill.users_of),
                    .heap = calloc(links, sizeof *fill.heap),
                    .rates = rates};
    bool allocated = fill.links && fill.users_of && fill.heap;
    if (allocated) {
        for (int flow = 0; flow < flows->flow_count; flow++)
            rates[flow] = flows->begin[flow] < flows->begin[flow + 1] ? NAN : INFINITY;
        index_users(&fill);
        heap_links(&fill);
        fill_up(&fill);
    }
    free(fill.links);
    free(fill.users_of);
    free(fill.heap);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}
