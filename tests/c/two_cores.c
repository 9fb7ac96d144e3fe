/* SPDX-License-Identifier: BSD-3-Clause */
#include "two_cores.h"

#include "machine/hardware/topology.h"

srv_machine *machine;
int cores[2], core_count;

/* The core that this PU is a hardware thread of; NULL where the system does not say. */
static hwloc_obj_t core_of(const srv_topology *topology, int pu)
{
    hwloc_obj_t thread = hwloc_get_pu_obj_by_os_index(topology->hwloc, (unsigned)pu);
    return thread ? hwloc_get_ancestor_obj_by_type(topology->hwloc, HWLOC_OBJ_CORE, thread) : NULL;
}

int two_cores_begin(void **state)
{
    (void)state;
    srv_topology topology;
    if (srv_hardware_create(&machine, NULL) != SERVET_OK ||
        srv_topology_init(&topology, NULL) != SERVET_OK)
        return -1;
    for (int pu = hwloc_bitmap_first(topology.usable); pu >= 0 && core_count < 2;
         pu = hwloc_bitmap_next(topology.usable, pu)) {
        hwloc_obj_t core = core_of(&topology, pu);
        if (core_count == 0 || !core || core != core_of(&topology, cores[0]))
            cores[core_count++] = pu;
    }
    srv_topology_finish(&topology);
    return 0;
}

int two_cores_end(void **state)
{
    (void)state;
    srv_machine_destroy(machine);
    return 0;
}
