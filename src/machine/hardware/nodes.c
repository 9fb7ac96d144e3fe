/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/nodes.h"

#include <errno.h>
#include <string.h>

#include "core/error.h"

/* In some guests memory belongs to a node only once it is used. */
static bool any_has_memory(const srv_topology *topology)
{
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, node)))
        if (node->attr->numanode.local_memory > 0)
            return true;
    return false;
}

/* The listed nodes, ascending by OS number; returns their number. */
static int find_nodes(const srv_topology *topology, hwloc_obj_t nodes[SRV_NUMA_MAX])
{
    int count = 0;
    bool some = any_has_memory(topology);
    hwloc_const_bitmap_t all = hwloc_topology_get_allowed_nodeset(topology->hwloc);
    for (int number = hwloc_bitmap_first(all); number >= 0 && count < SRV_NUMA_MAX;
         number = hwloc_bitmap_next(all, number)) {
        hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(topology->hwloc, (unsigned)number);
        if (node && (!some || node->attr->numanode.local_memory > 0))
            nodes[count++] = node;
    }
    return count;
}

int srv_nodes_list(srv_topology *topology, srv_numa numas[SRV_NUMA_MAX], int *count,
                   servet_error *error)
{
    hwloc_obj_t nodes[SRV_NUMA_MAX];
    hwloc_bitmap_t near = hwloc_bitmap_alloc();
    if (!near)
        return srv_fail_memory(error);
    *count = find_nodes(topology, nodes);
    for (int i = 0; i < *count; i++) {
        numas[i] = (srv_numa){.number = (int)nodes[i]->os_index,
                              .bytes = (double)nodes[i]->attr->numanode.local_memory};
        hwloc_bitmap_and(near, nodes[i]->cpuset, topology->usable);
        srv_topology_print(near, numas[i].cores, sizeof numas[i].cores);
    }
    hwloc_bitmap_free(near);
    return *count > 0 ? SERVET_OK : srv_fail(error, SERVET_EMACHINE, "hwloc knows no memory here");
}

int srv_nodes_home(const srv_topology *topology, int core)
{
    hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology->hwloc, (unsigned)core);
    return pu ? hwloc_bitmap_first(pu->nodeset) : -1;
}

/* The node-th of the listed nodes, from 1; NULL: there is no such node. */
static hwloc_obj_t node_at(const srv_topology *topology, int node, servet_error *error)
{
    hwloc_obj_t nodes[SRV_NUMA_MAX];
    if (node >= 1 && node <= find_nodes(topology, nodes))
        return nodes[node - 1];
    srv_fail(error, SERVET_EARGUMENT, "there is no NUMA node %d", node);
    return NULL;
}

int srv_nodes_place(srv_topology *topology, int node, void *base, size_t bytes, servet_error *error)
{
    if (node == 0)
        return SERVET_OK;
    hwloc_obj_t wanted = node_at(topology, node, error);
    if (!wanted)
        return SERVET_EARGUMENT;
    if (hwloc_set_area_membind(topology->hwloc, base, bytes, wanted->nodeset, HWLOC_MEMBIND_BIND,
                               HWLOC_MEMBIND_BYNODESET) != 0)
        return srv_fail(error, SERVET_EUNSUPPORTED, "cannot take memory of NUMA node %u: %s",
                        wanted->os_index, strerror(errno));
    return SERVET_OK;
}

int srv_nodes_check(srv_topology *topology, int node, const void *base, size_t bytes,
                    servet_error *error)
{
    if (node == 0)
        return SERVET_OK;
    hwloc_obj_t wanted = node_at(topology, node, error);
    if (!wanted)
        return SERVET_EARGUMENT;
    hwloc_bitmap_t found = hwloc_bitmap_alloc();
    if (!found)
        return srv_fail_memory(error);
    bool told = hwloc_get_area_memlocation(topology->hwloc, base, bytes, found,
                                           HWLOC_MEMBIND_BYNODESET) == 0;
    bool there = told && hwloc_bitmap_isequal(found, wanted->nodeset);
    hwloc_bitmap_free(found);
    if (there)
        return SERVET_OK;
    return srv_fail(error, SERVET_EUNSUPPORTED, "%s NUMA node %u",
                    told ? "there is too little room on"
                         : "the system does not report whether memory is on",
                    wanted->os_index);
}
