/* SPDX-License-Identifier: BSD-3-Clause */
/** The memory of a modelled node: its NUMA nodes are equal groups of neighbouring PUs. */
#ifndef SRV_MODEL_NUMA_H
#define SRV_MODEL_NUMA_H

#include "machine/machine.h"
#include "sim/model.h"

/** srv_machine_ops.nodes. Errors: SERVET_EMACHINE (more nodes than there is room for),
 * SERVET_EMEMORY. */
int srv_numa_list(const srv_model *model, srv_numa numas[SRV_NUMA_MAX], int *count,
                  servet_error *error);

/**
 * The NUMA node (from 0) of memory that a PU requests by the number of srv_traversal.node, in
 * `*node`. Errors: SERVET_EARGUMENT (no such node).
 */
int srv_numa_requested(const srv_model *model, int pu, int number, int *node, servet_error *error);

/** Additional cost of memory on a node for a PU; NULL: none. */
const srv_model_remote *srv_numa_remote(const srv_model *model, int pu, int node);

/** The NUMA node of a PU. */
int srv_numa_of(const srv_model *model, int pu);

/**
 * The instance of a domain between a PU and the memory of a node. Domains that hold a whole NUMA
 * node, or more, belong to the memory; smaller ones to the PUs.
 */
int srv_numa_domain(const srv_model *model, int domain, int pu, int node);

#endif
