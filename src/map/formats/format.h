/* SPDX-License-Identifier: BSD-3-Clause */
/** The formats of a placement; each has a source file. */
#ifndef SRV_MAP_FORMATS_FORMAT_H
#define SRV_MAP_FORMATS_FORMAT_H

#include "map/placement/placement.h"

/** Writes a placement; servet_map_write() checks the stream for errors. */
typedef int srv_map_writer(const servet_map *map, FILE *stream, servet_error *error);

/** Writes the command that starts a program with the placement in the file `file`, quoted for a
 * shell, up to the program's name and without a line end. The caller checks the stream. */
typedef int srv_map_launcher(const servet_map *map, const char *file, FILE *stream,
                             servet_error *error);

srv_map_writer srv_map_text, srv_map_json, srv_map_openmpi4, srv_map_openmpi5, srv_map_slurm,
    srv_map_mpich, srv_map_pbs, srv_map_omp_places;
srv_map_launcher srv_launch_openmpi4, srv_launch_openmpi5, srv_launch_slurm, srv_launch_mpich,
    srv_launch_pbs, srv_launch_omp_places;

/** Writes the cores of a process in their order, separated by `between`. */
void srv_map_cores(FILE *stream, const servet_map_process *process, const char *between);

/** Writes the host of each rank on a separate line. */
void srv_map_hosts(const servet_map *map, FILE *stream);

/**
 * Finds the node with the most processes, in `*node`, if the processes of each other node are on
 * the same cores as the first ones there. Errors: SERVET_EUNSUPPORTED (one node differs; the text
 * names `launcher`).
 */
int srv_map_alike(const servet_map *map, const char *launcher, int *node, servet_error *error);

#endif
