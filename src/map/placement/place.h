/* SPDX-License-Identifier: BSD-3-Clause */
/** Distributes processes over the nodes, in one of the orders. */
#ifndef SRV_MAP_PLACEMENT_PLACE_H
#define SRV_MAP_PLACEMENT_PLACE_H

#include "map/placement/placement.h"

/**
 * Gives each process of a map that has room for them a node and a slot, in the order that the
 * request names. Errors: SERVET_EMEMORY.
 */
int srv_place(servet_map *map, const servet_profile *profile, const servet_map_request *request,
              servet_error *error);

#endif
