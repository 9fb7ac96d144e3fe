/* SPDX-License-Identifier: BSD-3-Clause */
/** What all benchmarks of messages have in common. */
#ifndef SRV_MACHINE_MESSAGING_H
#define SRV_MACHINE_MESSAGING_H

#include "machine/network.h"

typedef struct srv_messaging {
    srv_network *network;
    double deadline; /**< on the network's clock, in seconds; INFINITY: none */
    /** Called before each probe, with the share (0..1) that is done; other than 0 ends the work.
     */
    int (*progress)(void *context, double done);
    void *context;
    const srv_buffers *buffers; /**< of all messages; NULL: those that a benchmark asks for */
} srv_messaging;

/**
 * Tells the progress, then asks; `*cost` (may be NULL) becomes the seconds that this took. Errors:
 * those of the network, SERVET_EINTERRUPTED.
 */
int srv_messaging_ask(const srv_messaging *on, const srv_exchange *exchange, double done,
                      srv_spread *times, double *cost, servet_error *error);

/** Seconds until the deadline. */
double srv_messaging_left(const srv_messaging *on);

#endif
