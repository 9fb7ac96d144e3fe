/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/layout.h"
#include "map/formats/format.h"

int srv_map_json(const servet_map *map, FILE *stream, servet_error *error)
{
    servet_map_process process;
    (void)error;
    fprintf(stream, "{\"threads\": %d, \"processes\": [", map->threads);
    for (int rank = 0; servet_map_process_get(map, rank, &process) == SERVET_OK; rank++) {
        fprintf(stream, "%s\n  {\"rank\": %d, \"host\": ", rank ? "," : "", rank);
        srv_json_string(stream, process.host);
        fputs(", \"cores\": [", stream);
        srv_map_cores(stream, &process, ", ");
        fputc(']', stream);
        if (process.accelerator >= 0)
            fprintf(stream, ", \"accelerator\": %d", process.accelerator);
        fputc('}', stream);
    }
    fputs("\n]}\n", stream);
    return SERVET_OK;
}
