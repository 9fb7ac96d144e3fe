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
 *
 * Where it is known who sends how much to whom (servet/traffic.h), ranks are assigned by that: the
 * graph of messages is cut in two along the machine's slowest layer, each part along the next, and
 * so on (F. Pellegrini, Static mapping by dual recursive bipartitioning, SHPCC'94), so that little
 * has to cross slow layers. For programs that communication limits that is done on the cores that
 * the rules take, on those of both of the scheduler's orders, and with fewer nodes; what
 * servet_map_predict() finds fastest is the placement, the scheduler's if nothing is faster. It is
 * never predicted slower than the scheduler's orders. Where memory limits, the rules choose the
 * cores.
 */
#ifndef SERVET_MAP_H
#define SERVET_MAP_H

#include <stdio.h>
#include "servet/profile.h"
#include "servet/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a program mostly waits for: it decides which rules weigh ten times the others. */
#define SERVET_CODE_LIST(X)                                                                        \
    X(SERVET_CODE_MEMORY, "memory")               /* rules 1 and 2 */                              \
    X(SERVET_CODE_COMMUNICATION, "communication") /* rules 3 and 4 */

/** In which order the cores are taken. */
#define SERVET_ORDER_LIST(X)                                                                       \
    X(SERVET_ORDER_SERVET, "servet") /* by the rules and, where given, by messages */              \
    X(SERVET_ORDER_BLOCK, "block")   /* all of a node, then the next: schedulers' default */       \
    X(SERVET_ORDER_CYCLIC, "cyclic") /* one of each node in turn, as long as it has free ones */

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
typedef enum servet_order { SERVET_ORDER_LIST(SERVET_MAP_ENUM_) SERVET_ORDER_COUNT } servet_order;
#undef SERVET_MAP_ENUM_

/** The name of an order ("cyclic"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_order_name(servet_order order);

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
    const char *node_class; /**< of nodes that no class lists; NULL: they are refused */
    servet_order order;
    const servet_traffic *traffic; /**< what the processes send, as many as there are; NULL:
                                      unknown. Read while the placement is made, not afterwards */
} servet_map_request;

/** A placement. It depends on no profile any more, and does not change. */
typedef struct servet_map servet_map;

/**
 * Places the processes on the nodes, in `*map`; the caller destroys it. Errors: SERVET_EARGUMENT (no process, no
 * class of programs, no order, a node named twice, messages of another number of processes),
 * SERVET_ERANGE (more processes than cores, more nodes than there are, messages between over 200
 * million pairs), SERVET_ENOTFOUND (an unknown node), SERVET_EOTHER (a node that
 * no class lists, and request->node_class does not say which it is of), SERVET_EUNMEASURED (a node class that does
 * not say which cores it has; with messages, also a profile that does not say what they cost),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_map_create(servet_map **map, const servet_profile *profile,
                                 const servet_map_request *request, servet_error *error);

/** Frees the placement and all it lent out. NULL is fine. */
SERVET_API void servet_map_destroy(servet_map *map);

/** Where a process runs. What it points to belongs to the placement. */
typedef struct servet_map_process {
    const char *host;
    int node;         /**< number of the host among the nodes that were to be used, from 0 */
    int local;        /**< number of the process among those of its node, by rank, from 0 */
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
 * of every node alike, MPICH numbers ranks node by node, OMP_PLACES is for one node), SERVET_EIO.
 */
SERVET_API int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                                servet_error *error);

/* --- what a placement costs ---------------------------------------------------------------------
 */

/** What the messages of a program wait for. */
#define SERVET_LIMIT_LIST(X)                                                                       \
    X(SERVET_LIMIT_NONE, "none")       /* there are none */                                        \
    X(SERVET_LIMIT_PROCESS, "process") /* one that sends, or receives, one after the other */      \
    X(SERVET_LIMIT_NODE, "node")       /* one whose processes share its access to the network */   \
    X(SERVET_LIMIT_GROUP, "group") /* the way out of a group of a layer: an uplink, a socket */    \
    X(SERVET_LIMIT_LAYER, "layer") /* what all messages of a layer share: a spine, memory */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_limit { SERVET_LIMIT_LIST(SERVET_MAP_ENUM_) SERVET_LIMIT_COUNT } servet_limit;
#undef SERVET_MAP_ENUM_

/** The name of a limit ("node"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_limit_name(servet_limit limit);

/**
 * What the profile predicts of a placement. What it does not know is NaN.
 *
 * The model of the messages: all are sent at once, and the time until the last one has arrived is
 * that of the busiest resource.
 * - A process sends one message after the other and receives so: the sum of what each takes alone
 *   (servet_network_time(), in the layer of the pair), of either direction.
 * - A node: what its messages to other nodes take alone, of either direction, added up over its
 *   processes, times ratNC(k) / k, where k processes of it send (or receive) such messages: k at
 *   once take ratNC(k) times as long as one. Where ratNC was not measured,
 *   servet_network_slowdown() of the nearest layer between nodes stands for it.
 * - A group of a layer, for what crosses its border: the same with servet_network_slowdown() of the
 *   layer around it. Of 2 m messages at once m leave one group, as they are measured. Between
 *   nodes, m is all cores of the nodes that send.
 * - A layer within one of its groups: what its messages take alone, times slowdown(m) / m.
 *
 * Where more messages go than were measured together, throughput stays what it was with the most.
 * What was not measured slows nothing down. So a placement that takes traffic from a shared slow
 * link is predicted faster as soon as that link is what the program waits for.
 */
typedef struct servet_map_cost {
    int nodes, per_node; /**< nodes that have processes; most processes of one of them */
    double seconds;      /**< until all messages have arrived */
    double work;         /**< s; of all messages, each alone, added up */
    servet_limit limit;  /**< what took longest */
    int limit_at;        /**< which: rank, number of the node (from 0), or layer (from 1) */
    double cache_pairs;  /**< rule 1: pairs of processes that share a cache, for each level again */
    double memory_pairs; /**< rule 2: pairs that slow each other down in memory, likewise */
    double latency;      /**< rule 3: mean over all pairs; s */
    double access_ratio; /**< rule 4: ratNC of `per_node` processes */
    double memory;       /**< copy bandwidth of the process that gets the least, while one core of
                              each process copies; B/s */
} servet_map_cost;

/**
 * Predicts the cost of a placement made with this profile, in `*cost`; without `traffic`, that of
 * messages as long as those that told the layers apart, from each process to each. Errors:
 * SERVET_EARGUMENT (messages of another number of processes), SERVET_EMEMORY.
 */
SERVET_API int servet_map_predict(const servet_map *map, const servet_profile *profile,
                                  const servet_traffic *traffic, servet_map_cost *cost,
                                  servet_error *error);

/** What the processes of a node have to share. */
#define SERVET_RESOURCE_LIST(X)                                                                    \
    X(SERVET_RESOURCE_MEMORY, "memory")   /* copy bandwidth: servet_memory_scaling() */            \
    X(SERVET_RESOURCE_NETWORK, "network") /* access to other nodes: ratNC */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_resource {
    SERVET_RESOURCE_LIST(SERVET_MAP_ENUM_) SERVET_RESOURCE_COUNT
} servet_resource;
#undef SERVET_MAP_ENUM_

/** The name of a resource ("memory"); "?" for a number that is none. Static storage. */
SERVET_API const char *servet_resource_name(servet_resource resource);

/** How many processes of a node are worth their while (Servet 3.0, figure 8). */
typedef struct servet_map_idle {
    int per_node; /**< the smallest number that together gets 95 % or more of the best; not above
                     that of the node of the placement that has the most, which is compared with */
    double gain;  /**< what so many get together, over what those get together; over 1: more */
    double each;  /**< what each of so many gets, over what each of those gets */
} servet_map_idle;

/**
 * Whether fewer processes on each node, the first ones of each, would get more of a resource, or as
 * much, in `*idle`. Errors: SERVET_EARGUMENT (no resource), SERVET_EUNMEASURED.
 */
SERVET_API int servet_map_idle_get(const servet_map *map, const servet_profile *profile,
                                   servet_resource resource, servet_map_idle *idle);

/* --- programs that run already ------------------------------------------------------------------
 */

/** A core that a process of a running program has. */
typedef struct servet_map_seat {
    const char *host;
    int core; /**< OS number */
} servet_map_seat;

/**
 * Assigns the slots of a running program anew: rank r of `traffic` best takes slots[slot_of[r]].
 * There are as many slots as processes; `slot_of` is the caller's room for as many numbers. Never
 * predicted slower than each its own, slot_of[r] = r, which it is if nothing is faster. Errors:
 * SERVET_EARGUMENT (a slot twice), SERVET_EUNMEASURED (it is not known what messages cost),
 * SERVET_ERANGE (messages between over 200 million pairs),
 * SERVET_EMEMORY. Of a host that took no part in the measurement it is only known that all others
 * are far.
 */
SERVET_API int servet_map_reorder(const servet_profile *profile, const servet_traffic *traffic,
                                  const servet_map_seat slots[], int slot_of[], servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
