/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes rankfiles. Open MPI 4 reads the operating system's numbers if an option says so; Open MPI
 * 5 (PRRTE) reads only hwloc's logical numbers. In both, numbers mean cores, not PUs, unless an
 * option says that hardware threads are CPUs.
 */
#include "map/formats/format.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"

/* Room for the slots of a rank in Open MPI, with the null character. Version 4 crashes with a
 * longer text, and version 5 drops its end silently. */
enum { SLOTS_MAX = 64 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The logical number of a core of a process. Errors: SERVET_EUNMEASURED. */
static int find_logical(const servet_map *map, const servet_map_process *process, int core,
                        int *number, servet_error *error)
{
    const srv_map_class *class = srv_map_class_of(map, process->node);
    *number = class->logical[srv_map_class_index(class, core)];
    if (*number >= 0)
        return SERVET_OK;
    return srv_fail(error, SERVET_EUNMEASURED,
                    "Open MPI 5 takes hwloc's logical numbers, and the profile has none for core "
                    "%d of %.64s (machine.logical_order): measure it again",
                    core, process->host);
}

/* The line of a rank; `slots` has room for its cores. */
static int write_rank(const servet_map *map, int rank, bool logical, int *slots, FILE *stream,
                      servet_error *error)
{
    servet_map_process process;
    char text[SLOTS_MAX];
    int code = SERVET_OK;
    (void)servet_map_process_get(map, rank, &process);
    for (int i = 0; i < process.core_count && code == SERVET_OK; i++) {
        slots[i] = process.cores[i];
        if (logical)
            code = find_logical(map, &process, process.cores[i], &slots[i], error);
    }
    if (code != SERVET_OK)
        return code;
    qsort(slots, (size_t)process.core_count, sizeof *slots, compare);
    if (!srv_ranges_write(slots, process.core_count, text, sizeof text))
        return srv_fail(error, SERVET_EUNSUPPORTED,
                        "Open MPI reads %d characters of the cores of a rank, and rank %d has "
                        "more: use fewer threads per process, or another launcher",
                        SLOTS_MAX - 1, rank);
    fprintf(stream, "rank %d=%s slot=%s\n", rank, process.host, text);
    return SERVET_OK;
}

static int write_ranks(const servet_map *map, bool logical, FILE *stream, servet_error *error)
{
    int code = SERVET_OK, *slots = calloc((size_t)map->threads, sizeof *slots);
    if (!slots)
        return srv_fail_memory(error);
    for (int rank = 0; rank < map->count && code == SERVET_OK; rank++)
        code = write_rank(map, rank, logical, slots, stream, error);
    free(slots);
    return code;
}

int srv_launch_openmpi4(const servet_map *map, const char *file, FILE *stream, servet_error *error)
{
    (void)error;
    fprintf(stream,
            "mpirun -n %d --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile %s",
            servet_map_process_count(map), file);
    return SERVET_OK;
}

int srv_map_openmpi4(const servet_map *map, FILE *stream, servet_error *error)
{
    return write_ranks(map, false, stream, error);
}

/* The option makes the slots of nodes hardware threads, the qualifier does so for the numbers in
 * the file. */
int srv_launch_openmpi5(const servet_map *map, const char *file, FILE *stream, servet_error *error)
{
    if (strchr(file, ':'))
        return srv_fail(error, SERVET_EUNSUPPORTED,
                        "Open MPI 5 reads no rankfile whose name has a colon: %.128s", file);
    fprintf(stream, "mpirun -n %d --use-hwthread-cpus --map-by rankfile:file=%s:hwtcpus",
            servet_map_process_count(map), file);
    return SERVET_OK;
}

int srv_map_openmpi5(const servet_map *map, FILE *stream, servet_error *error)
{
    return write_ranks(map, true, stream, error);
}
