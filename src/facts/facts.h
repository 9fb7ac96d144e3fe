/* SPDX-License-Identifier: BSD-3-Clause */
/** The families of facts of a node: a row each, in the order in which they are measured. */
#ifndef SRV_FACTS_FACTS_H
#define SRV_FACTS_FACTS_H

#include "run/plan.h"

/** The benchmarks of an approach in the order in which they run, ended by one without cost. */
const srv_benchmark *srv_facts_of(servet_approach approach);

/** The scale for the costs of a machine as its operating system describes it, with at least one of
 * `count` core types. */
srv_scale srv_facts_scale(srv_machine *machine, const servet_measure_options *options,
                          const servet_machine *about, const srv_core_type *types, int count);

#endif
