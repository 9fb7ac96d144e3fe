/* SPDX-License-Identifier: BSD-3-Clause */
/** Reports of the operating system of a modelled node, true or false. */
#ifndef SRV_MODEL_SYSTEM_H
#define SRV_MODEL_SYSTEM_H

#include "machine/machine.h"
#include "sim/model.h"

/** The logical number of a PU, from its OS number. Errors: SERVET_EARGUMENT (no such PU). */
int srv_system_pu(const srv_model *model, int core, int *pu, servet_error *error);

/** The first PU of the core of this PU. */
int srv_system_core(const srv_model *model, int pu);

/** Frequency of a PU. */
double srv_system_ghz(const srv_model *model, int pu);

/** Bandwidth that the core of a PU alone gets from its own memory, B/s. */
double srv_system_memory_rate(const srv_model *model, int pu);

/** See srv_machine_ops. Errors: SERVET_EMACHINE (numbers too scattered for SERVET_CORES_MAX). */
int srv_system_core_types(const srv_model *model, srv_core_type types[SRV_CORE_TYPES_MAX],
                          int *count, servet_error *error);

/** The caches that the OS reports for a logical PU. Errors: SERVET_EMEMORY. */
int srv_system_reported(const srv_model *model, int pu, srv_reported *reported,
                        servet_error *error);

/** See srv_machine_ops. Errors: SERVET_EMEMORY. */
int srv_system_objects(const srv_model *model, srv_sets *sets, servet_error *error);

/** True if a row of the caches table is about this logical PU. */
bool srv_system_covers(const srv_model *model, const srv_model_cache *row, int pu);

/** True if two PUs share an instance of a row. */
bool srv_system_shares(const srv_model *model, const srv_model_cache *row, int pu, int other);

/** Sets of a slice of a cache. */
double srv_system_sets(const srv_model_cache *row);

/** Time of a load that hits the first cache of a PU, in ns; without one, of a load from memory. */
double srv_system_hit_ns(const srv_model *model, int pu);

/** Returns true if no sibling works: then a probe finds the same whenever it begins. */
bool srv_system_is_timeless(const srv_model *model);

/* --- its memory: NUMA nodes are equal groups of neighbouring PUs --- */

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
