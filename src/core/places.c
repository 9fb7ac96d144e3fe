/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/places.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/memory_stream.h"
#include "core/ranges.h"

static int by_place(const void *a, const void *b)
{
    const srv_core_at *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->core > y->core) - (x->core < y->core);
}

/* The number of cores, from the first on, that belong to its node. */
static int node_length(const srv_core_at *cores, int count)
{
    int n = 1;
    while (n < count && cores[n].node == cores->node)
        n++;
    return n;
}

/* True if the node behind the first `length` cores is the next one and has the same cores. */
static bool goes_on(const srv_core_at *cores, int length, int count)
{
    const srv_core_at *next = cores + length;
    if (length == count || next->node != cores[length - 1].node + 1 ||
        node_length(next, count - length) != length)
        return false;
    for (int i = 0; i < length; i++)
        if (next[i].core != cores[i].core)
            return false;
    return true;
}

static void print_range(FILE *stream, int first, int last)
{
    if (first == last)
        fprintf(stream, "%d", first);
    else
        fprintf(stream, "%d-%d", first, last);
}

/* Writes the cores of a node: each range behind the nodes, up to `last`, that have it. */
static void print_node(FILE *stream, const srv_core_at *cores, int length, int last, bool is_first)
{
    for (int first = 0, end; first < length; first = end) {
        for (end = first + 1; end < length && cores[end].core <= cores[end - 1].core + 1;)
            end++;
        if (first > 0 || !is_first)
            fputc(',', stream);
        print_range(stream, cores->node, last);
        fputc(':', stream);
        print_range(stream, cores[first].core, cores[end - 1].core);
    }
}

int srv_places_write(srv_core_at *cores, int count, char **text, servet_error *error)
{
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    qsort(cores, (size_t)count, sizeof *cores, by_place);
    for (int at = 0; at < count;) {
        int length = node_length(cores + at, count - at), same = 0;
        while (goes_on(cores + at + same, length, count - at - same))
            same += length;
        print_node(memory.stream, cores + at, length, cores[at + same].node, at == 0);
        at += same + length;
    }
    return srv_memory_stream_close(&memory, text, NULL) ? SERVET_OK : srv_fail_memory(error);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_range(const char **at, int *first, int *last)
{
    if (!srv_ranges_number(at, SRV_RANGES_MAX - 1, first))
        return false;
    *last = *first;
    if (**at != '-')
        return true;
    ++*at;
    return srv_ranges_number(at, SRV_RANGES_MAX - 1, last) && *first < *last;
}

bool srv_places_next(const char **cursor, srv_places_part *part)
{
    const char *at = *cursor;
    if (!read_range(&at, &part->first_node, &part->last_node) || *at++ != ':' ||
        !read_range(&at, &part->first_core, &part->last_core))
        return false;
    if (*at == ',' && at[1] != '\0')
        at++;
    else if (*at != '\0')
        return false;
    *cursor = at;
    return true;
}
