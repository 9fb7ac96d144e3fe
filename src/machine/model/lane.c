/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/lane.h"

/* fmax() is a call into another library, here in every load. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- caches -------------------------------------------------------------------------------------
 */

static void push_down(const srv_lane *lane, int level, srv_moment now);

/* What one cache evicts comes into the next one, if that is filled so, and pushes out another. */
static void spill(const srv_lane *lane, int level, uint64_t evicted, srv_moment now)
{
    for (; level < lane->depth && evicted != SRV_NO_LINE && lane->path[level]->by_eviction;
         level++) {
        srv_instance_use(lane->path[level], evicted, evicted, now, &evicted);
        push_down(lane, level, now);
    }
}

/* What others have just pushed out of a cache comes into the next one in the same way. */
static void push_down(const srv_lane *lane, int level, srv_moment now)
{
    const srv_instance *at = lane->path[level];
    if (!at->turns_over || level + 1 == lane->depth)
        return;
    for (uint32_t i = 0; i < at->evicted_count; i++)
        spill(lane, level + 1, srv_instance_address(at, at->evicted[i]), now);
}

/* Brings a line into the caches from `level` on. Returns where it was; lane->depth means memory. */
static int fetch(const srv_lane *lane, int level, uint64_t virtual, uint64_t physical,
                 srv_moment now)
{
    uint64_t evicted;
    bool found = srv_instance_use(lane->path[level], virtual, physical, now, &evicted);
    push_down(lane, level, now);
    while (!found && ++level < lane->depth) {
        srv_instance *at = lane->path[level];
        if (at->by_eviction) {
            found = srv_instance_take(at, physical, now);
            push_down(lane, level, now);
            spill(lane, level, evicted, now);
            evicted = SRV_NO_LINE;
        } else {
            found = srv_instance_use(at, virtual, physical, now, &evicted);
            push_down(lane, level, now);
        }
    }
    return level;
}

/* --- memory -------------------------------------------------------------------------------------
 */

/* How long the busiest link on the way to memory lets a request wait. */
static double queue_ns(const srv_lane *lane, double now_ns)
{
    double wait = 0;
    for (int i = 0; i < lane->link_count; i++)
        wait = later(wait, *lane->link[i].free_ns - now_ns);
    return wait;
}

static void occupy(const srv_lane *lane, double now_ns)
{
    for (int i = 0; i < lane->link_count; i++) {
        const srv_link *link = &lane->link[i];
        *link->free_ns =
            later(*link->free_ns, now_ns) + lane->memory_line_bytes * link->ns_per_byte;
    }
}

/* --- loads --------------------------------------------------------------------------------------
 */

/* Prefetchers see what misses the caches above theirs. They give way when memory is busy. */
static void prefetch(srv_lane *lane, int found, uint64_t virtual, uint64_t physical, srv_moment now)
{
    int64_t offsets[SRV_PREFETCH_LINES_MAX];
    for (int i = 0; i < lane->prefetcher_count; i++) {
        int level = lane->prefetch_level[i];
        if (found < level)
            continue;
        int count = srv_prefetcher_see(&lane->prefetcher[i], virtual, offsets);
        for (int k = 0; k < count; k++) {
            if (queue_ns(lane, now.now_ns) > lane->latency_ns[lane->depth])
                return;
            uint64_t offset = (uint64_t)offsets[k];
            if (fetch(lane, level, virtual + offset, physical + offset, now) == lane->depth)
                occupy(lane, now.now_ns);
        }
    }
}

/* The virtual address becomes a physical one; returns what that takes. */
static double translate(srv_lane *lane, uint64_t address, uint64_t *physical)
{
    const srv_space *space = &lane->space;
    size_t page = srv_space_page(space, address);
    *physical = srv_space_physical(space, page, address);
    if (page == lane->page)
        return 0;
    lane->page = page;
    return srv_tlb_use(lane->tlb, space->first_page + page, space->frame[page], lane->huge);
}

/* What a line found at this depth takes; memory makes it wait for those before. */
static double wait_ns(srv_lane *lane, int found, double now_ns)
{
    double ns = lane->latency_ns[found];
    if (found == lane->depth) {
        ns += queue_ns(lane, now_ns);
        occupy(lane, now_ns);
    }
    return ns;
}

/* How much longer than alone a load takes at `now_ns`, for the sibling of the core. */
static double follow(const srv_lane *lane, double now_ns, srv_moment *now)
{
    double slowdown = lane->sibling ? srv_sibling_slowdown(lane->sibling, now_ns) : 1;
    *now = (srv_moment){now_ns, lane->sibling ? lane->sibling->worked_ns : 0};
    return slowdown;
}

double srv_lane_load(srv_lane *lane, uint64_t address, double now_ns)
{
    uint64_t physical;
    srv_moment now;
    double slowdown = follow(lane, now_ns, &now), ns = translate(lane, address, &physical);
    int found = fetch(lane, 0, address, physical, now);
    ns += wait_ns(lane, found, now_ns);
    if (lane->prefetcher_count > 0)
        prefetch(lane, found, address, physical, now);
    return ns * slowdown;
}

double srv_lane_bring(srv_lane *lane, uint64_t address, double now_ns)
{
    srv_moment now;
    double slowdown = follow(lane, now_ns, &now);
    size_t page = srv_space_page(&lane->space, address);
    uint64_t physical = srv_space_physical(&lane->space, page, address);
    return slowdown * wait_ns(lane, fetch(lane, 0, address, physical, now), now_ns);
}

double srv_lane_translate(srv_lane *lane, uint64_t address)
{
    uint64_t physical;
    return translate(lane, address, &physical);
}
