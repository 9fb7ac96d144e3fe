/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/error.h"
#include "map/formats/format.h"

static int check(const servet_map *map, servet_error *error)
{
    servet_map_process process;
    (void)servet_map_process_get(map, 0, &process);
    if (srv_map_processes_on(map, process.node) < map->count)
        return srv_fail(error, SERVET_EUNSUPPORTED,
                        "OpenMP places must be on one node, but the placement uses several");
    return SERVET_OK;
}

int srv_launch_omp_places(const servet_map *map, const char *file, FILE *stream,
                          servet_error *error)
{
    int code = check(map, error);
    if (code == SERVET_OK)
        fprintf(stream, "OMP_NUM_THREADS=%d OMP_PROC_BIND=close OMP_PLACES=\"$(cat %s)\"",
                map->count * map->threads, file);
    return code;
}

int srv_map_omp_places(const servet_map *map, FILE *stream, servet_error *error)
{
    servet_map_process process;
    int code = check(map, error);
    if (code != SERVET_OK)
        return code;
    for (int i = 0; servet_map_process_get(map, i, &process) == SERVET_OK; i++) {
        fputs(i ? ",{" : "{", stream);
        srv_map_cores(stream, &process, ",");
        fputc('}', stream);
    }
    fputc('\n', stream);
    return SERVET_OK;
}
