/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Builds a profile: the functions by which `servet measure` stores its results, for other tools.
 *
 * A profile under construction belongs to one thread. After the last change, it can be written, and
 * queried like an opened one. Values must follow the rules of the file format (units as in the
 * structs of servet/profile.h, low <= value <= high, nothing negative). Other values fail with
 * SERVET_EARGUMENT: the text names the member, and the profile is unchanged. In texts, a control
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
 * The default folder for a measurement of this node, in `folder` of `size` bytes. It is the folder
 * of the user's profile that describes this node. Without such a profile, it is
 * $XDG_DATA_HOME/servet (by default ~/.local/share/servet) or, if that has only profiles of other
 * nodes, a folder in it for nodes of this type. So a measurement never replaces the profile of
 * another machine. Errors: SERVET_ENOTFOUND (no home folder), SERVET_ERANGE (too long).
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
 * Names a node class `name`. A class that was given a name keeps it when profiles are merged; a
 * measurement names the first class "default" and others "other-1", "other-2", ... Errors:
 * SERVET_EARGUMENT (no such class; the name is taken, empty or too long); the class keeps its name.
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
 * Stores facts in place of earlier ones. Deletes the doubts about this path and about parts of it;
 * a doubt about the very item that the path is part of ("network.layers.2") marks the new facts,
 * too. If a fact has several paths (a struct and its lists), store the struct first. `path` names
 * the facts as in servet_profile_distrust(), with a number behind each list: members of class
 * `node_class`, or of communication if the path begins with "network.". servet-keys(7) and
 * profile.md describe them. There are `count` facts of `size` bytes at `facts`:
 * - structs of the public headers, such as servet_cache for "kinds.1.caches". A list begins with
 * the fastest, nearest, least or smallest item. Lists and values in the structs that were stored
 * before are deleted. "memory.bandwidth" has one array of SERVET_KERNEL_COUNT values;
 * - values: one ("kinds.1.memory.latency_ns"), or one for each of 1, 2, ... cores, threads or
 * chains
 *   ("memory.scaling"), for each NUMA node, or for each node of the job ("network.slowness"). A
 * value that was not measured is unknown; if none was measured, `count` is 0;
 * - texts for disjoint sets of cores: "kinds.1.caches.2.groups", one set for each instance, even if
 * it has a single core. "network.layers.1.groups" has the format of servet_network_group();
 * - an int for a number of cores ("memory.saturation"); 0: not measured.
 * Errors: SERVET_EARGUMENT (no such fact, class or item, facts of another size), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set(servet_profile *profile, int node_class, const char *path,
                                  const void *facts, size_t size, int count, servet_error *error);

/**
 * Marks facts of a node class as not trusted, because they were measured under noise. `reason`
 * describes the noise in a few words ("other work took 51 % of the core's time"); it is stored with
 * the facts. `facts` has names of members in the file, separated by blanks; each name includes all
 * members below it: "coherence kinds.caches.line". A number behind a list means one item (from 1),
 * no number means all of them; "count" means the number of items. Names that begin with "network."
 * are facts of communication, for which `node_class` is ignored: "network.layers.2.points". Values
 * by SERVET_METHOD_CONFLICT stay trusted; confidences above 0.5 become 0.5. Unknown values stay
 * unknown. The functions that store structs ignore their member `trusted`. Errors: SERVET_EARGUMENT
 * (no such class, no communication, or a name that no measured member has), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                                       const char *reason, servet_error *error);

/**
 * Deletes the doubts about facts that will be measured again. Values keep their marks until they
 * are stored. Parameters and errors as above.
 */
SERVET_API int servet_profile_forget_doubts(servet_profile *profile, int node_class,
                                            const char *facts, servet_error *error);

/**
 * Takes facts of a class, and the doubts about them, from another profile of the same node; `from`
 * gets what `profile` had. `facts` as in servet_profile_distrust(), but without "count" and without
 * facts of communication; items of lists that only one of both has stay, and so do modes. Errors:
 * SERVET_EARGUMENT (no such class, or a name that no measured member has), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_take(servet_profile *profile, servet_profile *from, int node_class,
                                   const char *facts, servet_error *error);

/**
 * Makes the checks of opening a file on a complete profile. Noise may make facts contradict each
 * other. Marks as not trusted:
 * - trusted facts that contradict each other, each with the other one as the reason: a cache that
 * is slower than the next one, sets that do not multiply to the size, a TLB with fewer entries than
 * a nearer one;
 * - groups with cores that no core type has;
 * - communication layers that do not join all cores that faster layers join, or whose measured pair
 * is in another layer. Errors: SERVET_EMEMORY.
 */
SERVET_API int servet_profile_reconcile(servet_profile *profile, servet_error *error);

/** A copy of the profile, which the caller closes. Errors: SERVET_EMEMORY, SERVET_EFORMAT (a fact
 * that no file may have). */
SERVET_API int servet_profile_copy(const servet_profile *profile, servet_profile **copy,
                                   servet_error *error);

/**
 * True if the node benchmark with this word measures a part that is doubtful and that
 * servet_profile_fitness() counts. `at` as in servet_profile_part(); false for a class that the
 * profile does not have.
 */
SERVET_API bool servet_profile_doubts(const servet_profile *profile, const servet_at *at,
                                      const char *benchmark);

/**
 * Replaces a stored fact of class `node_class`, or of communication (`node_class` is then ignored),
 * by the result of repeats at several moments: its value and its modes (count 0: one mode). The new
 * interval is extended to contain the old one. The new value is not trusted if the old one was not.
 * `key` is the key of the fact ("memory.copy"). Errors: SERVET_EKEY, SERVET_EUNMEASURED and
 * SERVET_ERANGE (no such fact), SERVET_EARGUMENT (no such class, or another unit), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_repeats(servet_profile *profile, int node_class, const char *key,
                                          const servet_value *value, const servet_modes *modes,
                                          servet_error *error);

/**
 * Stores the job that measured communication; `nodes[0..network->nodes-1]` are the host names of
 * its nodes. Call it before facts of the job are stored. Facts of an earlier job stay if it had the
 * same number of processes on the same nodes; otherwise they are deleted. Errors: SERVET_EARGUMENT,
 * SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_network(servet_profile *profile, const servet_network *network,
                                          const char *const *nodes, servet_error *error);

/** True if the facts of communication are from a job with `ranks` processes on these nodes, by
 * their host names. */
SERVET_API bool servet_profile_has_job(const servet_profile *profile, int ranks,
                                       const char *const *nodes, int count);

/** Moves all facts of communication of `from` into `profile`, where they replace those of an
 * earlier job; if `from` has none, nothing changes. */
SERVET_API void servet_profile_adopt_network(servet_profile *profile, servet_profile *from);

/**
 * Adds the facts that another, later job measured on the same cluster. It moves them out of `from`;
 * the caller still closes `from`.
 * - Nodes: all nodes that a profile measured, or lists in a class that was given a name. For a node
 *   that both measured, the job on more nodes counts, or the later job if the numbers are equal.
 *   Classes that measure alike are merged, unless they were given different names.
 * - Layers, curves and concurrent messages: from the job on more nodes, or from the later one.
 * - Degradation: all measurements (servet_network_ratios_count()); if two have the same number of
 *   nodes and the same message size, the later one.
 * Errors: SERVET_EMEMORY; the caller must then close both profiles and not use them otherwise.
 */
SERVET_API int servet_profile_merge(servet_profile *profile, servet_profile *from,
                                    servet_error *error);

/**
 * Writes the profile to `path`: to a temporary file in the same folder, which is flushed to disk
 * and then renamed. So `path` always contains a complete profile, old or new. Errors: SERVET_EIO,
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
