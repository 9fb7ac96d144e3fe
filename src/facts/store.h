/* SPDX-License-Identifier: BSD-3-Clause */
/** Stores facts of stages, and doubts of them, by paths with numbers: "kinds.%d.caches". */
#ifndef SRV_FACTS_STORE_H
#define SRV_FACTS_STORE_H

#include "core/error.h"
#include "machine/machine.h"
#include "servet/record.h"

/** Destination of facts: a class of a profile; for facts of communication any. */
#define SRV_JOB(job)     (job)->profile, 0
#define SRV_PLACE(place) (place)->profile, (place)->node_class

/** servet_profile_set() with a path like the format of printf(). */
int srv_store(servet_profile *profile, int node_class, const void *facts, size_t size, int count,
              servet_error *error, const char *path, ...) SRV_PRINTF(7, 8);

/** servet_profile_distrust() with paths like the format of printf(). */
int srv_doubt_facts(servet_profile *profile, int node_class, const char *reason,
                    servet_error *error, const char *paths, ...) SRV_PRINTF(5, 6);

/** The beginning of the reason not to trust the number of levels, if the curve may be too short. */
#define SRV_HIDDEN_CACHE "a cache that the system hides may pass for memory"

/** Doubts `facts` about memory if SRV_HIDDEN_CACHE is the doubt about the number of levels of core
 * type `number` (from 1; 0: of any). */
int srv_doubt_memory(servet_profile *profile, int node_class, int number, const char *facts,
                     servet_error *error);

/** Adds the members of each group as ranges: item i has the ascending number number[i], and is in
 * group[i], from 0 to groups - 1. Groups with fewer than `least` members are left out. Errors:
 * SERVET_EMEMORY. */
int srv_add_groups(srv_sets *sets, const int *number, const int *group, int items, int groups,
                   int least, servet_error *error);

/** Compares groups of cores with the sets that the OS reports: agrees where every group of two and
 * more cores is one of them, not visible where none is. `sets` is that of
 * srv_machine_ops.objects. */
servet_verdict srv_compare_groups(const srv_sets *sets, const srv_sets *groups);

/** Compares the groups of a cache level with the instances that the OS reports of this very cache,
 * single cores included: agrees where every group is one of them, not visible where there are
 * none. */
servet_verdict srv_compare_instances(const srv_sets *instances, const char *const *groups,
                                     int count);

#endif
