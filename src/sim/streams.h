/* SPDX-License-Identifier: BSD-3-Clause */
/** Memory kernels on a model. */
#ifndef SRV_MODEL_STREAMS_H
#define SRV_MODEL_STREAMS_H

#include "machine/machine.h"
#include "sim/model.h"

/**
 * Computes the rates, rates[0..count-1] in counted bytes/s, of `count` concurrent kernels, as
 * samples on hardware from `now_ns` on measure them; `random` is the state of the noise. The
 * bandwidths of the model limit moved bytes: an ordinary store fetches its line first, one that
 * bypasses the caches does not, so that a copy with such stores counts all of them. Arrays that are
 * only read and that a cache can hold are loaded from there. Errors: SERVET_EARGUMENT (no such
 * stream), SERVET_EMEMORY, SERVET_EUNSUPPORTED (the model does not state the rate of that cache).
 */
int srv_model_streams(const srv_model *model, const srv_stream *streams, int count, double now_ns,
                      uint64_t *random, srv_spread *rates, servet_error *error);

#endif
