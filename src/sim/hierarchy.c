/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hierarchy.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/instance.h"
#include "sim/prefetch.h"
#include "sim/sibling.h"
#include "sim/system.h"
#include "sim/translate.h"
#include "machine/order.h"

/* After this many turnover times hardly a line is left (at most e^-2 of a cache without hits). */
static const double TURNOVERS_MAX = 2;

/* Loads after which the watcher is called: 20 ms of work, where a load takes long. */
enum { LOADS_UNWATCHED = 1 << 16 };

/* --- the path of a load: translation, the caches above a PU, the links to memory -------------- */

enum { LINKS_MAX = SRV_MODEL_DOMAINS_MAX + 1, PORT = -1 };

/* A port, bus or controller between cores and memory; several paths may share one. */
typedef struct link_to_memory {
    double *free_ns; /* time at which it has carried all requests so far */
    int domain;      /* the model's, or PORT: of a core */
    double ns_per_byte;
} link_to_memory;

typedef struct load_path {
    int depth;
    srv_instance *cache[SRV_MODEL_CACHES_MAX];   /* the nearest cache first */
    double latency_ns[SRV_MODEL_CACHES_MAX + 1]; /* of a hit in each; the last is memory's */
    srv_tlb *tlb;
    srv_space space;
    bool huge;
    double pace; /* relative to the time of others who replace lines, see thinning.h; 1: the real
                    time */
    size_t page; /* of the last load, whose translation is known; SIZE_MAX: none */
    int prefetcher_count;
    srv_prefetcher prefetcher[SRV_MODEL_PREFETCHERS_MAX];
    int prefetch_level[SRV_MODEL_PREFETCHERS_MAX]; /* index in `cache` of what each fills */
    int link_count;
    link_to_memory link[LINKS_MAX];
    double memory_line_bytes; /* that a miss of all caches moves */
    srv_sibling *sibling;     /* of the PU; NULL: none */
} load_path;

/* Resources other than caches that the PUs of a core share. */
typedef struct core {
    srv_tlb tlb;
    double port_free_ns; /* see link_to_memory */
    bool used;
} core;

struct srv_hierarchy {
    const srv_model *model;
    srv_instance *row[SRV_MODEL_CACHES_MAX];       /* the instances of each row */
    core *cores;                                   /* numbered by their first PUs */
    load_path **path;                              /* of each PU; NULL until it enters */
    double *domain_free_ns[SRV_MODEL_DOMAINS_MAX]; /* of each instance of each domain */
    srv_sibling *siblings;                         /* of each PU; NULL: there are none */
    srv_frames frames;
    uint64_t seed;
    int (*call)(void *context); /* see srv_hierarchy_watch(); NULL: there is no watcher */
    void *context;
    int unwatched; /* loads since it was called */
    bool ended;
};

static int domain_instances(const srv_model *model, int domain)
{
    return (model->pu_count + model->domain[domain].pus - 1) / model->domain[domain].pus;
}

static int cache_instances(const srv_model *model, int row)
{
    const srv_model_cache *cache = &model->cache[row];
    return (cache->pu_count > 0 ? cache->pu_count : model->pu_count) / cache->pus_per_instance;
}

/* Each cache has its own random numbers, independent of the order in which caches come into use. */
static uint64_t seed_of(const srv_hierarchy *hierarchy, int row, int number)
{
    return srv_mix(hierarchy->seed + ((uint64_t)row << 32) + (uint64_t)number);
}

/* --- entering --------------------------------------------------------------------------------- */

/* Adds a cache to the path, behind those of smaller levels. */
static void add_to_path(load_path *path, srv_instance *at, double latency_ns)
{
    int level = path->depth++;
    for (; level > 0 && path->cache[level - 1]->row->level > at->row->level; level--) {
        path->cache[level] = path->cache[level - 1];
        path->latency_ns[level] = path->latency_ns[level - 1];
    }
    path->cache[level] = at;
    path->latency_ns[level] = latency_ns;
}

static int find_path(srv_hierarchy *hierarchy, load_path *path, int pu, servet_error *error)
{
    const srv_model *model = hierarchy->model;
    double ghz = srv_system_ghz(model, pu);
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *row = &model->cache[i];
        if (!srv_system_covers(model, row, pu))
            continue;
        int number = (pu - row->first_pu) / row->pus_per_instance, code = SERVET_OK;
        srv_instance *at = &hierarchy->row[i][number];
        if (!at->cache)
            code = srv_instance_start(at, row, model->machine.page_bytes,
                                      srv_sibling_turnover_ns(&model->noise.sibling, row, ghz),
                                      seed_of(hierarchy, i, number), error);
        if (code != SERVET_OK)
            return code;
        add_to_path(path, at, row->latency_cycles / ghz);
    }
    if (path->depth == 0)
        return srv_fail(error, SERVET_EUNSUPPORTED, "PU %d has no cache", pu);
    return SERVET_OK;
}

static void add_link(load_path *path, double *free_ns, int domain, double bytes_per_second)
{
    if (bytes_per_second > 0)
        path->link[path->link_count++] = (link_to_memory){free_ns, domain, 1e9 / bytes_per_second};
}

/* Adds the links to the memory of a NUMA node: the port of the core, then buses and controllers. */
static void find_memory(srv_hierarchy *hierarchy, load_path *path, int pu, int node)
{
    const srv_model *model = hierarchy->model;
    const srv_model_remote *remote = srv_numa_remote(model, pu, node);
    path->memory_line_bytes = path->cache[path->depth - 1]->row->line_bytes;
    path->latency_ns[path->depth] = remote ? remote->latency_ns : model->memory_latency_ns;
    path->link_count = 0;
    add_link(path, &hierarchy->cores[srv_system_core(model, pu)].port_free_ns, PORT,
             remote ? remote->core_bytes_per_second : srv_system_memory_rate(model, pu));
    for (int i = 0; i < model->domain_count; i++)
        add_link(path, &hierarchy->domain_free_ns[i][srv_numa_domain(model, i, pu, node)], i,
                 model->domain[i].bytes_per_second);
}

static int find_tlb(srv_hierarchy *hierarchy, load_path *path, int pu, servet_error *error)
{
    const srv_model *model = hierarchy->model;
    core *own = &hierarchy->cores[srv_system_core(model, pu)];
    path->tlb = &own->tlb;
    if (own->used)
        return SERVET_OK;
    int code = srv_tlb_init(&own->tlb, model, srv_system_ghz(model, pu), error);
    if (code != SERVET_OK)
        srv_tlb_finish(&own->tlb);
    own->used = code == SERVET_OK;
    return code;
}

static int open_path(srv_hierarchy *hierarchy, int pu, servet_error *error)
{
    load_path *path = calloc(1, sizeof *path);
    if (!path)
        return srv_fail_memory(error);
    int code = find_path(hierarchy, path, pu, error);
    for (int lower = 1; lower < path->depth; lower++)
        for (int upper = 0; upper < lower && code == SERVET_OK; upper++)
            code = srv_instance_add_above(path->cache[lower], path->cache[upper], error);
    if (code == SERVET_OK)
        code = find_tlb(hierarchy, path, pu, error);
    if (code != SERVET_OK) {
        free(path);
        return code;
    }
    find_memory(hierarchy, path, pu, srv_numa_of(hierarchy->model, pu));
    path->sibling = srv_hierarchy_sibling(hierarchy, pu);
    hierarchy->path[pu] = path;
    return SERVET_OK;
}

static void start_prefetchers(const srv_model *model, load_path *path)
{
    path->prefetcher_count = 0;
    for (int i = 0; i < model->prefetcher_count; i++) {
        int level = 0;
        while (level < path->depth && path->cache[level]->row->level != model->prefetcher[i].level)
            level++;
        if (level == path->depth)
            continue;
        int n = path->prefetcher_count++;
        path->prefetch_level[n] = level;
        srv_prefetcher_init(&path->prefetcher[n], &model->prefetcher[i],
                            path->cache[level]->row->line_bytes, model->machine.page_bytes);
    }
}

int srv_hierarchy_enter(srv_hierarchy *hierarchy, const srv_address_range *range,
                        servet_error *error)
{
    int node, code = srv_numa_requested(hierarchy->model, range->pu, range->node, &node, error);
    if (code == SERVET_OK && !hierarchy->path[range->pu])
        code = open_path(hierarchy, range->pu, error);
    if (code != SERVET_OK)
        return code;
    load_path *path = hierarchy->path[range->pu];
    find_memory(hierarchy, path, range->pu, node);
    path->huge = range->huge && hierarchy->model->huge_bytes > 0;
    path->page = SIZE_MAX;
    path->pace = range->thin > 1 ? (double)range->thin : 1;
    start_prefetchers(hierarchy->model, path);
    return srv_space_map(&path->space, &hierarchy->frames, range->first, range->bytes, range->huge,
                         error);
}

int srv_hierarchy_join(srv_hierarchy *hierarchy, int pu, int other, servet_error *error)
{
    int code = hierarchy->path[pu] ? SERVET_OK : open_path(hierarchy, pu, error);
    if (code != SERVET_OK)
        return code;
    load_path *path = hierarchy->path[pu], *others = hierarchy->path[other];
    path->huge = others->huge;
    path->pace = others->pace;
    path->page = SIZE_MAX;
    find_memory(hierarchy, path, pu, srv_numa_of(hierarchy->model, other));
    start_prefetchers(hierarchy->model, path);
    return srv_space_copy(&path->space, &others->space, error);
}

void srv_hierarchy_share(srv_hierarchy *hierarchy, int pu,
                         const double share[SRV_MODEL_DOMAINS_MAX])
{
    load_path *path = hierarchy->path[pu];
    for (int i = 0; i < path->link_count; i++)
        if (path->link[i].domain != PORT)
            path->link[i].ns_per_byte *= share[path->link[i].domain];
}

/* fmax() is a call into another library, here in every load. */
static inline double later(double a, double b)
{
    return a > b ? a : b;
}

/* --- caches ----------------------------------------------------------------------------------- */

static inline void push_down(const load_path *path, int level, srv_moment now);

/* Inserts a line that one cache evicted into the next one, if evictions fill that, and so on. */
static void spill(const load_path *path, int level, uint64_t evicted, srv_moment now)
{
    for (; level < path->depth && evicted != SRV_NO_LINE && path->cache[level]->by_eviction;
         level++) {
        srv_instance_use(path->cache[level], evicted, evicted, now, &evicted);
        push_down(path, level, now);
    }
}

/* Inserts lines that other work has just evicted from a cache into the next one in the same way. */
static inline void push_down(const load_path *path, int level, srv_moment now)
{
    const srv_instance *at = path->cache[level];
    for (uint32_t i = 0; at->turns_over && level + 1 < path->depth && i < at->evicted_count; i++)
        spill(path, level + 1, srv_instance_address(at, at->evicted[i]), now);
}

/* Inserts a line into the caches from `level` on. Returns the level that held it; path->depth
 * means memory. */
static int fetch(const load_path *path, int level, uint64_t virtual, uint64_t physical,
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
static double queue_ns(const load_path *path, double now_ns)
{
    double wait = 0;
    for (int i = 0; i < path->link_count; i++)
        wait = later(wait, *path->link[i].free_ns - now_ns);
    return wait;
}

static void occupy(const load_path *path, double now_ns)
{
    for (int i = 0; i < path->link_count; i++) {
        const link_to_memory *link = &path->link[i];
        *link->free_ns =
            later(*link->free_ns, now_ns) + path->memory_line_bytes * link->ns_per_byte;
    }
}

/* --- loads ------------------------------------------------------------------------------------ */

/* Prefetchers observe the loads that miss the caches above. They do not fetch while memory is
 * busy. */
static void prefetch(load_path *path, int found, uint64_t virtual, uint64_t physical, double now_ns,
                     srv_moment now)
{
    int64_t offsets[SRV_PREFETCH_LINES_MAX];
    for (int i = 0; i < path->prefetcher_count; i++) {
        int level = path->prefetch_level[i];
        if (found < level)
            continue;
        int count = srv_prefetcher_see(&path->prefetcher[i], virtual, offsets);
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
static double translate(load_path *path, uint64_t address, uint64_t *physical)
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
static double wait_ns(const load_path *path, int found, double now_ns)
{
    double ns = path->latency_ns[found];
    if (found == path->depth) {
        ns += queue_ns(path, now_ns);
        occupy(path, now_ns);
    }
    return ns;
}

/* The slow-down of a load at `now_ns` by the sibling of the core. */
static double follow(const load_path *path, double now_ns, srv_moment *now)
{
    double slowdown = path->sibling ? srv_sibling_slowdown(path->sibling, now_ns) : 1;
    *now = (srv_moment){now_ns * path->pace, path->sibling ? path->sibling->worked_ns : 0};
    return slowdown;
}

/* Inserts a line without TLBs and prefetchers; returns the level that held it. */
static int bring(const load_path *path, uint64_t address, srv_moment now)
{
    size_t page = srv_space_page(&path->space, address);
    return fetch(path, 0, address, srv_space_physical(&path->space, page, address), now);
}

/* --- probes ----------------------------------------------------------------------------------- */

void srv_hierarchy_watch(srv_hierarchy *hierarchy, int (*call)(void *context), void *context)
{
    hierarchy->call = call;
    hierarchy->context = context;
}

bool srv_hierarchy_ended(const srv_hierarchy *hierarchy)
{
    return hierarchy->ended;
}

static void count_loads(srv_hierarchy *hierarchy, int loads)
{
    hierarchy->unwatched += loads;
    if (hierarchy->unwatched < LOADS_UNWATCHED)
        return;
    hierarchy->unwatched = 0;
    if (hierarchy->call && hierarchy->call(hierarchy->context) != 0)
        hierarchy->ended = true;
}

double srv_hierarchy_load(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns)
{
    load_path *path = hierarchy->path[pu];
    uint64_t physical;
    srv_moment now;
    count_loads(hierarchy, 1);
    double slowdown = follow(path, now_ns, &now);
    double ns = translate(path, address, &physical);
    int found = fetch(path, 0, address, physical, now);
    ns += wait_ns(path, found, now_ns);
    if (path->prefetcher_count > 0)
        prefetch(path, found, address, physical, now_ns, now);
    return ns * slowdown;
}

double srv_hierarchy_bring(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns)
{
    const load_path *path = hierarchy->path[pu];
    srv_moment now;
    count_loads(hierarchy, 1);
    double slowdown = follow(path, now_ns, &now);
    return slowdown * wait_ns(path, bring(path, address, now), now_ns);
}

double srv_hierarchy_bring_alike(srv_hierarchy *hierarchy, int pu, uint64_t address, int count,
                                 double overlap, double now_ns)
{
    const load_path *path = hierarchy->path[pu];
    srv_moment now;
    count_loads(hierarchy, count);
    double slowdown = follow(path, now_ns, &now);
    int found = bring(path, address, now);
    double hit_ns = slowdown * path->latency_ns[found] / overlap;
    bool hits = found < path->depth;
    for (int i = 0; i < count; i++)
        now_ns += hits ? hit_ns : slowdown * wait_ns(path, found, now_ns) / overlap;
    return now_ns;
}

double srv_hierarchy_translate(srv_hierarchy *hierarchy, int pu, uint64_t address)
{
    uint64_t physical;
    return translate(hierarchy->path[pu], address, &physical);
}

bool srv_hierarchy_alike(const srv_hierarchy *hierarchy, int pu, int other)
{
    return hierarchy->path[pu]->cache[0] == hierarchy->path[other]->cache[0];
}

static bool on_path(const load_path *path, const srv_instance *at)
{
    for (int i = 0; i < path->depth; i++)
        if (path->cache[i] == at)
            return true;
    return false;
}

bool srv_hierarchy_keeps(const srv_hierarchy *hierarchy, int pu, int other, uint64_t address)
{
    const load_path *path = hierarchy->path[pu], *others = hierarchy->path[other];
    uint64_t physical =
        srv_space_physical(&path->space, srv_space_page(&path->space, address), address);
    for (int i = 0; i < path->depth && (i == 0 || !on_path(others, path->cache[i])); i++)
        if (srv_instance_holds(path->cache[i], address, physical))
            return true;
    return false;
}

srv_sibling *srv_hierarchy_sibling(const srv_hierarchy *hierarchy, int pu)
{
    return hierarchy->siblings ? &hierarchy->siblings[pu] : NULL;
}

void srv_hierarchy_set_clock(srv_hierarchy *hierarchy, double clock_ns)
{
    for (int i = 0; i < hierarchy->model->pu_count && hierarchy->siblings; i++)
        srv_sibling_leap(&hierarchy->siblings[i], 0, clock_ns);
}

static double reach_of(const srv_model_cache *cache, double ns_per_line)
{
    double kept_ns = TURNOVERS_MAX * cache->turnover_ms * 1e6;
    double lines = kept_ns > 0 ? kept_ns / ns_per_line : INFINITY;
    return fmin(cache->bytes, lines * cache->line_bytes);
}

double srv_hierarchy_reach(const srv_hierarchy *hierarchy, int pu, double overlap)
{
    const srv_model *model = hierarchy->model;
    double bytes = 0;
    for (int i = 0; i < model->cache_count; i++)
        if (srv_system_covers(model, &model->cache[i], pu))
            bytes += reach_of(&model->cache[i], model->memory_latency_ns / overlap);
    return bytes;
}

void srv_hierarchy_flush(srv_hierarchy *hierarchy, uint64_t seed)
{
    const srv_model *model = hierarchy->model;
    hierarchy->seed = seed;
    srv_frames_init(&hierarchy->frames, model, srv_mix(seed));
    for (int i = 0; i < model->cache_count; i++)
        for (int k = 0; k < cache_instances(model, i); k++)
            if (hierarchy->row[i][k].cache)
                srv_set_cache_flush(hierarchy->row[i][k].cache, seed_of(hierarchy, i, k));
    for (int i = 0; i < model->pu_count; i++) {
        srv_tlb_flush(&hierarchy->cores[i].tlb);
        hierarchy->cores[i].port_free_ns = 0;
        if (hierarchy->siblings)
            srv_sibling_stir(&hierarchy->siblings[i], seed);
    }
    for (int i = 0; i < model->domain_count; i++)
        for (int k = 0; k < domain_instances(model, i); k++)
            hierarchy->domain_free_ns[i][k] = 0;
}

/* --- life ------------------------------------------------------------------------------------- */

static bool allocate(srv_hierarchy *hierarchy)
{
    const srv_model *model = hierarchy->model;
    hierarchy->cores = calloc((size_t)model->pu_count, sizeof *hierarchy->cores);
    hierarchy->path = calloc((size_t)model->pu_count, sizeof *hierarchy->path);
    bool allocated = hierarchy->cores && hierarchy->path;
    for (int i = 0; i < model->cache_count; i++) {
        hierarchy->row[i] = calloc((size_t)cache_instances(model, i), sizeof *hierarchy->row[i]);
        allocated = hierarchy->row[i] && allocated;
    }
    for (int i = 0; i < model->domain_count; i++) {
        size_t count = (size_t)domain_instances(model, i);
        hierarchy->domain_free_ns[i] = calloc(count, sizeof *hierarchy->domain_free_ns[i]);
        allocated = hierarchy->domain_free_ns[i] && allocated;
    }
    return allocated;
}

static bool begin_siblings(srv_hierarchy *hierarchy)
{
    const srv_model *model = hierarchy->model;
    const srv_model_sibling *sibling = &model->noise.sibling;
    if (!(sibling->busy > 0))
        return true;
    hierarchy->siblings = calloc((size_t)model->pu_count, sizeof *hierarchy->siblings);
    for (int i = 0; i < model->pu_count && hierarchy->siblings; i++)
        srv_sibling_begin(&hierarchy->siblings[i], sibling, (uint64_t)i);
    return hierarchy->siblings;
}

int srv_hierarchy_create(srv_hierarchy **hierarchy, const srv_model *model, servet_error *error)
{
    srv_hierarchy *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    made->model = model;
    if (!allocate(made) || !begin_siblings(made)) {
        srv_hierarchy_destroy(made);
        return srv_fail_memory(error);
    }
    srv_hierarchy_flush(made, 0);
    *hierarchy = made;
    return SERVET_OK;
}

static void destroy_rows(srv_hierarchy *hierarchy)
{
    const srv_model *model = hierarchy->model;
    for (int i = 0; i < model->cache_count; i++) {
        for (int k = 0; hierarchy->row[i] && k < cache_instances(model, i); k++)
            srv_instance_finish(&hierarchy->row[i][k]);
        free(hierarchy->row[i]);
    }
}

static void destroy_paths(srv_hierarchy *hierarchy)
{
    for (int i = 0; hierarchy->path && i < hierarchy->model->pu_count; i++) {
        if (hierarchy->path[i])
            srv_space_finish(&hierarchy->path[i]->space);
        free(hierarchy->path[i]);
    }
    free(hierarchy->path);
}

void srv_hierarchy_destroy(srv_hierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    destroy_rows(hierarchy);
    destroy_paths(hierarchy);
    for (int i = 0; hierarchy->cores && i < hierarchy->model->pu_count; i++)
        srv_tlb_finish(&hierarchy->cores[i].tlb);
    free(hierarchy->cores);
    for (int i = 0; i < hierarchy->model->domain_count; i++)
        free(hierarchy->domain_free_ns[i]);
    free(hierarchy->siblings);
    free(hierarchy);
}
