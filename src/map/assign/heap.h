/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Orders processes by the gain of moving them: the largest gain comes first, among equals the
 * lowest rank.
 */
#ifndef SRV_MAP_ASSIGN_HEAP_H
#define SRV_MAP_ASSIGN_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/** A binary heap of ranks. It does not own its arrays, so that several heaps can share them. */
typedef struct srv_heap {
    int *items, count;
    const int64_t *gain; /**< gain of each rank */
    int *place;          /**< position of each rank in `items`; -1: not there */
} srv_heap;

/** Adds a rank that is not in the heap. */
void srv_heap_add(srv_heap *heap, int rank);

/** Removes and returns the best rank. The heap must not be empty. */
int srv_heap_take(srv_heap *heap);

/** Restores the order after the gain of a rank in the heap has changed. */
void srv_heap_moved(srv_heap *heap, int rank);

#endif
