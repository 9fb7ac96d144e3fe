/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "map/format.h"

#define NAME(name, text) [name] = text,
static const char *const code_names[] = {SERVET_CODE_LIST(NAME)};
static const char *const format_names[] = {SERVET_MAP_FORMAT_LIST(NAME)};
static const char *const order_names[] = {SERVET_ORDER_LIST(NAME)};
#undef NAME

static srv_map_writer *const writers[SERVET_MAP_FORMAT_COUNT] = {
    [SERVET_MAP_TEXT] = srv_map_text,         [SERVET_MAP_JSON] = srv_map_json,
    [SERVET_MAP_OPENMPI4] = srv_map_openmpi4, [SERVET_MAP_OPENMPI5] = srv_map_openmpi5,
    [SERVET_MAP_SLURM] = srv_map_slurm,       [SERVET_MAP_MPICH] = srv_map_mpich,
    [SERVET_MAP_PBS] = srv_map_pbs,           [SERVET_MAP_OMP_PLACES] = srv_map_omp_places,
};

const char *servet_code_name(servet_code code)
{
    return (unsigned)code < SERVET_CODE_COUNT ? code_names[code] : "?";
}

const char *servet_order_name(servet_order order)
{
    return (unsigned)order < SERVET_ORDER_COUNT ? order_names[order] : "?";
}

const char *servet_map_format_name(servet_map_format format)
{
    return (unsigned)format < SERVET_MAP_FORMAT_COUNT ? format_names[format] : "?";
}

void srv_map_cores(FILE *stream, const servet_map_process *process, const char *between)
{
    for (int i = 0; i < process->core_count; i++)
        fprintf(stream, "%s%d", i ? between : "", process->cores[i]);
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
                            "%s binds the processes of all nodes alike, but those of %.64s and "
                            "%.64s need different cores",
                            launcher, map->nodes.items[most].host, map->nodes.items[n].host);
    *node = most;
    return SERVET_OK;
}

int servet_map_write(const servet_map *map, servet_map_format format, FILE *stream,
                     servet_error *error)
{
    if ((unsigned)format >= SERVET_MAP_FORMAT_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "there is no format %d", (int)format);
    int code = writers[format](map, stream, error);
    if (code == SERVET_OK && ferror(stream))
        code = srv_fail(error, SERVET_EIO, "cannot write the placement: %s", strerror(errno));
    return code;
}
