/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks statements about facts of a profile, such as "a nearer cache is faster". Noise and binding
 * may make facts contradict each other. A measured fact is never refused; instead it is marked as
 * not trusted, with the reason. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/findings.h"
#include "core/ranges.h"
#include "core/units.h"
#include "profile/query/network.h"
#include "profile/spans.h"
#include "profile/trust.h"
#include "servet/network.h"
#include "servet/record.h"

/* The profile that is checked, and a class of it. */
typedef struct checking {
    servet_profile *profile;
    int class;             /* its number */
    const srv_list *kinds; /* its core types */
    servet_error *error;
} checking;

static int doubt(const checking *on, const char *paths, const char *reason)
{
    return servet_profile_distrust(on->profile, on->class, paths, reason, on->error);
}

/* --- facts ------------------------------------------------------------------------------------ */

/* A value, and its path for servet_profile_distrust(). */
typedef struct fact {
    servet_value *value;
    char path[SERVET_NAME_MAX];
} fact;

static const char *print_amount(const servet_value *value, char text[SRV_SIZE_TEXT_MAX])
{
    if (value->unit == SERVET_UNIT_BYTE)
        return srv_size_text(value->value, text);
    bool time = value->unit == SERVET_UNIT_SECOND, none = value->unit == SERVET_UNIT_NONE;
    servet_value written = time ? srv_value_in_unit(*value, SRV_UNIT_NANOSECOND) : *value;
    const char *unit = time ? "ns" : servet_unit_symbol(value->unit);
    snprintf(text, SRV_SIZE_TEXT_MAX, "%.6g%s%s", written.value, none ? "" : " ", none ? "" : unit);
    return text;
}

/* Returns a value of the struct at the site. */
static fact fact_at(const srv_site *site, const char *name)
{
    const srv_field *field = srv_row_named(site->shape, name);
    fact found = {(servet_value *)((uintptr_t)site->item + field->offset), ""};
    srv_site_path(site, name, found.path);
    return found;
}

/* Returns the site of an item of a list, from 1; 0: of the only one. */
static srv_site below(const srv_site *site, const srv_field *list, int number)
{
    srv_site item = *site;
    srv_site_enter(&item, list, number);
    return item;
}

static const srv_list *list_at(const srv_site *site, const srv_field *list)
{
    return (const void *)((const char *)site->item + list->offset);
}

/* Marks `of` as not trusted, with the statement and the other fact as the reason. Errors:
 * SERVET_EMEMORY.
 * Facts that were counted by conflicts are marked, too: one of two contradicting facts is wrong. */
static int contradict(const checking *on, const fact *of, const fact *other, const char *statement)
{
    char reason[SERVET_TEXT_MAX], amount[SRV_SIZE_TEXT_MAX], other_amount[SRV_SIZE_TEXT_MAX];
    snprintf(reason, sizeof reason, "%s: %s here, but %s in %s", statement,
             print_amount(of->value, amount), print_amount(other->value, other_amount),
             other->path);
    int code = doubt(on, of->path, reason);
    of->value->trusted = false;
    return code;
}

/* Returns true if the fact is known and trusted: only such facts can contradict others. */
static bool is_sure(const fact *of)
{
    return servet_value_known(of->value) && of->value->trusted;
}

/* Marks both facts if the interval of `lesser` is above the interval of `greater`, and both are
 * known and trusted. Errors: SERVET_EMEMORY. */
static int demand_order(const checking *on, const fact *lesser, const fact *greater,
                        const char *statement)
{
    if (!is_sure(lesser) || !is_sure(greater) || lesser->value->low <= greater->value->high)
        return SERVET_OK;
    int code = contradict(on, lesser, greater, statement);
    return code == SERVET_OK ? contradict(on, greater, lesser, statement) : code;
}

/* --- layers of a job -------------------------------------------------------------------------- */

/* Demands that the pair with which the curve of layer `index`, from 0, was measured is in it. */
static int demand_pair(const checking *on, const srv_comm *comm, int index)
{
    char reason[SERVET_TEXT_MAX], of[32] = "no layer", paths[2 * SERVET_NAME_MAX];
    const srv_comm_layer *layer = (const srv_comm_layer *)comm->layers.items + index;
    const servet_place from = layer->fact.from, to = layer->fact.to;
    int found = srv_comm_common_layer(comm, from, to);
    if (!layer->groups.count || found == index)
        return SERVET_OK;
    if (found >= 0)
        snprintf(of, sizeof of, "layer %d", found + 1);
    snprintf(reason, sizeof reason,
             "a layer is measured on one of its pairs: %d:%d and %d:%d are of %s", from.node,
             from.core, to.node, to.core, of);
    snprintf(paths, sizeof paths, "network.layers.%d.from network.layers.%d.to", index + 1,
             index + 1);
    return doubt(on, paths, reason);
}

static int doubt_groups(const checking *on, int index, const char *reason)
{
    char path[SERVET_NAME_MAX];
    snprintf(path, sizeof path, "network.layers.%d.groups", index + 1);
    return doubt(on, path, reason);
}

/* Demands that the layer joins all cores that a nearer layer joins, both within or both between
 * nodes. */
static int demand_nested(const checking *on, const srv_comm *comm, int index, int nearer)
{
    char reason[SERVET_TEXT_MAX];
    const srv_comm_layer *layers = comm->layers.items;
    const srv_list *wide = &layers[index].groups, *near = &layers[nearer].groups;
    int group = wide->count && near->count ? srv_spans_find_split(near, wide) : -1;
    if (group < 0)
        return SERVET_OK;
    snprintf(reason, sizeof reason,
             "a layer joins what faster ones join: no group of layer %d has all of group %d of "
             "layer %d",
             index + 1, group + 1, nearer + 1);
    int code = doubt_groups(on, nearer, reason);
    return code == SERVET_OK ? doubt_groups(on, index, reason) : code;
}

/* Returns the core types of a node of the job; NULL if they were not measured. */
static const srv_list *kinds_of(const servet_profile *profile, int node)
{
    int class;
    const char *host = servet_network_node(profile, node);
    if (!host || servet_profile_class_of(profile, host, &class) != SERVET_OK)
        return NULL;
    const srv_list *kinds = &((const srv_class *)profile->classes.items)[class].kinds;
    return kinds->count ? kinds : NULL;
}

/* Demands that all cores are cores of their node. */
static int demand_cores(const checking *on, const srv_comm *comm, int index)
{
    char reason[SERVET_TEXT_MAX];
    const srv_comm_layer *layers = comm->layers.items;
    const srv_spans *spans = layers[index].groups.spans;
    for (int i = 0; spans && i < spans->count; i++) {
        srv_span span = spans->span[i];
        const srv_list *kinds = kinds_of(on->profile, span.node);
        int node = span.node;
        span.node = 0; /* the node number in a class */
        int core = kinds ? srv_spans_outside(kinds, span) : -1;
        if (core < 0)
            continue;
        snprintf(reason, sizeof reason, "core %d of node %d is of no core type (kinds.cores)", core,
                 node);
        return doubt_groups(on, index, reason);
    }
    return SERVET_OK;
}

/* Demands that layers within nodes are listed from fast to slow, and layers between nodes as well.
 */
static int demand_faster(const checking *on, const srv_site *job, int index, int nearer)
{
    const srv_field *layers = srv_row_named(job->shape, "layers");
    const srv_site near = below(job, layers, nearer + 1), far = below(job, layers, index + 1);
    const fact lesser = fact_at(&near, "latency_us"), greater = fact_at(&far, "latency_us");
    return demand_order(on, &lesser, &greater, "layers are listed from fast to slow");
}

static int mark_layer(const checking *on, const srv_site *job, int index)
{
    const srv_comm *comm = job->item;
    const srv_comm_layer *layers = comm->layers.items;
    int before = index - 1, code = demand_pair(on, comm, index);
    while (before >= 0 && layers[before].fact.between_nodes != layers[index].fact.between_nodes)
        before--;
    if (code == SERVET_OK)
        code = demand_cores(on, comm, index);
    if (code == SERVET_OK && before >= 0)
        code = demand_faster(on, job, index, before);
    return code == SERVET_OK && before >= 0 ? demand_nested(on, comm, index, before) : code;
}

/* Marks, with the reason, layers that are not in order, that do not contain the groups of faster
 * layers, that name cores that their node does not have, or whose measured pair is in another
 * layer. Errors: SERVET_EMEMORY. */
static int mark_layers(const checking *on)
{
    srv_site site;
    int code = SERVET_OK;
    if (!on->profile->network.count)
        return SERVET_OK;
    srv_site_begin(&site, &srv_profile_shape, on->profile);
    srv_site_enter(&site, srv_row_named(&srv_profile_shape, "network"), 0);
    const srv_comm *comm = site.item;
    for (int i = 0; i < comm->layers.count && code == SERVET_OK; i++)
        code = mark_layer(on, &site, i);
    return code;
}

/* --- cores that a fact names ------------------------------------------------------------------ */

/* The first core of a set that no core type has; -1: none. */
static int find_outside(const char *set, const srv_list *kinds)
{
    int first, last, outside = -1;
    while (outside < 0 && srv_ranges_next(&set, &first, &last))
        outside = srv_spans_outside(kinds, (srv_span){0, first, last, 0});
    return outside;
}

static int doubt_sets(const checking *on, const srv_site *site, const srv_field *field,
                      const srv_list *sets)
{
    char path[SERVET_NAME_MAX], reason[SERVET_TEXT_MAX];
    int core = -1;
    for (int i = 0; i < sets->count && core < 0; i++)
        core = find_outside(((char *const *)sets->items)[i], on->kinds);
    if (core < 0)
        return SERVET_OK;
    srv_site_path(site, field->name, path);
    snprintf(reason, sizeof reason, "core %d is of no core type (kinds.cores)", core);
    return doubt(on, path, reason);
}

/* Doubts sets of the struct and of its lists that have cores of no core type. */
static int doubt_cores(const checking *on, const srv_site *site)
{
    int code = SERVET_OK;
    for (const srv_field *field = site->shape->fields; field->name && code == SERVET_OK; field++) {
        const srv_list *list = list_at(site, field);
        bool structs = field->type == SRV_LIST || field->type == SRV_FACTS;
        if (field->type == SRV_SETS && field->max == SRV_NODE_CORES_MAX)
            code = doubt_sets(on, site, field, list);
        for (int i = 1; structs && i <= list->count && code == SERVET_OK; i++) {
            const srv_site item = below(site, field, i);
            code = doubt_cores(on, &item);
        }
    }
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

/* Compares facts of the items, beginning with the last one, which is next to the holder. */
static int demand_orders(const checking *on, const srv_site *holder, const order *row)
{
    const srv_field *list = srv_row_named(holder->shape, row->list);
    int code = SERVET_OK, count = list_at(holder, list)->count;
    for (int i = count - (row->place == NEXT); i > 0 && code == SERVET_OK; i--) {
        const srv_site item = below(holder, list, i);
        const srv_site other = row->place == HOLDER ? *holder
                               : row->place == SAME ? item
                                                    : below(holder, list, i + 1);
        const fact lesser = fact_at(&item, row->lesser), greater = fact_at(&other, row->greater);
        code = demand_order(on, &lesser, &greater, row->statement);
    }
    return code;
}

/* Checks all statements about the core type, or the class, at the site. */
static int demand_all(const checking *on, const srv_site *site)
{
    int code = SERVET_OK;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && code == SERVET_OK; i++) {
        const char *within = orders[i].within;
        const srv_field *inner = within && *within ? srv_row_named(site->shape, within) : NULL;
        if ((within != NULL) != (site->shape == &srv_kind_shape) ||
            (inner && !list_at(site, inner)->count))
            continue;
        const srv_site holder = inner ? below(site, inner, 0) : *site;
        code = demand_orders(on, &holder, &orders[i]);
    }
    return code;
}

/* Checks the number of sets. It was computed from the size, the ways and the line: it is trusted
 * only if the line is, and sets, ways and line multiply to the size. */
static int demand_sets(const checking *on, const srv_site *of)
{
    const fact sets = fact_at(of, "sets"), ways = fact_at(of, "ways");
    const fact line = fact_at(of, "line"), bytes = fact_at(of, "bytes");
    if (!is_sure(&sets) || !servet_value_known(line.value))
        return SERVET_OK;
    if (!line.value->trusted)
        return contradict(on, &sets, &line, "sets follow from a line that is not trusted");
    const srv_cache *cache = of->item;
    bool reach = cache->fact.kind == SERVET_CACHE_TURNOVER; /* its bytes are not a capacity */
    if (!is_sure(&ways) || !is_sure(&bytes) || reach)
        return SERVET_OK;
    double product = sets.value->value * ways.value->value * line.value->value;
    return product >= bytes.value->low && product <= bytes.value->high
               ? SERVET_OK
               : contradict(on, &sets, &bytes, "sets times ways times line is the size");
}

static int mark_kind(const checking *on, const srv_site *kind)
{
    const srv_field *caches = srv_row_named(kind->shape, "caches");
    int code = demand_all(on, kind);
    for (int i = 1; i <= list_at(kind, caches)->count && code == SERVET_OK; i++) {
        const srv_site cache = below(kind, caches, i);
        code = demand_sets(on, &cache);
    }
    return code;
}

/* A class without core types has no facts of cores. */
static int mark_class(const checking *on, const srv_class *class)
{
    srv_site site;
    const srv_field *kinds = srv_row_named(&srv_class_shape, "kinds");
    int code = SERVET_OK;
    srv_site_begin(&site, &srv_class_shape, class);
    for (int i = 1; i <= on->kinds->count && code == SERVET_OK; i++) {
        const srv_site kind = below(&site, kinds, i);
        code = mark_kind(on, &kind);
    }
    if (code == SERVET_OK)
        code = demand_all(on, &site);
    return code == SERVET_OK && on->kinds->count ? doubt_cores(on, &site) : code;
}

int servet_profile_reconcile(servet_profile *profile, servet_error *error)
{
    const srv_class *classes = profile->classes.items;
    checking on = {.profile = profile, .error = error};
    int code = SERVET_OK;
    for (int i = 0; i < profile->classes.count && code == SERVET_OK; i++) {
        on.class = i;
        on.kinds = &classes[i].kinds;
        code = mark_class(&on, &classes[i]);
    }
    return code == SERVET_OK ? mark_layers(&on) : code;
}
