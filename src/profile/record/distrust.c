/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks facts that were measured under noise: marks their values, and adds doubts about the facts.
 */
#include "servet/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "profile/record/edit.h"
#include "profile/record/names.h"
#include "profile/trust.h"
#include "core/utf8.h"

/* Sets of cores are the only texts that are measured. */
static bool is_measured(const srv_field *field)
{
    return field->is_set ||
           (field->type != SRV_TEXT && field->type != SRV_STRING && field->type != SRV_STRINGS);
}

/* --- marking ---------------------------------------------------------------------------------- */

/* Marks all values of the struct if the path ends here, or else the values of the member at the
 * beginning of the path. If `item` is NULL, only checks the path. Returns false if the shape has no
 * such member. */
static bool distrust(const srv_shape *shape, void *item, const char *path);

static bool distrust_list(const srv_field *field, const srv_list *list, const char *path)
{
    int number = srv_names_number(path);
    const char *rest = number ? srv_names_rest(path) : path;
    for (int i = 0; list && i < list->count; i++)
        if (number == 0 || number == i + 1)
            (void)distrust(field->shape, (char *)list->items + (size_t)i * field->shape->size,
                           rest);
    return distrust(field->shape, NULL, rest);
}

static bool distrust_member(const srv_field *field, void *at, const char *path)
{
    bool list = srv_names_list(field->type), found = is_measured(field) && srv_names_end(path);
    if (list && field->type != SRV_MAYBE && srv_names_word(path, "count"))
        return srv_names_end(srv_names_rest(path));
    if (list)
        found = distrust_list(field, at, path);
    else if (field->shape)
        found = distrust(field->shape, at, path);
    return found;
}

/* Marks a value, unless it was counted by conflicts: these come from undisturbed trials only. */
static void distrust_value(servet_value *value)
{
    value->trusted = value->trusted && value->method == SERVET_METHOD_CONFLICT;
}

/* Limits the confidence of a detector whose input was disturbed. */
static void distrust_confidence(const srv_shape *shape, void *item, double *confidence)
{
    if (!srv_is_counted(shape, item))
        *confidence = fmin(*confidence, SRV_CONFIDENCE_LEAST);
}

static bool distrust(const srv_shape *shape, void *item, const char *path)
{
    bool found = srv_names_end(path);
    if (item && shape == &srv_value_shape)
        distrust_value(item);
    for (const srv_field *field = shape->fields; field->name; field++) {
        void *at = item ? (char *)item + field->offset : NULL;
        const char *rest = srv_names_end(path) ? path : srv_names_behind(path, field->name);
        if (!rest)
            continue;
        found = distrust_member(field, at, rest) || found;
        if (item && strcmp(field->name, "confidence") == 0)
            distrust_confidence(shape, item, at);
    }
    return found;
}

/* --- doubts ----------------------------------------------------------------------------------- */

/* Adds a doubt. A new doubt about the same fact replaces the reason. */
static int add_doubt(srv_list *doubts, const char *path, const char *reason, servet_error *error)
{
    srv_doubt made, *all = doubts->items;
    int i = 0;
    snprintf(made.fact, sizeof made.fact, "%.*s", (int)strcspn(path, " "), path);
    snprintf(made.reason, sizeof made.reason, "%s", reason);
    srv_utf8_clean(made.reason);
    while (i < doubts->count && strcmp(all[i].fact, made.fact) != 0)
        i++;
    srv_doubt *room = i < doubts->count ? &all[i] : srv_list_add(doubts, sizeof made);
    if (!room)
        return srv_fail_memory(error);
    *room = made;
    return SERVET_OK;
}

/* Removes the doubts about a fact and its members. */
static void forget_doubts(srv_list *doubts, const char *path)
{
    char fact[SERVET_NAME_MAX];
    srv_doubt *all = doubts->items;
    int left = 0;
    snprintf(fact, sizeof fact, "%.*s", (int)strcspn(path, " "), path);
    for (int i = 0; i < doubts->count; i++)
        if (!srv_fact_covers(fact, all[i].fact))
            all[left++] = all[i];
    doubts->count = left;
}

/* Beginning of a path, and the rest of it. */
typedef struct root {
    const srv_shape *shape;
    void *item;
    srv_list *doubts;
    const char *path;
} root;

/* Finds the struct at which the path begins; `item` is NULL if there is none. */
static root root_of(servet_profile *profile, srv_class *class, const char *path)
{
    srv_comm *comm = profile->network.count ? profile->network.items : NULL;
    if (srv_names_word(path, "network"))
        return (root){&srv_comm_shape, comm, comm ? &comm->doubts : NULL, srv_names_rest(path)};
    return (root){&srv_class_shape, class, class ? &class->doubts : NULL, path};
}

static srv_class *class_of(servet_profile *profile, int node_class)
{
    bool in_range = node_class >= 0 && node_class < profile->classes.count;
    return in_range ? (srv_class *)profile->classes.items + node_class : NULL;
}

void srv_heed_doubts(servet_profile *profile, int node_class, const char *path)
{
    root from = root_of(profile, class_of(profile, node_class), path);
    const srv_doubt *all = from.doubts->items;
    for (int i = 0; i < from.doubts->count; i++) {
        size_t length = strlen(all[i].fact);
        if (strncmp(all[i].fact, from.path, length) == 0 && from.path[length] == '.')
            (void)distrust(from.shape, from.item, from.path);
    }
}

static const char *first_path(const char *facts)
{
    return facts + strspn(facts, " ");
}

/* Checks all names before the first change. */
static int check_names(servet_profile *profile, int node_class, const char *facts,
                       servet_error *error)
{
    for (const char *path = first_path(facts); *path; path = srv_names_next(path)) {
        root from = root_of(profile, class_of(profile, node_class), path);
        if (!from.item)
            return srv_fail(error, SERVET_EARGUMENT,
                            "no node class has number %d, or there is no network", node_class);
        if (srv_names_end(from.path) || !distrust(from.shape, NULL, from.path))
            return srv_fail(error, SERVET_EARGUMENT, "no measured member is called %.*s",
                            (int)strcspn(path, " "), path);
    }
    srv_trusted_forget(profile);
    return SERVET_OK;
}

int servet_profile_distrust(servet_profile *profile, int node_class, const char *facts,
                            const char *reason, servet_error *error)
{
    int code = check_names(profile, node_class, facts, error);
    for (const char *path = first_path(facts); *path && code == SERVET_OK;
         path = srv_names_next(path)) {
        root from = root_of(profile, class_of(profile, node_class), path);
        (void)distrust(from.shape, from.item, from.path);
        code = add_doubt(from.doubts, from.path, reason, error);
    }
    return code;
}

int servet_profile_forget_doubts(servet_profile *profile, int node_class, const char *facts,
                                 servet_error *error)
{
    int code = check_names(profile, node_class, facts, error);
    for (const char *path = first_path(facts); *path && code == SERVET_OK;
         path = srv_names_next(path)) {
        root from = root_of(profile, class_of(profile, node_class), path);
        forget_doubts(from.doubts, from.path);
    }
    return code;
}
