/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Placement of the processes of a program on nodes and cores by the rules of Servet (Servet 3.0,
 * sections 3 and 4.2). It uses only facts of the profile; nothing is measured.
 *
 * Cores are selected one after the other. Every core has a weight, 0 at first. The core with the
 * smallest weight is selected; among equals the first in the scheduler's order (node by node, OS
 * numbers ascending). Then the weights of the other cores change:
 * - rule 1: cores that share a cache with it get more weight, for each cache level;
 * - rule 2: cores that slow it down in memory get more weight, for each overhead level;
 * - rule 3: near cores get less weight, the nearer the less;
 * - rule 4: cores that together with it overload the network access of their node get more weight.
 * - rule 5: cores of slower types have more weight from the start: ten times the additional time
 *   that a process takes there, as a share of its time on the fastest type (servet_core_speed()).
 *   The threads of a process get cores of one type where there are enough.
 * A fact that was not measured changes no weight. Without facts, or without any degradation, cores
 * are selected in the scheduler's order.
 *
 * The ranks of the selected cores ascend node by node, as launchers number them; within a node they
 * follow the order of selection.
 *
 * With accelerators, each accelerator of a node in turn gets the first place, in
 * the order of selection, whose cores are near to it by measurement, while there is one. Process i
 * of a node then uses accelerator i modulo their number, unless traffic assigns ranks.
 *
 * If the traffic of the program is known (servet/traffic.h), ranks are assigned to cores by it: the
 * graph of messages is cut in two along the slowest layer of the machine, each part along the next
 * layer, and so on (F. Pellegrini, Static mapping by dual recursive bipartitioning, SHPCC'94), so
 * that few bytes cross slow layers. For programs that communication limits, this is done on the
 * cores that the rules select, on those of both scheduler orders, and with fewer nodes. The
 * placement is the one that servet_map_predict() predicts to be fastest, of those whose slowest
 * core is fastest; it is never predicted slower than the scheduler's orders, unless these use a
 * slower core type. For programs that memory limits, the rules select the cores.
 */
#ifndef SERVET_MAP_H
#define SERVET_MAP_H

#include <stdio.h>
#include "servet/node.h"
#include "servet/profile.h"
#include "servet/traffic.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bottlenecks of programs: the rules listed here get ten times the weight of the others. */
#define SERVET_CODE_LIST(X)                                                                        \
    X(SERVET_CODE_MEMORY, "memory")               /* rules 1 and 2 */                              \
    X(SERVET_CODE_COMMUNICATION, "communication") /* rules 3 and 4 */

/** Order in which cores are selected. */
#define SERVET_ORDER_LIST(X)                                                                       \
    X(SERVET_ORDER_SERVET, "servet") /* by the rules and, if given, by traffic */                  \
    X(SERVET_ORDER_BLOCK, "block")   /* all cores of a node, then the next node: the default of    \
                                        schedulers */                                              \
    X(SERVET_ORDER_CYCLIC, "cyclic") /* one core of each node in turn, while it has free ones */

/** Formats of a placement. */
#define SERVET_MAP_FORMAT_LIST(X)                                                                  \
    X(SERVET_MAP_TEXT, "text")                 /* a line for each rank: its number, host, cores */ \
    X(SERVET_MAP_JSON, "json")                 /* the same as one document */                      \
    X(SERVET_MAP_OPENMPI4, "openmpi-rankfile") /* with OS numbers */                               \
    X(SERVET_MAP_OPENMPI5, "openmpi5-rankfile") /* with hwloc's logical numbers */                 \
    X(SERVET_MAP_SLURM, "slurm")                /* file for $SLURM_HOSTFILE */                     \
    X(SERVET_MAP_MPICH, "mpich")                /* host file for mpiexec */                        \
    X(SERVET_MAP_PBS, "pbs")                    /* one host a line, as $PBS_NODEFILE is */         \
    X(SERVET_MAP_OMP_PLACES, "omp-places")      /* value of $OMP_PLACES, for one node */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_code { SERVET_CODE_LIST(SERVET_MAP_ENUM_) SERVET_CODE_COUNT } servet_code;
typedef enum servet_map_format {
    SERVET_MAP_FORMAT_LIST(SERVET_MAP_ENUM_) SERVET_MAP_FORMAT_COUNT
} servet_map_format;
typedef enum servet_order { SERVET_ORDER_LIST(SERVET_MAP_ENUM_) SERVET_ORDER_COUNT } servet_order;
#undef SERVET_MAP_ENUM_

/** The name of an order ("cyclic"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_order_name(servet_order order);

/** The name of a class of programs ("memory"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_code_name(servet_code code);

/** The name of a format ("slurm"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_map_format_name(servet_map_format format);

/** A mapping: the processes, their traffic and their cores. */
typedef struct servet_map_request {
    int processes; /**< at least 1 */
    int threads;   /**< threads of each process, on neighbouring cores, one core each; 0 means 1 */
    servet_code code; /**< what limits the program */
    /**
     * host names in the scheduler's order, "n0,n1"; NULL: the nodes of the job that measured the
     * network or, without such a job, the nodes of all classes
     */
    const char *nodes;
    int node_count;         /**< use only the first node_count of these nodes; 0: all */
    const char *node_class; /**< class of unlisted nodes; NULL: such a node is an error */
    servet_order order;
    servet_work work; /**< kind of work by which core types are compared */
    int accelerators; /**< the first accelerators of each node, in the driver's order, that
                         processes are placed near to in turn; more than a node has: all; 0:
                         none */
    const servet_traffic *traffic; /**< traffic of that number of processes; NULL: unknown. Only
                                      servet_map_create() reads it */
} servet_map_request;

/** A placement. It does not change, and does not refer to the profile from which it was made. */
typedef struct servet_map servet_map;

/**
 * Places the processes on the nodes, in `*map`; the caller destroys it. Errors: SERVET_EARGUMENT
 * (no processes, no such class of programs, order or work, a node named twice, a word that is no
 * host name, traffic of another number of processes), SERVET_ERANGE (more processes than cores,
 * more nodes than available, traffic between more than 200 million pairs), SERVET_ENOTFOUND (an
 * unknown node), SERVET_EOTHER (a node that no class lists, and request->node_class is NULL),
 * SERVET_EUNMEASURED (a node class with unknown cores; with traffic, also a profile without message
 * times; with accelerators, also a class without them, or whose near cores are unknown),
 * SERVET_EUNTRUSTED (without the facts that are not trusted, the placement would be another one;
 * only after servet_profile_trusted_only()), SERVET_EMEMORY.
 */
SERVET_API int servet_map_create(servet_map **map, const servet_profile *profile,
                                 const servet_map_request *request, servet_error *error);

/** Frees the placement and everything that its functions returned. NULL is allowed. */
SERVET_API void servet_map_destroy(servet_map *map);

/** Place of a process. Its pointers belong to the placement. */
typedef struct servet_map_process {
    const char *host;
    int node;         /**< number of the host among the requested nodes, from 0 */
    int local;        /**< number of the process within its node, by rank, from 0 */
    const int *cores; /**< core_count OS numbers, one for each thread */
    int core_count;
    int accelerator; /**< the driver's number of the one that it is placed near to; -1: none */
    /** weight of its first core within its node when it was selected, see servet_map_weight */
    double weight;
    double speed; /**< of its slowest core relative to the fastest core type of the node; 1: of the
                       fastest, or unknown */
} servet_map_process;

/** Number of processes. */
SERVET_API int servet_map_process_count(const servet_map *map);

/** Gets the place of process `rank` in `*process`. Errors: SERVET_ERANGE (no such rank). */
SERVET_API int servet_map_process_get(const servet_map *map, int rank, servet_map_process *process);

/**
 * Writes the placement to `stream`, and flushes it. After an error other than SERVET_EIO the stream
 * got nothing. If the launcher accepts comments, the first line is a comment with the command of
 * servet_map_write_command() and the placeholder FILE for the name of the file. Errors:
 * SERVET_EARGUMENT (no such format), SERVET_EUNSUPPORTED (the format cannot express this placement:
 * Slurm and MPICH bind the processes of all nodes alike, MPICH numbers ranks node by node,
 * OMP_PLACES is for one node, Open MPI reads 63 characters of the cores of a rank),
 * SERVET_EUNMEASURED (Open MPI 5, and the profile has no servet_machine.logical_order), SERVET_EIO,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                                servet_error *error);

/**
 * Writes the command that runs a program with the placement to `stream`, and flushes it: a line for
 * a shell, "mpirun -n 4 ... PROGRAM", where PROGRAM is a placeholder for the program and its
 * arguments. `file` is the name of the file that servet_map_write() wrote; NULL: the placeholder
 * FILE. Writes nothing for a format that no launcher reads. Errors: as servet_map_write(), and
 * SERVET_EUNSUPPORTED for a name that the launcher cannot read.
 */
SERVET_API int servet_map_write_command(const servet_map *map, servet_map_format format,
                                        const char *file, FILE *stream, servet_error *error);

/** The rules by which cores are selected, see above. */
#define SERVET_RULE_LIST(X)                                                                        \
    X(SERVET_RULE_CACHE, "cache")         /* rule 1; levels of caches */                           \
    X(SERVET_RULE_MEMORY, "memory")       /* rule 2; overhead levels */                            \
    X(SERVET_RULE_PROXIMITY, "proximity") /* rule 3; layers of communication or of distances */    \
    X(SERVET_RULE_NETWORK, "network")     /* rule 4; no levels: 0 */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_rule { SERVET_RULE_LIST(SERVET_MAP_ENUM_) SERVET_RULE_COUNT } servet_rule;
#undef SERVET_MAP_ENUM_

/** The name of a rule ("proximity"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_rule_name(servet_rule rule);

/**
 * A weight that decided on the cores of a node: a process on a core adds `weight` to the other
 * cores of its group. The unit is the weight that rule 1, 2 or 4 adds if it is not one of the rules
 * for the bottleneck of the program. Rule 3 subtracts weight; the weights of nested groups add up,
 * so that nearer cores lose more.
 */
typedef struct servet_map_weight {
    servet_rule rule;
    int level;  /**< cache level, overhead level or layer, from 1; 0: none */
    int groups; /**< number of groups of cores within the node */
    double weight;
} servet_map_weight;

/** Number of weights of node `node` (servet_map_process.node), in `*count`; 0 for the scheduler's
 * orders. Errors: SERVET_ERANGE (no such node, or no process is on it). */
SERVET_API int servet_map_weight_count(const servet_map *map, int node, int *count);

/** Weight `index` (from 0) of a node. Errors: SERVET_ERANGE (likewise, or no such weight). */
SERVET_API int servet_map_weight_get(const servet_map *map, int node, int index,
                                     servet_map_weight *weight);

/* --- predicted cost of a placement ------------------------------------------------------------ */

/** The resource that limits the messages of a program. */
#define SERVET_LIMIT_LIST(X)                                                                       \
    X(SERVET_LIMIT_NONE, "none")       /* there are no messages */                                 \
    X(SERVET_LIMIT_PROCESS, "process") /* one process, which handles its messages in sequence */   \
    X(SERVET_LIMIT_NODE, "node")       /* one node, whose processes share its network access */    \
    X(SERVET_LIMIT_GROUP, "group") /* the link out of a group of a layer: an uplink, a socket */   \
    X(SERVET_LIMIT_LAYER, "layer") /* a resource that a whole layer shares: a spine, memory */     \
    X(SERVET_LIMIT_DISTANCE, "distance") /* a link that messages of distant nodes share */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_limit { SERVET_LIMIT_LIST(SERVET_MAP_ENUM_) SERVET_LIMIT_COUNT } servet_limit;
#undef SERVET_MAP_ENUM_

/** The name of a limit ("node"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_limit_name(servet_limit limit);

/**
 * The predicted cost of a placement. Unknown members are NaN.
 *
 * The model: all messages of a phase are sent at once, and a step is the sum of its phases. The
 * time until the last message of a phase has arrived is the time of the busiest resource plus the
 * longest latency of a message, and at least that of each message alone. The time of a message
 * alone is servet_network_time() in the layer of the pair. It has two parts: the busy time, which
 * each further message of a batch at once adds (servet_network_aggregate()), and the latency, which
 * is the rest. Without measured batches, the whole time is busy.
 * - A process sends its messages in sequence, and receives them in sequence. Its time is the sum of
 *   the busy times in one direction; the larger sum counts.
 * - A node: the sum of the busy times of its messages to other nodes, in one direction, times
 *   ratNC(k) / k, if k of its processes send (or receive) such messages: k messages at once take
 *   ratNC(k) times as long as one. If ratNC was not measured, servet_network_slowdown() of the
 *   nearest layer between nodes replaces it, without the latency.
 * - A group of a layer, for messages that cross its border: likewise, with
 *   servet_network_slowdown() of the layer around it. In the measurement of 2 m messages at once, m
 *   leave one group. Between nodes, m is the number of cores of the sending nodes.
 * - A layer within one of its groups: likewise, with the sum of the busy times of its messages, of
 *   which m are sent at once.
 * - A link of a torus, list "network.torus", replaces the layer between nodes: the sum of the busy
 *   times of its messages, times the share of a link that a message takes. This share follows from
 *   ratDist, whose messages share known links. A message goes along one dimension after the other,
 *   the shorter way. If a message alone fills a link, links limit messages instead of processes and
 *   nodes. Each link more than the pair of the curve has adds its time to the latency. The first
 *   message comes to a link after the shortest latency of its messages, which is added to its time.
 *
 * Slowdowns between nodes were measured with one partner of each process, whose messages may meet
 * on one of several routes. If a measured all-to-all of all cores (SERVET_COLLECTIVE_ALLTOALL) took
 * less than they predict, processes with p partners lose less: by a part that is proportional to
 * 1 - 1 / sqrt(p) and explains the all-to-all.
 *
 * If more messages are sent at once than were measured, the throughput of the largest measured
 * number is used. A slowdown that was not measured counts as 1.
 */
typedef struct servet_map_cost {
    int nodes, per_node; /**< nodes with processes; largest number of processes on one node */
    double seconds;      /**< until all messages have arrived */
    double work;         /**< sum of the times of all messages alone; s */
    servet_limit limit;  /**< the busiest resource of the longest phase */
    int limit_at;        /**< its number: rank, node (from 0), or layer (from 1) */
    /** rule 1: pairs of processes that share a cache, summed over the levels */
    double cache_pairs;
    double memory_pairs; /**< rule 2: pairs that slow each other down in memory, likewise */
    double latency;      /**< rule 3: mean over all pairs; s */
    double access_ratio; /**< rule 4: ratNC of `per_node` processes */
    double memory;       /**< the lowest copy bandwidth of a process, while one core of each process
                              copies; B/s */
    /** true if all members depend on trusted facts only, the pairs on trusted groups */
    bool trusted;
} servet_map_cost;

/**
 * Predicts the cost of a placement made with this profile, in `*cost`. Without `traffic`, it
 * assumes a message from each process to each other one, of servet_network.message_bytes. Errors:
 * SERVET_EARGUMENT (traffic of another number of processes), SERVET_EMEMORY.
 */
SERVET_API int servet_map_predict(const servet_map *map, const servet_profile *profile,
                                  const servet_traffic *traffic, servet_map_cost *cost,
                                  servet_error *error);

/** Resources that the processes of a node share. */
#define SERVET_RESOURCE_LIST(X)                                                                    \
    X(SERVET_RESOURCE_MEMORY, "memory")   /* copy bandwidth: servet_memory_scaling() */            \
    X(SERVET_RESOURCE_NETWORK, "network") /* access to other nodes: ratNC */

#define SERVET_MAP_ENUM_(name, text) name,
typedef enum servet_resource {
    SERVET_RESOURCE_LIST(SERVET_MAP_ENUM_) SERVET_RESOURCE_COUNT
} servet_resource;
#undef SERVET_MAP_ENUM_

/** The name of a resource ("memory"); "?" for an invalid number. Static storage. */
SERVET_API const char *servet_resource_name(servet_resource resource);

/** Advice to leave cores idle (Servet 3.0, figure 8). P is the largest number of processes per node
 * in the placement. */
typedef struct servet_map_idle {
    /**
     * smallest number of processes per node, up to P, that together get 95 % or more of the best
     * bandwidth
     */
    int per_node;
    double gain;  /**< total bandwidth of per_node processes divided by the total of P processes */
    double each;  /**< bandwidth of each of per_node processes divided by that of each of P */
    bool trusted; /**< true if the result depends on trusted facts only */
} servet_map_idle;

/**
 * Finds, in `*idle`, whether the first processes of each node alone would get as much bandwidth of
 * a resource as all of them. Errors: SERVET_EARGUMENT (no such resource), SERVET_EUNMEASURED.
 */
SERVET_API int servet_map_idle_get(const servet_map *map, const servet_profile *profile,
                                   servet_resource resource, servet_map_idle *idle);

/* --- running programs ------------------------------------------------------------------------- */

/** A slot: the core of a process of a running program. */
typedef struct servet_map_seat {
    const char *host;
    int core; /**< OS number */
} servet_map_seat;

/**
 * Assigns the ranks of a running program to its slots: rank r of `traffic` should run in
 * slots[slot_of[r]]. `slots` and `slot_of` have as many elements as `traffic` has processes. The
 * result is never predicted slower than slot_of[r] = r, and is that assignment if none is faster. A
 * host that took no part in the measurement counts as far from all others. Errors: SERVET_EARGUMENT
 * (a slot given twice), SERVET_EUNMEASURED (the profile has no message times), SERVET_ERANGE
 * (traffic between more than 200 million pairs), SERVET_EMEMORY.
 */
SERVET_API int servet_map_reorder(const servet_profile *profile, const servet_traffic *traffic,
                                  const servet_map_seat slots[], int slot_of[],
                                  servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
