/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts of communication, into a profile and back. */
#ifndef SRV_RUN_NETWORK_STORE_H
#define SRV_RUN_NETWORK_STORE_H

#include "run/network/network.h"
#include "servet/record.h"

/** Stores the facts in the profile, in place of earlier ones. Errors: those of the network and of
 * the profile's setters. */
int srv_network_store(const srv_network_facts *facts, srv_network *network, servet_profile *profile,
                      servet_error *error);

/**
 * Fills zeroed facts with those of a profile about the network, for a measurement to continue with;
 * the caller finishes them, also after an error. A profile without such facts changes nothing.
 * Errors: SERVET_EARGUMENT (another job: other nodes, another number of processes, or a typical
 * pair on cores without a process), SERVET_EMEMORY, those of the network.
 */
int srv_network_recall(const servet_profile *profile, srv_network *network,
                       srv_network_facts *facts, servet_error *error);

/** The words of a set of benchmarks (1u << srv_network_benchmark) in order: "layers,curves". */
void srv_network_list(unsigned set, char text[SERVET_NAME_MAX]);

#endif
