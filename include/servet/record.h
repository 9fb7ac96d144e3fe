/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Building a profile: what `servet measure` does with its facts, open to other tools.
 *
 * A profile under construction belongs to one thread. After the last change it can be queried like
 * one that was opened, and written. What is recorded obeys the rules that a file is read by (units as
 * the structs in servet/profile.h say, low <= value <= high, nothing negative): anything else is
 * SERVET_EARGUMENT, with the member named in the text, and leaves the profile as it was. In texts, a
 * control character or a byte that is not UTF-8 becomes '?'.
 */
#ifndef SERVET_RECORD_H
#define SERVET_RECORD_H

#include <stdio.h>
#include "servet/profile.h"

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
 * Adds a core kind called `name` with the cores `cores` (OS numbers as ranges, "0-3,8", however many)
 * to a class; `*kind` receives its number. Errors: SERVET_EARGUMENT (malformed or overlapping cores, no such
 * class), SERVET_EMEMORY.
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
 * core). Replaces earlier ones; servet_profile_set_caches() forgets them.
 * Errors: SERVET_EARGUMENT (no such level, malformed or overlapping sets), SERVET_EMEMORY.
 */
SERVET_API int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind,
                                               int level, const char *const *groups, int count,
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
