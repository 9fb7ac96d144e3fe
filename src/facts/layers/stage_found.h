/* SPDX-License-Identifier: BSD-3-Clause */
/** Layers as the detector found them go into the profile. */
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

/** Layers within and between nodes as they go into the profile, and the groups of each. A zeroed
 * one is empty. */
typedef struct srv_layer_list {
    int count;
    servet_network_layer layer[SRV_NETWORK_LAYERS_MAX];
    srv_sets groups[SRV_NETWORK_LAYERS_MAX];
} srv_layer_list;

void srv_layer_list_finish(srv_layer_list *list);

/** Adds all layers to a list. Errors: SERVET_EMEMORY, those of add_groups. */
int srv_network_add_layers(const srv_network_job *job, const srv_found *found, srv_layer_list *list,
                           servet_error *error);

/** Stores the layers, the fastest first; those of a kind keep their order, for each has groups made
 * of those before. Errors: those of the profile. */
int srv_network_store_layers(const srv_network_job *job, srv_layer_list *list, servet_error *error);

/** Appends the set of `count` cores to `groups`, unless it is empty. Errors: SERVET_EMEMORY. */
int srv_network_add_group(srv_sets *groups, srv_core_at *cores, int count, servet_error *error);

/** Writes a matrix of messages of `bytes` bytes into the raw file `file`; `rows` describes its
 * rows. Errors: SERVET_EIO. */
int srv_network_save_matrix(const srv_network_job *job, const char *file, const char *rows,
                            double bytes, const servet_matrix *matrix, servet_error *error);

#endif
