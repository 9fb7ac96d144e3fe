/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * hwloc's topology of this node, reduced to the PUs that the job may use (cpuset, cgroup, taskset).
 * Sizes in it are reports of the OS: stored beside measured ones, never used as a result.
 */
#ifndef SRV_HARDWARE_TOPOLOGY_H
#define SRV_HARDWARE_TOPOLOGY_H

#include <hwloc.h>

#include "machine/hardware/absence.h"

typedef struct srv_topology {
    hwloc_topology_t hwloc;
    hwloc_bitmap_t usable;  /**< OS numbers of the PUs this job may use, as the kernel reports them:
                               hwloc may not know some of them */
    hwloc_bitmap_t binding; /**< of the calling thread at the beginning */
    srv_absences absences;  /**< of the threads that were bound for probes */
} srv_topology;

/** Loads the topology. Errors: SERVET_EMACHINE, SERVET_EMEMORY. */
int srv_topology_init(srv_topology *topology, servet_error *error);

/** Loads another topology of this node, which its caller initialized and filtered, where hwloc can
 * read the system at all; 0, or an error of hwloc. */
int srv_topology_load(const srv_topology *topology, hwloc_topology_t hwloc);

/** Restores the calling thread's binding and frees. A zeroed struct is valid. */
void srv_topology_finish(srv_topology *topology);

/** Binds the calling thread to one PU. Errors: SERVET_EMACHINE. */
int srv_topology_bind(srv_topology *topology, int core, servet_error *error);

/** True if the calling thread may still run on this PU and no other. */
bool srv_topology_is_bound(const srv_topology *topology, int core);

/** Writes a set as ranges ("0-3,8"); a set with too many ranges is cut short. */
void srv_topology_print(hwloc_const_bitmap_t set, char *text, size_t size);

/** srv_machine_ops.describe, .types, .reported and .objects. */
int srv_topology_describe(srv_topology *topology, servet_machine *description, servet_error *error);
int srv_topology_core_types(srv_topology *topology, srv_core_type types[SRV_CORE_TYPES_MAX],
                            int *count, servet_error *error);
int srv_topology_reported(srv_topology *topology, int core, srv_reported *reported,
                          servet_error *error);
int srv_topology_objects(srv_topology *topology, srv_sets *sets, servet_error *error);

#endif
