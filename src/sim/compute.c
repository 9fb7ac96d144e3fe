/* SPDX-License-Identifier: BSD-3-Clause */
/* Computations in registers. PUs of one core share its units. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/samples.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/system.h"

/* Samples enough for their median. */
enum { SAMPLES = 64 };

static const srv_model_flops *find_flops(const srv_model *model, const srv_computation *on, int pu)
{
    for (int i = 0; i < model->flops_count; i++) {
        const srv_model_flops *row = &model->flops[i];
        if (row->precision == on->precision && row->width == on->width && pu >= row->first_pu &&
            pu < row->first_pu + row->pu_count)
            return row;
    }
    return NULL;
}

static int compute_one(srv_simulated *sim, const srv_computation *on, int pu, int siblings,
                       srv_computed *computed, servet_error *error)
{
    const srv_model_flops *flops = find_flops(sim->model, on, pu);
    if (!flops)
        return srv_fail(error, SERVET_EUNSUPPORTED, "the model does not state its flops");
    double ghz = flops->clock_ghz > 0 ? flops->clock_ghz : srv_system_ghz(sim->model, pu);
    double rate = flops->per_cycle * ghz * 1e9 / siblings;
    computed->rate =
        srv_simulated_rates(sim, rate * SRV_LOOP_SAMPLE_NS, SRV_LOOP_SAMPLE_NS, SAMPLES);
    computed->ghz = ghz / srv_noise_drift(&sim->model->noise, sim->clock_ns);
    computed->bits = flops->bits;
    return SERVET_OK;
}

/* The number of computations on the core of the first PU. */
static int count_siblings(const srv_model *model, const int *pus, int count, int pu)
{
    int siblings = 0;
    for (int i = 0; i < count; i++)
        siblings += srv_system_core(model, pus[i]) == srv_system_core(model, pu);
    return siblings;
}

int srv_simulated_compute(srv_simulated *sim, const srv_computation *computations, int count,
                          srv_computed *computed, servet_error *error)
{
    double seconds = 0;
    int *pus = calloc((size_t)count, sizeof *pus);
    int code = pus ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_system_pu(sim->model, computations[i].core, &pus[i], error);
        seconds = fmax(seconds, computations[i].seconds);
    }
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = compute_one(sim, &computations[i], pus[i],
                           count_siblings(sim->model, pus, count, pus[i]), &computed[i], error);
    if (code == SERVET_OK)
        srv_simulated_pass(sim, SRV_SETTLE_NS + count * SRV_THREAD_NS + SRV_LOOP_WARM_NS +
                                    seconds * 1e9 + SRV_FREQUENCY_NS);
    free(pus);
    return code;
}
