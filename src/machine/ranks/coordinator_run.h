/* SPDX-License-Identifier: BSD-3-Clause */
/** The loop of the coordinator. */
#ifndef SRV_RANKS_COORDINATOR_RUN_H
#define SRV_RANKS_COORDINATOR_RUN_H

#include "machine/ranks/coordinator.h"

/** Serves the request queue until SRV_REQUEST_SHUTDOWN, then shuts the workers down. */
void srv_coordinator_run(srv_coordinator *coordinator);

#endif
