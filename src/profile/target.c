/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the class, the core type and the item of a list that a query means. */
#include <stdio.h>
#include <string.h>

#include "core/affinity.h"
#include "core/error.h"
#include "profile/here.h"
#include "profile/spans.h"

/* --- class and kind --------------------------------------------------------------------------- */

const srv_class *srv_class_named(const servet_profile *profile, const servet_at *at)
{
    const char *name = at ? at->node_class : NULL;
    const srv_class *classes = profile->classes.items;
    if (!name)
        return profile->here >= 0 && profile->here < profile->classes.count
                   ? &classes[profile->here]
                   : NULL;
    for (int i = 0; i < profile->classes.count; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}

/* Returns the item of a list that has a core of the node; -1: there is none. */
static int holder_of(const srv_list *list, int core)
{
    return srv_spans_find(list, (servet_place){0, core});
}

const srv_core_kind *srv_kind_with(const srv_class *class, int core)
{
    const srv_list *list = &class->kinds;
    int found = list->count > 0 ? 0 : -1;
    if (core != SERVET_ANY_CORE)
        found = holder_of(list, core);
    return found < 0 ? NULL : (const srv_core_kind *)list->items + found;
}

/* Writes "fat, thin", and "..." for classes that do not fit. */
static void list_classes(const servet_profile *profile, char *text, size_t size)
{
    const srv_class *classes = profile->classes.items;
    size_t used = 0;
    for (int i = 0; i < profile->classes.count; i++) {
        const char *name = classes[i].name;
        bool fits = used + strlen(name) + sizeof ", , ..." <= size;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", fits ? name : "...");
        if (!fits)
            return;
    }
}

int srv_no_class(const servet_profile *profile, const servet_at *at, servet_error *error)
{
    char names[SERVET_ERROR_TEXT_MAX / 2];
    if (profile->classes.count == 0)
        return srv_fail(error, SERVET_ERANGE, "the profile has no node classes");
    if (!at || !at->node_class)
        return servet_profile_here(profile, NULL, error);
    list_classes(profile, names, sizeof names);
    return srv_fail(error, SERVET_ERANGE, "the profile has no node class '%.64s', only %s",
                    at->node_class, names);
}

/* Returns the core that the calling thread runs on, if the class has it. */
static int this_core(const servet_profile *profile, const srv_class *class)
{
    const srv_class *classes = profile->classes.items;
    if (!srv_is_here(profile, (int)(class - classes)))
        return SERVET_ANY_CORE;
    int core = srv_affinity_here();
    return core >= 0 && srv_kind_with(class, core) ? core : SERVET_ANY_CORE;
}

int srv_target_find(const servet_profile *profile, const servet_at *at, srv_target *target,
                    servet_error *error)
{
    const srv_class *class = srv_class_named(profile, at);
    if (!class)
        return srv_no_class(profile, at, error);
    int core = at && at->core != SERVET_THIS_CORE ? at->core : this_core(profile, class);
    const srv_core_kind *kind = srv_kind_with(class, core);
    if (!kind && core != SERVET_ANY_CORE)
        return srv_fail(error, SERVET_ERANGE, "node class '%s' has no core %d", class->name, core);
    *target = (srv_target){core, class, kind};
    return SERVET_OK;
}

int srv_class_find(const servet_profile *profile, const servet_at *at, const srv_class **node_class)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code == SERVET_OK)
        *node_class = target.node_class;
    return code;
}

/* --- lists ------------------------------------------------------------------------------------ */

int srv_list_item(const srv_list *list, long index, size_t size, const void **item)
{
    if (!list->known)
        return SERVET_EUNMEASURED;
    if (index < 0 || index >= list->count)
        return SERVET_ERANGE;
    *item = (const char *)list->items + (size_t)index * size;
    return SERVET_OK;
}

int srv_value_item(const srv_list *values, long index, servet_value *value)
{
    const void *found;
    int code = srv_list_item(values, index, sizeof *value, &found);
    if (code == SERVET_OK && !servet_value_known(found))
        code = SERVET_EUNMEASURED;
    if (code == SERVET_OK)
        *value = *(const servet_value *)found;
    return code;
}

int srv_set_item(const srv_list *sets, long index, const char **cores)
{
    const void *found;
    int code = srv_list_item(sets, index, sizeof *cores, &found);
    if (code == SERVET_OK)
        *cores = *(const char *const *)found;
    return code;
}

/* --- locations -------------------------------------------------------------------------------- */

int srv_set_index(const srv_list *sets, int core, int *index)
{
    int found = holder_of(sets, core);
    if (found < 0)
        return SERVET_EUNMEASURED;
    *index = found;
    return SERVET_OK;
}

const char *srv_set_with(const srv_list *sets, int core)
{
    int index;
    bool found = srv_set_index(sets, core, &index) == SERVET_OK;
    return found ? ((char *const *)sets->items)[index] : NULL;
}
