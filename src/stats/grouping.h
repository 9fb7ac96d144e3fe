/* SPDX-License-Identifier: BSD-3-Clause */
/** Finds groups by tests of an equivalence, "is in one group with": each item is compared with one
 * representative of each group instead of with every other item.
 *
 * There are two kinds of tests. The test of a *couple* answers whether two items are in one group.
 * The test of a *set* answers, for each member, whether another member is in its group. A set can
 * be tested only if there is an answer for each member; one answer "no" then separates an item from
 * all others of the set.
 *
 * Items that probably belong together are tested first, because that saves tests; only the answers
 * decide. A correct guess costs one test per item, a wrong one at most three if sets can be
 * tested. */
#ifndef SRV_STATS_GROUPING_H
#define SRV_STATS_GROUPING_H

#include <stdbool.h>
#include "servet/error.h"

/** Two items by their numbers. */
typedef struct srv_couple {
    int a, b;
} srv_couple;

typedef struct srv_groups_plan {
    int count;       /**< items, at least 1, numbered from 0 */
    const int *hint; /**< items with the same number are probably in one group */
    bool sets;       /**< whether sets can be tested */
    /** Tests `n` couples that have no item in common: odds[i] above 0 means yes. A result other
     * than SERVET_OK ends the search. */
    int (*probe_couples)(void *context, const srv_couple *couples, int n, double *odds);
    /** Tests each of `n` items: odds[i] above 0 means that another one of them is in its group. */
    int (*probe_set)(void *context, const int *things, int n, double *odds);
    void *context;
} srv_groups_plan;

/** Finds the groups: group[i] becomes the number of the group of item i, from 0 in the order of the
 * items, and `*count` the number of groups. Errors: those of the tests, SERVET_EMEMORY. */
int srv_bench_groups(const srv_groups_plan *plan, int *group, int *count, servet_error *error);

/** A couple to verify, and whether both are in one group. */
typedef struct srv_groups_check {
    srv_couple couple;
    bool together;
} srv_groups_check;

/** Chooses couples that verify the groups of `n` items, mostly couples that were not compared
 * before: one couple within each group of two or more items, and up to `between_max` couples of
 * neighbouring groups. `checks` has room for n; returns their number. */
int srv_groups_checks(const int *group, int n, int group_count, int between_max,
                      srv_groups_check *checks);

#endif
