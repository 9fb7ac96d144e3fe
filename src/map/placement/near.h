/* SPDX-License-Identifier: BSD-3-Clause */
/** Places near accelerators. */
#ifndef SRV_MAP_PLACEMENT_NEAR_H
#define SRV_MAP_PLACEMENT_NEAR_H

#include "map/nodes/node_class.h"

/**
 * Deals the slots of a class, all of which are in order, to its first `accelerators` devices in
 * turn: device 0 gets the first slot whose cores are near to it, and so on; where none is left, any
 * slot. So slot s belongs to device s % *dealt. Errors: SERVET_EUNMEASURED (no accelerators, or the
 * near cores of one are not known), SERVET_EMEMORY.
 */
int srv_map_class_deal(srv_map_class *class, const servet_profile *profile, const char *class_name,
                       int accelerators, int *dealt, servet_error *error);

#endif
