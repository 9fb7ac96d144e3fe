/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Building a profile: what `servet measure` does with its facts, open to other tools.
 *
 * A profile under construction belongs to one thread. After the last change it can be queried like
 * one that was opened, and written. What is recorded obeys the rules that a file is read by (units
 * as the structs in servet/profile.h say, low <= value <= high, nothing negative): anything else is
 * SERVET_EARGUMENT, with the member named in the text, and leaves the profile as it was. In texts,
 * a control character or a byte that is not UTF-8 becomes '?'.
 */
#ifndef SERVET_RECORD_H
#define SERVET_RECORD_H

#include <stdio.h>
#include "servet/network.h"
#include "servet/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An empty profile in `*profile`; the caller closes it. Errors: SERVET_EMEMORY. */
SERVET_API int servet_profile_create(servet_profile **profile, servet_error *error);

/** Sets the provenance; the struct is copied. */
SERVET_API int servet_profile_set_run(servet_profile *profile, const servet_run *run,
                                      servet_error *error);

/**
 * Adds a node class called `name` whose first node is `machine` (copied); `*index` receives its
 * number. Errors: SERVET_EARGUMENT (the name is taken or empty, malformed cores), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_class(servet_profile *profile, const char *name,
                                        const servet_machine *machine, int *index,
                                        servet_error *error);

/**
 * Adds a node called `host` to those that a class lists; one that it lists stays.
 * Errors: SERVET_EARGUMENT (no such class), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_node(servet_profile *profile, int node_class, const char *host,
                                       servet_error *error);

/**
 * Moves the first class of `from`, with all that is known of it, behind those of `profile`, and
 * calls it `name`. Errors: SERVET_EARGUMENT (there is none, the name is taken), SERVET_EMEMORY;
 * both profiles are then as they were.
 */
SERVET_API int servet_profile_adopt_class(servet_profile *profile, servet_profile *from,
                                          const char *name, servet_error *error);

/**
 * Adds a core kind called `name` with the cores `cores` (OS numbers as ranges, "0-3,8", however
 * many) to a class; `*kind` receives its number. Errors: SERVET_EARGUMENT (malformed or overlapping
 * cores, no such class), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_kind(servet_profile *profile, int node_class, const char *name,
                                       const char *cores, int *kind, servet_error *error);

/**
 * Stores the cache levels of a core kind, `count` of them, fastest first, levels numbered 1.. in
 * order, with the latency of memory behind them (unknown is fine). Replaces earlier ones.
 * Errors: SERVET_EARGUMENT, SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_caches(servet_profile *profile, int node_class, int kind,
                                         const servet_cache *caches, int count,
                                         const servet_value *memory_latency, servet_error *error);

/**
 * Stores who shares the instances of cache level `level` (from 1) of a core kind: `count` >= 1 sets
 * of OS core numbers as ranges, disjoint, one for each instance (also where that has only one
 * core), and what is known about them (NULL: nothing). Replaces earlier ones;
 * servet_profile_set_caches() forgets them.
 * Errors: SERVET_EARGUMENT (no such level, malformed or overlapping sets), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind,
                                               int level, const char *const *groups, int count,
                                               const servet_sharing *sharing, servet_error *error);

/** Stores the measured line size of a cache level (from 1) of a core kind, in place of what
 *  servet_profile_set_caches() said. Errors: as above. */
SERVET_API int servet_profile_set_cache_line(servet_profile *profile, int node_class, int kind,
                                             int level, const servet_value *line,
                                             servet_error *error);

/**
 * Stores the memory-level parallelism of a cache level of a core kind (level 0:
 * memory): of_chains[0..concurrency->chains-1] and of_threads[0..concurrency->threads-1] are the
 * bandwidths that servet_concurrency_of_chains() and _of_threads() give. Errors: as above.
 */
SERVET_API int servet_profile_set_concurrency(servet_profile *profile, int node_class, int kind,
                                              int level, const servet_concurrency *concurrency,
                                              const servet_value *of_chains,
                                              const servet_value *of_threads, servet_error *error);

/** Stores translation with such pages by a core kind: tlbs[0..count-1], nearest first. Errors: as
 *  above. */
SERVET_API int servet_profile_set_translation(servet_profile *profile, int node_class, int kind,
                                              servet_pages pages,
                                              const servet_translation *translation,
                                              const servet_tlb *tlbs, int count,
                                              servet_error *error);

/* --- what belongs to a whole node class. Each replaces what was stored before; errors:
       SERVET_EARGUMENT, SERVET_EMEMORY. --- */

/** Stores the coherence block. */
SERVET_API int servet_profile_set_coherence(servet_profile *profile, int node_class,
                                            const servet_coherence *coherence, servet_error *error);

/** Stores the layers of distances between cores, fastest first, `count` >= 0; their groups follow.
 */
SERVET_API int servet_profile_set_distances(servet_profile *profile, int node_class,
                                            const servet_distance_layer *layers, int count,
                                            servet_error *error);

/** Stores the groups of distance layer `layer` (from 1): sets as for
 * servet_profile_set_cache_groups(). */
SERVET_API int servet_profile_set_distance_groups(servet_profile *profile, int node_class,
                                                  int layer, const char *const *groups, int count,
                                                  servet_error *error);

/** Stores the bandwidth of one core alone by kernel; unknown values for what was not measured. */
SERVET_API int servet_profile_set_memory(servet_profile *profile, int node_class,
                                         const servet_value bandwidth[SERVET_KERNEL_COUNT],
                                         servet_error *error);

/** Stores the memory overhead levels, the least overhead first, `count` >= 0; their groups follow.
 */
SERVET_API int servet_profile_set_memory_levels(servet_profile *profile, int node_class,
                                                const servet_memory_level *levels, int count,
                                                servet_error *error);

/** Stores the groups of memory overhead level `level` (from 1). */
SERVET_API int servet_profile_set_memory_groups(servet_profile *profile, int node_class, int level,
                                                const char *const *groups, int count,
                                                servet_error *error);

/**
 * Stores the copy bandwidth of each of 1..count active cores of a group of overhead level `level`,
 * or of the node (level 0), unknown where it was not asked. `saturation` is the number of cores
 * that saturates the memory of the node, 0 where that was not measured; for a group it is not read:
 * that stands in servet_memory_level.
 */
SERVET_API int servet_profile_set_memory_scaling(servet_profile *profile, int node_class, int level,
                                                 const servet_value *bandwidth, int count,
                                                 int saturation, servet_error *error);

/**
 * Stores the NUMA nodes, their OS numbers ascending, and what they cost from each other: from node
 * i to node j at [i * count + j], unknown where it was not measured.
 */
SERVET_API int servet_profile_set_numa(servet_profile *profile, int node_class,
                                       const servet_numa *nodes, int count,
                                       const servet_value *bandwidth, const servet_value *latency,
                                       servet_error *error);

/**
 * Marks facts of a node class as not to be trusted: they were measured while others disturbed, by
 * `reason`, a few words for people ("other work took 51 % of the core's time"). `facts` are members as
 * the file calls them, separated by blanks, each with all that is in it: "coherence kinds.caches.line".
 * Behind a list a number from 1 is one of its items, else all are meant; "count" is their number.
 * "network.layers.2.curve" is one of communication, and `node_class` is then not read. Values by
 * SERVET_METHOD_CONFLICT stay trusted, other confidences fall to 0.5. What is not known stays so, but
 * counts. What a struct for recording says in `trusted` is not read: only this function doubts.
 * Errors: SERVET_EARGUMENT (no such class, no communication, or a name that is no measured member's),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                                       const char *reason, servet_error *error);

/**
 * Stores what repeats at several moments say of a fact that is stored already, of class
 * `node_class`, or of communication (`node_class` is then not read): its value, which is not
 * trusted where the stored one was not, and whose interval holds that of the stored one, and its
 * modes (count 0: one). `key` is that of the fact ("memory.copy"). Errors: SERVET_EKEY,
 * SERVET_EUNMEASURED and SERVET_ERANGE (no such fact), SERVET_EARGUMENT (no such class, or another
 * unit), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_repeats(servet_profile *profile, int node_class, const char *key,
                                          const servet_value *value, const servet_modes *modes,
                                          servet_error *error);

/* --- what belongs to the communication of the whole cluster. Each replaces what was stored before;
       errors: SERVET_EARGUMENT, SERVET_EMEMORY. --- */

/**
 * Stores the job, `nodes[0..network->nodes-1]` being the host names of its nodes. Begin with it: it
 * forgets all that is stored by the functions below.
 */
SERVET_API int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                                          const char *const *nodes, servet_error *error);

/** Stores the layers, fastest first, `count` >= 0; the rest of what is known of each follows. */
SERVET_API int servet_profile_set_network_layers(servet_profile *profile,
                                                 const servet_network_layer *layers, int count,
                                                 servet_error *error);

/**
 * Stores the groups of layer `layer` (from 1): disjoint sets of cores of the job as
 * servet_network_group() gives them, no more of them than the job had processes.
 */
SERVET_API int servet_profile_set_network_groups(servet_profile *profile, int layer,
                                                 const char *const *groups, int count,
                                                 servet_error *error);

/** Stores the curve of a layer, sizes ascending, and its protocols (0: none found), ascending. */
SERVET_API int servet_profile_set_network_curve(servet_profile *profile, int layer,
                                                const servet_message *points, int count,
                                                const servet_protocol *protocols,
                                                int protocol_count, servet_error *error);

/**
 * Stores many messages at once in a layer, sizes ascending, of each the numbers of messages
 * ascending, and the advice from it, messages ascending.
 */
SERVET_API int servet_profile_set_network_together(servet_profile *profile, int layer,
                                                   const servet_together *together, int count,
                                                   const servet_gather *gathers, int gather_count,
                                                   servet_error *error);

/** Stores a degradation: count >= 1 ratios, `at` ascending from 1. `about->largest` is not read: it
 * is the last one's. */
SERVET_API int servet_profile_set_network_ratios(servet_profile *profile,
                                                 servet_degradation degradation,
                                                 const servet_ratios *about,
                                                 const servet_ratio *ratios, int count,
                                                 servet_error *error);

/**
 * Adds what another, later job found out about the same cluster: moves it out of `from`, of which
 * the caller closes what is left.
 * - Nodes: all that either lists. Those that both list are as the job saw them that measured more
 *   nodes, of two alike the later one. Classes that measure alike become one.
 * - Layers, curves and messages at once: those of the job on more nodes, of two alike the later
 * one.
 * - Degradation: all measurements (servet_network_ratios_count()); of two on as many nodes with
 *   messages of one size the later one.
 * Errors: SERVET_EMEMORY; both profiles are then to be closed.
 */
SERVET_API int servet_profile_merge(servet_profile *profile, servet_profile *from,
                                    servet_error *error);

/**
 * Writes the profile to `path`: to a temporary file beside it, flushed to disk, then renamed, so
 * that `path` always holds a whole profile, old or new. Errors: SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_profile_write(const servet_profile *profile, const char *path,
                                    servet_error *error);

/**
 * Writes the profile, as it would stand in a file, to `stream`, which the caller flushes.
 * Errors: SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_profile_dump(const servet_profile *profile, FILE *stream,
                                   servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
