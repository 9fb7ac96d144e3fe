/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/probes.h"

#include "core/error.h"
#include "sim/noise.h"
#include "sim/system.h"

void srv_simulated_pass(srv_simulated *sim, double ns)
{
    const srv_model_noise *noise = &sim->model->noise;
    sim->clock_ns += ns * srv_noise_drift(noise, sim->clock_ns) / (1 - noise->steal);
}

double srv_simulated_fault_ns(const srv_simulated *sim, double bytes)
{
    return bytes / sim->model->machine.page_bytes * SRV_FAULT_NS;
}

double srv_simulated_ghz(const srv_simulated *sim, int pu)
{
    return srv_system_ghz(sim->model, pu) / srv_noise_drift(&sim->model->noise, sim->clock_ns);
}

void srv_simulated_drop_elements(srv_simulated *sim)
{
    sim->elements.elements = 0;
}

int srv_simulated_check_ended(const srv_simulated *sim, servet_error *error)
{
    return srv_hierarchy_ended(sim->hierarchy) ? srv_fail(error, SERVET_EINTERRUPTED, "interrupted")
                                               : SERVET_OK;
}

int srv_simulated_check_room(const srv_simulated *sim, double bytes, servet_error *error)
{
    double room = sim->model->machine.memory_bytes;
    return bytes <= room ? SERVET_OK
                         : srv_fail(error, SERVET_EMEMORY,
                                    "%.0f MiB exceed the memory of this machine (%.0f MiB)",
                                    bytes / (1 << 20), room / (1 << 20));
}

int srv_simulated_access(const srv_simulated *sim, int core, int node, srv_access *access,
                         servet_error *error)
{
    int code = srv_system_pu(sim->model, core, &access->pu, error);
    return code == SERVET_OK
               ? srv_numa_requested(sim->model, access->pu, node, &access->node, error)
               : code;
}

srv_spread srv_simulated_rates(srv_simulated *sim, double work, double sample_ns, int count)
{
    double rates[SRV_SAMPLES_MAX];
    for (int i = 0; i < count; i++)
        rates[i] = work / srv_noise_apply(&sim->model->noise, &sim->random, sample_ns,
                                          sim->clock_ns + i * sample_ns);
    return srv_spread_of(rates, (size_t)count);
}
