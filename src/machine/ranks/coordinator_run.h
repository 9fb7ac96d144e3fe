/* SPDX-License-Identifier: BSD-3-Clause */
/** Serves the requests of the client. */
#ifndef SRV_RANKS_COORDINATOR_RUN_H
#define SRV_RANKS_COORDINATOR_RUN_H

#include "machine/ranks/coordinator.h"

/** Waits for a request and serves it; after SRV_REQUEST_SHUTDOWN, which shuts the workers down, the
 * result is false. */
bool srv_coordinator_serve(srv_coordinator *coordinator);

#endif
