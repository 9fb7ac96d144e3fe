/* SPDX-License-Identifier: BSD-3-Clause */
/** Data shared by the files of the memory benchmark. */
#ifndef SRV_FACTS_MEMORY_STAGE_PARTS_H
#define SRV_FACTS_MEMORY_STAGE_PARTS_H

#include "facts/memory/benchmark.h"
#include "facts/memory/detect.h"
#include "run/stage.h"

/** An overhead level, or the whole node, on more and more cores. */
typedef struct srv_memory_curve {
    srv_scaling point[SRV_SCALING_MAX];
    int count;      /**< 0: there was no time */
    bool unsure;    /**< the visits differ too much to determine the saturation point exactly */
    int saturation; /**< cores; 0: there was no time, or not enough memory, for all of them */
} srv_memory_curve;

/** Plan and results; cores are identified by their index in `cores`. */
typedef struct srv_memory {
    const srv_stage *stage;
    const srv_stage_place *place;
    int *cores; /**< OS numbers, ascending */
    int count;
    int *node;     /**< the NUMA node that each is near to, an index in numa; -1: none */
    double *alone; /**< best copy bandwidth of each alone; 0: not measured */
    srv_memory_plan plan;
    srv_sets objects; /**< sets of cores that share a resource by the OS's report */

    srv_spread kernels[SERVET_KERNEL_COUNT]; /**< on one core of the first type */
    int kernels_place;                       /**< that core */

    srv_contentions found; /**< sorted into levels */
    bool levels_known;
    int level_count;
    srv_overhead_level level[SRV_OVERHEAD_LEVELS_MAX];
    srv_memory_curve curve[SRV_OVERHEAD_LEVELS_MAX + 1]; /**< [0]: of the node */
    int *order; /**< places of the node's cores in the order in which they were added */

    srv_numa numa[SRV_NUMA_MAX];
    int numa_count;
    srv_remote *remotes; /**< by rows */
} srv_memory;

/** Measures, each within its part of the stage. Errors: those of the benchmarks. */
int srv_memory_probe_alone(srv_memory *on, const srv_stage *part, servet_error *error);
int srv_memory_probe_pairs(srv_memory *on, const srv_stage *part, servet_error *error);
int srv_memory_probe_curves(srv_memory *on, const srv_stage *part, servet_error *error);
int srv_memory_probe_remotes(srv_memory *on, const srv_stage *part, servet_error *error);

/** Stores all facts in the profile. Errors: those of the setters. */
int srv_memory_store(const srv_memory *on, servet_error *error);

/** Sets the sizes of arrays and lines in `plan`, from the caches of these cores that the profile
 * has or the system reports, and the memory that all arrays may take. Errors: those of the
 * machine. */
int srv_memory_sizes(const servet_profile *profile, const char *node_class, srv_machine *machine,
                     const int *cores, int count, srv_memory_plan *plan, servet_error *error);

#endif
