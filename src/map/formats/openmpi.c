/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rankfiles. An option of mpirun makes their numbers those of the operating system. */
#include "map/formats/format.h"

static void write_ranks(const servet_map *map, FILE *stream)
{
    servet_map_process process;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++) {
        fprintf(stream, "rank %d=%s slot=", rank, process.host);
        srv_map_cores(stream, &process, ",");
        fputc('\n', stream);
    }
}

int srv_map_openmpi4(const servet_map *map, FILE *stream, servet_error *error)
{
    (void)error;
    fprintf(stream,
            "# mpirun -n %d --mca rmaps_rank_file_physical 1 --use-hwthread-cpus --rankfile FILE "
            "PROGRAM\n",
            servet_map_process_count(map));
    write_ranks(map, stream);
    return SERVET_OK;
}

int srv_map_openmpi5(const servet_map *map, FILE *stream, servet_error *error)
{
    (void)error;
    fprintf(stream, "# mpirun -n %d --use-hwthread-cpus --map-by rankfile:file=FILE PROGRAM\n",
            servet_map_process_count(map));
    write_ranks(map, stream);
    return SERVET_OK;
}
