/* SPDX-License-Identifier: BSD-3-Clause */
/** How the network degrades with distance and with the processes of a node. */
#ifndef SRV_FACTS_DEGRADATION_STAGE_H
#define SRV_FACTS_DEGRADATION_STAGE_H

#include "run/network/job.h"

/** See srv_benchmark.run. */
int srv_network_measure_distance(srv_network_job *job, servet_error *error);
int srv_network_measure_access(srv_network_job *job, servet_error *error);

#endif
