/* SPDX-License-Identifier: BSD-3-Clause */
/** Computations in registers on a model. */
#ifndef SRV_MODEL_COMPUTE_H
#define SRV_MODEL_COMPUTE_H

#include "machine/machine.h"
#include "sim/model.h"

/**
 * Computes the rates of `count` concurrent computations, as samples on hardware from `now_ns` on
 * measure them; `random` is the state of the noise. PUs of one core share its units. Errors:
 * SERVET_EARGUMENT (no such core, a core twice), SERVET_EUNSUPPORTED (the model does not state the
 * rate of these instructions).
 */
int srv_model_compute(const srv_model *model, const srv_computation *computations, int count,
                      double now_ns, uint64_t *random, srv_computed *computed, servet_error *error);

#endif
