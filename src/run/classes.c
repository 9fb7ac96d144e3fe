/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/classes.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

srv_difference srv_compare_nodes(const servet_profile *usual, const servet_profile *other)
{
    return srv_compare_classes(usual, 0, other, 0);
}

/* --- classes ---------------------------------------------------------------------------------- */

/* The first node that measures like node i. */
static int find_like(servet_profile *const *profiles, const int *like, int i)
{
    for (int j = 0; j < i; j++)
        if (profiles[j] && like[j] == j && srv_compare_nodes(profiles[j], profiles[i]).alike)
            return j;
    return i;
}

/* The first node of the largest class; -1 where nothing was measured. */
static int find_usual(servet_profile *const *profiles, int *like, int *size, int count)
{
    int usual = -1;
    for (int i = 0; i < count; i++) {
        size[i] = 0;
        if (!profiles[i])
            continue;
        like[i] = find_like(profiles, like, i);
        size[like[i]]++;
    }
    for (int i = 0; i < count; i++)
        if (size[i] > 0 && (usual < 0 || size[i] > size[usual]))
            usual = i;
    return usual;
}

/* The share of its time that a node lost to others; all of it where that is not known. */
static double noise_of(const servet_profile *profile)
{
    servet_run run;
    bool known = servet_profile_run(profile, &run) == SERVET_OK && servet_value_known(&run.noise);
    return known ? run.noise.value : 1;
}

/* The least disturbed node of each class speaks for it, in place of the first. */
static void choose_quietest(servet_profile *const *profiles, int *like, int *quietest, int count)
{
    for (int i = 0; i < count; i++) {
        quietest[i] = i;
        if (profiles[i] && noise_of(profiles[i]) < noise_of(profiles[quietest[like[i]]]))
            quietest[like[i]] = i;
    }
    for (int i = 0; i < count; i++)
        if (profiles[i])
            like[i] = quietest[like[i]];
}

/* The class of each node that speaks for one becomes a number in the cluster's profile. */
static int adopt_classes(servet_profile **profiles, const int *like, int count, int usual,
                         int *number, servet_error *error)
{
    int classes = 1, code = SERVET_OK;
    number[usual] = 0;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        char name[SERVET_NAME_MAX];
        if (!profiles[i] || like[i] != i || i == usual)
            continue;
        number[i] = classes++;
        snprintf(name, sizeof name, "other-%d", number[i]);
        code = servet_profile_adopt_class(profiles[usual], profiles[i], name, error);
    }
    return code;
}

static int add_nodes(servet_profile **profiles, const int *like, int count, int usual,
                     const int *number, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (profiles[i] && like[i] != i)
            code = servet_profile_add_node(profiles[usual], number[like[i]],
                                           servet_profile_node(profiles[i], NULL, 0), error);
    return code;
}

static int merge(servet_profile **profiles, int count, int *work, servet_profile **cluster,
                 servet_error *error)
{
    int *like = work, *size = work + count, *number = work + 2 * count;
    int usual = find_usual(profiles, like, size, count);
    if (usual < 0)
        return SERVET_OK;
    choose_quietest(profiles, like, number, count);
    usual = like[usual];
    int code = adopt_classes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK)
        code = add_nodes(profiles, like, count, usual, number, error);
    if (code == SERVET_OK) {
        *cluster = profiles[usual];
        profiles[usual] = NULL;
    }
    return code;
}

int srv_merge_nodes(servet_profile **profiles, int count, servet_profile **cluster,
                    servet_error *error)
{
    int *work = calloc(3 * (size_t)count, sizeof *work);
    *cluster = NULL;
    int code = work ? merge(profiles, count, work, cluster, error) : srv_fail_memory(error);
    free(work);
    for (int i = 0; i < count; i++) {
        servet_profile_close(profiles[i]);
        profiles[i] = NULL;
    }
    return code;
}
