/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Made once when a profile was read, so that queries take about as long on large machines as on
 * small ones. A profile under construction has spans (profile/spans.h), but no hosts, for which it
 * is searched, and no notes of trust.
 */
#ifndef SRV_PROFILE_INDEX_H
#define SRV_PROFILE_INDEX_H

#include "profile/types.h"

/**
 * Makes the whole index: the set that holds a core, in each list of sets; the hosts of classes and
 * of the job. Parts that were made before a failure stay. Errors: those of srv_spans_note_groups().
 */
int srv_index_create(servet_profile *profile, srv_json_path *where);

/** Notes which set holds a core in those lists of sets of cores, in a struct and below it, that
 * have not got it yet. The sets are well formed. Errors: SERVET_EMEMORY. */
int srv_index_sets(const srv_shape *shape, void *item);

/** Notes which of the kinds has a core, anew. Errors: SERVET_EMEMORY. */
int srv_index_kinds(srv_list *kinds);

/** Discards the hosts and the notes of trust: classes or the job are about to change. */
void srv_index_forget(servet_profile *profile);

#endif
