/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/formats/format.h"

#include <stdbool.h>
#include <string.h>

#include "core/error.h"

void srv_map_cores(FILE *stream, const servet_map_process *process, const char *between)
{
    for (int i = 0; i < process->core_count; i++)
        fprintf(stream, "%s%d", i ? between : "", process->cores[i]);
}

void srv_map_hosts(const servet_map *map, FILE *stream)
{
    servet_map_process process;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++)
        fprintf(stream, "%s\n", process.host);
}

/* The cores of the process with a local number on a node. */
static const int *cores_on(const servet_map *map, int node, int local)
{
    servet_map_process process;
    (void)servet_map_process_get(map, map->ranks[map->first[node] + local], &process);
    return process.cores;
}

static bool alike(const servet_map *map, int node, int pattern)
{
    for (int local = 0; local < srv_map_processes_on(map, node); local++)
        if (memcmp(cores_on(map, node, local), cores_on(map, pattern, local),
                   (size_t)map->threads * sizeof(int)) != 0)
            return false;
    return true;
}

int srv_map_alike(const servet_map *map, const char *launcher, int *node, servet_error *error)
{
    int most = 0;
    for (int n = 1; n < map->nodes.count; n++)
        if (srv_map_processes_on(map, n) > srv_map_processes_on(map, most))
            most = n;
    for (int n = 0; n < map->nodes.count; n++)
        if (!alike(map, n, most))
            return srv_fail(error, SERVET_EUNSUPPORTED,
                            "%s uses the same cores on all nodes, but processes of %.64s and "
                            "%.64s need different cores",
                            launcher, map->nodes.items[most].host, map->nodes.items[n].host);
    *node = most;
    return SERVET_OK;
}
