/* SPDX-License-Identifier: BSD-3-Clause */
/** Steps from a struct of the profile into its lists, and the answers of queries from there. */
#ifndef SRV_PROFILE_QUERY_FIND_H
#define SRV_PROFILE_QUERY_FIND_H

#include <stddef.h>
#include "profile/trusted.h"

/** The struct at which a query begins. */
typedef enum srv_scope {
    SRV_OF_KIND,    /**< srv_core_kind */
    SRV_OF_CLASS,   /**< srv_class */
    SRV_OF_PROFILE, /**< servet_profile */
    SRV_SCOPE_COUNT
} srv_scope;

extern const srv_shape *const srv_scope_shapes[SRV_SCOPE_COUNT];

/** The way to a list and its items: each step is a list in the items of the list before. A step
 * takes a number, from 1, unless its list has at most one item (SRV_MAYBE). */
typedef struct srv_way {
    srv_scope scope;
    size_t step[SRV_WAY_STEPS_MAX]; /**< offsets of the lists, never 0; 0 behind the last one */
} srv_way;

/** The number of steps. */
int srv_way_steps(const srv_way *way);

/** Finds the struct at which queries of a scope begin; site->item is NULL if the class has no core
 * types. Errors: those of srv_target_find(). */
int srv_site_find(const servet_profile *profile, const servet_at *at, srv_scope scope,
                  srv_site *site, servet_error *error);

/** Makes a step into a list of the struct; `number` is ignored if the step takes none. Errors:
 * SERVET_EUNMEASURED, SERVET_ERANGE. */
int srv_site_step(srv_site *site, const srv_field *list, long number);

/** Finds the struct at the end of the way, and its place. Errors: as srv_find(). */
int srv_locate(const servet_profile *profile, const servet_at *at, const srv_way *way,
               const long *numbers, srv_site *site);

/* --- public queries, by the numbers of the steps that take one. Errors: SERVET_ERANGE (no such
       class, core or number), SERVET_EUNMEASURED, and of a profile that answers what is trusted
       only SERVET_EUNTRUSTED. --- */

/** Returns SERVET_EUNTRUSTED if the profile gives trusted answers only, and this one is not
 * trusted; otherwise SERVET_OK. */
int srv_demand(const servet_profile *profile, bool trusted);

/** Copies a known value as an answer. */
int srv_answer_value(const servet_profile *profile, const servet_value *from, servet_value *value);

/** The item at the end of the way, trusted or not. */
int srv_find(const servet_profile *profile, const servet_at *at, const srv_way *way,
             const long *numbers, const void **item);

/** Copies the public part of the item, at its beginning, and sets its mark of trust
 * (srv_shape.trusted). */
int srv_fetch(const servet_profile *profile, const servet_at *at, const srv_way *way,
              const long *numbers, void *copy, size_t size);

/** Copies a value. Errors: SERVET_EUNMEASURED also if the value is not known. */
int srv_fetch_value(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, servet_value *value);

/** The number of items in the list of the last step. */
int srv_fetch_count(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, int *count);

/** Set `index` (from 0) of the list of the last step. */
int srv_fetch_set(const servet_profile *profile, const servet_at *at, const srv_way *way,
                  const long *numbers, long index, const char **cores);

/** Returns SERVET_OK if the profile may answer from the list: always, unless it gives trusted
 * answers only. */
int srv_fetch_nothing(const servet_profile *profile, const servet_at *at, const srv_way *way,
                      const long *numbers);

/** Finds the set, from 0, in the list of the last step, that has the core of `at`. Errors:
 * SERVET_EARGUMENT (`at` names no core), SERVET_EUNMEASURED (no set has it). */
int srv_fetch_holder(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, int *index);

/* --- public queries that each family has -------------------------------------------------------
 */

/** Defines the queries of a list of structs (from 1): of their number, and of a copy of one. */
#define SRV_LEVEL_QUERIES(count_function, get_function, type, way)                                 \
    int count_function(const servet_profile *profile, const servet_at *at, int *count)             \
    {                                                                                              \
        return srv_fetch_count(profile, at, &(way), NULL, count);                                  \
    }                                                                                              \
                                                                                                   \
    int get_function(const servet_profile *profile, const servet_at *at, int level, type *answer)  \
    {                                                                                              \
        return srv_fetch(profile, at, &(way), (long[]){level}, answer, sizeof *answer);            \
    }

/** Defines the queries of the sets of cores of such a struct: of their number, of one set, and of
 * the set with a core.
 */
#define SRV_GROUP_QUERIES(count_function, group_function, holder_function, way)                    \
    int count_function(const servet_profile *profile, const servet_at *at, int level, int *count)  \
    {                                                                                              \
        return srv_fetch_count(profile, at, &(way), (long[]){level}, count);                       \
    }                                                                                              \
                                                                                                   \
    int group_function(const servet_profile *profile, const servet_at *at, int level, int index,   \
                       const char **cores)                                                         \
    {                                                                                              \
        return srv_fetch_set(profile, at, &(way), (long[]){level}, index, cores);                  \
    }                                                                                              \
                                                                                                   \
    int holder_function(const servet_profile *profile, const servet_at *at, int level, int *index) \
    {                                                                                              \
        return srv_fetch_holder(profile, at, &(way), (long[]){level}, index);                      \
    }

#endif
