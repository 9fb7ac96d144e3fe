/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A network that answers from the record of an earlier job (network_recorder.h): a measurement on
 * it repeats all probes and decisions, without the network.
 */
#ifndef SRV_MACHINE_RECORDED_NETWORK_REPLAY_H
#define SRV_MACHINE_RECORDED_NETWORK_REPLAY_H

#include "machine/recorded/network_recorder.h"

/**
 * Opens the record of job `number` (from 1) in a folder of raw series, and returns the run that it
 * belongs to; srv_sets_finish() frees record->objects, also where this fails. The same probes in
 * the same order get the same answers and the same readings of the clock. A probe that is not on
 * record gets the unused answer of one that differs only in the time to spend, or else
 * SERVET_EUNMEASURED; a glance at noise then reports no noise. It has no measure_nodes(). The
 * caller destroys the network. Errors: SERVET_ENOTFOUND (there is no such job), SERVET_EFORMAT,
 * SERVET_EIO, SERVET_EMEMORY.
 */
int srv_network_replay_create(srv_network **network, const char *folder, int number,
                              srv_network_record *record, servet_error *error);

#endif
