/* SPDX-License-Identifier: BSD-3-Clause */
/** Collects the facts that a comparison finds. */
#ifndef SRV_PROFILE_DIFF_FOUND_H
#define SRV_PROFILE_DIFF_FOUND_H

#include "profile/types.h"
#include "servet/diff.h"

struct servet_diff {
    srv_list facts; /**< copies, in the form of found.c */
    int counts[SERVET_COMPARISON_COUNT];
};

/** Keeps a copy of the fact. Errors: SERVET_EMEMORY. */
int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error);

#endif
