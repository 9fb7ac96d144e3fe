/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a machine: its answers are computed, and the virtual clock adds the time of each
 * probe on hardware. */
#include "sim/simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/machine.h"
#include "machine/samples.h"
#include "sim/model.h"
#include "sim/noise.h"
#include "sim/probes.h"
#include "sim/random.h"
#include "sim/system.h"

_Static_assert((int)SRV_MODEL_ACCELERATORS_MAX <= (int)SRV_DEVICES_MAX, "all of them are listed");

enum { SAMPLES = 16 };

/* --- devices ---------------------------------------------------------------------------------- */

static bool reach_each_other(const srv_model_accelerator *a, const srv_model_accelerator *b)
{
    return (a->peer_bytes_per_second > 0 && b->peer_bytes_per_second > 0) ||
           (a->uplink >= 0 && a->uplink == b->uplink);
}

static srv_device describe_device(const srv_model *model, int number, const srv_numa *numas)
{
    const srv_model_accelerator *of = &model->accelerator[number];
    srv_device made = {.node = -1};
    snprintf(made.bus, sizeof made.bus, "0000:%02x:00.0", number + 1);
    memcpy(made.name, of->name, sizeof made.name);
    memcpy(made.cards, of->cards, sizeof made.cards);
    if (of->reported >= 0) {
        made.node = numas[of->reported].number;
        memcpy(made.cores, numas[of->reported].cores, sizeof made.cores);
    }
    for (int i = 0; i < model->accelerator_count; i++)
        if (i != number && reach_each_other(of, &model->accelerator[i]))
            made.reaches |= 1 << i;
    return made;
}

/* srv_machine_ops.devices. Errors: those of srv_numa_list(). */
static int model_devices(const srv_model *model, srv_device devices[SRV_DEVICES_MAX], int *count,
                         servet_error *error)
{
    srv_numa numas[SRV_NUMA_MAX];
    int nodes, code = srv_numa_list(model, numas, &nodes, error);
    *count = code == SERVET_OK ? model->accelerator_count : 0;
    for (int i = 0; i < *count; i++)
        devices[i] = describe_device(model, i, numas);
    return code;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* B/s of the link alone, without an uplink that it shares. */
static double rate_of(const srv_model_accelerator *of, bool to_host)
{
    double rate = to_host ? of->to_host_bytes_per_second : of->to_device_bytes_per_second;
    return of->uplink_bytes_per_second > 0 ? fmin(rate, of->uplink_bytes_per_second) : rate;
}

/* Between devices a copy leaves one of them as if to the host, and enters the other one. */
static double peer_rate(const srv_model_accelerator *from, const srv_model_accelerator *to)
{
    if (from->peer_bytes_per_second > 0 && to->peer_bytes_per_second > 0)
        return fmin(from->peer_bytes_per_second, to->peer_bytes_per_second);
    if (reach_each_other(from, to))
        return fmin(from->to_host_bytes_per_second, to->to_device_bytes_per_second);
    return fmin(rate_of(from, true), rate_of(to, false));
}

static int count_sharing(const srv_model *model, const srv_copy *copies, int count, int number)
{
    const srv_copy *copy = &copies[number];
    int uplink = model->accelerator[copy->device].uplink, sharing = 0;
    for (int i = 0; i < count; i++)
        sharing +=
            copies[i].peer < 0 && copies[i].to_host == copy->to_host &&
            (i == number || (uplink >= 0 && model->accelerator[copies[i].device].uplink == uplink));
    return sharing;
}

/* ns of one copy; `node` is that of the host's memory. */
static double host_ns(const srv_model *model, const srv_copy *copies, int count, int number,
                      int node)
{
    const srv_copy *copy = &copies[number];
    const srv_model_accelerator *of = &model->accelerator[copy->device];
    bool remote = of->node >= 0 && of->node != node;
    double rate = rate_of(of, copy->to_host);
    if (of->uplink_bytes_per_second > 0)
        rate =
            fmin(rate, of->uplink_bytes_per_second / count_sharing(model, copies, count, number));
    if (remote && of->remote_bytes_per_second > 0)
        rate = fmin(rate, of->remote_bytes_per_second);
    double latency = of->latency_us + (remote ? of->remote_us : 0);
    return copy->bytes / rate * 1e9 + latency * 1e3 / copy->in_flight;
}

static double peer_ns(const srv_model *model, const srv_copy *copy)
{
    const srv_model_accelerator *from = &model->accelerator[copy->device],
                                *to = &model->accelerator[copy->peer];
    return copy->bytes / peer_rate(from, to) * 1e9 +
           fmax(from->latency_us, to->latency_us) * 1e3 / copy->in_flight;
}

static srv_spread sample(srv_simulated *sim, double true_ns)
{
    double ns[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        ns[i] =
            srv_noise_apply(&sim->model->noise, &sim->random, true_ns, sim->clock_ns + i * true_ns);
    return srv_spread_of(ns, SAMPLES);
}

int srv_simulated_copy(srv_simulated *sim, const srv_copy *copies, int count, srv_spread *ns,
                       servet_error *error)
{
    const srv_model *model = sim->model;
    double seconds = 0, bytes = 0;
    srv_access access;
    int code = srv_check_devices(copies, count, model->accelerator_count, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_simulated_access(sim, copies[i].core, copies[i].node, &access, error);
        if (code != SERVET_OK)
            break;
        ns[i] = sample(sim, copies[i].peer >= 0 ? peer_ns(model, &copies[i])
                                                : host_ns(model, copies, count, i, access.node));
        seconds = fmax(seconds, copies[i].seconds);
        bytes = fmax(bytes, copies[i].bytes);
    }
    if (code == SERVET_OK)
        srv_simulated_pass(sim, SRV_SETTLE_NS + count * SRV_THREAD_NS +
                                    srv_simulated_fault_ns(sim, bytes) + SRV_COPY_WARM_NS +
                                    seconds * 1e9);
    return code;
}

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
    return model_devices(self(machine)->model, list, count, error);
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
