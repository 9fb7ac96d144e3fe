/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/format.h"

void srv_map_hosts(const servet_map *map, FILE *stream)
{
    servet_map_process process;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++)
        fprintf(stream, "%s\n", process.host);
}

int srv_map_pbs(const servet_map *map, FILE *stream, servet_error *error)
{
    (void)error;
    srv_map_hosts(map, stream);
    return SERVET_OK;
}
