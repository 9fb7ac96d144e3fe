/* SPDX-License-Identifier: BSD-3-Clause */
/** Noise of a simulated machine. */
#ifndef SRV_MODEL_NOISE_H
#define SRV_MODEL_NOISE_H

#include "sim/model.h"

/** The factor by which drift stretches all times at `now_ns` on the virtual clock; 1: none. */
double srv_noise_drift(const srv_model_noise *noise, double now_ns);

/** The measured time of a sample of `true_ns`, taken at `now_ns`. */
double srv_noise_apply(const srv_model_noise *noise, uint64_t *random, double true_ns,
                       double now_ns);

/** The share of `ns` that is stolen, as a spinning thread measures it. */
double srv_noise_stolen(const srv_model_noise *noise, uint64_t *random, double ns);

#endif
