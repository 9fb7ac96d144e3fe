/* SPDX-License-Identifier: BSD-3-Clause */
/** Makes a placement in one order. */
#ifndef SRV_MAP_PLACEMENT_MAKE_H
#define SRV_MAP_PLACEMENT_MAKE_H

#include "map/placement/placement.h"

/**
 * Makes a placement in the order that the request names, without regard to traffic. Errors: those
 * of servet_map_create().
 */
int srv_map_make(servet_map **map, const servet_profile *profile, const servet_map_request *request,
                 servet_error *error);

#endif
