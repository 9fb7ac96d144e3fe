/* SPDX-License-Identifier: BSD-3-Clause */
/** The families of facts of a node: a row each, in the order in which they are measured. */
#ifndef SRV_FACTS_FACTS_H
#define SRV_FACTS_FACTS_H

#include "run/plan.h"

/** The benchmarks of an approach in the order in which they run, ended by one without cost. */
const srv_benchmark *srv_facts_of(servet_approach approach);

#endif
