/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks statements about facts of a profile, such as "a nearer cache is faster". Noise and binding
 * may make facts contradict each other. A measured fact is never refused; instead it is marked as
 * not trusted, with the reason.
 */
#include <stdio.h>
#include <string.h>

#include "core/ranges.h"
#include "profile/consistent_layers.h"
#include "profile/contradiction.h"
#include "profile/shape/shape.h"
#include "profile/spans.h"
#include "profile/trust.h"
#include "servet/record.h"

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
    int first, last, outside = -1;
    while (outside < 0 && srv_ranges_next(&set, &first, &last))
        outside = srv_spans_outside(kinds, (srv_span){0, first, last, 0});
    return outside;
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

/* Doubts sets of the struct and of its lists that have cores of no core type. */
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

/* The place of the greater fact: the next item of the list, the same item, or the struct that has
 * the list. */
typedef enum place { NEXT, SAME, HOLDER } place;

/* A statement: a fact of each item of a list is not greater than another fact. */
typedef struct order {
    const char *within; /* the struct of a core type that has the list; "": the core type itself;
                           NULL: the class */
    const char *list, *lesser;
    place place;
    const char *greater, *statement;
} order;

#define ORDERS_OF_TLBS(within)                                                                     \
    {within, "tlbs", "entries", NEXT, "entries", "a nearer TLB has no more entries"},              \
        {within, "tlbs", "reach_bytes", NEXT, "reach_bytes", "a nearer TLB reaches no farther"},   \
        {within, "tlbs", "ways", SAME, "entries", "a TLB has no more ways than entries"},          \
    {                                                                                              \
        within, "tlbs", "latency_ns", HOLDER, "walk_ns", "a page walk takes no less than one miss" \
    }

static const order orders[] = {
    {"", "caches", "latency_ns", NEXT, "latency_ns", "a nearer cache answers sooner"},
    {"", "caches", "bytes", NEXT, "bytes", "a nearer cache is no larger"},
    {"", "caches", "latency_ns", HOLDER, "memory.latency_ns", "memory is slower than caches"},
    ORDERS_OF_TLBS("translation"),
    ORDERS_OF_TLBS("translation_huge"),
    {NULL, "distance.layers", "latency_ns", NEXT, "latency_ns",
     "distances are listed from near to far"},
};

/* A struct, and the path of its members. */
typedef struct holder {
    const srv_shape *shape;
    void *item; /* NULL: there is no struct */
    char prefix[SERVET_NAME_MAX];
} holder;

static void *member_at(const holder *of, const srv_field *field)
{
    return (char *)of->item + field->offset;
}

/* Returns the only struct of a list; for the name "", `of` itself. */
static holder enter(const holder *of, const char *name)
{
    const srv_field *field = *name ? srv_row_named(of->shape, name) : NULL;
    if (!field)
        return *of;
    const srv_list *list = member_at(of, field);
    holder found = {field->shape, list->count ? list->items : NULL, ""};
    snprintf(found.prefix, sizeof found.prefix, "%.24s%.24s.", of->prefix, name);
    return found;
}

/* Returns the struct of item `index` of a list. */
static holder item_of(const holder *of, const char *name, int index)
{
    const srv_field *field = srv_row_named(of->shape, name);
    const srv_list *list = member_at(of, field);
    holder found = {field->shape, (char *)list->items + (size_t)index * field->shape->size, ""};
    snprintf(found.prefix, sizeof found.prefix, "%.32s%.16s.%d.", of->prefix, name, index + 1);
    return found;
}

static int count_items(const holder *of, const char *name)
{
    return ((const srv_list *)member_at(of, srv_row_named(of->shape, name)))->count;
}

static srv_fact member_of(const holder *of, const char *name)
{
    srv_fact found = {member_at(of, srv_row_named(of->shape, name)), ""};
    snprintf(found.path, sizeof found.path, "%.40s%.23s", of->prefix, name);
    return found;
}

/* Compares facts of the items, beginning with the last one, which is next to the holder. */
static int demand_orders(servet_profile *profile, int class, const holder *root, const order *row,
                         servet_error *error)
{
    holder of = enter(root, row->within ? row->within : "");
    int code = SERVET_OK, count = of.item ? count_items(&of, row->list) : 0;
    for (int i = count - 1 - (row->place == NEXT); i >= 0 && code == SERVET_OK; i--) {
        const holder item = item_of(&of, row->list, i);
        const holder other = row->place == HOLDER ? of
                             : row->place == SAME ? item
                                                  : item_of(&of, row->list, i + 1);
        srv_fact lesser = member_of(&item, row->lesser);
        srv_fact greater = member_of(&other, row->greater);
        code = srv_demand_order(profile, class, &lesser, &greater, row->statement, error);
    }
    return code;
}

/* Checks all statements about core types, or about classes. */
static int demand_all(servet_profile *profile, int class, const holder *of, bool of_kind,
                      servet_error *error)
{
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && code == SERVET_OK; i++)
        if ((orders[i].within != NULL) == of_kind)
            code = demand_orders(profile, class, of, &orders[i], error);
    return code;
}

/* Checks the number of sets. It was computed from the size, the ways and the line: it is trusted
 * only if the line is, and sets, ways and line multiply to the size. */
static int demand_sets(servet_profile *profile, int class, const holder *kind, int level,
                       servet_error *error)
{
    const holder of = item_of(kind, "caches", level);
    srv_fact sets = member_of(&of, "sets"), ways = member_of(&of, "ways");
    srv_fact line = member_of(&of, "line"), bytes = member_of(&of, "bytes");
    if (!srv_is_sure(&sets) || !servet_value_known(line.value))
        return SERVET_OK;
    if (!line.value->trusted)
        return srv_contradict(profile, class, &sets, &line,
                              "sets follow from a line that is not trusted", error);
    const srv_cache *cache = of.item;
    bool reach = cache->fact.kind == SERVET_CACHE_TURNOVER; /* its bytes are not a capacity */
    if (!srv_is_sure(&ways) || !srv_is_sure(&bytes) || reach)
        return SERVET_OK;
    double product = sets.value->value * ways.value->value * line.value->value;
    return product >= bytes.value->low && product <= bytes.value->high
               ? SERVET_OK
               : srv_contradict(profile, class, &sets, &bytes,
                                "sets times ways times line is the size", error);
}

static int mark_kind(servet_profile *profile, int class, const holder *kind, servet_error *error)
{
    int code = demand_all(profile, class, kind, true, error), levels = count_items(kind, "caches");
    for (int i = 0; i < levels && code == SERVET_OK; i++)
        code = demand_sets(profile, class, kind, i, error);
    return code;
}

/* Marks sets with unknown cores. A class without core types has no facts of cores. */
static int mark_cores(servet_profile *profile, int number, srv_class *class, servet_error *error)
{
    const part whole = {
        .profile = profile, .class = number, .kinds = &class->kinds, .error = error};
    return class->kinds.count ? doubt_cores(&whole, &srv_class_shape, class) : SERVET_OK;
}

static int mark_class(servet_profile *profile, int number, srv_class *class, servet_error *error)
{
    const holder of = {&srv_class_shape, class, ""};
    int code = SERVET_OK;
    for (int j = 0; j < class->kinds.count && code == SERVET_OK; j++) {
        const holder kind = item_of(&of, "kinds", j);
        code = mark_kind(profile, number, &kind, error);
    }
    if (code == SERVET_OK)
        code = demand_all(profile, number, &of, false, error);
    return code == SERVET_OK ? mark_cores(profile, number, class, error) : code;
}

int servet_profile_reconcile(servet_profile *profile, servet_error *error)
{
    srv_class *classes = profile->classes.items;
    int code = SERVET_OK;
    for (int i = 0; i < profile->classes.count && code == SERVET_OK; i++)
        code = mark_class(profile, i, &classes[i], error);
    return code == SERVET_OK ? srv_mark_layers(profile, error) : code;
}
