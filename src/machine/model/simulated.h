/* SPDX-License-Identifier: BSD-3-Clause */
/** A simulated machine behind the machine interface, with a virtual clock. */
#ifndef SRV_MODEL_SIMULATED_H
#define SRV_MODEL_SIMULATED_H

#include "machine/machine.h"
#include "machine/model/model.h"

/**
 * The machine that the model NAME or FILE describes (see srv_model_read()). Its clock adds what
 * each probe would have cost on the real machine: elapsed() is that, not the time computing
 * took. Errors: those of srv_model_read(), SERVET_EMEMORY.
 */
int srv_simulated_create(srv_machine **machine, const char *model, servet_error *error);

/**
 * The machine that a model in memory describes. The machine takes the model over and frees it, also
 * where this fails. Errors: SERVET_EMEMORY.
 */
int srv_simulated_from(srv_machine **machine, srv_model *model, servet_error *error);

#endif
