/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A shipped model and a profile with the results of earlier benchmarks on it: its caches and their
 * sharing, taken from the model itself.
 */
#ifndef SRV_TESTS_KNOWN_NODE_H
#define SRV_TESTS_KNOWN_NODE_H

#include "run/stage.h"
#include "sim/model.h"

typedef struct known_node {
    srv_machine *machine;
    servet_measure_options options;
    srv_stage_place place;
} known_node;

/** Only the cores, of an open machine, which the node takes over. */
void known_node_of(known_node *node, srv_machine *machine);

/** The shipped model with its caches, whose lines are unknown, and groups. */
void known_node_init(known_node *node, const char *model);

/** Stores the caches of each kind and their lines as a measurement may have found them: `size`
 * times their size. */
void known_node_caches(known_node *node, const srv_model *model, double size);

/** The same with all of each cache, and with its ways and sets, as conflicts count them. */
void known_node_counted_caches(known_node *node, const srv_model *model);

/** The same until the test ends, and with only the cores of a shipped model or of one that it takes
 * over. */
known_node known_node_kept(const char *model);
known_node known_node_bare(const char *model);
known_node known_node_of_model(srv_model *model);

/** Measures with all time, or until `until` > 0, which must succeed. */
void known_node_measure(known_node *node, srv_node_stage *measure, double until);

/** Ends machine and profile. */
void known_node_finish(known_node *node);

/** A stage that has the whole work, and all time, or until `until` > 0. */
srv_stage known_node_stage(const known_node *node, double until);

/** Checks that a key of the profile prints this; NULL: that it is not measured. */
void known_node_prints(const known_node *node, int core, const char *key, const char *expected);

#endif
