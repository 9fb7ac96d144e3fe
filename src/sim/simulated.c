/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a machine: its answers are computed, and the virtual clock adds the time of each
 * probe on hardware. */
#include "sim/simulated.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sim/accelerators.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/random.h"
#include "sim/system.h"

static srv_simulated *self(srv_machine *machine)
{
    return (srv_simulated *)machine;
}

/* --- what the system reports ------------------------------------------------------------------ */

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    (void)error;
    *description = self(machine)->model->machine;
    return SERVET_OK;
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    return srv_system_core_types(self(machine)->model, list, count, error);
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    int pu;
    int code = srv_system_pu(self(machine)->model, core, &pu, error);
    if (code == SERVET_OK)
        code = srv_system_reported(self(machine)->model, pu, answer, error);
    return code;
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    return srv_system_objects(self(machine)->model, sets, error);
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    return srv_numa_list(self(machine)->model, numas, count, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    (void)machine, (void)error;
    *facts =
        (srv_clock_facts){.name = "virtual", .overhead_ns = 0, .resolution_ns = SRV_CLOCK_STEP_NS};
    return SERVET_OK;
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->model->machine.memory_bytes;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return self(machine)->clock_ns * 1e-9;
}

/* The share of the work of a thread in the next `ns` that the sibling of its core takes. */
static double slowed_share(const srv_simulated *sim, int pu, double ns)
{
    srv_sibling *sibling = srv_hierarchy_sibling(sim->hierarchy, pu);
    if (!sibling)
        return 0;
    srv_sibling_leap(sibling, 0, sim->clock_ns);
    double before = sibling->worked_ns;
    srv_sibling_follow(sibling, sim->clock_ns + ns);
    return (sibling->worked_ns - before) / ns * (1 - 1 / SRV_SIBLING_SLOWDOWN);
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    srv_simulated *sim = self(machine);
    int pu;
    int code = srv_system_pu(sim->model, core, &pu, error);
    if (code != SERVET_OK)
        return code;
    double share = srv_noise_stolen(&sim->model->noise, &sim->random, seconds * 1e9);
    double slowed = slowed_share(sim, pu, seconds * 1e9);
    sim->clock_ns += seconds * 1e9;
    *answer = (srv_noise){
        .lost = share + slowed, .steal = share, .others = 0, .ghz = srv_simulated_ghz(sim, pu)};
    return SERVET_OK;
}

static void watch(srv_machine *machine, int (*call)(void *context), void *context)
{
    srv_hierarchy_watch(self(machine)->hierarchy, call, context);
}

static int devices(srv_machine *machine, srv_device list[SRV_DEVICES_MAX], int *count,
                   servet_error *error)
{
    return srv_model_devices(self(machine)->model, list, count, error);
}

/* --- probes ----------------------------------------------------------------------------------- */

#define AT_ONCE(KIND, name, request, answer)                                                       \
    SRV_CHECKED_AT_ONCE(srv_simulated, name, request, answer)
#define ALONE(KIND, name, request, answer) SRV_CHECKED_ALONE(srv_simulated, name, request, answer)
SRV_PROBES_AT_ONCE(AT_ONCE)
SRV_PROBES_ALONE(ALONE)
ALONE(EVICT, evict, srv_eviction, float)

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(srv_machine *machine)
{
    srv_hierarchy_destroy(self(machine)->hierarchy);
    srv_simulated_forget(self(machine));
    srv_model_free(self(machine)->model);
    free(self(machine)->chase);
    free(machine);
}

int srv_simulated_from(srv_machine **machine, srv_model *model, servet_error *error)
{
#define OPERATION(KIND, name, request, answer) .name = name,
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        SRV_PROBES_AT_ONCE(OPERATION) SRV_PROBES_ALONE(OPERATION).evict = evict,
        .nodes = nodes,
        .objects = objects,
        .devices = devices,
        .elapsed = elapsed,
        .watch = watch,
        .destroy = destroy,
    };
    srv_simulated *sim = calloc(1, sizeof *sim);
    if (!sim) {
        srv_model_free(model);
        return srv_fail_memory(error);
    }
    sim->machine.ops = &ops;
    sim->model = model;
    sim->arena_core = -1;
    int code = srv_hierarchy_create(&sim->hierarchy, model, error);
    if (code != SERVET_OK) {
        destroy(&sim->machine);
        return code;
    }
    *machine = &sim->machine;
    return SERVET_OK;
}

int srv_simulated_create(srv_machine **machine, const char *path, servet_error *error)
{
    srv_model *model;
    int code = srv_model_read(&model, path, error);
    return code == SERVET_OK ? srv_simulated_from(machine, model, error) : code;
}
