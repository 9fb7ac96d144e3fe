/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/record.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shape.h"
#include "profile/utf8.h"

/* A trail for structs that do not come from a file. */
static srv_trail no_file(servet_error *error)
{
    return (srv_trail){SERVET_EARGUMENT, NULL, NULL, error, 0, {{NULL, 0}}};
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* Texts come from the kernel and the command line, cut to fit; JSON takes UTF-8 only. */
static void clean_texts(const srv_shape *shape, void *item)
{
    for (const srv_field *field = shape->fields; field->name; field++) {
        char *at = (char *)item + field->offset;
        if (field->type == SRV_OBJECT)
            clean_texts(field->shape, at);
        if (field->type != SRV_TEXT)
            continue;
        at[field->size - 1] = '\0';
        srv_utf8_clean(at);
    }
}

int servet_profile_create(servet_profile **profile, servet_error *error)
{
    servet_profile *created = calloc(1, sizeof *created);
    if (!created)
        return srv_fail_memory(error);
    created->schema = SRV_SCHEMA;
    created->classes.known = true;
    *profile = created;
    return SERVET_OK;
}

int servet_profile_set_run(servet_profile *profile, const servet_run *run, servet_error *error)
{
    srv_trail trail = no_file(error);
    servet_run copy = *run;
    clean_texts(&srv_run_shape, &copy);
    int code = srv_check(&srv_run_shape, &copy, &trail);
    if (code != SERVET_OK)
        return code;
    if (!profile->run.count && !srv_list_add(&profile->run, sizeof copy))
        return srv_fail_memory(error);
    *(servet_run *)profile->run.items = copy;
    return SERVET_OK;
}

static int fill_class(srv_class *class, const char *name, const servet_machine *machine,
                      servet_error *error)
{
    strcpy(class->name, name);
    class->machine = *machine;
    class->kinds.known = true;
    clean_texts(&srv_class_shape, class);
    char **node = srv_list_add(&class->nodes, sizeof *node);
    if (!node)
        return srv_fail_memory(error);
    *node = copy_text(class->machine.hostname);
    return *node ? SERVET_OK : srv_fail_memory(error);
}

int servet_profile_add_class(servet_profile *profile, const char *name,
                             const servet_machine *machine, int *index, servet_error *error)
{
    srv_trail trail = no_file(error);
    if (strlen(name) >= SERVET_NAME_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "the name of the node class is too long: %.64s",
                        name);
    srv_class *class = srv_list_add(&profile->classes, sizeof *class);
    if (!class)
        return srv_fail_memory(error);
    int code = fill_class(class, name, machine, error);
    if (code == SERVET_OK)
        code = srv_check(&srv_profile_shape, profile, &trail);
    if (code != SERVET_OK) {
        srv_shape_free(&srv_class_shape, class);
        profile->classes.count--;
        return code;
    }
    *index = profile->classes.count - 1;
    profile->here = srv_class_here(profile);
    return SERVET_OK;
}

static srv_class *class_at(servet_profile *profile, int index)
{
    srv_class *classes = profile->classes.items;
    return index >= 0 && index < profile->classes.count ? &classes[index] : NULL;
}

int servet_profile_add_kind(servet_profile *profile, int node_class, const char *name,
                            const char *cores, int *kind, servet_error *error)
{
    srv_trail trail = no_file(error);
    srv_class *class = class_at(profile, node_class);
    if (!class)
        return srv_fail(error, SERVET_EARGUMENT, "no node class has number %d", node_class);
    if (strlen(name) >= SERVET_NAME_MAX || class->kinds.count == SRV_PROFILE_KINDS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "name too long or too many core kinds: %.64s",
                        name);
    char *copy = copy_text(cores);
    srv_core_kind *added = copy ? srv_list_add(&class->kinds, sizeof *added) : NULL;
    if (!added) {
        free(copy);
        return srv_fail_memory(error);
    }
    strcpy(added->name, name);
    srv_utf8_clean(added->name);
    added->cores = copy;
    added->memory_latency = servet_value_unknown(SERVET_UNIT_NANOSECOND);
    int code = srv_check(&srv_class_shape, class, &trail);
    if (code != SERVET_OK) {
        srv_shape_free(&srv_kind_shape, added);
        class->kinds.count--;
        return code;
    }
    *kind = class->kinds.count - 1;
    return SERVET_OK;
}

/* --- caches ----------------------------------------------------------------------------------- */

static srv_core_kind *kind_at(servet_profile *profile, int node_class, int kind, servet_error *error)
{
    srv_class *class = class_at(profile, node_class);
    if (class && kind >= 0 && kind < class->kinds.count)
        return (srv_core_kind *)class->kinds.items + kind;
    srv_fail(error, SERVET_EARGUMENT, "no core kind has number %d in node class %d", kind,
             node_class);
    return NULL;
}

static void free_caches(srv_list caches)
{
    srv_core_kind owner = {.caches = caches};
    srv_shape_free(&srv_kind_shape, &owner);
}

int servet_profile_set_caches(servet_profile *profile, int node_class, int kind,
                              const servet_cache *caches, int count,
                              const servet_value *memory_latency, servet_error *error)
{
    srv_trail trail = no_file(error);
    srv_core_kind *stored = kind_at(profile, node_class, kind, error);
    if (!stored)
        return SERVET_EARGUMENT;
    if (count < 0 || count > SERVET_CACHE_LEVELS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d cache levels", count);
    srv_cache *copy = calloc((size_t)count + 1, sizeof *copy);
    if (!copy)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        copy[i].fact = caches[i];
    srv_core_kind changed = *stored;
    changed.caches = (srv_list){copy, count, true};
    changed.memory_latency = *memory_latency;
    int code = srv_check(&srv_kind_shape, &changed, &trail);
    free_caches(code == SERVET_OK ? stored->caches : changed.caches);
    if (code == SERVET_OK)
        *stored = changed;
    return code;
}

static int copy_sets(const char *const *sets, int count, srv_list *list, servet_error *error)
{
    list->known = true;
    for (int i = 0; i < count; i++) {
        char **set = srv_list_add(list, sizeof *set);
        if (!set || !(*set = copy_text(sets[i])))
            return srv_fail_memory(error);
    }
    return SERVET_OK;
}

int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind, int level,
                                    const char *const *groups, int count, servet_error *error)
{
    srv_trail trail = no_file(error);
    srv_core_kind *stored = kind_at(profile, node_class, kind, error);
    if (!stored)
        return SERVET_EARGUMENT;
    if (level < 1 || level > stored->caches.count)
        return srv_fail(error, SERVET_EARGUMENT, "there is no cache level %d", level);
    srv_list *place = &((srv_cache *)stored->caches.items)[level - 1].groups, before = *place;
    *place = (srv_list){NULL, 0, false};
    int code = copy_sets(groups, count, place, error);
    if (code == SERVET_OK)
        code = srv_check(&srv_kind_shape, stored, &trail);
    srv_list unwanted = before;
    if (code != SERVET_OK) {
        unwanted = *place;
        *place = before;
    }
    srv_cache owner = {.groups = unwanted};
    srv_shape_free(&srv_cache_shape, &owner);
    return code;
}
