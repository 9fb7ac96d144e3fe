/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/formats/format.h"

/* Tasks with one thread are bound by core numbers, others by hexadecimal masks. The last digit of a
 * mask is cores 0 to 3. */
static void write_mask(FILE *stream, const servet_map_process *process)
{
    int highest = 0;
    for (int i = 0; i < process->core_count; i++)
        highest = process->cores[i] > highest ? process->cores[i] : highest;
    fputs("0x", stream);
    for (int digit = highest / 4; digit >= 0; digit--) {
        int value = 0;
        for (int i = 0; i < process->core_count; i++)
            if (process->cores[i] / 4 == digit)
                value |= 1 << process->cores[i] % 4;
        fputc("0123456789abcdef"[value], stream);
    }
}

int srv_launch_slurm(const servet_map *map, const char *file, FILE *stream, servet_error *error)
{
    servet_map_process process;
    int node, code = srv_map_alike(map, "Slurm", &node, error);
    if (code != SERVET_OK)
        return code;
    fprintf(stream,
            "SLURM_HOSTFILE=%s srun --ntasks=%d --distribution=arbitrary --cpu-bind=%s:", file,
            servet_map_process_count(map), map->threads == 1 ? "map_cpu" : "mask_cpu");
    for (int local = 0; local < srv_map_processes_on(map, node); local++) {
        (void)servet_map_process_get(map, map->ranks[map->first[node] + local], &process);
        fputs(local ? "," : "", stream);
        if (map->threads == 1)
            fprintf(stream, "%d", process.cores[0]);
        else
            write_mask(stream, &process);
    }
    return SERVET_OK;
}

int srv_map_slurm(const servet_map *map, FILE *stream, servet_error *error)
{
    int node, code = srv_map_alike(map, "Slurm", &node, error);
    if (code == SERVET_OK)
        srv_map_hosts(map, stream);
    return code;
}
