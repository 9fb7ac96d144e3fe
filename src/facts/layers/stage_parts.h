/* SPDX-License-Identifier: BSD-3-Clause */
/** The two halves of the layers of communication. */
#ifndef SRV_FACTS_LAYERS_STAGE_PARTS_H
#define SRV_FACTS_LAYERS_STAGE_PARTS_H

#include "core/places.h"
#include "run/network/job.h"
#include "sample/messaging.h"
#include "servet/analyze.h"

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

/** Adds the layers between nodes, and stores which nodes and links are slow. Errors: as above. */
int srv_network_layers_of_nodes(srv_network_job *job, srv_layer_list *list, servet_error *error);

/** The rows of a matrix of nodes: the node of each, and the rank that represents it. */
typedef struct srv_node_rows {
    srv_network_job *job;
    const int *node, *rank;
} srv_node_rows;

/** Stores the slow links of nodes that are not slow themselves in the profile, from a matrix and
 * the layers in it. What there is no time to confirm is not trusted. Errors: those of the network,
 * SERVET_EINTERRUPTED, SERVET_EMEMORY. */
int srv_network_find_links(const srv_node_rows *rows, const servet_matrix *matrix,
                           const servet_layers *layers, servet_error *error);

/** Measures some pairs of each layer one by one, without slow nodes. Each layer gets the median as
 * its cost, with the interval of that; one without such pairs keeps its own. Nothing changes where
 * time is too short or a recording has no such probes. Errors: as above. */
int srv_network_measure_alone(const srv_node_rows *rows, servet_layers *layers,
                              servet_error *error);

#endif
