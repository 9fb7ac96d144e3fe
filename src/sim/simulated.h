/* SPDX-License-Identifier: BSD-3-Clause */
/** A simulated machine behind the machine interface, with a virtual clock. */
#ifndef SRV_MODEL_SIMULATED_H
#define SRV_MODEL_SIMULATED_H

#include "machine/machine.h"
#include "sim/model.h"

/**
 * Creates the machine that the model NAME or FILE describes (see srv_model_read()). Its clock,
 * elapsed(), adds the time of each probe on the real machine, not the time of the simulation.
 * Errors: those of srv_model_read(), SERVET_EMEMORY.
 */
int srv_simulated_create(srv_machine **machine, const char *model, servet_error *error);

/**
 * Creates the machine that a model in memory describes. The machine owns the model and frees it,
 * even if creation fails. Errors: SERVET_EMEMORY.
 */
int srv_simulated_from(srv_machine **machine, srv_model *model, servet_error *error);

#endif
