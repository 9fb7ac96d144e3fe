/* SPDX-License-Identifier: BSD-3-Clause */
/** The main thread of rank 0: has the ranks do what lies on the desk. */
#ifndef SRV_RANKS_PRESIDE_H
#define SRV_RANKS_PRESIDE_H

#include "machine/ranks/desk.h"
#include "machine/ranks/member.h"

/** No rank that works is silent for so long beyond what it was told to do: a message of 32 MiB
 * takes 27 s at 10 Mbit/s. Together with the end of the job this stays within a minute. */
#define SRV_HANG_SECONDS 45.0

/** Times that were expected may be wrong by this: an estimate from few messages, a sick node. */
#define SRV_DOUBT 3.0

/** A rank that only waits answers within milliseconds; and who has answered a moment ago is there.
 * So long a host may be busy beyond measure. */
#define SRV_SILENCE_SECONDS 20.0

typedef struct srv_office {
    srv_network network;
    srv_member *member; /**< rank 0 itself */
    srv_roster roster;
    srv_desk desk;
    double created_ns;
    double called_ns; /**< when the roll was called last */
} srv_office;

/** Serves the desk until SRV_REQUEST_HOME, and sends the other ranks home. */
void srv_preside(srv_office *office);

#endif
