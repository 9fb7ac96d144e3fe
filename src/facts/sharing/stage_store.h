/* SPDX-License-Identifier: BSD-3-Clause */
/** Groups of cores that share a cache level, on their way into the profile. */
#ifndef SRV_FACTS_SHARING_STAGE_STORE_H
#define SRV_FACTS_SHARING_STAGE_STORE_H

#include "run/stage.h"

/** A core in its group. */
typedef struct srv_group_member {
    int number; /**< of the OS */
    int kind;   /**< in the profile */
    int group;  /**< below 0: it has no such level */
} srv_group_member;

/**
 * Stores the groups of a level for each kind of cores that has it: those that contain one of its
 * cores, complete, because other core types may use an instance, too. `members` ascend by number.
 * If `confidence` is not NULL, it is stored with the verdict on the report of the OS. Errors: those
 * of the machine, SERVET_EMACHINE (a list of cores too long to store), SERVET_EMEMORY.
 */
int srv_store_cache_groups(srv_machine *machine, const srv_stage_place *place, int level,
                           const srv_group_member *members, int count, const double *confidence,
                           servet_error *error);

/** Marks the groups of a level of a kind of cores, if there are any, as not trusted. Errors: those
 * of servet_profile_distrust(). */
int srv_doubt_cache_groups(const srv_stage_place *place, int kind, int level, const char *reason,
                           servet_error *error);

#endif
