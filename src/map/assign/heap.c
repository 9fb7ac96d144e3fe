/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/assign/heap.h"

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

void srv_heap_add(srv_heap *heap, int rank)
{
    put(heap, heap->count++, rank);
    rise(heap, rank);
}

int srv_heap_take(srv_heap *heap)
{
    int best = heap->items[0], last = heap->items[--heap->count];
    if (heap->count > 0) {
        put(heap, 0, last);
        sink(heap, last);
    }
    heap->place[best] = -1;
    return best;
}

void srv_heap_moved(srv_heap *heap, int rank)
{
    rise(heap, rank);
    sink(heap, rank);
}
