/* SPDX-License-Identifier: BSD-3-Clause */
/* Contradictions between counts, groups of PUs and layers. */
#include <math.h>

#include "sim/format.h"

/* --- counts ----------------------------------------------------------------------------------- */

static int check_counts(const srv_model *model, srv_json_path *where)
{
    const servet_machine *machine = &model->machine;
    int packages = machine->package_count, numa = machine->numa_count;
    if (machine->core_count % packages != 0)
        return srv_json_path_fail(srv_model_at(where, "packages", -1, NULL),
                                  "%d packages; their number must divide that of the cores, %d",
                                  packages, machine->core_count);
    if (machine->core_count % numa != 0)
        return srv_json_path_fail(srv_model_at(where, "numa_nodes", -1, NULL),
                                  "%d NUMA nodes; their number must divide that of the cores, %d",
                                  numa, machine->core_count);
    if (model->pu_count % numa != 0)
        return srv_json_path_fail(srv_model_at(where, "numa_nodes", -1, NULL),
                                  "%d NUMA nodes; their number must divide that of the PUs, %d",
                                  numa, model->pu_count);
    if (numa % packages != 0 && packages % numa != 0)
        return srv_json_path_fail(srv_model_at(where, "numa_nodes", -1, NULL),
                                  "%d NUMA nodes and %d packages: one number must divide the other",
                                  numa, packages);
    return SERVET_OK;
}

/* --- groups of neighbours --------------------------------------------------------------------- */

/* Checks groups of `pus` neighbours; `smaller` are those of the previous row (0: this is the
 * first row). */
static int check_group(const srv_model *model, int pus, int smaller, srv_json_path *where)
{
    if (model->pu_count % pus != 0)
        return srv_json_path_fail(where,
                                  "groups of %d PUs; their size must divide the %d PUs of a node",
                                  pus, model->pu_count);
    if (smaller >= pus)
        return srv_json_path_fail(
            where, "groups of %d PUs after groups of %d; order groups by size, smallest first", pus,
            smaller);
    if (smaller && pus % smaller != 0)
        return srv_json_path_fail(
            where, "groups of %d PUs split the previous groups of %d; use a multiple", pus,
            smaller);
    return SERVET_OK;
}

static int check_domain(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_domain *domain = &model->domain[i];
    srv_json_path here = *where;
    srv_model_at(&here, "memory", -1, NULL);
    return check_group(model, domain->pus, i ? domain[-1].pus : 0,
                       srv_model_at(&here, "domains", i, "shared_by"));
}

/* The largest group must be the node; otherwise some pairs of PUs would have no group. */
static int check_whole(const srv_model *model, int pus, srv_json_path *where)
{
    if (pus == model->pu_count)
        return SERVET_OK;
    return srv_json_path_fail(where,
                              "the last groups have %d PUs; they must have all %d PUs of a node",
                              pus, model->pu_count);
}

static int check_remote(const srv_model *model, int i, srv_json_path *where)
{
    int nodes = model->machine.numa_count;
    int smaller = i ? model->remote[i - 1].pus : model->pu_count / nodes;
    srv_json_path here = *where;
    srv_model_at(&here, "memory", -1, NULL);
    if (nodes < 2)
        return srv_json_path_fail(srv_model_at(&here, "remote", -1, NULL),
                                  "remote memory requires several NUMA nodes");
    srv_model_at(&here, "remote", i, "within");
    int code = check_group(model, model->remote[i].pus, smaller, &here);
    if (code == SERVET_OK && i == model->remote_count - 1)
        code = check_whole(model, model->remote[i].pus, &here);
    return code;
}

static int check_distance(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_distance *distance = &model->distance[i];
    srv_json_path here = *where;
    srv_model_at(&here, "line_transfer", i, "within");
    int code = check_group(model, distance->pus, i ? distance[-1].pus : 0, &here);
    if (code == SERVET_OK && i == model->distance_count - 1)
        code = check_whole(model, distance->pus, &here);
    return code;
}

/* --- messages --------------------------------------------------------------------------------- */

static int check_protocols(const srv_model_layer *layer, srv_json_path *where)
{
    if (!layer->protocol_count)
        return srv_json_path_fail(srv_model_at(where, "protocols", -1, NULL),
                                  "there must be at least one protocol");
    if (layer->protocol[0].bytes > 0)
        return srv_json_path_fail(srv_model_at(where, "protocols", 0, "from_bytes"),
                                  "%g; the first protocol must start at 0 bytes",
                                  layer->protocol[0].bytes);
    for (int i = 1; i < layer->protocol_count; i++)
        if (layer->protocol[i].bytes <= layer->protocol[i - 1].bytes)
            return srv_json_path_fail(srv_model_at(where, "protocols", i, "from_bytes"),
                                      "%g; must be more than the %g of the previous protocol",
                                      layer->protocol[i].bytes, layer->protocol[i - 1].bytes);
    return SERVET_OK;
}

/* Checks groups of layer `i`: layers within a node come first, then, for several nodes, the
 * layer between them. */
static int check_layer_group(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_layer *layer = &model->layer[i];
    bool last = i == model->layer_count - 1, several = model->node_count > 1;
    if (!layer->pus && (!several || !last))
        return srv_json_path_fail(where, several ? "the layer between nodes must be the last one"
                                                 : "a layer between nodes requires several nodes");
    if (layer->pus && last && several)
        return srv_json_path_fail(where, "the last layer must be that between nodes");
    if (!layer->pus)
        return i ? check_whole(model, layer[-1].pus, where) : SERVET_OK;
    int code = check_group(model, layer->pus, i ? layer[-1].pus : 0, where);
    return code == SERVET_OK && last ? check_whole(model, layer->pus, where) : code;
}

static int check_layer(const srv_model *model, int i, srv_json_path *where)
{
    srv_json_path here = *where, there = *where;
    int code = check_layer_group(model, i, srv_model_at(&here, "messages", i, "within"));
    srv_model_at(&there, "messages", i, NULL);
    return code == SERVET_OK ? check_protocols(&model->layer[i], &there) : code;
}

/* --- noise ------------------------------------------------------------------------------------ */

/* The simulator cannot distinguish the siblings of PUs that share a cache. */
static int check_sibling(const srv_model *model, srv_json_path *where)
{
    const srv_model_sibling *sibling = &model->noise.sibling;
    srv_json_path here = *where;
    srv_model_at(srv_model_at(&here, "noise", -1, NULL), "sibling", -1, "levels");
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *cache = &model->cache[i];
        if (sibling->busy > 0 && cache->level <= sibling->levels && cache->pus_per_instance > 1)
            return srv_json_path_fail(&here, "%d, but %d PUs share a cache of level %d",
                                      sibling->levels, cache->pus_per_instance, cache->level);
    }
    return SERVET_OK;
}

/* --- accelerators ----------------------------------------------------------------------------- */

static int check_accelerator(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_accelerator *of = &model->accelerator[i];
    int nodes = model->machine.numa_count;
    srv_json_path here = *where;
    if (of->node >= nodes || of->reported >= nodes)
        return srv_json_path_fail(
            srv_model_at(&here, "accelerators", i, of->node >= nodes ? "node" : "reported_node"),
            "%d; the NUMA nodes are 0 to %d", of->node >= nodes ? of->node : of->reported,
            nodes - 1);
    return SERVET_OK;
}

/* --- pages, TLBs and prefetchers -------------------------------------------------------------- */

static int check_pages(const srv_model *model, srv_json_path *where)
{
    double base = model->machine.page_bytes, huge = model->huge_bytes;
    double memory = model->machine.memory_bytes;
    if (!srv_is_power_of_two(base))
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "bytes"),
                                  "%.0f is not a power of two", base);
    if (fmax(base, huge) > memory)
        return srv_json_path_fail(
            srv_model_at(where, "pages", -1, base > memory ? "bytes" : "huge_bytes"),
            "%.0f bytes, more than the %.0f of memory", fmax(base, huge), memory);
    if (huge > 0 && (!srv_is_power_of_two(huge) || huge <= base))
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "huge_bytes"),
                                  "%.0f is not a power of two above the %.0f of a page", huge,
                                  base);
    if (model->placement == SRV_PAGES_HUGE && huge <= 0)
        return srv_json_path_fail(srv_model_at(where, "pages", -1, "placement"),
                                  "placement huge requires huge_bytes");
    return SERVET_OK;
}

static int check_tlb(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_tlb *tlb = &model->tlb[i];
    if (!tlb->ways && tlb->entries > SRV_MODEL_WAYS_MAX)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d entries; a fully associative TLB has at most %d",
                                  tlb->entries, SRV_MODEL_WAYS_MAX);
    if (tlb->ways && tlb->entries % tlb->ways != 0)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d ways; their number must divide the %d entries", tlb->ways,
                                  tlb->entries);
    if (i && tlb->entries <= tlb[-1].entries)
        return srv_json_path_fail(srv_model_at(where, "tlbs", i, "entries"),
                                  "%d entries; must be more than the %d of the level above",
                                  tlb->entries, tlb[-1].entries);
    return SERVET_OK;
}

static int check_prefetcher(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_prefetcher *prefetcher = &model->prefetcher[i];
    bool known = false;
    for (int c = 0; c < model->cache_count; c++)
        known = known || model->cache[c].level == prefetcher->level;
    if (!known)
        return srv_json_path_fail(srv_model_at(where, "prefetchers", i, "level"),
                                  "there is no cache of level %d", prefetcher->level);
    if (prefetcher->type != SRV_PREFETCH_NEXT_LINE && prefetcher->reach_bytes <= 0)
        return srv_json_path_fail(srv_model_at(where, "prefetchers", i, "reach_bytes"),
                                  "missing: required except for next-line");
    return SERVET_OK;
}

static int check_memory(const srv_model *model, srv_json_path *where)
{
    int code = check_pages(model, where);
    for (int i = 0; i < model->tlb_count && code == SERVET_OK; i++)
        code = check_tlb(model, i, where);
    for (int i = 0; i < model->prefetcher_count && code == SERVET_OK; i++)
        code = check_prefetcher(model, i, where);
    return code;
}

int srv_model_check(const srv_model *model, srv_json_path *where)
{
    int code = check_counts(model, where);
    if (code == SERVET_OK)
        code = check_memory(model, where);
    if (code == SERVET_OK)
        code = srv_model_check_caches(model, where);
    for (int i = 0; i < model->domain_count && code == SERVET_OK; i++)
        code = check_domain(model, i, where);
    for (int i = 0; i < model->remote_count && code == SERVET_OK; i++)
        code = check_remote(model, i, where);
    for (int i = 0; i < model->distance_count && code == SERVET_OK; i++)
        code = check_distance(model, i, where);
    for (int i = 0; i < model->layer_count && code == SERVET_OK; i++)
        code = check_layer(model, i, where);
    for (int i = 0; i < model->accelerator_count && code == SERVET_OK; i++)
        code = check_accelerator(model, i, where);
    return code == SERVET_OK ? check_sibling(model, where) : code;
}
