/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/formats/format.h"

int srv_map_pbs(const servet_map *map, FILE *stream, servet_error *error)
{
    (void)error;
    srv_map_hosts(map, stream);
    return SERVET_OK;
}
