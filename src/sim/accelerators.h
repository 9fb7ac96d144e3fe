/* SPDX-License-Identifier: BSD-3-Clause */
/** The accelerators of a modelled node, and copies from and to them. */
#ifndef SRV_MODEL_ACCELERATORS_H
#define SRV_MODEL_ACCELERATORS_H

#include "machine/machine.h"
#include "sim/model.h"

/** srv_machine_ops.devices. Errors: those of srv_numa_list(). */
int srv_model_devices(const srv_model *model, srv_device devices[SRV_DEVICES_MAX], int *count,
                      servet_error *error);

/**
 * Times of concurrent copies, as samples on hardware from `now_ns` on measure them; `random` is the
 * state of the noise. Copies in one direction share the uplink of their switch evenly. Errors:
 * those of srv_copy_check(), SERVET_EARGUMENT (no such core or node, a core twice), SERVET_EMEMORY.
 */
int srv_model_copy(const srv_model *model, const srv_copy *copies, int count, double now_ns,
                   uint64_t *random, srv_spread *ns, servet_error *error);

#endif
