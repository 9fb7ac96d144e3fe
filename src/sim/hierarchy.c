/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/hierarchy.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/load_path.h"
#include "sim/numa.h"
#include "sim/system.h"
#include "machine/order.h"

/* After this many turnover times hardly a line is left (at most e^-2 of a cache without hits). */
static const double TURNOVERS_MAX = 2;

/* Loads after which the watcher is called: 20 ms of work, where a load takes long. */
enum { LOADS_UNWATCHED = 1 << 16 };

/* Resources other than caches that the PUs of a core share. */
typedef struct core {
    srv_tlb tlb;
    double port_free_ns; /* see srv_link */
    bool used;
} core;

struct srv_hierarchy {
    const srv_model *model;
    srv_instance *row[SRV_MODEL_CACHES_MAX];       /* the instances of each row */
    core *cores;                                   /* numbered by their first PUs */
    srv_load_path **path;                          /* of each PU; NULL until it enters */
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
static void add_to_path(srv_load_path *path, srv_instance *at, double latency_ns)
{
    int level = path->depth++;
    for (; level > 0 && path->cache[level - 1]->row->level > at->row->level; level--) {
        path->cache[level] = path->cache[level - 1];
        path->latency_ns[level] = path->latency_ns[level - 1];
    }
    path->cache[level] = at;
    path->latency_ns[level] = latency_ns;
}

static int find_path(srv_hierarchy *hierarchy, srv_load_path *path, int pu, servet_error *error)
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

static int relate(const srv_load_path *path, servet_error *error)
{
    int code = SERVET_OK;
    for (int lower = 1; lower < path->depth; lower++)
        for (int upper = 0; upper < lower && code == SERVET_OK; upper++)
            code = srv_instance_add_above(path->cache[lower], path->cache[upper], error);
    return code;
}

static void add_link(srv_load_path *path, double *free_ns, int domain, double bytes_per_second)
{
    if (bytes_per_second > 0)
        path->link[path->link_count++] = (srv_link){free_ns, domain, 1e9 / bytes_per_second};
}

/* Adds the links to the memory of a NUMA node: the port of the core, then buses and controllers. */
static void find_memory(srv_hierarchy *hierarchy, srv_load_path *path, int pu, int node)
{
    const srv_model *model = hierarchy->model;
    const srv_model_remote *remote = srv_numa_remote(model, pu, node);
    path->memory_line_bytes = path->cache[path->depth - 1]->row->line_bytes;
    path->latency_ns[path->depth] = remote ? remote->latency_ns : model->memory_latency_ns;
    path->link_count = 0;
    add_link(path, &hierarchy->cores[srv_system_core(model, pu)].port_free_ns, SRV_LINK_PORT,
             remote ? remote->core_bytes_per_second : model->memory_bytes_per_second_core);
    for (int i = 0; i < model->domain_count; i++)
        add_link(path, &hierarchy->domain_free_ns[i][srv_numa_domain(model, i, pu, node)], i,
                 model->domain[i].bytes_per_second);
}

static int find_tlb(srv_hierarchy *hierarchy, srv_load_path *path, int pu, servet_error *error)
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
    srv_load_path *path = calloc(1, sizeof *path);
    if (!path)
        return srv_fail_memory(error);
    int code = find_path(hierarchy, path, pu, error);
    if (code == SERVET_OK)
        code = relate(path, error);
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

static void start_prefetchers(const srv_model *model, srv_load_path *path)
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
    srv_load_path *path = hierarchy->path[range->pu];
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
    srv_load_path *path = hierarchy->path[pu], *others = hierarchy->path[other];
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
    srv_load_path *path = hierarchy->path[pu];
    for (int i = 0; i < path->link_count; i++)
        if (path->link[i].domain != SRV_LINK_PORT)
            path->link[i].ns_per_byte *= share[path->link[i].domain];
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
    count_loads(hierarchy, 1);
    return srv_load_path_load(hierarchy->path[pu], address, now_ns);
}

srv_load_result srv_hierarchy_last(const srv_hierarchy *hierarchy, int pu)
{
    return hierarchy->path[pu]->last;
}

double srv_hierarchy_again(srv_hierarchy *hierarchy, int pu, const srv_load_result *load,
                           double now_ns)
{
    count_loads(hierarchy, 1);
    return srv_load_path_again(hierarchy->path[pu], load, now_ns);
}

uint64_t srv_hierarchy_contents(const srv_hierarchy *hierarchy, int pu, const uint64_t *address,
                                size_t count)
{
    return srv_load_path_contents(hierarchy->path[pu], address, count);
}

bool srv_hierarchy_is_calm(const srv_hierarchy *hierarchy, int pu, int depth)
{
    return srv_load_path_is_calm(hierarchy->path[pu], depth);
}

unsigned srv_hierarchy_prefetches(const srv_hierarchy *hierarchy, int pu)
{
    return hierarchy->path[pu]->prefetches;
}

double srv_hierarchy_bring(srv_hierarchy *hierarchy, int pu, uint64_t address, double now_ns)
{
    count_loads(hierarchy, 1);
    return srv_load_path_bring(hierarchy->path[pu], address, now_ns);
}

double srv_hierarchy_bring_alike(srv_hierarchy *hierarchy, int pu, uint64_t address, int count,
                                 double overlap, double now_ns)
{
    count_loads(hierarchy, count);
    return srv_load_path_bring_alike(hierarchy->path[pu], address, count, overlap, now_ns);
}

double srv_hierarchy_translate(srv_hierarchy *hierarchy, int pu, uint64_t address)
{
    return srv_load_path_translate(hierarchy->path[pu], address);
}

bool srv_hierarchy_alike(const srv_hierarchy *hierarchy, int pu, int other)
{
    return hierarchy->path[pu]->cache[0] == hierarchy->path[other]->cache[0];
}

static bool on_path(const srv_load_path *path, const srv_instance *at)
{
    for (int i = 0; i < path->depth; i++)
        if (path->cache[i] == at)
            return true;
    return false;
}

bool srv_hierarchy_keeps(const srv_hierarchy *hierarchy, int pu, int other, uint64_t address)
{
    const srv_load_path *path = hierarchy->path[pu], *others = hierarchy->path[other];
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
