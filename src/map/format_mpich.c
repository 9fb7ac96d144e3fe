/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/format.h"

int srv_map_mpich(const servet_map *map, FILE *stream, servet_error *error)
{
    servet_map_process process;
    int node, code = srv_map_alike(map, "MPICH", &node, error);
    if (code != SERVET_OK)
        return code;
    int first = map->first_rank[node];
    fprintf(stream, "# mpiexec -n %d -f FILE -bind-to user:", servet_map_process_count(map));
    for (int rank = first; rank < map->first_rank[node + 1]; rank++) {
        (void)servet_map_process_get(map, rank, &process);
        fputs(rank > first ? "," : "", stream);
        srv_map_cores(stream, &process, "+");
    }
    fputs(" PROGRAM\n", stream);
    for (int n = 0; n < map->nodes.count; n++)
        if (srv_map_processes_on(map, n) > 0)
            fprintf(stream, "%s:%d\n", map->nodes.items[n].host, srv_map_processes_on(map, n));
    return SERVET_OK;
}
