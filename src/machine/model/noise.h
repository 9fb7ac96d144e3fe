/* SPDX-License-Identifier: BSD-3-Clause */
/** What a noisy machine makes of a time. */
#ifndef SRV_MODEL_NOISE_H
#define SRV_MODEL_NOISE_H

#include "machine/model/model.h"

/** By how much drift stretches all times at `now_ns` on the virtual clock; 1: not at all. */
double srv_noise_drift(const srv_model_noise *noise, double now_ns);

/** The time that a sample of `true_ns`, taken at `now_ns`, is measured to have. */
double srv_noise_apply(const srv_model_noise *noise, uint64_t *random, double true_ns,
                       double now_ns);

/** The share of `ns` that is stolen, as a thread that spins so long sees it. */
double srv_noise_stolen(const srv_model_noise *noise, uint64_t *random, double ns);

#endif
