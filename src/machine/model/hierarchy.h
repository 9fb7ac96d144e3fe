/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The simulated memory hierarchy: every load of every PU goes, address by address, through
 * prefetchers, translation and the caches of the model. No answer is looked up.
 */
#ifndef SRV_MODEL_HIERARCHY_H
#define SRV_MODEL_HIERARCHY_H

#include "machine/model/model.h"

typedef struct srv_hierarchy srv_hierarchy;

/** Builds the empty caches of one node of `model`, which must outlive it. Errors: SERVET_EMEMORY. */
int srv_hierarchy_create(srv_hierarchy **hierarchy, const srv_model *model, uint64_t seed,
                         servet_error *error);

/** NULL is fine. */
void srv_hierarchy_destroy(srv_hierarchy *hierarchy);

/**
 * One load by logical PU `pu` of virtual address `address` in address space `space` (spaces share no
 * memory) at `now_ns` on the virtual clock. Returns what it takes, in ns.
 */
double srv_hierarchy_load(srv_hierarchy *hierarchy, int pu, int space, uint64_t address,
                          double now_ns);

/** Forgets all contents, and gives every page another place when next touched. */
void srv_hierarchy_flush(srv_hierarchy *hierarchy);

#endif
