/* SPDX-License-Identifier: BSD-3-Clause */
/** The facts that differ, or may be compared, as they are found. */
#ifndef SRV_PROFILE_DIFF_FOUND_H
#define SRV_PROFILE_DIFF_FOUND_H

#include "profile/types.h"
#include "servet/diff.h"

struct servet_diff {
    srv_list facts; /**< as found.c has them */
    int counts[SERVET_COMPARISON_COUNT];
};

/** Keeps a copy of the fact. Errors: SERVET_EMEMORY. */
int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error);

#endif
