/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/spans.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/places.h"
#include "core/ranges.h"

/* --- making them ------------------------------------------------------------------------------ */

/* Reads the next part of a set. A set of cores without nodes belongs to node 0. */
static bool next_part(const char **set, bool of_nodes, srv_places_part *part)
{
    return of_nodes ? srv_places_next(set, part)
                    : srv_ranges_next(set, &part->first_core, &part->last_core);
}

/* Stores the spans of one set in `to`, unless it is NULL; returns their number. */
static int spread(const char *set, int item, srv_span *to)
{
    srv_places_part part = {0, 0, 0, 0};
    bool of_nodes = strchr(set, ':') != NULL;
    int count = 0;
    while (next_part(&set, of_nodes, &part))
        for (int node = part.first_node; node <= part.last_node; node++, count++)
            if (to)
                to[count] = (srv_span){node, part.first_core, part.last_core, item};
    return count;
}

/* Stores the spans of all sets in `to`, unless it is NULL; returns their number. */
static int spread_all(const srv_list *list, size_t size, size_t offset, srv_span *to)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const char *item = (const char *)list->items + (size_t)i * size;
        const char *set = *(char *const *)(const void *)(item + offset);
        count += spread(set, i, to ? to + count : NULL);
    }
    return count;
}

static int in_order(const void *a, const void *b)
{
    const srv_span *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Counts the cores of each of `items` sets in a table. */
static void count_cores(srv_spans *spans, int items, int *table)
{
    spans->cores = table;
    spans->largest = items > 0 ? 0 : -1;
    for (int i = 0; i < items; i++)
        table[i] = 0;
    for (const srv_span *span = spans->span; span < spans->span + spans->count; span++) {
        long long cores = (long long)table[span->item] + span->last - span->first + 1;
        table[span->item] = cores < INT_MAX ? (int)cores : INT_MAX;
    }
    for (int i = 1; i < items; i++)
        spans->largest = table[i] > table[spans->largest] ? i : spans->largest;
}

/* Returns the number of the first span behind span `begin` that is on another node. */
static int end_of_node(const srv_spans *spans, int begin)
{
    int end = begin;
    while (end < spans->count && spans->span[end].node == spans->span[begin].node)
        end++;
    return end;
}

/* Adds nodes and numbers of cores behind the ordered spans of a list with `items` items; NULL
 * without memory. */
static srv_spans *add_tables(srv_spans *spans, int items)
{
    int nodes = spans->count ? spans->span[spans->count - 1].node + 1 : 0;
    size_t size = sizeof *spans + (size_t)spans->count * sizeof *spans->span;
    srv_spans *grown = realloc(spans, size + (size_t)nodes * sizeof *spans->node +
                                          (size_t)items * sizeof *spans->cores);
    if (!grown) {
        free(spans);
        return NULL;
    }
    grown->nodes = nodes;
    grown->node = (void *)((char *)grown + size);
    count_cores(grown, items, (void *)(grown->node + nodes));
    for (int node = 0, i = 0; node < nodes; node++) {
        int end = grown->span[i].node == node ? end_of_node(grown, i) : i;
        grown->node[node] = (srv_node_spans){i, end};
        i = end;
    }
    return grown;
}

int srv_spans_note(srv_list *list, size_t size, size_t offset)
{
    int count = spread_all(list, size, offset, NULL);
    srv_spans *spans = malloc(sizeof *spans + (size_t)count * sizeof *spans->span);
    if (!spans)
        return SERVET_EMEMORY;
    spans->count = count;
    spread_all(list, size, offset, spans->span);
    qsort(spans->span, (size_t)count, sizeof *spans->span, in_order);
    spans = add_tables(spans, list->count);
    if (!spans)
        return SERVET_EMEMORY;
    free(list->spans);
    list->spans = spans;
    return SERVET_OK;
}

/* --- groups of a job -------------------------------------------------------------------------- */

/* Checks a part of a set. `left` is the number of further cores that the layer may have, so that a
 * file of a few bytes (0-9:0-2000000000) does not take much memory. */
static int check_part(const srv_places_part *part, const srv_comm *comm, int *left,
                      srv_json_path *where)
{
    long long cores = (long long)part->last_core - part->first_core + 1;
    long long nodes = (long long)part->last_node - part->first_node + 1;
    if (part->last_node >= comm->nodes.count)
        return srv_json_path_fail(where, "there is no node %d, only %d", part->last_node,
                                  comm->nodes.count);
    if (cores > *left || cores * nodes > *left)
        return srv_json_path_fail(where, "more cores than the %d processes of the job",
                                  comm->fact.ranks);
    *left -= (int)(cores * nodes);
    return SERVET_OK;
}

static int check_cores(const srv_list *groups, const srv_comm *comm, srv_json_path *where)
{
    srv_places_part part;
    int left = comm->fact.ranks, code = SERVET_OK;
    for (int i = 0; i < groups->count && code == SERVET_OK; i++) {
        const char *group = ((char *const *)groups->items)[i];
        srv_json_path_enter_item(where, i);
        while (code == SERVET_OK && srv_places_next(&group, &part))
            code = check_part(&part, comm, &left, where);
        srv_json_path_leave(where);
    }
    return code;
}

static int check_disjoint(const srv_list *groups, srv_json_path *where)
{
    for (int i = 1; i < groups->spans->count; i++) {
        const srv_span *span = &groups->spans->span[i], *before = span - 1;
        if (before->node != span->node || before->last < span->first)
            continue;
        srv_json_path_enter_item(where, before->item > span->item ? before->item : span->item);
        return srv_json_path_fail(where, "core %d of node %d is in two groups", span->first,
                                  span->node);
    }
    return SERVET_OK;
}

int srv_spans_note_groups(srv_list *groups, const srv_comm *comm, srv_json_path *where)
{
    srv_json_path_enter(where, "groups");
    int code = check_cores(groups, comm, where);
    if (code == SERVET_OK && srv_spans_note(groups, sizeof(char *), 0) != SERVET_OK)
        code = srv_fail_memory(where->error);
    if (code == SERVET_OK)
        code = check_disjoint(groups, where);
    srv_json_path_leave(where);
    return code;
}

/* --- finding ---------------------------------------------------------------------------------- */

static const srv_node_spans *node_spans(const srv_list *list, int node)
{
    const srv_spans *spans = list->spans;
    bool any = spans && node >= 0 && node < spans->nodes &&
               spans->node[node].begin < spans->node[node].end;
    return any ? &spans->node[node] : NULL;
}

/* Returns the span of a node that has a core; NULL: there is none, or no such node. */
static const srv_span *search(const srv_list *list, const srv_node_spans *node, int core)
{
    if (!node)
        return NULL;
    const srv_span *span = &list->spans->span[node->begin];
    for (int count = node->end - node->begin; count > 1; count -= count / 2)
        span = span[count / 2].first <= core ? span + count / 2 : span;
    return span->first <= core && core <= span->last ? span : NULL;
}

int srv_spans_find(const srv_list *list, servet_place place)
{
    const srv_span *span = search(list, node_spans(list, place.node), place.core);
    return span ? span->item : -1;
}

int srv_spans_outside(const srv_list *list, srv_span span)
{
    const srv_node_spans *node = node_spans(list, span.node);
    int core = span.first;
    for (const srv_span *in; core <= span.last; core = in->last + 1)
        if (!(in = search(list, node, core)))
            return core;
    return -1;
}

/* Returns true if the set of item `item` of `wide` contains the span. */
static bool holds(const srv_list *wide, int item, const srv_span *span)
{
    const srv_node_spans *node = node_spans(wide, span->node);
    int core = span->first;
    for (const srv_span *in; core <= span->last; core = in->last + 1)
        if (!(in = search(wide, node, core)) || in->item != item)
            return false;
    return true;
}

/* Returns the first core of a set. */
static servet_place first_place(const char *set)
{
    srv_places_part part = {0, 0, 0, 0};
    const char *cores = set;
    if (!srv_places_next(&set, &part))
        (void)srv_ranges_next(&cores, &part.first_core, &part.last_core);
    return (servet_place){part.first_node, part.first_core};
}

int srv_spans_find_split(const srv_list *near, const srv_list *wide)
{
    char *const *sets = near->items;
    const srv_spans *spans = near->spans;
    for (int i = 0; spans && i < spans->count; i++) {
        const srv_span *span = &spans->span[i];
        int item = srv_spans_find(wide, first_place(sets[span->item]));
        if (item < 0 || !holds(wide, item, span))
            return span->item;
    }
    return -1;
}

int srv_spans_first(const srv_list *list, int node)
{
    const srv_node_spans *spans = node_spans(list, node);
    return spans ? list->spans->span[spans->begin].item : -1;
}

int srv_spans_largest(const srv_list *list)
{
    return list->spans ? list->spans->largest : -1;
}

int srv_spans_cores(const srv_list *list, int item)
{
    return list->spans->cores[item];
}
