/* SPDX-License-Identifier: BSD-3-Clause */
/* This node as a machine: each answer is timed by a pinned thread on memory it touched first. */
#include "machine/hardware/probes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "core/units.h"
#include "machine/hardware/device_place.h"
#include "machine/hardware/memory.h"
#include "machine/hardware/nodes.h"

/* Share of the available memory that may be used; the rest is for other programs. */
static const double MEMORY_SHARE = 0.8;

static srv_hardware *self(srv_machine *machine)
{
    return (srv_hardware *)machine;
}

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    return srv_topology_describe(&self(machine)->topology, description, error);
}

static int core_types(srv_machine *machine, srv_core_type list[SRV_CORE_TYPES_MAX], int *count,
                      servet_error *error)
{
    return srv_topology_core_types(&self(machine)->topology, list, count, error);
}

static int reported(srv_machine *machine, int core, srv_reported *answer, servet_error *error)
{
    return srv_topology_reported(&self(machine)->topology, core, answer, error);
}

static int objects(srv_machine *machine, srv_sets *sets, servet_error *error)
{
    return srv_topology_objects(&self(machine)->topology, sets, error);
}

static int clock_facts(srv_machine *machine, srv_clock_facts *facts, servet_error *error)
{
    (void)error;
    const srv_clock *clock = &self(machine)->clock;
    *facts = (srv_clock_facts){"", clock->overhead_ns, clock->resolution_ns};
    for (size_t i = 0; clock->name[i] && i + 1 < sizeof facts->name; i++)
        facts->name[i] = clock->name[i];
    return SERVET_OK;
}

static int memory(srv_machine *machine, double *bytes, servet_error *error)
{
    (void)error;
    *bytes = self(machine)->memory_bytes;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return (srv_clock_raw_ns() - self(machine)->created_ns) * 1e-9;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    srv_hardware *hw = self(machine);
    int code = srv_hardware_settle(hw, core, error);
    if (code == SERVET_OK)
        srv_core_noise_measure(&hw->clock, core, seconds, &hw->stolen, answer);
    return code;
}

static int absence(srv_machine *machine, srv_absence *answer, servet_error *error)
{
    (void)error;
    srv_hardware *hw = self(machine);
    srv_processor_use now = srv_processor_use_now();
    *answer = srv_absences_seen(&hw->topology.absences);
    answer->foreign = srv_processor_use_foreign(&hw->use, &now);
    hw->topology.absences = (srv_absences){0};
    hw->use = now;
    return SERVET_OK;
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    return srv_nodes_list(&self(machine)->topology, numas, count, error);
}

/* --- probes ----------------------------------------------------------------------------------- */

#define AT_ONCE(KIND, name, request, answer)                                                       \
    SRV_CHECKED_AT_ONCE(srv_hardware, name, request, answer)
#define ALONE(KIND, name, request, answer) SRV_CHECKED_ALONE(srv_hardware, name, request, answer)
SRV_PROBES_AT_ONCE(AT_ONCE)
SRV_PROBES_ALONE(ALONE)
ALONE(EVICT, evict, srv_eviction, float)

static int devices(srv_machine *machine, srv_device list[SRV_DEVICES_MAX], int *count,
                   servet_error *error)
{
    srv_hardware *hw = self(machine);
    int code = srv_driver_open(&hw->driver, error);
    *count = hw->driver.count;
    if (code == SERVET_OK && *count > 0)
        code = srv_driver_describe(&hw->driver, list, error);
    if (code == SERVET_OK && *count > 0)
        srv_devices_place(&hw->topology, list, *count);
    return code;
}

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(srv_machine *machine)
{
    srv_hardware *hw = self(machine);
    srv_driver_close(&hw->driver);
    srv_hardware_traversal_finish(&hw->traversal);
    srv_hardware_forget_chase(hw);
    srv_arena_pool_finish(&hw->arenas);
    srv_hardware_forget_elements(hw);
    srv_topology_finish(&hw->topology);
    free(hw);
}

int srv_hardware_create(srv_machine **machine, servet_error *error)
{
#define OPERATION(KIND, name, request, answer) .name = name,
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .absence = absence,
        SRV_PROBES_AT_ONCE(OPERATION) SRV_PROBES_ALONE(OPERATION).evict = evict,
        .nodes = nodes,
        .objects = objects,
        .devices = devices,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    srv_hardware *hw = calloc(1, sizeof *hw);
    if (!hw)
        return srv_fail_memory(error);
    hw->machine.ops = &ops;
    hw->bound_core = -1;
    hw->stolen = (srv_stolen)SRV_STOLEN_INIT;
    hw->pace = (srv_spin_pace)SRV_SPIN_PACE_INIT;
    hw->created_ns = srv_clock_raw_ns();
    hw->use = srv_processor_use_now();
    int code = srv_topology_init(&hw->topology, error);
    if (code == SERVET_OK)
        code = srv_clock_init(&hw->clock, error);
    if (code != SERVET_OK) {
        destroy(&hw->machine);
        return code;
    }
    double page = (double)sysconf(_SC_PAGESIZE);
    hw->memory_bytes =
        fmin(MEMORY_SHARE * srv_memory_available(), fmin((double)(SIZE_MAX / 4), SRV_BYTES_MAX));
    srv_arena_pool_init(&hw->arenas, &hw->topology, hw->memory_bytes);
    srv_hardware_traversal_init(&hw->traversal, &hw->arenas, &hw->clock, hw->memory_bytes, page);
    hw->traversal.pace = &hw->pace;
    srv_hardware_traversal_init(&hw->chase, &hw->arenas, &hw->clock, hw->memory_bytes, page);
    *machine = &hw->machine;
    return SERVET_OK;
}
