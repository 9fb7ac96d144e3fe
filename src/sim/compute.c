/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/compute.h"

#include <stdlib.h>

#include "core/error.h"
#include "sim/noise.h"
#include "sim/system.h"

/* The same sample as on hardware (hardware/compute.c), and enough of them for its median. */
static const double SAMPLE_NS = 50e3;
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

/* The number of computations on the core of a PU. */
static int count_siblings(const srv_model *model, const int *pus, int count, int pu)
{
    int siblings = 0;
    for (int i = 0; i < count; i++)
        siblings += srv_system_core(model, pus[i]) == srv_system_core(model, pu);
    return siblings;
}

static int find_pus(const srv_model *model, const srv_computation *computations, int count,
                    int *pus, servet_error *error)
{
    int code = SERVET_OK, found = 0;
    while (found < count && code == SERVET_OK)
        code = srv_system_add_pu(model, computations[found].core, pus, &found, error);
    return code;
}

static void sample(const srv_model *model, double true_rate, double now_ns, uint64_t *random,
                   srv_spread *rate)
{
    double rates[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        rates[i] =
            true_rate * SAMPLE_NS /
            srv_noise_apply(&model->noise, random, SAMPLE_NS, now_ns + (double)i * SAMPLE_NS);
    *rate = srv_spread_of(rates, SAMPLES);
}

static int compute_one(const srv_model *model, const srv_computation *on, int pu, int siblings,
                       double now_ns, uint64_t *random, srv_computed *computed, servet_error *error)
{
    const srv_model_flops *flops = find_flops(model, on, pu);
    if (!flops)
        return srv_fail(error, SERVET_EUNSUPPORTED, "the model does not state its flops");
    double ghz = flops->clock_ghz > 0 ? flops->clock_ghz : srv_system_ghz(model, pu);
    sample(model, flops->per_cycle * ghz * 1e9 / siblings, now_ns, random, &computed->rate);
    computed->ghz = ghz / srv_noise_drift(&model->noise, now_ns);
    computed->bits = flops->bits;
    return SERVET_OK;
}

int srv_model_compute(const srv_model *model, const srv_computation *computations, int count,
                      double now_ns, uint64_t *random, srv_computed *computed, servet_error *error)
{
    if (count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "there must be at least one core");
    int *pus = calloc((size_t)count, sizeof *pus);
    int code = pus ? find_pus(model, computations, count, pus, error) : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code =
            compute_one(model, &computations[i], pus[i], count_siblings(model, pus, count, pus[i]),
                        now_ns, random, &computed[i], error);
    free(pus);
    return code;
}
