/* SPDX-License-Identifier: BSD-3-Clause */
/** Times of messages against their sizes, of many pairs at once, and of several to one process. */
#ifndef SRV_FACTS_MESSAGES_STAGE_H
#define SRV_FACTS_MESSAGES_STAGE_H

#include "run/network/job.h"

/** See srv_benchmark.run. */
int srv_network_measure_curves(srv_network_job *job, servet_error *error);
int srv_network_measure_scalability(srv_network_job *job, servet_error *error);
int srv_network_measure_aggregation(srv_network_job *job, servet_error *error);

#endif
