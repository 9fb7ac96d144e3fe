/* SPDX-License-Identifier: BSD-3-Clause */
/** Which processes of which nodes send, where all nodes send at once. */
#ifndef SRV_FACTS_DEGRADATION_STAGE_SENDERS_H
#define SRV_FACTS_DEGRADATION_STAGE_SENDERS_H

#include "run/network/job.h"

/** The first nodes of the job, and their ranks. */
typedef struct srv_network_senders {
    int nodes;
    int stride; /**< ranks of each node: as many as the smallest one has */
    int *ranks; /**< of node n at [n * stride ..], every beginning spread evenly over what its cores
                   share */
} srv_network_senders;

/**
 * Selects the nodes of the options. Groups of cores are the layers within nodes and the objects of
 * the options. The caller frees senders->ranks. Errors: SERVET_EMEMORY.
 */
int srv_network_senders_find(const srv_network_job *job, srv_network_senders *senders,
                             servet_error *error);

#endif
