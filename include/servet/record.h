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
 * Stores facts, in place of earlier ones; doubts of this very path, or of a part of it, go. A fact
 * of several paths (a struct and its lists) is stored struct first. `path` names them as
 * servet_profile_distrust() does, with a number behind each list: members of class `node_class`, or
 * of communication if it begins with "network.". servet-keys(7) and profile.md describe them. There
 * are `count` facts of `size` bytes at `facts`:
 * - structs of the public headers, such as servet_cache for "kinds.1.caches": lists of them begin
 *   with the fastest, nearest, least or smallest; lists and values in them that were stored before
 *   are deleted. For "memory.bandwidth" one array of SERVET_KERNEL_COUNT values;
 * - values, for one ("kinds.1.memory.latency_ns"), for each of 1, 2, ... cores, threads or chains
 *   ("memory.scaling"), each NUMA node, or each node of the job ("network.slowness"): unknown where
 *   it was not measured, none at all if nothing was;
 * - texts, for disjoint sets of cores: "kinds.1.caches.2.groups", one set for each instance, also
 * for one with a single core; in "network.layers.1.groups" in the format of servet_network_group();
 * - an int, for a number of cores ("memory.saturation"); 0: not measured.
 * Errors: SERVET_EARGUMENT (no such fact, class or item, facts of another size), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set(servet_profile *profile, int node_class, const char *path,
                                  const void *facts, size_t size, int count, servet_error *error);

/**
 * Marks facts of a node class as not trusted, because they were measured under noise. `reason` says
 * in a few words how ("other work took 51 % of the core's time"); it is stored with them. `facts`
 * are names of members in the file, separated by blanks; each includes all its members: "coherence
 * kinds.caches.line". A number behind a list means that item (from 1), no number all of them;
 * "count" means the number of items. Names that begin with "network." are facts of communication,
 * for which `node_class` is ignored: "network.layers.2.points". Values by SERVET_METHOD_CONFLICT
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

/** A copy of the profile, which the caller closes. Errors: SERVET_EMEMORY, SERVET_EFORMAT (a fact
 * that no file may have). */
SERVET_API int servet_profile_copy(const servet_profile *profile, servet_profile **copy,
                                   servet_error *error);

/**
 * True if a part that servet_profile_fitness() counts is doubtful, and is measured by the benchmark
 * of a node with this word. `at` as in servet_profile_distrust(); false for a class that the
 * profile does not have.
 */
SERVET_API bool servet_profile_doubts(const servet_profile *profile, const servet_at *at,
                                      const char *benchmark);

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

/**
 * Stores the job that measured communication; `nodes[0..network->nodes-1]` are the host names of
 * its nodes. Call it before its facts are stored: those of a job with as many processes on the same
 * nodes stay, others are deleted. Errors: SERVET_EARGUMENT, SERVET_EMEMORY.
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
