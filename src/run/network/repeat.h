/* SPDX-License-Identifier: BSD-3-Clause */
/** Messages of the layers' typical pairs at other moments of a measurement. */
#ifndef SRV_RUN_NETWORK_REPEAT_H
#define SRV_RUN_NETWORK_REPEAT_H

#include "run/network/job.h"

/** The clock of a network, as srv_repeats_begin() wants it. */
double srv_network_now(void *network);

/** Leaves the probe about each layer's typical pair with job->slot.repeats. Errors: SERVET_EMEMORY.
 */
int srv_network_repeat_layers(const srv_network_job *job, servet_error *error);

/** Stores the result of all repeats in the layers' latencies and bandwidths. Errors: those of the
 * profile. */
int srv_network_settle_repeats(const srv_network_job *job, servet_error *error);

/** The bandwidth of messages of `bytes` bytes that take so long. */
servet_value srv_bandwidth_of(const servet_value *latency, double bytes);

#endif
