/* SPDX-License-Identifier: BSD-3-Clause */
/** The groups of one cache level: found with few probes, then verified. */
#ifndef SRV_FACTS_SHARING_STAGE_GROUPS_H
#define SRV_FACTS_SHARING_STAGE_GROUPS_H

#include "facts/sharing/stage_probe.h"

/** Search for the groups of a level; all arrays are the caller's. */
typedef struct srv_sharing_search {
    srv_sharing_probe probe;
    int core_count;
    /** Item of each core (index in probe.cores): cores that share the level above are one item. -1:
     * it has no such level. */
    const int *above;
    int thing_count;
    const int *thing; /**< the core that answers for each thing */
    const int *hint;  /**< things with the same number probably share an instance */
    bool sets;        /**< several cores can be measured at once */
    int *group;       /**< the answer: the group of each core; -1: it has no such level */
    int group_count;
    double weakest;           /**< odds of the least certain answer that the groups rest on */
    int *room, *found;        /**< for core_count numbers each */
    srv_groups_check *checks; /**< for core_count */
} srv_sharing_search;

/**
 * Finds the groups. Errors: those of the machine, SERVET_EINTERRUPTED, SERVET_EMEMORY,
 * SRV_UNDECIDED: there are no groups then.
 */
int srv_sharing_groups(srv_sharing_search *on);

#endif
