/* SPDX-License-Identifier: BSD-3-Clause */
/** Marks facts that contradict each other as not trusted. */
#ifndef SRV_PROFILE_CONTRADICTION_H
#define SRV_PROFILE_CONTRADICTION_H

#include "profile/types.h"

/** A value, and its path for servet_profile_distrust(). */
typedef struct srv_fact {
    servet_value *value;
    char path[SERVET_NAME_MAX];
} srv_fact;

/** Returns true if the fact is known and trusted: only such facts can contradict others. */
bool srv_is_sure(const srv_fact *of);

/** Marks `of` as not trusted, with the statement and the other fact as the reason. Errors:
 * SERVET_EMEMORY. */
int srv_contradict(servet_profile *profile, int class, const srv_fact *of, const srv_fact *other,
                   const char *statement, servet_error *error);

/** Marks both facts if the interval of `lesser` is above the interval of `greater`, and both are
 * known and trusted. Errors: SERVET_EMEMORY. */
int srv_demand_order(servet_profile *profile, int class, const srv_fact *lesser,
                     const srv_fact *greater, const char *statement, servet_error *error);

#endif
