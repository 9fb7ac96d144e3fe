/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/load_path.h"

/* fmax() is a call into another library, here in every load. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- caches ----------------------------------------------------------------------------------- */

static inline void push_down(const srv_load_path *path, int level, srv_moment now);

/* Inserts a line that one cache evicted into the next one, if evictions fill that, and so on. */
static void spill(const srv_load_path *path, int level, uint64_t evicted, srv_moment now)
{
    for (; level < path->depth && evicted != SRV_NO_LINE && path->cache[level]->by_eviction;
         level++) {
        srv_instance_use(path->cache[level], evicted, evicted, now, &evicted);
        push_down(path, level, now);
    }
}

static void spill_others(const srv_load_path *path, int level, srv_moment now)
{
    const srv_instance *at = path->cache[level];
    for (uint32_t i = 0; i < at->evicted_count; i++)
        spill(path, level + 1, srv_instance_address(at, at->evicted[i]), now);
}

/* Inserts lines that other work has just evicted from a cache into the next one in the same way. */
static inline void push_down(const srv_load_path *path, int level, srv_moment now)
{
    if (path->cache[level]->turns_over && level + 1 < path->depth)
        spill_others(path, level, now);
}

/* Inserts a line into the caches from `level` on. Returns the level that held it; path->depth
 * means memory. */
static int fetch(const srv_load_path *path, int level, uint64_t virtual, uint64_t physical,
                 srv_moment now)
{
    uint64_t evicted;
    bool found = srv_instance_use(path->cache[level], virtual, physical, now, &evicted);
    push_down(path, level, now);
    while (!found && ++level < path->depth) {
        srv_instance *at = path->cache[level];
        if (at->by_eviction) {
            found = srv_instance_take(at, physical, now);
            push_down(path, level, now);
            spill(path, level, evicted, now);
            evicted = SRV_NO_LINE;
        } else {
            found = srv_instance_use(at, virtual, physical, now, &evicted);
            push_down(path, level, now);
        }
    }
    return level;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The time for which the busiest link to memory delays a request. */
static double queue_ns(const srv_load_path *path, double now_ns)
{
    double wait = 0;
    for (int i = 0; i < path->link_count; i++)
        wait = later(wait, *path->link[i].free_ns - now_ns);
    return wait;
}

static void occupy(const srv_load_path *path, double now_ns)
{
    for (int i = 0; i < path->link_count; i++) {
        const srv_link *link = &path->link[i];
        *link->free_ns =
            later(*link->free_ns, now_ns) + path->memory_line_bytes * link->ns_per_byte;
    }
}

/* --- loads ------------------------------------------------------------------------------------ */

/* Prefetchers observe the loads that miss the caches above. They do not fetch while memory is
 * busy. */
static void prefetch(srv_load_path *path, int found, uint64_t virtual, uint64_t physical,
                     double now_ns, srv_moment now)
{
    int64_t offsets[SRV_PREFETCH_LINES_MAX];
    for (int i = 0; i < path->prefetcher_count; i++) {
        int level = path->prefetch_level[i];
        if (found < level)
            continue;
        int count = srv_prefetcher_see(&path->prefetcher[i], virtual, offsets);
        path->prefetches += (unsigned)count;
        for (int k = 0; k < count; k++) {
            if (queue_ns(path, now_ns) > path->latency_ns[path->depth])
                return;
            uint64_t offset = (uint64_t)offsets[k];
            if (fetch(path, level, virtual + offset, physical + offset, now) == path->depth)
                occupy(path, now_ns);
        }
    }
}

/* Translates a virtual address; returns the time. */
static double translate(srv_load_path *path, uint64_t address, uint64_t *physical)
{
    const srv_space *space = &path->space;
    size_t page = srv_space_page(space, address);
    *physical = srv_space_physical(space, page, address);
    if (page == path->page)
        return 0;
    path->page = page;
    return srv_tlb_use(path->tlb, space->first_page + page, space->frame[page], path->huge);
}

/* Time of a line found at this depth; in memory it waits for earlier requests. */
static double wait_ns(const srv_load_path *path, int found, double now_ns)
{
    double ns = path->latency_ns[found];
    if (found == path->depth) {
        ns += queue_ns(path, now_ns);
        occupy(path, now_ns);
    }
    return ns;
}

/* The slow-down of a load at `now_ns` by the sibling of the core. */
static double follow(const srv_load_path *path, double now_ns, srv_moment *now)
{
    double slowdown = path->sibling ? srv_sibling_slowdown(path->sibling, now_ns) : 1;
    *now = (srv_moment){now_ns * path->pace, path->sibling ? path->sibling->worked_ns : 0};
    return slowdown;
}

double srv_load_path_load(srv_load_path *path, uint64_t address, double now_ns)
{
    uint64_t physical;
    srv_moment now;
    double slowdown = follow(path, now_ns, &now);
    path->last.translation_ns = translate(path, address, &physical);
    path->last.depth = fetch(path, 0, address, physical, now);
    double ns = srv_load_path_again(path, &path->last, now_ns);
    if (path->prefetcher_count > 0)
        prefetch(path, path->last.depth, address, physical, now_ns, now);
    return ns * slowdown;
}

double srv_load_path_again(const srv_load_path *path, const srv_load_result *load, double now_ns)
{
    return load->translation_ns + wait_ns(path, load->depth, now_ns);
}

/* Inserts a line without TLBs and prefetchers; returns the level that held it. */
static int bring(const srv_load_path *path, uint64_t address, srv_moment now)
{
    size_t page = srv_space_page(&path->space, address);
    return fetch(path, 0, address, srv_space_physical(&path->space, page, address), now);
}

double srv_load_path_bring(srv_load_path *path, uint64_t address, double now_ns)
{
    srv_moment now;
    double slowdown = follow(path, now_ns, &now);
    return slowdown * wait_ns(path, bring(path, address, now), now_ns);
}

double srv_load_path_bring_alike(srv_load_path *path, uint64_t address, int count, double overlap,
                                 double now_ns)
{
    srv_moment now;
    double slowdown = follow(path, now_ns, &now);
    int found = bring(path, address, now);
    double hit_ns = slowdown * path->latency_ns[found] / overlap;
    bool hits = found < path->depth;
    for (int i = 0; i < count; i++)
        now_ns += hits ? hit_ns : slowdown * wait_ns(path, found, now_ns) / overlap;
    return now_ns;
}

double srv_load_path_translate(srv_load_path *path, uint64_t address)
{
    uint64_t physical;
    return translate(path, address, &physical);
}

/* --- contents --------------------------------------------------------------------------------- */

bool srv_load_path_is_calm(const srv_load_path *path, int depth)
{
    bool calm = !path->sibling;
    for (int i = 0; i < path->depth && i <= depth; i++)
        calm = calm && !path->cache[i]->turns_over;
    return calm;
}

uint64_t srv_load_path_contents(const srv_load_path *path, const uint64_t *address, size_t count)
{
    uint64_t sum = srv_mix_bytes(path->page, path->prefetcher, sizeof path->prefetcher);
    for (size_t i = 0; i < count; i++) {
        size_t page = srv_space_page(&path->space, address[i]);
        uint64_t physical = srv_space_physical(&path->space, page, address[i]);
        for (int k = 0; k < path->depth; k++)
            sum = srv_instance_contents(path->cache[k], address[i], physical, sum);
        sum = srv_tlb_contents(path->tlb, path->space.first_page + page, sum);
    }
    return sum;
}
