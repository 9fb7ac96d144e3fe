/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds memory attributes: the cost of access from the PUs of a NUMA node to the memory of another
 * one. */
#include <math.h>
#include <string.h>

#include <hwloc/memattrs.h>

#include "core/error.h"
#include "core/units.h"
#include "export/hwloc_xml.h"

static const double bytes_per_mib = 1048576;

/* Sets the attribute of the memory of node `to` for the cores of node `from`, unless it is NaN. */
static int set_value(srv_export *on, hwloc_memattr_id_t attribute, const servet_numa *from,
                     const servet_numa *to, double value)
{
    if (isnan(value))
        return SERVET_OK;
    hwloc_bitmap_t set = srv_export_set(from->cores);
    if (!set)
        return srv_fail_memory(on->error);
    struct hwloc_location initiator = {.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = set};
    hwloc_obj_t target = hwloc_get_numanode_obj_by_os_index(on->topology, (unsigned)to->number);
    int failed = hwloc_memattr_set_value(on->topology, attribute, target, &initiator, 0,
                                         (hwloc_uint64_t)llround(value));
    hwloc_bitmap_free(set);
    if (failed)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc refuses what memory %d costs",
                        to->number);
    on->facts++;
    return SERVET_OK;
}

/* --- all together ----------------------------------------------------------------------------- */

/* Returns the best total bandwidth of the cores of a group (level 0: of the node); 0: not known. */
static double best_together(const srv_export *on, int level)
{
    double best = 0;
    servet_value each;
    int code = SERVET_OK;
    for (int cores = 1; code != SERVET_ERANGE; cores++) {
        code = servet_memory_scaling(on->profile, &on->at, level, cores, &each);
        if (code == SERVET_EUNMEASURED && cores == 1)
            return 0;
        if (code == SERVET_OK)
            best = fmax(best, cores * each.value);
    }
    return best;
}

/* True if the NUMA node's cores are one of the groups of an overhead level. */
static bool is_group(const srv_export *on, int level, const char *cores)
{
    const char *group;
    for (int i = 0; servet_memory_group(on->profile, &on->at, level, i, &group) == SERVET_OK; i++)
        if (strcmp(group, cores) == 0)
            return true;
    return false;
}

/* Returns the total bandwidth of the cores of a NUMA node with its memory; 0: not known. */
static double total_of(const srv_export *on, const servet_numa *numa, int count)
{
    int levels = 0;
    (void)servet_memory_level_count(on->profile, &on->at, &levels);
    for (int level = levels; level > 0; level--)
        if (is_group(on, level, numa->cores))
            return best_together(on, level);
    return count == 1 ? best_together(on, 0) : 0;
}

/* --- node by node ----------------------------------------------------------------------------- */

static int add_pair(srv_export *on, hwloc_memattr_id_t of_core, int i, int j)
{
    servet_numa from, to;
    servet_value value;
    int code = SERVET_OK;
    (void)servet_numa_get(on->profile, &on->at, i, &from);
    (void)servet_numa_get(on->profile, &on->at, j, &to);
    if (servet_numa_latency(on->profile, &on->at, i, j, &value) == SERVET_OK)
        code = set_value(on, HWLOC_MEMATTR_ID_LATENCY, &from, &to, srv_nanoseconds(value.value));
    if (code == SERVET_OK && servet_numa_bandwidth(on->profile, &on->at, i, j, &value) == SERVET_OK)
        code = set_value(on, of_core, &from, &to, value.value / bytes_per_mib);
    return code;
}

static int add_node(srv_export *on, hwloc_memattr_id_t of_core, int i, int count)
{
    servet_numa numa;
    (void)servet_numa_get(on->profile, &on->at, i, &numa);
    if (!*numa.cores)
        return SERVET_OK;
    double total = total_of(on, &numa, count);
    int code = total > 0
                   ? set_value(on, HWLOC_MEMATTR_ID_BANDWIDTH, &numa, &numa, total / bytes_per_mib)
                   : SERVET_OK;
    for (int j = 0; j < count && code == SERVET_OK; j++)
        code = add_pair(on, of_core, i, j);
    return code;
}

/* Finds an attribute that an earlier export may have added, or adds it. */
static int find_attribute(hwloc_topology_t topology, hwloc_memattr_id_t *attribute)
{
    static const char name[] = "CoreReadBandwidth";
    static const unsigned long flags =
        HWLOC_MEMATTR_FLAG_HIGHER_FIRST | HWLOC_MEMATTR_FLAG_NEED_INITIATOR;
    if (hwloc_memattr_get_by_name(topology, name, attribute) == 0)
        return 0;
    return hwloc_memattr_register(topology, name, flags, attribute);
}

int srv_export_memory(srv_export *on)
{
    hwloc_memattr_id_t of_core;
    int count = 0;
    if (servet_numa_count(on->profile, &on->at, &count) != SERVET_OK)
        return SERVET_OK;
    if (find_attribute(on->topology, &of_core) != 0)
        return srv_fail(on->error, SERVET_EMACHINE, "hwloc rejects another memory attribute");
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = add_node(on, of_core, i, count);
    return code;
}
