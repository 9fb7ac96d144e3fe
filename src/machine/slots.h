/* SPDX-License-Identifier: BSD-3-Clause */
/** Where the loads of a traversal lie, on hardware and in the simulator. */
#ifndef SRV_MACHINE_SLOTS_H
#define SRV_MACHINE_SLOTS_H

#include "machine/machine.h"
#include "machine/order.h"

/** The slots of a cycle: slot k is at base + k * stride + (a varying line of the stride). */
typedef struct srv_slots {
    char *base;
    size_t count;
    size_t stride; /**< from slot to slot: a line, or a page */
    size_t line;   /**< bytes of a line */
    size_t lines;  /**< possible lines of a slot within the stride: 1, or stride / line */
    bool pairs;    /**< slots 2k and 2k+1 are visited one after the other; `count` is even then */
    /** > 0: the slots are `count` different ones among `places`, one stride from each other */
    size_t places;
    size_t apart, phases; /**< of those, slot k is (k % phases) * apart bytes further */
} srv_slots;

/**
 * The slots of a traversal at a place of an arena of `arena_bytes`, which depends on the seed:
 * `*first` bytes from its begin. The base is not set. For SETS the arena has two strides more than
 * the traversal has bytes.
 */
srv_slots srv_slots_of(const srv_traversal *traversal, double page_bytes, double arena_bytes,
                       size_t *first);

/** The order in which slots are visited. */
srv_order srv_slots_order(const srv_slots *slots, uint64_t seed);

/** Bytes from the base to the slot that is visited as number `index`. */
size_t srv_slots_visited(const srv_slots *slots, const srv_order *order, size_t index);

/** Bytes from the base to slot number `slot`, where there are no places. */
static inline size_t srv_slots_at(const srv_slots *slots, size_t slot)
{
    return slot * slots->stride + srv_order_line(slot, slots->lines) * slots->line;
}

#endif
