/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A model as a network: ranks on its nodes and cores; times follow from the links that messages
 * share (routes.h).
 */
#ifndef SRV_MODEL_MESSAGES_H
#define SRV_MODEL_MESSAGES_H

#include "sim/model.h"
#include "machine/network.h"

/**
 * Creates the network of a job of `rank_count` ranks on the machine that the model NAME or FILE
 * describes: ranks[i] is on node `node` of the model, on the PU with the OS number `core`; if
 * `ranks` is NULL, ranks fill one node after another, in the order of the machine. Its clock adds
 * the time of each probe on hardware, which elapsed() returns. It measures no nodes
 * (SERVET_EUNSUPPORTED): models of nodes are machines. Errors: those of srv_model_read(),
 * SERVET_EARGUMENT (no such node or core, more ranks than cores), SERVET_EMEMORY.
 */
int srv_messages_create(srv_network **network, const char *model, const srv_rank *ranks,
                        int rank_count, servet_error *error);

/** The same for a model in memory, which the network takes over and frees, also where this fails.
 */
int srv_messages_from(srv_network **network, srv_model *model, const srv_rank *ranks,
                      int rank_count, servet_error *error);

#endif
