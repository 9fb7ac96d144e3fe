/* SPDX-License-Identifier: BSD-3-Clause */
/** A modelled network and its measurement, for tests of whole network measurements. */
#ifndef SRV_TESTS_NETWORK_RUN_H
#define SRV_TESTS_NETWORK_RUN_H

#include "core/bit.h"
#include "sim/model.h"
#include "network_view.h"
#include "run/network/network.h"

/** The network, the options, the results, and these as the queries return them. */
extern srv_network *network;
extern srv_network_options options;
extern servet_profile *measured;
extern network_view facts;

/** Before each test: the usual options, nothing found. After it: frees the network. */
int network_run_begin(void **state);
int network_run_end(void **state);

/** The network of a model, or of a shipped one, for `ranks` ranks, which fill one node after the
 * other unless they have places. The earlier one is freed, and what was found is forgotten. */
void network_run_open(srv_model *model, int ranks);
void network_run_open_places(srv_model *model, const srv_rank *places, int ranks);
void network_run_open_shipped(const char *name, int ranks);

/** Measures these benchmarks, bits of srv_network_benchmark; 0: all. It must succeed. */
void network_run_measure(unsigned only);

/** Measures with the options as they are, and reads what is known. */
int network_run_try(servet_error *error);

/** Reads what is known, such as in between. */
void network_run_look(void);

/** Writes the profile, and continues with what a reader gets. */
void network_run_reopen(void);

/** The text of the profile; the caller frees it. */
char *network_run_text(void);

/** The value is this one, but for a share, and within its interval. */
void is_near(const servet_value *value, double truth, double share);

/** The groups of a layer, from 0, are these. */
void network_run_has_groups(int layer, const char *const *groups, int count);

#endif
