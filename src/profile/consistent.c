/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks statements about facts of a profile, such as "a nearer cache is faster". Noise and binding
 * may make facts contradict each other. A measured fact is never refused; instead it is marked as
 * not trusted, with the reason. */
#include <stdio.h>
#include <string.h>

#include "core/findings.h"
#include "core/ranges.h"
#include "core/units.h"
#include "profile/query/network.h"
#include "profile/shape/shape.h"
#include "profile/spans.h"
#include "profile/trust.h"
#include "profile/types.h"
#include "servet/network.h"
#include "servet/profile.h"
#include "servet/record.h"

/* A value, and its path for servet_profile_distrust(). */
typedef struct srv_fact {
    servet_value *value;
    char path[SERVET_NAME_MAX];
} srv_fact;

enum { AMOUNT_MAX = 48 };
_Static_assert((int)AMOUNT_MAX >= (int)SRV_SIZE_TEXT_MAX, "a size fits");

static const char *print_amount(const servet_value *value, char text[AMOUNT_MAX])
{
    if (value->unit == SERVET_UNIT_BYTE)
        return srv_size_text(value->value, text);
    bool time = value->unit == SERVET_UNIT_SECOND, none = value->unit == SERVET_UNIT_NONE;
    servet_value written = time ? srv_value_in_unit(*value, SRV_UNIT_NANOSECOND) : *value;
    const char *unit = time ? "ns" : servet_unit_symbol(value->unit);
    snprintf(text, AMOUNT_MAX, "%.6g%s%s", written.value, none ? "" : " ", none ? "" : unit);
    return text;
}

/* Marks `of` as not trusted, with the statement and the other fact as the reason. Errors:
 * SERVET_EMEMORY.
 * Facts that were counted by conflicts are marked, too: one of two contradicting facts is wrong. */
static int contradict(servet_profile *profile, int class, const srv_fact *of, const srv_fact *other,
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

/* Returns true if the fact is known and trusted: only such facts can contradict others. */
static bool is_sure(const srv_fact *of)
{
    return servet_value_known(of->value) && of->value->trusted;
}

/* Marks both facts if the interval of `lesser` is above the interval of `greater`, and both are
 * known and trusted. Errors: SERVET_EMEMORY. */
static int srv_demand_order(servet_profile *profile, int class, const srv_fact *lesser,
                            const srv_fact *greater, const char *statement, servet_error *error)
{
    if (!is_sure(lesser) || !is_sure(greater) || lesser->value->low <= greater->value->high)
        return SERVET_OK;
    int code = contradict(profile, class, lesser, greater, statement, error);
    return code == SERVET_OK ? contradict(profile, class, greater, lesser, statement, error) : code;
}

/* A layer of a job. */
typedef struct layer {
    servet_profile *profile;
    const srv_comm *comm;
    srv_comm_layer *stored;
    int index; /* from 0 */
    servet_error *error;
} layer;

static layer other_layer(const layer *of, int index)
{
    layer other = *of;
    other.stored = (srv_comm_layer *)of->comm->layers.items + index;
    other.index = index;
    return other;
}

/* Marks the facts of at most two members of the layer. */
static int doubt(const layer *of, const char *members[2], const char *reason)
{
    char paths[2 * SERVET_NAME_MAX] = "";
    size_t used = 0;
    for (int i = 0; i < 2 && members[i]; i++)
        used += (size_t)snprintf(paths + used, sizeof paths - used, "network.layers.%d.%.16s ",
                                 of->index + 1, members[i]);
    return servet_profile_distrust(of->profile, 0, paths, reason, of->error);
}

/* Demands that the pair with which the layer's curve was measured is in this layer. */
static int demand_pair(const layer *of)
{
    char reason[SERVET_TEXT_MAX];
    const servet_place from = of->stored->fact.from, to = of->stored->fact.to;
    int found = srv_comm_common_layer(of->comm, from, to);
    if (!of->stored->groups.count || found == of->index)
        return SERVET_OK;
    int used = snprintf(reason, sizeof reason,
                        "a layer is measured on one of its pairs: %d:%d and "
                        "%d:%d are of ",
                        from.node, from.core, to.node, to.core);
    if (found < 0)
        snprintf(reason + used, sizeof reason - (size_t)used, "no layer");
    else
        snprintf(reason + used, sizeof reason - (size_t)used, "layer %d", found + 1);
    return doubt(of, (const char *[]){"from", "to"}, reason);
}

/* Demands that the layer joins all cores that a nearer layer joins, both within or both between
 * nodes. */
static int demand_nested(const layer *of, const layer *nearer)
{
    char reason[SERVET_TEXT_MAX];
    const srv_list *wide = &of->stored->groups, *near = &nearer->stored->groups;
    int group = wide->count && near->count ? srv_spans_find_split(near, wide) : -1;
    if (group < 0)
        return SERVET_OK;
    snprintf(reason, sizeof reason,
             "a layer joins what faster ones join: no group of layer %d has all of group %d of "
             "layer %d",
             of->index + 1, group + 1, nearer->index + 1);
    int code = doubt(nearer, (const char *[]){"groups", NULL}, reason);
    return code == SERVET_OK ? doubt(of, (const char *[]){"groups", NULL}, reason) : code;
}

/* Returns the core types of a node of the job; NULL if they were not measured. */
static const srv_list *kinds_of(const layer *of, int node)
{
    int class;
    const char *host = servet_network_node(of->profile, node);
    if (!host || servet_profile_class_of(of->profile, host, &class) != SERVET_OK)
        return NULL;
    const srv_list *kinds = &((const srv_class *)of->profile->classes.items)[class].kinds;
    return kinds->count ? kinds : NULL;
}

/* Demands that all cores are cores of their node. */
static int demand_cores(const layer *of)
{
    char reason[SERVET_TEXT_MAX];
    const srv_spans *spans = of->stored->groups.spans;
    for (int i = 0; spans && i < spans->count; i++) {
        srv_span span = spans->span[i];
        const srv_list *kinds = kinds_of(of, span.node);
        int node = span.node;
        span.node = 0; /* the node number in a class */
        int core = kinds ? srv_spans_outside(kinds, span) : -1;
        if (core < 0)
            continue;
        snprintf(reason, sizeof reason, "core %d of node %d is of no core type (kinds.cores)", core,
                 node);
        return doubt(of, (const char *[]){"groups", NULL}, reason);
    }
    return SERVET_OK;
}

/* Demands that layers within nodes are listed from fast to slow, and layers between nodes as well.
 */
static int demand_order(const layer *of, const layer *nearer)
{
    srv_fact lesser = {&nearer->stored->fact.latency, ""},
             greater = {&of->stored->fact.latency, ""};
    snprintf(lesser.path, sizeof lesser.path, "network.layers.%d.latency_us", nearer->index + 1);
    snprintf(greater.path, sizeof greater.path, "network.layers.%d.latency_us", of->index + 1);
    return srv_demand_order(of->profile, 0, &lesser, &greater,
                            "layers are listed from fast to slow", of->error);
}

static int mark_layer(const layer *of)
{
    int before = of->index - 1, code = demand_pair(of);
    const srv_comm_layer *layers = of->comm->layers.items;
    while (before >= 0 && layers[before].fact.between_nodes != of->stored->fact.between_nodes)
        before--;
    if (code == SERVET_OK)
        code = demand_cores(of);
    if (code != SERVET_OK || before < 0)
        return code;
    const layer nearer = other_layer(of, before);
    code = demand_order(of, &nearer);
    return code == SERVET_OK ? demand_nested(of, &nearer) : code;
}

/* Marks, with the reason, layers that are not in order, that do not contain the groups of faster
 * layers, that name cores that their node does not have, or whose measured pair is in another
 * layer. Errors: SERVET_EMEMORY. */
static int mark_layers(servet_profile *profile, servet_error *error)
{
    const srv_comm *comm = profile->network.count ? profile->network.items : NULL;
    const layer any = {.profile = profile, .comm = comm, .error = error};
    int code = SERVET_OK;
    for (int i = 0; comm && i < comm->layers.count && code == SERVET_OK; i++) {
        const layer of = other_layer(&any, i);
        code = mark_layer(&of);
    }
    return code;
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
    if (!is_sure(&sets) || !servet_value_known(line.value))
        return SERVET_OK;
    if (!line.value->trusted)
        return contradict(profile, class, &sets, &line,
                          "sets follow from a line that is not trusted", error);
    const srv_cache *cache = of.item;
    bool reach = cache->fact.kind == SERVET_CACHE_TURNOVER; /* its bytes are not a capacity */
    if (!is_sure(&ways) || !is_sure(&bytes) || reach)
        return SERVET_OK;
    double product = sets.value->value * ways.value->value * line.value->value;
    return product >= bytes.value->low && product <= bytes.value->high
               ? SERVET_OK
               : contradict(profile, class, &sets, &bytes, "sets times ways times line is the size",
                            error);
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
    return code == SERVET_OK ? mark_layers(profile, error) : code;
}
