/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Statements that the facts of a profile must not contradict together. Noise and binding may make
 * facts contradict each other, and nothing that was measured may be refused: such facts are marked
 * as not trusted, with the reason.
 */
#include <stdio.h>
#include <string.h>

#include "core/findings.h"
#include "core/ranges.h"
#include "core/units.h"
#include "profile/index.h"
#include "profile/shape/shape.h"
#include "profile/spans.h"
#include "profile/trust.h"
#include "servet/record.h"

/* --- values ----------------------------------------------------------------------------------- */

/* A value of a class, and its path there. */
typedef struct fact {
    servet_value *value;
    char path[SERVET_NAME_MAX];
} fact;

enum { AMOUNT_MAX = 48 };
_Static_assert((int)AMOUNT_MAX >= (int)SRV_SIZE_TEXT_MAX, "a size fits");

static const char *print_amount(const servet_value *value, char text[AMOUNT_MAX])
{
    if (value->unit == SERVET_UNIT_BYTE)
        return srv_size_text(value->value, text);
    bool time = value->unit == SERVET_UNIT_SECOND, none = value->unit == SERVET_UNIT_NONE;
    servet_value written = time ? srv_value_in_nanoseconds(*value) : *value;
    const char *unit = time ? "ns" : servet_unit_symbol(value->unit);
    snprintf(text, AMOUNT_MAX, "%.6g%s%s", written.value, none ? "" : " ", none ? "" : unit);
    return text;
}

/* Facts that conflicts counted are marked, too: one of two such facts is wrong. */
static int doubt(servet_profile *profile, int class, const fact *of, const fact *other,
                 const char *statement, servet_error *error)
{
    char reason[SERVET_TEXT_MAX], amount[AMOUNT_MAX], other_amount[AMOUNT_MAX];
    snprintf(reason, sizeof reason, "%s: %s here, but %s in %s", statement,
             print_amount(of->value, amount), print_amount(other->value, other_amount),
             other->path);
    int code = servet_profile_distrust(profile, class, of->path, reason, error);
    of->value->trusted = false;
    return code;
}

/* Facts that are not trusted contradict nothing. */
static bool is_sure(const fact *of)
{
    return servet_value_known(of->value) && of->value->trusted;
}

/* `lesser` must not be above `greater`: not even as far as their intervals allow. */
static int demand_order(servet_profile *profile, int class, const fact *lesser, const fact *greater,
                        const char *statement, servet_error *error)
{
    if (!is_sure(lesser) || !is_sure(greater) || lesser->value->low <= greater->value->high)
        return SERVET_OK;
    int code = doubt(profile, class, lesser, greater, statement, error);
    return code == SERVET_OK ? doubt(profile, class, greater, lesser, statement, error) : code;
}

/* --- cores that a fact names ------------------------------------------------------------------ */

/* A part of a class, and its path there. */
typedef struct part {
    servet_profile *profile;
    int class;
    const srv_list *kinds; /* the core types of the class */
    char path[SERVET_NAME_MAX];
    servet_error *error;
} part;

/* The first core of a set that no core type has; -1: none. */
static int find_outside(const char *set, const srv_list *kinds)
{
    int first, last;
    while (srv_ranges_next(&set, &first, &last))
        for (int core = first; core <= last; core++)
            if (srv_spans_find(kinds, (servet_place){0, core}) < 0)
                return core;
    return -1;
}

static int doubt_sets(const part *of, const srv_field *field, const srv_list *sets)
{
    char path[SERVET_NAME_MAX + 32], reason[SERVET_TEXT_MAX];
    int core = -1;
    for (int i = 0; i < sets->count && core < 0; i++)
        core = find_outside(((char *const *)sets->items)[i], of->kinds);
    if (core < 0)
        return SERVET_OK;
    snprintf(path, sizeof path, "%s.%s", of->path, field->name);
    snprintf(reason, sizeof reason, "core %d is of no core type (kinds.cores)", core);
    return servet_profile_distrust(of->profile, of->class, path, reason, of->error);
}

/* All sets of cores of the struct and of what it holds. */
static int doubt_cores(const part *of, const srv_shape *shape, const void *item);

static int doubt_items(const part *of, const srv_field *field, const srv_list *list)
{
    int code = SERVET_OK;
    for (int i = 0; i < list->count && code == SERVET_OK; i++) {
        part below = *of;
        size_t used = strlen(of->path);
        snprintf(below.path + used, sizeof below.path - used, "%s%s.%d", used ? "." : "",
                 field->name, i + 1);
        code = doubt_cores(&below, field->shape,
                           (const char *)list->items + (size_t)i * field->shape->size);
    }
    return code;
}

static int doubt_member(const part *of, const srv_field *field, const void *at)
{
    if (field->type == SRV_SETS)
        return doubt_sets(of, field, at);
    bool structs = field->type == SRV_LIST || field->type == SRV_FACTS;
    return structs ? doubt_items(of, field, at) : SERVET_OK;
}

static int doubt_cores(const part *of, const srv_shape *shape, const void *item)
{
    int code = SERVET_OK;
    for (const srv_field *field = shape->fields; field->name && code == SERVET_OK; field++)
        code = doubt_member(of, field, (const char *)item + field->offset);
    return code;
}

/* --- statements ------------------------------------------------------------------------------- */

/* A member of the items of a list that ascends. */
static const struct ascending {
    bool of_kind; /* the list is one of each core type, else of the class */
    const char *list, *member, *statement;
} ascending[] = {
    {true, "caches", "latency", "a nearer cache answers sooner"},
    {true, "caches", "bytes", "a nearer cache is no larger"},
    {false, "distances", "latency", "distances are listed from near to far"},
};

static fact member_of(const srv_field *list, const void *at, int index, const char *name,
                      const char *prefix)
{
    const srv_field *member = srv_row_named(list->shape, name);
    const srv_list *items = at;
    fact found = {
        (void *)((char *)items->items + (size_t)index * list->shape->size + member->offset), ""};
    snprintf(found.path, sizeof found.path, "%s%s.%d.%s", prefix, list->name, index + 1, name);
    return found;
}

static int demand_ascending(servet_profile *profile, int class, const srv_shape *shape,
                            const void *item, const struct ascending *row, const char *prefix,
                            servet_error *error)
{
    const srv_field *list = srv_row_named(shape, row->list);
    const srv_list *items = (const void *)((const char *)item + list->offset);
    int code = SERVET_OK;
    for (int i = 1; i < items->count && code == SERVET_OK; i++) {
        fact before = member_of(list, items, i - 1, row->member, prefix);
        fact after = member_of(list, items, i, row->member, prefix);
        code = demand_order(profile, class, &before, &after, row->statement, error);
    }
    return code;
}

/* A cache that is slower than memory would not be built. */
static int demand_slow_memory(servet_profile *profile, int class, srv_core_kind *kind,
                              const char *prefix, servet_error *error)
{
    if (kind->caches.count == 0)
        return SERVET_OK;
    const srv_field *list = srv_row_named(&srv_kind_shape, "caches");
    fact last = member_of(list, &kind->caches, kind->caches.count - 1, "latency", prefix);
    fact memory = {&kind->memory_latency, ""};
    snprintf(memory.path, sizeof memory.path, "%.24smemory_latency", prefix);
    return demand_order(profile, class, &last, &memory, "memory is slower than caches", error);
}

/* Sets are worked out from the size, the ways and the line: they are no surer than the line, and
 * multiply to the size. */
static int demand_sets(servet_profile *profile, int class, srv_core_kind *kind, int level,
                       const char *prefix, servet_error *error)
{
    const srv_field *list = srv_row_named(&srv_kind_shape, "caches");
    fact sets = member_of(list, &kind->caches, level, "sets", prefix);
    fact ways = member_of(list, &kind->caches, level, "ways", prefix);
    fact line = member_of(list, &kind->caches, level, "line", prefix);
    fact bytes = member_of(list, &kind->caches, level, "bytes", prefix);
    if (!is_sure(&sets) || !servet_value_known(line.value))
        return SERVET_OK;
    if (!line.value->trusted)
        return doubt(profile, class, &sets, &line, "sets follow from a line that is not trusted",
                     error);
    const srv_cache *cache = (const srv_cache *)kind->caches.items + level;
    bool reach = cache->fact.kind == SERVET_CACHE_TURNOVER; /* its bytes are no size */
    if (!is_sure(&ways) || !is_sure(&bytes) || reach)
        return SERVET_OK;
    double product = sets.value->value * ways.value->value * line.value->value;
    return product >= bytes.value->low && product <= bytes.value->high
               ? SERVET_OK
               : doubt(profile, class, &sets, &bytes, "sets times ways times line is the size",
                       error);
}

static int mark_kind(servet_profile *profile, int class, srv_core_kind *kind, int number,
                     servet_error *error)
{
    char prefix[SERVET_NAME_MAX];
    int code = SERVET_OK;
    snprintf(prefix, sizeof prefix, "kinds.%d.", number);
    for (size_t i = 0; i < sizeof ascending / sizeof *ascending && code == SERVET_OK; i++)
        if (ascending[i].of_kind)
            code = demand_ascending(profile, class, &srv_kind_shape, kind, &ascending[i], prefix,
                                    error);
    if (code == SERVET_OK)
        code = demand_slow_memory(profile, class, kind, prefix, error);
    for (int i = 0; i < kind->caches.count && code == SERVET_OK; i++)
        code = demand_sets(profile, class, kind, i, prefix, error);
    return code;
}

/* A class without core types has no facts of cores. */
static int mark_cores(servet_profile *profile, int number, srv_class *class, servet_error *error)
{
    const part whole = {
        .profile = profile, .class = number, .kinds = &class->kinds, .error = error};
    if (class->kinds.count == 0)
        return SERVET_OK;
    if (!class->kinds.spans && srv_index_kinds(&class->kinds) != SERVET_OK)
        return srv_fail_memory(error);
    return doubt_cores(&whole, &srv_class_shape, class);
}

static int mark_class(servet_profile *profile, int number, srv_class *class, servet_error *error)
{
    srv_core_kind *kinds = class->kinds.items;
    int code = SERVET_OK;
    for (int j = 0; j < class->kinds.count && code == SERVET_OK; j++)
        code = mark_kind(profile, number, &kinds[j], j + 1, error);
    for (size_t k = 0; k < sizeof ascending / sizeof *ascending && code == SERVET_OK; k++)
        if (!ascending[k].of_kind)
            code = demand_ascending(profile, number, &srv_class_shape, class, &ascending[k], "",
                                    error);
    return code == SERVET_OK ? mark_cores(profile, number, class, error) : code;
}

int servet_profile_reconcile(servet_profile *profile, servet_error *error)
{
    srv_class *classes = profile->classes.items;
    int code = SERVET_OK;
    for (int i = 0; i < profile->classes.count && code == SERVET_OK; i++)
        code = mark_class(profile, i, &classes[i], error);
    return code;
}
