/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/formats/format.h"

/* PBS itself starts no ranks. Open MPI reads the file, and places each rank on the host of its
 * line. */
int srv_launch_pbs(const servet_map *map, const char *file, FILE *stream, servet_error *error)
{
    (void)error;
    fprintf(stream, "mpirun -n %d --hostfile %s --map-by seq --bind-to none",
            servet_map_process_count(map), file);
    return SERVET_OK;
}

int srv_map_pbs(const servet_map *map, FILE *stream, servet_error *error)
{
    (void)error;
    srv_map_hosts(map, stream);
    return SERVET_OK;
}
