/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/device_place.h"

#include <stdio.h>
#include <string.h>

/* --- network cards ---------------------------------------------------------------------------- */

static bool is_card(hwloc_obj_t object)
{
    return object->type == HWLOC_OBJ_OS_DEVICE &&
           (object->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
            object->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS);
}

/* Adds the name if the list has room for all of it. */
static void add_name(const char *name, char *list, size_t size)
{
    size_t length = strlen(list);
    if (length + strlen(name) + 2 <= size)
        snprintf(list + length, size - length, "%s%s", length ? "," : "", name);
}

static void add_cards(hwloc_obj_t below, char *list, size_t size)
{
    if (is_card(below) && below->name)
        add_name(below->name, list, size);
    for (hwloc_obj_t child = below->io_first_child; child; child = child->next_sibling)
        add_cards(child, list, size);
}

/* Those below the nearest bridge that has any. */
static void find_cards(hwloc_obj_t device, char *list, size_t size)
{
    for (hwloc_obj_t bridge = device->parent; bridge && bridge->type == HWLOC_OBJ_BRIDGE && !*list;
         bridge = bridge->parent)
        add_cards(bridge, list, size);
}

/* --- devices ---------------------------------------------------------------------------------- */

void srv_device_place_in(hwloc_topology_t topology, hwloc_const_bitmap_t usable, srv_device *device)
{
    hwloc_obj_t found = hwloc_get_pcidev_by_busidstring(topology, device->bus);
    hwloc_obj_t near = found ? hwloc_get_non_io_ancestor_obj(topology, found) : NULL;
    hwloc_bitmap_t cores = near ? hwloc_bitmap_dup(near->cpuset) : NULL;
    if (found)
        find_cards(found, device->cards, sizeof device->cards);
    if (!cores)
        return;
    hwloc_bitmap_and(cores, cores, usable);
    srv_topology_print(cores, device->cores, sizeof device->cores);
    hwloc_bitmap_free(cores);
    if (hwloc_bitmap_weight(near->nodeset) == 1)
        device->node = hwloc_bitmap_first(near->nodeset);
}

/* True if the topology is loaded with its PCI devices. */
static bool load(const srv_topology *known, hwloc_topology_t topology)
{
    (void)hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    (void)hwloc_topology_set_type_filter(topology, HWLOC_OBJ_BRIDGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    /* Components that call drivers may take seconds. */
    static const char *const others[] = {"cuda", "nvml", "opencl", "rsmi", "levelzero", "gl"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        (void)hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                            others[i]);
    return srv_topology_load(known, topology) == 0;
}

void srv_devices_place(const srv_topology *known, srv_device *devices, int count)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (load(known, topology))
        for (int i = 0; i < count; i++)
            srv_device_place_in(topology, known->usable, &devices[i]);
    hwloc_topology_destroy(topology);
}
