/* SPDX-License-Identifier: BSD-3-Clause */
/** Processes of each node that send while all nodes send at once. */
#ifndef SRV_FACTS_DEGRADATION_STAGE_SENDERS_H
#define SRV_FACTS_DEGRADATION_STAGE_SENDERS_H

#include "machine/machine.h"
#include "run/network/job.h"

/** Nodes of the job, and their ranks. */
typedef struct srv_network_senders {
    int nodes;
    bool left_out; /**< slow ones were: in a ring each message waits for the one before, so that one
                      slow node would slow down all, and hide what they share */
    int slow;      /**< one that takes part all the same, for fewer than two would be left; -1: none
                    */
    int stride;    /**< ranks of each node: those of the smallest node */
    int *ranks; /**< of node n at [n * stride ..], every beginning spread evenly over what its cores
                   share */
} srv_network_senders;

/** Selects the nodes of the options that are not slow; all where fewer than two are left. Groups of
 * cores are the layers within nodes and the objects of the options. The caller frees
 * senders->ranks. Errors: SERVET_EMEMORY. */
int srv_network_senders_find(const srv_network_job *job, srv_network_senders *senders,
                             servet_error *error);

/** Orders cores[0..count-1] (OS numbers, ascending) so that every prefix is spread evenly over the
 * shared resources: order[0..count-1] are indices of `cores`. The next core is the one whose sets
 * are least full. Errors: SERVET_EMEMORY. */
int srv_network_spread(const srv_sets *sets, const int *cores, int count, int *order,
                       servet_error *error);

#endif
