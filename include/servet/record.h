/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Building a profile: the functions by which `servet measure` stores its results, for other tools.
 *
 * A profile under construction belongs to one thread. After the last change it can be queried like
 * one that was opened, and written. Values must follow the rules of the file format (units as in
 * the structs of servet/profile.h, low <= value <= high, nothing negative). Other values are
 * SERVET_EARGUMENT; the text names the member, and the profile is unchanged. In texts, a control
 * character or a byte that is not UTF-8 becomes '?'.
 */
#ifndef SERVET_RECORD_H
#define SERVET_RECORD_H

#include <stdio.h>
#include "servet/network.h"
#include "servet/node.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates an empty profile in `*profile`; the caller closes it. Errors: SERVET_EMEMORY. */
SERVET_API int servet_profile_create(servet_profile **profile, servet_error *error);

/**
 * The folder for a measurement of this node if the user names none, in `folder` of `size` bytes:
 * that of the user's profile which describes this node; else $XDG_DATA_HOME/servet (by default
 * ~/.local/share/servet), or if that holds profiles of other nodes only, a folder in it for nodes
 * of this type. So a measurement never replaces one of another machine. Errors: SERVET_ENOTFOUND
 * (no home folder), SERVET_ERANGE (too long).
 */
SERVET_API int servet_profile_place(char *folder, size_t size, servet_error *error);

/** Stores how the profile was measured; the struct is copied. Errors: SERVET_EARGUMENT,
 *  SERVET_EMEMORY. */
SERVET_API int servet_profile_set_run(servet_profile *profile, const servet_run *run,
                                      servet_error *error);

/**
 * Adds a node class called `name` whose first node is `machine` (copied); `*index` receives its
 * number. Errors: SERVET_EARGUMENT (the name is taken or empty, another class lists the node,
 * malformed cores), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_class(servet_profile *profile, const char *name,
                                        const servet_machine *machine, int *index,
                                        servet_error *error);

/**
 * Adds the host name `host` to the nodes of a class, unless the class lists it already, with or
 * without a domain. Errors: SERVET_EARGUMENT (no such class, or another class lists it),
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_node(servet_profile *profile, int node_class, const char *host,
                                       servet_error *error);

/**
 * Calls a node class `name`. A class that was given a name keeps it when profiles are merged; a
 * measurement calls the first one "default" and others "other-1", "other-2", ... Errors:
 * SERVET_EARGUMENT (no such class; the name is taken, empty or too long): it keeps the one it had.
 */
SERVET_API int servet_profile_name_class(servet_profile *profile, int node_class, const char *name,
                                         servet_error *error);

/**
 * Moves the first class of `from` with all its facts to the end of the classes of `profile`, and
 * names it `name`. Errors: SERVET_EARGUMENT (`from` has no class, the name or a node is taken),
 * SERVET_EMEMORY; both profiles are then unchanged.
 */
SERVET_API int servet_profile_adopt_class(servet_profile *profile, servet_profile *from,
                                          const char *name, servet_error *error);

/**
 * Adds a core type called `name` with the cores `cores` (OS numbers as ranges, "0-3,8", of any
 * length) to a class; `*kind` receives its number. Errors: SERVET_EARGUMENT (malformed or
 * overlapping cores, no such class), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_add_kind(servet_profile *profile, int node_class, const char *name,
                                       const char *cores, int *kind, servet_error *error);

/**
 * Stores the cache levels of a core type: `count` of them, fastest first, with levels 1, 2, ...,
 * and the latency of memory (may be unknown). Replaces earlier ones. Errors: SERVET_EARGUMENT,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_caches(servet_profile *profile, int node_class, int kind,
                                         const servet_cache *caches, int count,
                                         const servet_value *memory_latency, servet_error *error);

/**
 * Stores the groups of cores that share an instance of cache level `level` (from 1) of a core type:
 * `count` >= 1 disjoint sets of OS numbers as ranges, one for each instance, also for one with a
 * single core, and their confidence and verdict (NULL: unknown). Replaces earlier ones;
 * servet_profile_set_caches() deletes them.
 * Errors: SERVET_EARGUMENT (no such level, malformed or overlapping sets), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind,
                                               int level, const char *const *groups, int count,
                                               const servet_sharing *sharing, servet_error *error);

/** Stores the measured line size of a cache level (from 1) of a core type, replacing that of
 *  servet_profile_set_caches(). Errors: as above. */
SERVET_API int servet_profile_set_cache_line(servet_profile *profile, int node_class, int kind,
                                             int level, const servet_value *line,
                                             servet_error *error);

/**
 * Stores the memory-level parallelism of a cache level of a core type (level 0: memory):
 * of_chains[0..concurrency->chains-1] and of_threads[0..concurrency->threads-1] are the bandwidths
 * that servet_concurrency_of_chains() and _of_threads() return for 1, 2, ... Errors: as above.
 */
SERVET_API int servet_profile_set_concurrency(servet_profile *profile, int node_class, int kind,
                                              int level, const servet_concurrency *concurrency,
                                              const servet_value *of_chains,
                                              const servet_value *of_threads, servet_error *error);

/** Stores address translation with pages of a policy by a core type: tlbs[0..count-1], nearest to
 * the core first. Errors: as above. */
SERVET_API int servet_profile_set_translation(servet_profile *profile, int node_class, int kind,
                                              servet_pages pages,
                                              const servet_translation *translation,
                                              const servet_tlb *tlbs, int count,
                                              servet_error *error);

/* --- facts of a whole node class. Each function replaces what was stored before; errors:
       SERVET_EARGUMENT, SERVET_EMEMORY. --- */

/** Stores the false-sharing granularity. */
SERVET_API int servet_profile_set_coherence(servet_profile *profile, int node_class,
                                            const servet_coherence *coherence, servet_error *error);

/** Stores the layers of distances between cores, fastest first, `count` >= 0; store their groups
 *  afterwards. */
SERVET_API int servet_profile_set_distances(servet_profile *profile, int node_class,
                                            const servet_distance_layer *layers, int count,
                                            servet_error *error);

/** Stores the groups of distance layer `layer` (from 1): sets as for
 * servet_profile_set_cache_groups(). */
SERVET_API int servet_profile_set_distance_groups(servet_profile *profile, int node_class,
                                                  int layer, const char *const *groups, int count,
                                                  servet_error *error);

/**
 * Stores the bandwidth of one core alone by each of the first `count` kernels, such as
 * SERVET_KERNEL_COUNT; unknown for those that were not measured, and for further ones. Errors:
 * SERVET_EARGUMENT also for more than there are kernels.
 */
SERVET_API int servet_profile_set_memory(servet_profile *profile, int node_class,
                                         const servet_value bandwidth[], int count,
                                         servet_error *error);

/** Stores the memory overhead levels, the least overhead first, `count` >= 0; store their groups
 *  afterwards. */
SERVET_API int servet_profile_set_memory_levels(servet_profile *profile, int node_class,
                                                const servet_memory_level *levels, int count,
                                                servet_error *error);

/** Stores the groups of memory overhead level `level` (from 1). */
SERVET_API int servet_profile_set_memory_groups(servet_profile *profile, int node_class, int level,
                                                const char *const *groups, int count,
                                                servet_error *error);

/**
 * Stores the copy bandwidth of each core while 1..count cores of a group of overhead level `level`,
 * or of the node (level 0), copy; unknown for numbers that were not measured. `saturation` is the
 * number of cores that saturates the memory of the node, 0 if that was not measured; for a group it
 * is ignored, since servet_memory_level contains it.
 */
SERVET_API int servet_profile_set_memory_scaling(servet_profile *profile, int node_class, int level,
                                                 const servet_value *bandwidth, int count,
                                                 int saturation, servet_error *error);

/**
 * Stores `count` NUMA nodes, ordered by OS number, with bandwidth and latency from the cores of
 * node i to the memory of node j at [i * count + j]; unknown if not measured.
 */
SERVET_API int servet_profile_set_numa(servet_profile *profile, int node_class,
                                       const servet_numa *nodes, int count,
                                       const servet_value *bandwidth, const servet_value *latency,
                                       servet_error *error);

/**
 * Marks facts of a node class as not trusted, because they were measured under noise. `reason` says
 * in a few words how ("other work took 51 % of the core's time"); it is stored with them. `facts`
 * are names of members in the file, separated by blanks; each includes all its members: "coherence
 * kinds.caches.line". A number behind a list means that item (from 1), no number all of them;
 * "count" means the number of items. Names that begin with "network." are facts of communication,
 * for which `node_class` is ignored: "network.layers.2.curve". Values by SERVET_METHOD_CONFLICT
 * stay trusted; confidences above 0.5 become 0.5. Unknown values stay unknown. The functions that
 * store structs ignore their member `trusted`. Errors: SERVET_EARGUMENT (no such class, no
 * communication, or a name that is not that of a measured member), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                                       const char *reason, servet_error *error);

/**
 * Makes the checks of opening a file on a complete profile: marks trusted facts that
 * contradict each other as not trusted, each with the other one as the reason (a cache that is
 * slower than the next one, sets that do not multiply to the size, a TLB with fewer entries than a
 * nearer one), groups with cores that no core type has, and layers of communication that do not
 * join what faster ones join or whose measured pair is of another layer. Noise may make facts
 * contradict each other. Errors: SERVET_EMEMORY.
 */
SERVET_API int servet_profile_reconcile(servet_profile *profile, servet_error *error);

/**
 * Replaces a stored fact of class `node_class`, or of communication (`node_class` is then ignored),
 * by the result of repeats at several moments: its value and its modes (count 0: one). The new
 * interval is extended to contain the old one; the new value is not trusted if the old one was not.
 * `key` is the key of the fact ("memory.copy"). Errors: SERVET_EKEY, SERVET_EUNMEASURED and
 * SERVET_ERANGE (no such fact), SERVET_EARGUMENT (no such class, or another unit), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_repeats(servet_profile *profile, int node_class, const char *key,
                                          const servet_value *value, const servet_modes *modes,
                                          servet_error *error);

/* --- communication facts of the whole cluster. Each function replaces what was stored before;
       errors: SERVET_EARGUMENT, SERVET_EMEMORY. --- */

/**
 * Stores the job that measured; `nodes[0..network->nodes-1]` are the host names of its nodes. Call
 * it first: what the functions below have stored stays if it is from a job with as many processes
 * on the same nodes, and is deleted otherwise.
 */
SERVET_API int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                                          const char *const *nodes, servet_error *error);

/** Moves all facts of communication of `from` into `profile`, where they replace those of an
 * earlier job; if `from` has none, nothing changes. */
SERVET_API void servet_profile_adopt_network(servet_profile *profile, servet_profile *from);

/** Stores the ratio of each node's message times to those of others; `count` is the number of
 * nodes; an unknown value was not measured. */
SERVET_API int servet_profile_set_network_slowness(servet_profile *profile,
                                                   const servet_value *slowness, int count,
                                                   servet_error *error);

/** Stores the slow links, `count` >= 0. */
SERVET_API int servet_profile_set_network_slow_links(servet_profile *profile,
                                                     const servet_slow_link *links, int count,
                                                     servet_error *error);

/** Stores the layers, fastest first, `count` >= 0; store their other facts afterwards. Doubts and
 * modes of earlier ones are deleted. */
SERVET_API int servet_profile_set_network_layers(servet_profile *profile,
                                                 const servet_network_layer *layers, int count,
                                                 servet_error *error);

/**
 * Stores the groups of layer `layer` (from 1): disjoint sets of cores of the job in the format of
 * servet_network_group(), at most one for each process of the job.
 */
SERVET_API int servet_profile_set_network_groups(servet_profile *profile, int layer,
                                                 const char *const *groups, int count,
                                                 servet_error *error);

/** Stores the curve of a layer, sizes ascending, and its protocols (0: none detected), ascending.
 */
SERVET_API int servet_profile_set_network_curve(servet_profile *profile, int layer,
                                                const servet_message *points, int count,
                                                const servet_protocol *protocols,
                                                int protocol_count, servet_error *error);

/** Stores the measurements of concurrent messages in a layer, ordered by size, then by number of
 * messages. */
SERVET_API int servet_profile_set_network_together(servet_profile *profile, int layer,
                                                   const servet_together *together, int count,
                                                   servet_error *error);

/**
 * Stores the measured batches of a layer, and the ranges of sizes with one payoff, both ordered by
 * number of messages, then by size.
 */
SERVET_API int servet_profile_set_network_aggregation(servet_profile *profile, int layer,
                                                      const servet_batch *batches, int count,
                                                      const servet_aggregation *ranges,
                                                      int range_count, servet_error *error);

/** Stores a degradation: count >= 1 ratios, `at` ascending from 1. `about->largest` is ignored: it
 * is `at` of the last one. Doubts of an earlier one are deleted. */
SERVET_API int servet_profile_set_network_ratios(servet_profile *profile,
                                                 servet_degradation degradation,
                                                 const servet_ratios *about,
                                                 const servet_ratio *ratios, int count,
                                                 servet_error *error);

/**
 * Adds the facts that another, later job measured on the same cluster. It moves them out of `from`;
 * the caller still closes `from`.
 * - Nodes: those that either profile measured, or lists in a class that was given a name. For those
 *   that both measured, the job on more nodes counts, or the later one if both had the same number.
 *   Classes that measure alike are merged, unless they were given different names.
 * - Layers, curves and concurrent messages: those of the job on more nodes, or the later one.
 * - Degradation: all measurements (servet_network_ratios_count()); of two with the same number of
 *   nodes and the same message size, the later one.
 * Errors: SERVET_EMEMORY; the caller must then close both profiles and not use them otherwise.
 */
SERVET_API int servet_profile_merge(servet_profile *profile, servet_profile *from,
                                    servet_error *error);

/**
 * Writes the profile to `path` by way of a temporary file in the same folder, which is flushed to
 * disk and renamed: `path` always contains a complete profile, old or new. Errors: SERVET_EIO,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_write(const servet_profile *profile, const char *path,
                                    servet_error *error);

/**
 * Writes the profile in the file format to `stream`, which the caller flushes.
 * Errors: SERVET_EIO, SERVET_EMEMORY.
 */
SERVET_API int servet_profile_dump(const servet_profile *profile, FILE *stream,
                                   servet_error *error);

#ifdef __cplusplus
}
#endif
#endif
