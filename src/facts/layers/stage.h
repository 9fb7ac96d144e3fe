/* SPDX-License-Identifier: BSD-3-Clause */
/** Pairs of cores between which a message costs alike. */
#ifndef SRV_FACTS_LAYERS_STAGE_H
#define SRV_FACTS_LAYERS_STAGE_H

#include "run/network/job.h"

/** See srv_benchmark.run. */
int srv_network_measure_layers(srv_network_job *job, servet_error *error);

#endif
