/* SPDX-License-Identifier: BSD-3-Clause */
/** Measurements of a network that leave a record, which servet_replay_network() decides again. */
#ifndef SRV_RUN_NETWORK_REPLAY_H
#define SRV_RUN_NETWORK_REPLAY_H

#include "run/network/network.h"
#include "servet/record.h"

/**
 * Does what srv_measure_network() does, and keeps all probes and answers in options->raw_dir, if
 * there is one. The record gets `command`, the options as the user gave them, and of the profile
 * the start of the run and the description of a node. If it fails, the record is as complete as the
 * facts are; after SERVET_EINTERRUPTED it ends where options->keep was called last. Errors: as
 * there.
 */
int srv_record_network(srv_network *network, const srv_network_options *options,
                       const char *command, servet_profile *profile, servet_error *error);

#endif
