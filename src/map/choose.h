/* SPDX-License-Identifier: BSD-3-Clause */
/** The placement of a program whose messages are known: the best of several. */
#ifndef SRV_MAP_CHOOSE_H
#define SRV_MAP_CHOOSE_H

#include "servet/map.h"

/** servet_map_create() for a request with messages. */
int srv_map_choose(servet_map **map, const servet_profile *profile,
                   const servet_map_request *request, servet_error *error);

#endif
