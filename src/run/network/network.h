/* SPDX-License-Identifier: BSD-3-Clause */
/** A run over the communication in a job, on any network: MPI ranks or a model. */
#ifndef SRV_RUN_NETWORK_NETWORK_H
#define SRV_RUN_NETWORK_NETWORK_H

#include "run/network/options.h"
#include "servet/record.h"

/** Seconds that benchmarks take where no budget cuts them. */
typedef struct srv_network_costs {
    double seconds[SRV_NETWORK_BENCHMARK_COUNT]; /**< 0: not requested, done, or without ranks to
                                                    measure */
    double all; /**< with samples of noise, and the same at other moments */
} srv_network_costs;

/** The benchmarks whose facts the profile has. */
unsigned srv_network_done(const servet_profile *profile);

/** Creates a profile that only lists the nodes, as one class of the machine described. Errors:
 * SERVET_EMEMORY. */
int srv_network_list_nodes(srv_network *network, const servet_run *run,
                           const servet_machine *machine, servet_profile **profile,
                           servet_error *error);

/**
 * Checks that the facts of communication in the profile, if any, are of this job. Errors:
 * SERVET_EARGUMENT (other nodes, another number of processes, or a typical pair on cores without a
 * process), those of the network.
 */
int srv_network_check_same(servet_profile *profile, srv_network *network, servet_error *error);

/**
 * The time that srv_measure_network() takes, estimated from the number of nodes and cores and a few
 * messages of one pair within a node and one between two: correct within a factor of 3 if a ring
 * has at most 16 nodes, and of 2 in most networks. `profile` (NULL: none) has the facts so far.
 * Errors: SERVET_EARGUMENT (options that make no sense), those of the network, SERVET_EMEMORY.
 */
int srv_network_cost(srv_network *network, const srv_network_options *options,
                     servet_profile *profile, srv_network_costs *costs, servet_error *error);

/**
 * Measures what the options request and the profile does not have yet, and stores it there, also
 * where this fails later; facts of another job are deleted first. Values that were measured under
 * noise are not trusted. A job of one rank has no layers, of one node no layers between nodes and
 * no ratios; that is no error. Errors: SERVET_EARGUMENT (options that make no sense, or layers on
 * cores without a process), SERVET_ECOMMUNICATION, SERVET_EINTERRUPTED, SERVET_EIO, SERVET_EMEMORY,
 * those of the network.
 */
int srv_measure_network(srv_network *network, const srv_network_options *options,
                        servet_profile *profile, servet_error *error);

#endif
