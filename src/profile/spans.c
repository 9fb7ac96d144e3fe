/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/spans.h"

#include <stdlib.h>
#include <string.h>

#include "core/places.h"
#include "core/ranges.h"

/* --- making them ------------------------------------------------------------------------------ */

/* A set of cores without nodes is one of node 0. */
static bool next_part(const char **set, bool of_nodes, srv_places_part *part)
{
    return of_nodes ? srv_places_next(set, part)
                    : srv_ranges_next(set, &part->first_core, &part->last_core);
}

/* The spans of one set, in `to` unless that is NULL; their number. */
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

/* The same of all sets. */
static int spread_all(const srv_list *list, size_t size, size_t offset, srv_span *to)
{
    const char *sets = (const char *)list->items + offset;
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const char *set = *(char *const *)(const void *)(sets + (size_t)i * size);
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

int srv_spans_note(srv_list *list, size_t size, size_t offset)
{
    int count = spread_all(list, size, offset, NULL);
    srv_span *spans = malloc(((size_t)count + 1) * sizeof *spans);
    if (!spans)
        return SERVET_EMEMORY;
    spread_all(list, size, offset, spans);
    qsort(spans, (size_t)count, sizeof *spans, in_order);
    free(list->spans);
    list->spans = spans;
    list->span_count = count;
    return SERVET_OK;
}

/* --- groups of a job -------------------------------------------------------------------------- */

/* `left` is how many more cores the layer may have: so that a file of a few bytes,
 * 0-9:0-2000000000, takes no memory. */
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
    const srv_span *spans = groups->spans;
    for (int i = 1; i < groups->span_count; i++) {
        const srv_span *before = &spans[i - 1], *span = &spans[i];
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

/* How many spans begin at this core of the node or before it. */
static int count_until(const srv_list *list, int node, int core)
{
    const srv_span *spans = list->spans, until = {node, core, core, 0};
    int low = 0, high = list->span_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (in_order(&spans[middle], &until) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int srv_spans_find(const srv_list *list, servet_place place)
{
    int last = count_until(list, place.node, place.core) - 1;
    const srv_span *span = last >= 0 ? &list->spans[last] : NULL;
    return span && span->node == place.node && place.core <= span->last ? span->item : -1;
}

int srv_spans_first(const srv_list *list, int node)
{
    int next = count_until(list, node, -1);
    const srv_span *span = next < list->span_count ? &list->spans[next] : NULL;
    return span && span->node == node ? span->item : -1;
}
