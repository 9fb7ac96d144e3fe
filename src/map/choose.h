/* SPDX-License-Identifier: BSD-3-Clause */
/** Chooses the best of several placements of a program whose traffic is known. */
#ifndef SRV_MAP_CHOOSE_H
#define SRV_MAP_CHOOSE_H

#include "servet/map.h"

/** Does what servet_map_create() promises for a request with traffic. */
int srv_map_choose(servet_map **map, const servet_profile *profile,
                   const servet_map_request *request, servet_error *error);

#endif
