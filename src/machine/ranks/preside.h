/* SPDX-License-Identifier: BSD-3-Clause */
/** The main thread of rank 0: has the ranks do what lies on the desk. */
#ifndef SRV_RANKS_PRESIDE_H
#define SRV_RANKS_PRESIDE_H

#include "machine/ranks/desk.h"
#include "machine/ranks/member.h"

typedef struct srv_office {
    srv_network network;
    srv_member *member; /**< rank 0 itself */
    srv_roster roster;
    srv_desk desk;
    double created_ns;
} srv_office;

/** Serves the desk until SRV_REQUEST_HOME, and sends the other ranks home. */
void srv_preside(srv_office *office);

#endif
