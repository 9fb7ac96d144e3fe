/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/assign/bisect.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "map/assign/scotch.h"

/* A binary heap of ranks. It does not own its arrays, so that several heaps can share them. */
typedef struct srv_heap {
    int *items, count;
    const int64_t *gain; /* gain of each rank */
    int *place;          /* position of each rank in `items`; -1: not there */
} srv_heap;

static bool before(const srv_heap *heap, int a, int b)
{
    return heap->gain[a] != heap->gain[b] ? heap->gain[a] > heap->gain[b] : a < b;
}

static void put(srv_heap *heap, int at, int rank)
{
    heap->items[at] = rank;
    heap->place[rank] = at;
}

static void rise(srv_heap *heap, int rank)
{
    int at = heap->place[rank];
    while (at > 0 && before(heap, rank, heap->items[(at - 1) / 2])) {
        put(heap, at, heap->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(heap, at, rank);
}

static void sink(srv_heap *heap, int rank)
{
    int at = heap->place[rank], child;
    while ((child = 2 * at + 1) < heap->count) {
        if (child + 1 < heap->count && before(heap, heap->items[child + 1], heap->items[child]))
            child++;
        if (!before(heap, heap->items[child], rank))
            break;
        put(heap, at, heap->items[child]);
        at = child;
    }
    put(heap, at, rank);
}

/* Adds a rank that is not in the heap. */
static void heap_add(srv_heap *heap, int rank)
{
    put(heap, heap->count++, rank);
    rise(heap, rank);
}

/* Removes and returns the best rank. The heap must not be empty. */
static int heap_take(srv_heap *heap)
{
    int best = heap->items[0], last = heap->items[--heap->count];
    if (heap->count > 0) {
        put(heap, 0, last);
        sink(heap, last);
    }
    heap->place[best] = -1;
    return best;
}

/* The number of moves that may increase the cut before the search ends. On a grid, many cuts are
 * equal, and a better one is found within as many moves as a row has processes. */
enum { PATIENCE = 256, PASSES_MAX = 16 };

/* The greatest number of entries of both directions: with more, integer weights could not
 * distinguish large messages from small ones. */
enum { ENTRIES_MAX = 400000000 };

void srv_bisection_finish(srv_bisection *on)
{
    srv_room_free(&on->room);
}

static bool allocate(srv_bisection *on, size_t count, size_t entries)
{
    srv_room *room = &on->room;
    on->weight = srv_room_take(room, entries + 1, sizeof *on->weight);
    on->members = srv_room_take(room, count, sizeof *on->members);
    on->place = srv_room_take(room, count, sizeof *on->place);
    on->side = srv_room_take(room, count, sizeof *on->side);
    on->best = srv_room_take(room, count, sizeof *on->best);
    on->gain = srv_room_take(room, count, sizeof *on->gain);
    on->moves = srv_room_take(room, count, sizeof *on->moves);
    on->in_heap = srv_room_take(room, count, sizeof *on->in_heap);
    on->heap[0] = srv_room_take(room, count, sizeof *on->heap[0]);
    on->heap[1] = srv_room_take(room, count, sizeof *on->heap[1]);
    return !room->failed;
}

/* Converts the weights to integers, so that every machine finds the same cuts. */
static void weigh(srv_bisection *on, size_t entries)
{
    double sum = 0;
    for (size_t i = 0; i < entries; i++)
        sum += on->graph->bytes[i];
    double unit = (INT_MAX / 2 - (double)entries) / sum;
    for (size_t i = 0; i < entries; i++)
        on->weight[i] = 1 + (int)floor(on->graph->bytes[i] * unit);
}

int srv_bisection_begin(srv_bisection *on, const srv_graph *graph, servet_error *error)
{
    size_t entries = graph->begin[graph->count];
    on->graph = graph;
    if (entries > ENTRIES_MAX)
        return srv_fail(error, SERVET_ERANGE, "%zu pairs of processes are too many", entries / 2);
    if (!allocate(on, (size_t)graph->count, entries))
        return srv_fail_memory(error);
    weigh(on, entries);
    for (int i = 0; i < graph->count; i++)
        on->members[i] = on->place[i] = i;
    return SERVET_OK;
}

/* --- moving ----------------------------------------------------------------------------------- */

/* One pass over the processes of a set. */
typedef struct passing {
    srv_bisection *on;
    const srv_map_cut *cut;
    srv_heap heap[2]; /* processes that have not moved yet, by side */
    int excess;       /* processes that side 0 has too many */
    int64_t size;     /* bytes sent across the cut */
} passing;

static bool in_set(const srv_bisection *on, const srv_map_cut *cut, int rank)
{
    return cut->first <= on->place[rank] && on->place[rank] < cut->end;
}

/* Traffic of a process across the cut, less the traffic within its side. */
static int64_t gain_of(const srv_bisection *on, const srv_map_cut *cut, int rank)
{
    const srv_graph *graph = on->graph;
    int64_t gain = 0;
    for (size_t i = graph->begin[rank]; i < graph->begin[rank + 1]; i++)
        if (in_set(on, cut, graph->to[i]))
            gain += on->side[graph->to[i]] == on->side[rank] ? -on->weight[i] : on->weight[i];
    return gain;
}

static int64_t size_of(const srv_bisection *on, const srv_map_cut *cut)
{
    const srv_graph *graph = on->graph;
    int64_t size = 0;
    for (int m = cut->first; m < cut->end; m++) {
        int rank = on->members[m];
        for (size_t i = graph->begin[rank]; i < graph->begin[rank + 1]; i++)
            if (graph->to[i] > rank && in_set(on, cut, graph->to[i]) &&
                on->side[graph->to[i]] != on->side[rank])
                size += on->weight[i];
    }
    return size;
}

static void begin_pass(passing *pass, srv_bisection *on, const srv_map_cut *cut)
{
    *pass = (passing){.on = on, .cut = cut, .excess = -cut->left, .size = size_of(on, cut)};
    for (int side = 0; side < 2; side++)
        pass->heap[side] = (srv_heap){on->heap[side], 0, on->gain, on->in_heap};
    for (int m = cut->first; m < cut->end; m++) {
        int rank = on->members[m];
        on->gain[rank] = gain_of(on, cut, rank);
        heap_add(&pass->heap[on->side[rank]], rank);
        pass->excess += on->side[rank] == 0;
    }
}

/* Returns the side from which the next process moves: the side that has too many, or else the side
 * with the larger gain; 2 if no process is left. */
static int next_side(const passing *pass)
{
    const srv_heap *heap = pass->heap;
    if (pass->excess != 0)
        return heap[pass->excess < 0].count ? pass->excess < 0 : 2;
    if (!heap[0].count || !heap[1].count)
        return 2;
    const int64_t *gain = pass->on->gain;
    return gain[heap[1].items[0]] > gain[heap[0].items[0]];
}

/* Moves the best process of a side to the other side; returns it. */
static int move(passing *pass, int side)
{
    srv_bisection *on = pass->on;
    const srv_graph *graph = on->graph;
    int rank = heap_take(&pass->heap[side]);
    pass->size -= on->gain[rank];
    pass->excess += side ? 1 : -1;
    on->side[rank] = !side;
    for (size_t i = graph->begin[rank]; i < graph->begin[rank + 1]; i++) {
        int to = graph->to[i];
        if (!in_set(on, pass->cut, to) || on->in_heap[to] < 0)
            continue;
        int64_t change = 2 * (int64_t)on->weight[i];
        on->gain[to] += on->side[to] == side ? change : -change;
        rise(&pass->heap[on->side[to]], to);
        sink(&pass->heap[on->side[to]], to);
    }
    return rank;
}

/* Moves each process at most once and reverts the moves after the best cut with the right sizes;
 * returns whether the cut improved. */
static bool improve(srv_bisection *on, const srv_map_cut *cut, int64_t *size)
{
    passing pass;
    begin_pass(&pass, on, cut);
    int count = 0, kept = 0, side;
    bool better = false;
    *size = pass.excess == 0 ? pass.size : INT64_MAX;
    while ((side = next_side(&pass)) < 2 && (pass.excess != 0 || count - kept < PATIENCE)) {
        on->moves[count++] = move(&pass, side);
        if (pass.excess == 0 && pass.size < *size) {
            *size = pass.size;
            kept = count;
            better = true;
        }
    }
    while (count > kept) {
        int rank = on->moves[--count];
        on->side[rank] = !on->side[rank];
    }
    return better;
}

/* --- initial cuts ----------------------------------------------------------------------------- */

static void all_right(srv_bisection *on, const srv_map_cut *cut)
{
    for (int m = cut->first; m < cut->end; m++)
        on->side[on->members[m]] = 1;
}

/* Puts the lowest ranks on the left, as the scheduler's order does. */
static int by_rank(srv_bisection *on, const srv_map_cut *cut)
{
    for (int m = cut->first; m < cut->end; m++)
        on->side[on->members[m]] = m - cut->first >= cut->left;
    return SERVET_OK;
}

/* Puts only the lowest rank on the left; the moves then bring related ranks there. */
static int by_lowest(srv_bisection *on, const srv_map_cut *cut)
{
    all_right(on, cut);
    on->side[on->members[cut->first]] = 0;
    return SERVET_OK;
}

/* The member that is last in a breadth-first search from the lowest rank. */
static int farthest(srv_bisection *on, const srv_map_cut *cut)
{
    const srv_graph *graph = on->graph;
    int *queue = on->moves, count = 0;
    all_right(on, cut);
    queue[count++] = on->members[cut->first];
    on->side[queue[0]] = 0;
    for (int done = 0; done < count; done++)
        for (size_t i = graph->begin[queue[done]]; i < graph->begin[queue[done] + 1]; i++)
            if (in_set(on, cut, graph->to[i]) && on->side[graph->to[i]]) {
                on->side[graph->to[i]] = 0;
                queue[count++] = graph->to[i];
            }
    return queue[count - 1];
}

/* Puts only the farthest process on the left. */
static int by_farthest(srv_bisection *on, const srv_map_cut *cut)
{
    int rank = farthest(on, cut);
    all_right(on, cut);
    on->side[rank] = 0;
    return SERVET_OK;
}

static srv_beginning *const beginnings[] = {by_rank, by_lowest, by_farthest, srv_scotch_beginning};

/* --- cutting ---------------------------------------------------------------------------------- */

/* Keeps the members of each side in the order of their ranks. */
static void sort_members(srv_bisection *on, const srv_map_cut *cut)
{
    int *right = on->moves, left_count = 0, right_count = 0;
    for (int m = cut->first; m < cut->end; m++) {
        int rank = on->members[m];
        if (on->best[rank] == 0)
            on->members[cut->first + left_count++] = rank;
        else
            right[right_count++] = rank;
    }
    memcpy(&on->members[cut->first + left_count], right, (size_t)right_count * sizeof *right);
    for (int m = cut->first; m < cut->end; m++)
        on->place[on->members[m]] = m;
}

int srv_bisect(srv_bisection *on, const srv_map_cut *cut)
{
    int64_t least = INT64_MAX;
    for (size_t b = 0; b < sizeof beginnings / sizeof *beginnings; b++) {
        int code = beginnings[b](on, cut);
        if (code == SERVET_EUNSUPPORTED)
            continue;
        if (code != SERVET_OK)
            return code;
        int64_t size;
        for (int pass = 0; pass < PASSES_MAX && improve(on, cut, &size); pass++)
            ;
        for (int m = cut->first; m < cut->end && size < least; m++)
            on->best[on->members[m]] = on->side[on->members[m]];
        least = size < least ? size : least;
    }
    sort_members(on, cut);
    return SERVET_OK;
}
