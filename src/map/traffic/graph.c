/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/traffic/graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* An entry of a row. */
typedef struct entry {
    int to;
    double bytes;
} entry;

/* Equal entries are ordered by bytes, so that both directions of a pair are summed in the same
 * order and give the same result. */
static int by_rank(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Counts the entries of each row, to find where rows begin; begin[] is zero. */
static void count_rows(srv_graph *graph, const servet_traffic *traffic, bool both_ways)
{
    for (size_t i = 0; i < traffic->count; i++) {
        graph->begin[traffic->items[i].from + 1]++;
        if (both_ways)
            graph->begin[traffic->items[i].to + 1]++;
    }
    for (int i = 0; i < graph->count; i++)
        graph->begin[i + 1] += graph->begin[i];
}

/* Fills the rows in the order of the traffic. At first, end[] is the beginning of each row. */
static void fill_rows(size_t *end, entry *entries, const servet_traffic *traffic, bool both_ways)
{
    for (size_t i = 0; i < traffic->count; i++) {
        const srv_dispatch *item = &traffic->items[i];
        entries[end[item->from]++] = (entry){item->to, item->bytes};
        if (both_ways)
            entries[end[item->to]++] = (entry){item->from, item->bytes};
    }
}

/* Sorts the rows, and adds up the bytes to the same process. */
static void merge_rows(srv_graph *graph, entry *entries)
{
    size_t used = 0, from = 0;
    for (int row = 0; row < graph->count; row++) {
        size_t end = graph->begin[row + 1], begin = used;
        qsort(entries + from, end - from, sizeof *entries, by_rank);
        for (; from < end; from++)
            if (used > begin && graph->to[used - 1] == entries[from].to) {
                graph->bytes[used - 1] += entries[from].bytes;
            } else {
                graph->to[used] = entries[from].to;
                graph->bytes[used++] = entries[from].bytes;
            }
        graph->begin[row + 1] = used;
    }
}

int srv_graph_begin(srv_graph *graph, const servet_traffic *traffic, bool both_ways,
                    servet_error *error)
{
    size_t rows = (size_t)traffic->processes, most = traffic->count * (both_ways ? 2 : 1) + 1;
    srv_room work = {0};
    graph->count = traffic->processes;
    graph->begin = srv_room_take(&graph->room, rows + 1, sizeof *graph->begin);
    graph->to = srv_room_take(&graph->room, most, sizeof *graph->to);
    graph->bytes = srv_room_take(&graph->room, most, sizeof *graph->bytes);
    size_t *end = srv_room_take(&work, rows + 1, sizeof *end);
    entry *entries = srv_room_take(&work, most, sizeof *entries);
    bool failed = graph->room.failed || work.failed;
    if (!failed) {
        count_rows(graph, traffic, both_ways);
        memcpy(end, graph->begin, rows * sizeof *end);
        fill_rows(end, entries, traffic, both_ways);
        merge_rows(graph, entries);
    }
    srv_room_free(&work);
    return failed ? srv_fail_memory(error) : SERVET_OK;
}

void srv_graph_finish(srv_graph *graph)
{
    srv_room_free(&graph->room);
}
