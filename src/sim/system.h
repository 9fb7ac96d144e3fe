/* SPDX-License-Identifier: BSD-3-Clause */
/** Reports of the operating system of a modelled node, true or false. */
#ifndef SRV_MODEL_SYSTEM_H
#define SRV_MODEL_SYSTEM_H

#include "machine/machine.h"
#include "sim/model.h"

/** The logical number of a PU, from its OS number. Errors: SERVET_EARGUMENT (no such PU). */
int srv_system_pu(const srv_model *model, int core, int *pu, servet_error *error);

/** Adds the PU to `count` others. Errors: SERVET_EARGUMENT (no such PU, or one of the others). */
int srv_system_add_pu(const srv_model *model, int core, int *pus, int *count, servet_error *error);

/** The first PU of the core of this PU. */
int srv_system_core(const srv_model *model, int pu);

/** Frequency of a PU. */
double srv_system_ghz(const srv_model *model, int pu);

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

/** Returns true if no sibling works: then a probe finds the same whenever it begins. */
bool srv_system_is_timeless(const srv_model *model);

#endif
