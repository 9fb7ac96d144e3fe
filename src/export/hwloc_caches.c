/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the measured values as infos to the cache objects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "export/hwloc_xml.h"

#define PREFIX "Servet:"

/* The infos, and the keys of a cache level that give their values. */
static const struct {
    const char *name, *key;
} infos[] = {
    {PREFIX "Kind", "kind"},
    {PREFIX "Size:B", "bytes"},
    {PREFIX "SizeLow:B", "low"},
    {PREFIX "SizeHigh:B", "high"},
    {PREFIX "Latency:ns", "latency_ns"},
    {PREFIX "Bandwidth:B/s", "bandwidth"},
    {PREFIX "Verdict", "verdict"},
};
enum { INFOS = sizeof infos / sizeof *infos };

/* Removes the infos of an earlier export. */
static void remove_earlier(hwloc_obj_t cache)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < cache->infos_count; i++) {
        if (strncmp(cache->infos[i].name, PREFIX, strlen(PREFIX)) != 0) {
            cache->infos[kept++] = cache->infos[i];
            continue;
        }
        free(cache->infos[i].name);
        free(cache->infos[i].value);
    }
    cache->infos_count = kept;
}

/* Returns the level of a cache on the way from a PU to memory. As in the profile, instruction
 * caches do not count. */
static int level_of(hwloc_obj_t cache, hwloc_obj_t pu)
{
    int level = 0;
    for (hwloc_obj_t object = pu; object && object != cache->parent; object = object->parent)
        level += hwloc_obj_type_is_dcache(object->type) && object->attr->cache.size > 0;
    return level;
}

/* Finds the first PU of the cache for which this level was measured, and the level; false if there
 * is none. */
static bool find_measured(const srv_export *on, hwloc_obj_t cache, servet_at *at, int *level)
{
    hwloc_obj_t pu = NULL;
    servet_cache measured;
    while ((pu = hwloc_get_next_obj_inside_cpuset_by_type(on->topology, cache->cpuset, HWLOC_OBJ_PU,
                                                          pu))) {
        *at = (servet_at){on->at.node_class, (int)pu->os_index};
        *level = level_of(cache, pu);
        if (servet_cache_get(on->profile, at, *level, &measured) == SERVET_OK)
            return true;
    }
    return false;
}

static int add_info(srv_export *on, hwloc_obj_t cache, const char *name, const char *value)
{
    return hwloc_obj_add_info(cache, name, value) == 0 ? SERVET_OK : srv_fail_memory(on->error);
}

/* Adds the known values of the level, and the names of infos that are not trusted. */
static int add_infos(srv_export *on, hwloc_obj_t cache, const servet_at *at, int level)
{
    char key[SERVET_NAME_MAX], value[SERVET_TEXT_MAX], doubted[SERVET_TEXT_MAX] = "";
    int code = SERVET_OK;
    for (int i = 0; i < INFOS && code == SERVET_OK; i++) {
        servet_trust trust = {.trusted = true};
        snprintf(key, sizeof key, "caches.%d.%s", level, infos[i].key);
        if (servet_profile_get(on->profile, at, key, value, sizeof value, NULL) != SERVET_OK)
            continue;
        (void)servet_profile_trust(on->profile, at, key, &trust, NULL);
        if (!trust.trusted)
            snprintf(doubted + strlen(doubted), sizeof doubted - strlen(doubted), "%s%s",
                     *doubted ? "," : "", infos[i].name + strlen(PREFIX));
        code = add_info(on, cache, infos[i].name, value);
    }
    if (code == SERVET_OK && *doubted)
        code = add_info(on, cache, PREFIX "NotTrusted", doubted);
    on->facts++;
    return code;
}

int srv_export_caches(srv_export *on)
{
    int code = SERVET_OK, depths = hwloc_topology_get_depth(on->topology), level;
    servet_at at;
    for (int depth = 0; depth < depths; depth++) {
        hwloc_obj_t cache = NULL;
        if (!hwloc_obj_type_is_dcache(hwloc_get_depth_type(on->topology, depth)))
            continue;
        while (code == SERVET_OK &&
               (cache = hwloc_get_next_obj_by_depth(on->topology, depth, cache))) {
            remove_earlier(cache);
            if (cache->attr->cache.size > 0 && find_measured(on, cache, &at, &level))
                code = add_infos(on, cache, &at, level);
        }
    }
    return code;
}
