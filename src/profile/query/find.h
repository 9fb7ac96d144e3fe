/* SPDX-License-Identifier: BSD-3-Clause */
/** Steps from a struct of the profile into its lists, and the answers of queries from there. */
#ifndef SRV_PROFILE_QUERY_FIND_H
#define SRV_PROFILE_QUERY_FIND_H

#include <stddef.h>
#include "profile/trusted.h"

/** The struct that a query is about. */
typedef enum srv_scope {
    SRV_OF_KIND,    /**< srv_core_kind */
    SRV_OF_CLASS,   /**< srv_class */
    SRV_OF_PROFILE, /**< servet_profile */
    SRV_SCOPE_COUNT
} srv_scope;

extern const srv_shape *const srv_scope_shapes[SRV_SCOPE_COUNT];

enum { SRV_WAY_STEPS_MAX = 4 };

/** The way to a list and its items: where lists are, each a member of the items of the one before.
 * A step takes a number, from 1, unless its list holds at most one item (SRV_MAYBE). */
typedef struct srv_way {
    srv_scope scope;
    size_t step[SRV_WAY_STEPS_MAX]; /**< offsets, never 0; 0 behind the last */
} srv_way;

/** The number of steps. */
int srv_way_steps(const srv_way *way);

/** The struct at which queries about a scope begin; site->item is NULL if the class has no kinds.
 * Errors: those of srv_target_find(). */
int srv_site_find(const servet_profile *profile, const servet_at *at, srv_scope scope,
                  srv_site *site, servet_error *error);

/** A step into a list of the struct; `number` only counts where it takes one. Errors:
 * SERVET_EUNMEASURED, SERVET_ERANGE. */
int srv_site_step(srv_site *site, const srv_field *list, long number);

/** The struct at the end of the way, and where it is. Errors: as srv_find(). */
int srv_locate(const servet_profile *profile, const servet_at *at, const srv_way *way,
               const long *numbers, srv_site *site);

/* --- public queries, by the numbers of the steps that take one. Errors: SERVET_ERANGE (no such
       class, core or number), SERVET_EUNMEASURED, and of a profile that answers what is trusted
       only SERVET_EUNTRUSTED. --- */

/** SERVET_EUNTRUSTED if the profile gives trusted answers only and this one is not, else SERVET_OK.
 */
int srv_demand(const servet_profile *profile, bool trusted);

/** Copies a value that is known, as an answer. */
int srv_answer_value(const servet_profile *profile, const servet_value *from, servet_value *value);

/** The item at the end of the way, trusted or not. */
int srv_find(const servet_profile *profile, const servet_at *at, const srv_way *way,
             const long *numbers, const void **item);

/** A copy of the beginning of the item, its public part, which says if it is trusted
 * (srv_shape.trusted). */
int srv_fetch(const servet_profile *profile, const servet_at *at, const srv_way *way,
              const long *numbers, void *copy, size_t size);

/** The same of values, SERVET_EUNMEASURED also where the value is not known. */
int srv_fetch_value(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, servet_value *value);

/** The number of items in the list of the last step. */
int srv_fetch_count(const servet_profile *profile, const servet_at *at, const srv_way *way,
                    const long *numbers, int *count);

/** Set `index` (from 0) of the list of the last step. */
int srv_fetch_set(const servet_profile *profile, const servet_at *at, const srv_way *way,
                  const long *numbers, long index, const char **cores);

/** SERVET_OK if the profile may answer from that list and nothing else forbids it. */
int srv_fetch_nothing(const servet_profile *profile, const servet_at *at, const srv_way *way,
                      const long *numbers);

/** The set of the list of the last step that holds the core that `at` names, from 0. Errors:
 * SERVET_EARGUMENT (it names none), SERVET_EUNMEASURED (no set does). */
int srv_fetch_holder(const servet_profile *profile, const servet_at *at, const srv_way *way,
                     const long *numbers, int *index);

/* --- public queries that each family has -------------------------------------------------------
 */

/** Queries about a list of structs, from 1: their number, and a copy of one. */
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

/** Queries about the sets of cores of such a struct: their number, one of them, and that of a core.
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
