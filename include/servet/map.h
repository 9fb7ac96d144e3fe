/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Mapping: which cores of which nodes the processes of a program best run on, by the rules of
 * Servet (Servet 3.0, sections 3 and 4.2). All that is needed stands in the profile; nothing is
 * measured.
 *
 * Every core has a weight, 0 at first. The lightest core is taken, the first in the scheduler's
 * order (node by node, OS numbers ascending) among equals; then the weights of the others change:
 * by rule 1 cores that share a cache with it become heavier, once for each level; by rule 2 those
 * that slow it down in memory, once for each level of overhead; by rule 3 those near to it become
 * lighter, the more the nearer; by rule 4 those that together with it overload the network of their
 * node become heavier. A fact that was not measured changes no weight, so where nothing is known,
 * and where nothing degrades, the cores are taken in the scheduler's order.
 *
 * The ranks of the taken cores ascend node by node, as launchers number them; within a node they
 * follow the order in which its cores were taken.
 */
#ifndef SERVET_MAP_H
#define SERVET_MAP_H

#include <stdio.h>
#include "servet/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a program mostly waits for: it decides which rules weigh ten times the others. */
#define SERVET_CODE_LIST(X)                                                                        \
    X(SERVET_CODE_MEMORY, "memory")               /* rules 1 and 2 */                              \
    X(SERVET_CODE_COMMUNICATION, "communication") /* rules 3 and 4 */

/** The forms a placement is written in. */
#define SERVET_MAP_FORMAT_LIST(X)                                                                  \
    X(SERVET_MAP_TEXT, "text") /* a line for each rank: its number, host, cores */                 \
    X(SERVET_MAP_JSON, "json") /* the same as one document */                                      \
    X(SERVET_MAP_OPENMPI4, "openmpi-rankfile")                                                     \
    X(SERVET_MAP_OPENMPI5, "openmpi5-rankfile") /* the same lines, another command */              \
    X(SERVET_MAP_SLURM, "slurm")           /* file for $SLURM_HOSTFILE, srun's options above */    \
    X(SERVET_MAP_MPICH, "mpich")           /* host file for mpiexec, its options above */          \
    X(SERVET_MAP_PBS, "pbs")               /* one host a line, as $PBS_NODEFILE is */              \
    X(SERVET_MAP_OMP_PLACES, "omp-places") /* value of $OMP_PLACES, for one node */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_code { SERVET_CODE_LIST(SERVET_MAP_ENUM_) SERVET_CODE_COUNT } servet_code;
typedef enum servet_map_format {
    SERVET_MAP_FORMAT_LIST(SERVET_MAP_ENUM_) SERVET_MAP_FORMAT_COUNT
} servet_map_format;
#undef SERVET_MAP_ENUM_

/** The name of a class of programs ("memory"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_code_name(servet_code code);

/** The name of a format ("slurm"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_map_format_name(servet_map_format format);

/** What is to be placed, and where. */
typedef struct servet_map_request {
    int processes; /**< at least 1 */
    int threads;   /**< of each process, kept together: each gets a core of its own; 0 means 1 */
    servet_code code;
    const char *nodes; /**< host names in the scheduler's order, "n0,n1"; NULL: the nodes of the job
                            that measured the network, or else those of all node classes */
    int node_count;    /**< only so many of these nodes, the first ones; 0: all */
} servet_map_request;

/** A placement. It depends on no profile any more, and does not change. */
typedef struct servet_map servet_map;

/**
 * Places the processes on the nodes, in `*map`; the caller destroys it. A host that no class lists
 * counts as one of the only class, if there is only one. Errors: SERVET_EARGUMENT (no process, no
 * class of programs, a node named twice), SERVET_ERANGE (more processes than cores, more nodes than
 * there are), SERVET_ENOTFOUND (an unknown node), SERVET_EUNMEASURED (a node class that does not
 * say which cores it has), SERVET_EMEMORY.
 */
SERVET_API int servet_map_create(servet_map **map, const servet_profile *profile,
                                 const servet_map_request *request, servet_error *error);

/** Frees the placement and all it lent out. NULL is fine. */
SERVET_API void servet_map_destroy(servet_map *map);

/** Where a process runs. What it points to belongs to the placement. */
typedef struct servet_map_process {
    const char *host;
    int node;         /**< number of the host among the nodes that were to be used, from 0 */
    int local;        /**< number of the process among those of its node, from 0 */
    const int *cores; /**< OS numbers, one for each thread */
    int core_count;
} servet_map_process;

/** Number of processes. */
SERVET_API int servet_map_process_count(const servet_map *map);

/** Where process `rank` runs, in `*process`. Errors: SERVET_ERANGE (no such rank). */
SERVET_API int servet_map_process_get(const servet_map *map, int rank, servet_map_process *process);

/**
 * Writes the placement to `stream`, which the caller flushes. Errors: SERVET_EARGUMENT (no format),
 * SERVET_EUNSUPPORTED (a placement that the format cannot say: Slurm and MPICH bind the processes
 * of every node alike, OMP_PLACES is for one node), SERVET_EIO.
 */
SERVET_API int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                                servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
