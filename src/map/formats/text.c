/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/formats/format.h"

int srv_map_text(const servet_map *map, FILE *stream, servet_error *error)
{
    servet_map_process process;
    (void)error;
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++) {
        fprintf(stream, "%d %s ", rank, process.host);
        srv_map_cores(stream, &process, ",");
        if (process.accelerator >= 0)
            fprintf(stream, " accelerator %d", process.accelerator);
        fputc('\n', stream);
    }
    return SERVET_OK;
}
