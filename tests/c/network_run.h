/* SPDX-License-Identifier: BSD-3-Clause */
/** A modelled network and its measurement, for tests of whole network measurements. */
#ifndef SRV_TESTS_NETWORK_RUN_H
#define SRV_TESTS_NETWORK_RUN_H

#include "core/bit.h"
#include "sim/model.h"
#include "run/network/store.h"

/** The network, the options, and the results. */
extern srv_network *network;
extern srv_network_options options;
extern srv_network_facts facts;

/** Set-up of each test: the usual options, nothing found. */
int network_run_begin(void **state);

/** The network of a model, or of a shipped one, for `ranks` ranks. */
void network_run_open(srv_model *model, int ranks);
void network_run_open_shipped(const char *name, int ranks);

/** Measures these benchmarks, bits of srv_network_benchmark; 0: all. It must succeed. */
void network_run_measure(unsigned only);

/** Frees the network and what was found. */
void network_run_end(void);

/** The value is this one, but for a share, and within its interval. */
void is_near(const servet_value *value, double truth, double share);

#endif
