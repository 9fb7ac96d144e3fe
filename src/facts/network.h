/* SPDX-License-Identifier: BSD-3-Clause */
/** The families of facts of communication: a row each, in the order in which they are measured. */
#ifndef SRV_FACTS_NETWORK_H
#define SRV_FACTS_NETWORK_H

#include "run/network/job.h"
#include "run/plan.h"

/** In the order of srv_network_benchmark, ended by one without cost. */
extern const srv_benchmark srv_network_plan[SRV_NETWORK_BENCHMARK_COUNT + 1];

#endif
