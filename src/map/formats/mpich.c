/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/error.h"
#include "map/formats/format.h"

/* Checks that ranks ascend host by host: a host file lists each host once, with its processes. */
static int check_order(const servet_map *map, servet_error *error)
{
    for (int i = 0; i < map->count; i++)
        if (map->ranks[i] != i)
            return srv_fail(error, SERVET_EUNSUPPORTED,
                            "MPICH numbers ranks node by node, but rank %d is to be on %.64s", i,
                            map->nodes.items[map->places[i].node].host);
    return SERVET_OK;
}

static int check(const servet_map *map, int *node, servet_error *error)
{
    int code = check_order(map, error);
    return code == SERVET_OK ? srv_map_alike(map, "MPICH", node, error) : code;
}

int srv_launch_mpich(const servet_map *map, const char *file, FILE *stream, servet_error *error)
{
    servet_map_process process;
    int node, code = check(map, &node, error);
    if (code != SERVET_OK)
        return code;
    fprintf(stream, "mpiexec -n %d -f %s -bind-to user:", servet_map_process_count(map), file);
    for (int local = 0; local < srv_map_processes_on(map, node); local++) {
        (void)servet_map_process_get(map, map->ranks[map->first[node] + local], &process);
        fputs(local ? "," : "", stream);
        srv_map_cores(stream, &process, "+");
    }
    return SERVET_OK;
}

int srv_map_mpich(const servet_map *map, FILE *stream, servet_error *error)
{
    int node, code = check(map, &node, error);
    for (int n = 0; n < map->nodes.count && code == SERVET_OK; n++)
        if (srv_map_processes_on(map, n) > 0)
            fprintf(stream, "%s:%d\n", map->nodes.items[n].host, srv_map_processes_on(map, n));
    return code;
}
