/* SPDX-License-Identifier: BSD-3-Clause */
/** Layers as the detector found them go into the facts. */
#ifndef SRV_FACTS_LAYERS_STAGE_FOUND_H
#define SRV_FACTS_LAYERS_STAGE_FOUND_H

#include "core/places.h"
#include "run/network/job.h"

/** Layers of things, cores or nodes. */
typedef struct srv_found {
    const servet_matrix *matrix; /**< seconds between the things */
    const servet_layers *layers;
    bool between_nodes;
    const int *rank; /**< of each thing, for the typical pair */
    /** Adds to `groups` the `count` sets of cores for the numbers group[i] of the things. */
    int (*add_groups)(void *context, const int *group, int count, srv_sets *groups,
                      servet_error *error);
    void *context;
} srv_found;

/** Adds all layers to job->facts. Errors: SERVET_EMEMORY, those of add_groups. */
int srv_network_add_layers(srv_network_job *job, const srv_found *found, servet_error *error);

/** Appends the set of `count` cores to `groups`, unless it is empty. Errors: SERVET_EMEMORY. */
int srv_network_add_group(srv_sets *groups, srv_core_at *cores, int count, servet_error *error);

/** Writes a matrix of messages of `bytes` bytes into the raw file `file`; `rows` describes its
 * rows. Errors: SERVET_EIO. */
int srv_network_save_matrix(const srv_network_job *job, const char *file, const char *rows,
                            double bytes, const servet_matrix *matrix, servet_error *error);

#endif
