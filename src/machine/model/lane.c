/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/lane.h"

/* fmax() is a call into another library, here in every load. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- caches -------------------------------------------------------------------------------------
 */

/* What one cache evicts comes into the next one, if that is filled so, and pushes out another. */
static void spill(const srv_lane *lane, int level, uint64_t evicted, double now_ns)
{
    for (; level < lane->depth && evicted != SRV_NO_LINE && lane->path[level]->by_eviction; level++)
        srv_instance_use(lane->path[level], evicted, evicted, now_ns, &evicted);
}

/* Brings a line into the caches from `level` on. Returns where it was; lane->depth means memory. */
static int fetch(const srv_lane *lane, int level, uint64_t virtual, uint64_t physical,
                 double now_ns)
{
    uint64_t evicted;
    bool found = srv_instance_use(lane->path[level], virtual, physical, now_ns, &evicted);
    while (!found && ++level < lane->depth) {
        srv_instance *at = lane->path[level];
        if (at->by_eviction) {
            found = srv_instance_take(at, physical, now_ns);
            spill(lane, level, evicted, now_ns);
            evicted = SRV_NO_LINE;
        } else {
            found = srv_instance_use(at, virtual, physical, now_ns, &evicted);
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
static void prefetch(srv_lane *lane, int found, uint64_t virtual, uint64_t physical, double now_ns)
{
    int64_t offsets[SRV_PREFETCH_LINES_MAX];
    for (int i = 0; i < lane->prefetcher_count; i++) {
        int level = lane->prefetch_level[i];
        if (found < level)
            continue;
        int count = srv_prefetcher_see(&lane->prefetcher[i], virtual, offsets);
        for (int k = 0; k < count; k++) {
            if (queue_ns(lane, now_ns) > lane->latency_ns[lane->depth])
                return;
            uint64_t offset = (uint64_t)offsets[k];
            if (fetch(lane, level, virtual + offset, physical + offset, now_ns) == lane->depth)
                occupy(lane, now_ns);
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

double srv_lane_load(srv_lane *lane, uint64_t address, double now_ns)
{
    uint64_t physical;
    double ns = translate(lane, address, &physical);
    int found = fetch(lane, 0, address, physical, now_ns);
    ns += wait_ns(lane, found, now_ns);
    if (lane->prefetcher_count > 0)
        prefetch(lane, found, address, physical, now_ns);
    return ns;
}

double srv_lane_bring(srv_lane *lane, uint64_t address, double now_ns)
{
    size_t page = srv_space_page(&lane->space, address);
    uint64_t physical = srv_space_physical(&lane->space, page, address);
    return wait_ns(lane, fetch(lane, 0, address, physical, now_ns), now_ns);
}

double srv_lane_translate(srv_lane *lane, uint64_t address)
{
    uint64_t physical;
    return translate(lane, address, &physical);
}
