/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The index of a profile. It is made once when a profile is read, so that queries on large machines
 * take about the same time as on small ones. A profile under construction has spans
 * (profile/spans.h), but neither tables of hosts nor notes of trust: classes are then searched, and
 * trust is computed.
 */
#ifndef SRV_PROFILE_INDEX_H
#define SRV_PROFILE_INDEX_H

#include "profile/types.h"

/**
 * Makes the whole index: for each list of sets, the set that has a core; the hosts of classes and
 * of the job. Parts that were made before a failure stay. Errors: those of srv_spans_note_groups().
 */
int srv_index_create(servet_profile *profile, srv_json_path *where);

/** Notes which set has a core, in all lists of sets of a struct and of the structs below it, unless
 * that is noted already. The sets are well formed. Errors: SERVET_EMEMORY. */
int srv_index_sets(const srv_shape *shape, void *item);

/** Notes again which core type has a core. Errors: SERVET_EMEMORY. */
int srv_index_kinds(srv_list *kinds);

/** True if the class lists the host, with or without a domain. */
bool srv_class_lists(const srv_class *class, const char *host);

/** Discards the hosts and the notes of trust: classes or the job are about to change. */
void srv_index_forget(servet_profile *profile);

#endif
