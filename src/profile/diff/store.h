/* SPDX-License-Identifier: BSD-3-Clause */
/** The facts of a difference. */
#ifndef SRV_PROFILE_DIFF_STORE_H
#define SRV_PROFILE_DIFF_STORE_H

#include "core/json/shape.h"
#include "servet/diff.h"

struct servet_diff {
    srv_list facts; /**< as diff_store.c has them */
    int counts[SERVET_COMPARISON_COUNT];
};

/** Keeps a copy of the fact. Errors: SERVET_EMEMORY. */
int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error);

#endif
