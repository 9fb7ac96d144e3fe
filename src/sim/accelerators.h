/* SPDX-License-Identifier: BSD-3-Clause */
/** The accelerators of a modelled node. */
#ifndef SRV_MODEL_ACCELERATORS_H
#define SRV_MODEL_ACCELERATORS_H

#include "machine/machine.h"
#include "sim/model.h"

/** srv_machine_ops.devices. Errors: those of srv_numa_list(). */
int srv_model_devices(const srv_model *model, srv_device devices[SRV_DEVICES_MAX], int *count,
                      servet_error *error);

#endif
