/* SPDX-License-Identifier: BSD-3-Clause */
/** The slots of a node, and the order in which processes take them. */
#ifndef SRV_MAP_PLACEMENT_SLOT_ORDER_H
#define SRV_MAP_PLACEMENT_SLOT_ORDER_H

#include <stdbool.h>

#include "map/nodes/node_class.h"

/**
 * Finds the slots of `threads` cores, and the order in which up to `processes` of them are taken:
 * by the groupings, or ascending. Errors: SERVET_EMEMORY.
 */
int srv_map_class_order(srv_map_class *class, int threads, int processes, bool by_rules,
                        servet_error *error);

#endif
