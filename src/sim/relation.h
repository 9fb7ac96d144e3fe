/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Finds threads of a probe that are alike: the answer to a thread depends on the caches and links
 * that it shares with the others, not on the numbers of their PUs.
 */
#ifndef SRV_MODEL_RELATION_H
#define SRV_MODEL_RELATION_H

#include <stdint.h>

#include "sim/model.h"

/** A thread of a probe. */
typedef struct srv_member {
    int pu, node;  /**< logical numbers of its PU, and of the NUMA node of its memory */
    uint64_t work; /**< a sum over its work; threads with other work have another sum */
} srv_member;

/**
 * Puts threads that share a cache or a core into the same group: `group[i]` is the first member of
 * the group of member i. Members that already are in one group, in `group[i]` <= i, remain so.
 */
void srv_relation_groups(const srv_model *model, const srv_member *member, int count, int *group);

/**
 * A sum over the work of the members of group `of` and over all that they share with each other, in
 * the order of the members. Groups with the same sum find the same, but for the places of pages.
 */
uint64_t srv_relation_sum(const srv_model *model, const srv_member *member, const int *group,
                          int count, int of);

/**
 * Finds out which members to simulate. If all groups are alike and share links to memory with as
 * many others, the first one is enough: `like[i]` becomes the member of it that member i is like,
 * and `share[i][d]` the number of groups that use its instance of domain d. Otherwise each member
 * is like itself only, and all shares are 1.
 */
void srv_relation_find(const srv_model *model, const srv_member *member, const int *group,
                       int count, int *like, double (*share)[SRV_MODEL_DOMAINS_MAX]);

#endif
