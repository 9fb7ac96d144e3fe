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
#include "profile/record/named.h"
#include "profile/trust.h"
#include "core/utf8.h"

/* --- marking ---------------------------------------------------------------------------------- */

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

static srv_named_visit mark;

static void mark_items(const srv_field *field, const srv_list *list)
{
    for (int i = 0; i < list->count; i++) {
        void *item = (char *)list->items + (size_t)i * field->shape->size;
        if (field->type == SRV_VALUES)
            distrust_value(item);
        else
            (void)srv_named_each(field->shape, item, NULL, "", mark);
    }
}

/* Marks all values of a member, and all confidences. */
static void mark(const srv_shape *shape, const srv_field *field, void *item, void *other)
{
    void *at = (char *)item + field->offset;
    (void)other;
    if (field->type == SRV_VALUE)
        distrust_value(at);
    else if (shape == &srv_value_shape)
        distrust_value(item); /* an item of a list of values */
    else if (field->type == SRV_OBJECT)
        (void)srv_named_each(field->shape, at, NULL, "", mark);
    else if (srv_has_structs(field) || field->type == SRV_VALUES)
        mark_items(field, at);
    else if (strcmp(field->name, "confidence") == 0)
        distrust_confidence(shape, item, at);
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

void srv_forget(srv_list *list, size_t size, const char *name)
{
    char fact[SERVET_NAME_MAX];
    int left = 0;
    snprintf(fact, sizeof fact, "%.*s", (int)strcspn(name, " "), name);
    for (int i = 0; i < list->count; i++) {
        const char *item = (const char *)list->items + (size_t)i * size;
        if (!srv_fact_covers(fact, item))
            memmove((char *)list->items + (size_t)left++ * size, item, size);
    }
    list->count = left;
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
    if (srv_named_word(path, "network"))
        return (root){&srv_comm_shape, comm, comm ? &comm->doubts : NULL, srv_named_rest(path)};
    return (root){&srv_class_shape, class, class ? &class->doubts : NULL, path};
}

void srv_heed_doubts(servet_profile *profile, int node_class, const char *path)
{
    root from = root_of(profile, srv_class_at(profile, node_class, NULL), path);
    const srv_doubt *all = from.doubts->items;
    for (int i = 0; i < from.doubts->count; i++) {
        size_t length = strlen(all[i].fact);
        if (strncmp(all[i].fact, from.path, length) == 0 && from.path[length] == '.')
            (void)srv_named_each(from.shape, from.item, NULL, from.path, mark);
    }
}

/* Checks all names before the first change. */
static int check_names(servet_profile *profile, int node_class, const char *facts,
                       servet_error *error)
{
    for (const char *path = srv_named_first(facts); *path; path = srv_named_next(path)) {
        root from = root_of(profile, srv_class_at(profile, node_class, NULL), path);
        if (!from.item)
            return srv_fail(error, SERVET_EARGUMENT,
                            "no node class has number %d, or there is no network", node_class);
        if (srv_named_end(from.path) || !srv_named_each(from.shape, NULL, NULL, from.path, mark))
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
    for (const char *path = srv_named_first(facts); *path && code == SERVET_OK;
         path = srv_named_next(path)) {
        root from = root_of(profile, srv_class_at(profile, node_class, NULL), path);
        (void)srv_named_each(from.shape, from.item, NULL, from.path, mark);
        code = add_doubt(from.doubts, from.path, reason, error);
    }
    return code;
}

int servet_profile_forget_doubts(servet_profile *profile, int node_class, const char *facts,
                                 servet_error *error)
{
    int code = check_names(profile, node_class, facts, error);
    for (const char *path = srv_named_first(facts); *path && code == SERVET_OK;
         path = srv_named_next(path)) {
        root from = root_of(profile, srv_class_at(profile, node_class, NULL), path);
        srv_forget(from.doubts, sizeof(srv_doubt), from.path);
    }
    return code;
}
