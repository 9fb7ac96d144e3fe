/* SPDX-License-Identifier: BSD-3-Clause */
/* Contradictions between the rows of caches, and with cores, packages and the memory behind. */
#include "sim/format.h"

#include <math.h>

#include "sim/set_cache.h"
#include "sim/system.h"

bool srv_is_power_of_two(double number)
{
    int exponent;
    return number >= 1 && frexp(number, &exponent) == 0.5;
}

static int end_of(const srv_model_cache *cache)
{
    return cache->first_pu + cache->pu_count;
}

/* The number of the PUs first..end-1 that the row covers. */
static int overlap(const srv_model_cache *cache, int first, int end)
{
    int from = cache->first_pu > first ? cache->first_pu : first;
    int to = end_of(cache) < end ? end_of(cache) : end;
    return to > from ? to - from : 0;
}

/* --- one row ---------------------------------------------------------------------------------- */

static int check_size(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_cache *cache = &model->cache[i];
    if (cache->bytes > SRV_MODEL_CACHE_LINES_MAX * cache->line_bytes)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "bytes"),
                                  "more than %.0f lines of %g bytes", SRV_MODEL_CACHE_LINES_MAX,
                                  cache->line_bytes);
    if (cache->bytes > model->machine.memory_bytes)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "bytes"),
                                  "%.0f bytes, more than the %.0f of memory", cache->bytes,
                                  model->machine.memory_bytes);
    /* pages are placed one by one, so a line must not lie in two of them */
    if (cache->line_bytes > model->machine.page_bytes)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "line_bytes"),
                                  "%g bytes, more than the %g of a page", cache->line_bytes,
                                  model->machine.page_bytes);
    return SERVET_OK;
}

static int check_geometry(const srv_model_cache *cache, int i, srv_json_path *where)
{
    double way = cache->line_bytes * cache->ways * cache->slices;
    if (!srv_is_power_of_two(cache->line_bytes))
        return srv_json_path_fail(srv_model_at(where, "caches", i, "line_bytes"),
                                  "%g is not a power of two", cache->line_bytes);
    if (fmod(cache->bytes, way) != 0)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "bytes"),
                                  "%.0f bytes are not a multiple of %d ways x %g bytes x %d slices",
                                  cache->bytes, cache->ways, cache->line_bytes, cache->slices);
    if (cache->replacement == SRV_REPLACE_PLRU && cache->ways > SRV_PLRU_WAYS_MAX)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "ways"),
                                  "%d ways, but tree-plru has at most %d", cache->ways,
                                  SRV_PLRU_WAYS_MAX);
    if (cache->pu_count % cache->pus_per_instance != 0)
        return srv_json_path_fail(srv_model_at(where, "caches", i, "shared_by"),
                                  "groups of %d PUs; their size must divide the number of PUs, %d",
                                  cache->pus_per_instance, cache->pu_count);
    return SERVET_OK;
}

/* --- pairs of rows ---------------------------------------------------------------------------- */

/* True if a border between groups of `outer` runs through a group of `inner`. */
static bool cuts(const srv_model_cache *outer, const srv_model_cache *inner)
{
    for (int at = outer->first_pu; at <= end_of(outer); at += outer->pus_per_instance)
        if (inner->first_pu < at && at < end_of(inner) &&
            (at - inner->first_pu) % inner->pus_per_instance != 0)
            return true;
    return false;
}

static int check_cores(const srv_model *model, int i, srv_json_path *where)
{
    for (int k = 0; k < model->core_type_count; k++) {
        const srv_model_core_type *core_type = &model->core_type[k];
        const srv_model_cache cores = {.first_pu = core_type->first_pu,
                                       .pu_count = core_type->pu_count,
                                       .pus_per_instance = core_type->smt};
        if (cuts(&model->cache[i], &cores))
            return srv_json_path_fail(srv_model_at(where, "caches", i, "shared_by"),
                                      "groups of %d PUs split a core of %d PUs; use a multiple",
                                      model->cache[i].pus_per_instance, core_type->smt);
    }
    return SERVET_OK;
}

/* Groups of neighbours that contain a whole cache. Chipsets with one cache for several packages
 * were built, but operating systems that report caches by package cannot describe them. */
static int check_packages(const srv_model *model, int i, srv_json_path *where)
{
    int pus = model->pu_count / model->machine.package_count;
    const srv_model_cache packages = {.pu_count = model->pu_count, .pus_per_instance = pus};
    if (!cuts(&packages, &model->cache[i]))
        return SERVET_OK;
    return srv_json_path_fail(srv_model_at(where, "caches", i, "shared_by"),
                              "groups of %d PUs reach across packages of %d PUs",
                              model->cache[i].pus_per_instance, pus);
}

/* Row `i` is of the level next above that of row `j`, over the same PUs. */
static int check_levels(const srv_model *model, int i, int j, srv_json_path *where)
{
    const srv_model_cache *above = &model->cache[i], *below = &model->cache[j];
    if (cuts(below, above))
        return srv_json_path_fail(
            srv_model_at(where, "caches", j, "shared_by"),
            "groups of %d PUs split the groups of %d of level %d; use a multiple",
            below->pus_per_instance, above->pus_per_instance, above->level);
    /* an exclusive or victim cache may be smaller: its lines are not in the one above */
    bool apart = below->inclusion == SRV_EXCLUSIVE || below->inclusion == SRV_VICTIM;
    if (below->bytes < above->bytes && !apart)
        return srv_json_path_fail(srv_model_at(where, "caches", j, "bytes"),
                                  "%.0f bytes, less than the %.0f of level %d above", below->bytes,
                                  above->bytes, above->level);
    if (below->line_bytes < above->line_bytes)
        return srv_json_path_fail(
            srv_model_at(where, "caches", j, "line_bytes"),
            "lines of %g bytes are shorter than those of %g of level %d above", below->line_bytes,
            above->line_bytes, above->level);
    return SERVET_OK;
}

static int check_pair(const srv_model *model, int i, int j, srv_json_path *where)
{
    const srv_model_cache *a = &model->cache[i], *b = &model->cache[j];
    if (overlap(a, b->first_pu, end_of(b)) == 0)
        return SERVET_OK;
    if (a->level == b->level && i < j)
        return srv_json_path_fail(srv_model_at(where, "caches", j, "level"),
                                  "level %d is given twice for the same PUs", b->level);
    return a->level + 1 == b->level ? check_levels(model, i, j, where) : SERVET_OK;
}

/* --- what hangs above an instance ------------------------------------------------------------- */

/* Bytes of the level above that the PUs first..end-1 can fill. */
static double held_above(const srv_model *model, int level, int first, int end)
{
    double bytes = 0;
    for (int i = 0; i < model->cache_count; i++) {
        const srv_model_cache *cache = &model->cache[i];
        if (cache->level == level - 1)
            bytes += cache->bytes * overlap(cache, first, end) / cache->pus_per_instance;
    }
    return bytes;
}

static int check_inclusive(const srv_model *model, int i, srv_json_path *where)
{
    const srv_model_cache *cache = &model->cache[i];
    if (cache->inclusion != SRV_INCLUSIVE)
        return SERVET_OK;
    for (int at = cache->first_pu; at < end_of(cache); at += cache->pus_per_instance) {
        double held = held_above(model, cache->level, at, at + cache->pus_per_instance);
        if (held > cache->bytes)
            return srv_json_path_fail(srv_model_at(where, "caches", i, "bytes"),
                                      "%.0f bytes cannot include the %.0f of level %d above",
                                      cache->bytes, held, cache->level - 1);
    }
    return SERVET_OK;
}

static bool has_level(const srv_model *model, int pu, int level)
{
    for (int i = 0; i < model->cache_count; i++)
        if (model->cache[i].level == level && overlap(&model->cache[i], pu, pu + 1))
            return true;
    return false;
}

static int check_complete(const srv_model *model, srv_json_path *where)
{
    for (int pu = 0; pu < model->pu_count; pu++)
        if (!has_level(model, pu, 1))
            return srv_json_path_fail(srv_model_at(where, "caches", -1, NULL),
                                      "PU %d has no cache of level 1", pu);
    for (int i = 0; i < model->cache_count; i++)
        for (int pu = model->cache[i].first_pu; pu < end_of(&model->cache[i]); pu++)
            if (model->cache[i].level > 1 && !has_level(model, pu, model->cache[i].level - 1))
                return srv_json_path_fail(srv_model_at(where, "caches", i, "level"),
                                          "PU %d has level %d, but no level %d", pu,
                                          model->cache[i].level, model->cache[i].level - 1);
    return SERVET_OK;
}

static int check_row(const srv_model *model, int i, srv_json_path *where)
{
    int code = check_size(model, i, where);
    if (code == SERVET_OK)
        code = check_geometry(&model->cache[i], i, where);
    if (code == SERVET_OK)
        code = check_cores(model, i, where);
    return code == SERVET_OK ? check_packages(model, i, where) : code;
}

int srv_model_check_caches(const srv_model *model, srv_json_path *where)
{
    int code = SERVET_OK;
    for (int i = 0; i < model->cache_count && code == SERVET_OK; i++)
        code = check_row(model, i, where);
    for (int i = 0; i < model->cache_count; i++)
        for (int j = 0; j < model->cache_count && code == SERVET_OK; j++)
            code = check_pair(model, i, j, where);
    if (code == SERVET_OK)
        code = check_complete(model, where);
    /* this requires consistent rows */
    for (int i = 0; i < model->cache_count && code == SERVET_OK; i++)
        code = check_inclusive(model, i, where);
    return code;
}
