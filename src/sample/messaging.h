/* SPDX-License-Identifier: BSD-3-Clause */
/** Sends the probes of all benchmarks of messages. */
#ifndef SRV_SAMPLE_MESSAGING_H
#define SRV_SAMPLE_MESSAGING_H

#include "sample/sampler.h"

typedef struct srv_messaging {
    srv_sampler sampler;        /**< in a network */
    const srv_buffers *buffers; /**< of all messages; NULL: those of each exchange */
    double byte_seconds;        /**< s that a byte takes between two ranks; 0: not known */
} srv_messaging;

/**
 * Reports the progress, then sends the probe; `*cost` (may be NULL) becomes the seconds that it
 * took. Errors: those of the network, SERVET_EINTERRUPTED.
 */
int srv_messaging_probe(const srv_messaging *on, const srv_exchange *exchange, double done,
                        srv_spread *times, double *cost, servet_error *error);

/**
 * Bytes of the largest message that is sent: 32 MiB. If this takes more than a second with
 * `byte_seconds`, the largest power of two that does not, or `wanted` if that is larger.
 */
double srv_messaging_largest(double byte_seconds, double wanted);

/** Seconds that a probe takes at least, which are those of one of its pairs alone; 0: not known. */
double srv_messaging_foresee(const srv_messaging *on, const srv_exchange *exchange);

#endif
