/* SPDX-License-Identifier: BSD-3-Clause */
/** Places near accelerators. */
#ifndef SRV_MAP_PLACEMENT_NEAR_H
#define SRV_MAP_PLACEMENT_NEAR_H

#include "map/nodes/node_class.h"

/**
 * Gives the slots of a class, all of which are in order, to its first `accelerators` devices in
 * turn: device 0 gets the first slot whose cores are near to it, and so on; where none is left, any
 * slot. So slot s belongs to device s % *devices. Errors: SERVET_EUNMEASURED (no accelerators, or
 * the near cores of one are not known), SERVET_EMEMORY.
 */
int srv_map_class_near(srv_map_class *class, const servet_profile *profile, const char *class_name,
                       int accelerators, int *devices, servet_error *error);

#endif
