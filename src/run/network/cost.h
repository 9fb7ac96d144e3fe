/* SPDX-License-Identifier: BSD-3-Clause */
/** Quantities on which the costs of a job's benchmarks depend, measured with a few messages. */
#ifndef SRV_RUN_NETWORK_COST_H
#define SRV_RUN_NETWORK_COST_H

#include "run/network/job.h"
#include "run/plan.h"

/** Counts, and times messages of one pair within a node and one between two. Errors: those of the
 * network. */
int srv_network_scale_find(const srv_network_job *job, srv_scale *scale, servet_error *error);

/** Takes over the number of layers once they are known. */
void srv_network_scale_learn(const srv_network_job *job, srv_scale *scale);

#endif
