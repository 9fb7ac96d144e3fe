/* SPDX-License-Identifier: BSD-3-Clause */
/* This node as a machine: each answer is timed by a pinned thread on memory it touched first. */
#include "machine/machine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "core/units.h"
#include "machine/hardware/clock.h"
#include "machine/hardware/compute.h"
#include "machine/hardware/false_sharing.h"
#include "machine/hardware/copy.h"
#include "machine/hardware/core_noise.h"
#include "machine/hardware/device_place.h"
#include "machine/hardware/eviction.h"
#include "machine/hardware/foreign.h"
#include "machine/hardware/line_transfer.h"
#include "machine/hardware/loaded.h"
#include "machine/hardware/memory.h"
#include "machine/hardware/nodes.h"
#include "machine/hardware/spin.h"
#include "machine/hardware/stream.h"
#include "machine/hardware/sync.h"
#include "machine/hardware/topology.h"
#include "machine/hardware/traversals.h"

/* Share of the available memory that may be used; the rest is for other programs. */
static const double MEMORY_SHARE = 0.8;

typedef struct hardware {
    srv_machine machine;
    srv_topology topology;
    srv_clock clock;
    srv_arena_pool arenas;
    srv_hardware_traversal traversal;
    srv_streams streams;
    srv_loaded_memory loaded;
    srv_elements elements;
    srv_driver driver; /* of accelerators; loaded when they are listed */
    srv_stolen stolen;
    srv_processor_use use; /* at the last reading */
    srv_spin_pace pace;    /* of the last core that ran a traversal alone */
    int bound_core;        /* the core the thread is bound to; -1: none yet */
    double created_ns;
} hardware;

static hardware *self(srv_machine *machine)
{
    return (hardware *)machine;
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
    *bytes = self(machine)->traversal.memory_bytes;
    return SERVET_OK;
}

static double elapsed(srv_machine *machine)
{
    return (srv_clock_raw_ns() - self(machine)->created_ns) * 1e-9;
}

/* Binds to a core, also where others undid that, and waits until it runs at its full frequency. */
static int settle_on(hardware *hw, int core, servet_error *error)
{
    if (hw->bound_core == core && srv_topology_is_bound(&hw->topology, core))
        return SERVET_OK;
    int code = srv_topology_bind(&hw->topology, core, error);
    if (code == SERVET_OK) {
        hw->bound_core = core;
        srv_spin_warm(&hw->clock);
    }
    return code;
}

static int noise(srv_machine *machine, int core, double seconds, srv_noise *answer,
                 servet_error *error)
{
    hardware *hw = self(machine);
    int code = settle_on(hw, core, error);
    if (code == SERVET_OK)
        srv_core_noise_measure(&hw->clock, core, seconds, &hw->stolen, answer);
    return code;
}

static int absence(srv_machine *machine, srv_absence *answer, servet_error *error)
{
    (void)error;
    hardware *hw = self(machine);
    srv_processor_use now = srv_processor_use_now();
    *answer = srv_absences_seen(&hw->topology.absences);
    answer->foreign = srv_processor_use_foreign(&hw->use, &now);
    hw->topology.absences = (srv_absences){0};
    hw->use = now;
    return SERVET_OK;
}

/* Adds the measurements of the calling thread itself; other threads note their own. */
static void end_spell(hardware *hw, srv_spell *spell)
{
    srv_spell_end(spell, !srv_topology_is_bound(&hw->topology, hw->bound_core));
    srv_absences_add(&hw->topology.absences, spell);
}

/* One traversal stays on the calling thread and finds the caches as the last one left them. */
static int traverse_alone(hardware *hw, const srv_traversal *traversal, srv_timing *timing,
                          servet_error *error)
{
    int code = settle_on(hw, traversal->core, error);
    if (code == SERVET_OK)
        code = srv_hardware_traversal_prepare(&hw->traversal, traversal, error);
    if (code != SERVET_OK)
        return code;
    srv_spell spell = srv_spell_begin();
    if (hw->pace.core != traversal->core)
        srv_spin_pace_begin(&hw->pace, &hw->clock, traversal->core);
    double ns_per_load = srv_hardware_traversal_warm(&hw->traversal);
    srv_hardware_traversal_sample(&hw->traversal, traversal->seconds, ns_per_load, timing);
    end_spell(hw, &spell);
    return SERVET_OK;
}

/* The chase of the latency under load is kept where there is room for other probes beside it. */
static void leave_room(hardware *hw, double bytes)
{
    const srv_arena *arena = hw->loaded.chase.arena;
    double held = arena ? (double)(arena->skipped + arena->room) : 0;
    if (held + bytes > hw->traversal.memory_bytes)
        srv_loaded_release(&hw->loaded);
}

static int traverse(srv_machine *machine, const srv_traversal *traversals, int count,
                    srv_timing *timings, servet_error *error)
{
    hardware *hw = self(machine);
    double bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += fmax(traversals[i].bytes, traversals[i].largest_bytes);
    leave_room(hw, bytes);
    if (count == 1)
        return traverse_alone(hw, traversals, timings, error);
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    return srv_hardware_traversals_run(&hw->traversal, traversals, count, timings, error);
}

static int stream(srv_machine *machine, const srv_stream *streams, int count, srv_spread *rates,
                  servet_error *error)
{
    hardware *hw = self(machine);
    double bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += streams[i].bytes;
    leave_room(hw, bytes);
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    return srv_streams_run(&hw->streams, streams, count, rates, error);
}

static int load(srv_machine *machine, const srv_load_request *request, srv_load_answer *answer,
                servet_error *error)
{
    hardware *hw = self(machine);
    srv_hardware_traversal_finish(&hw->traversal); /* their memory belongs to all now */
    return srv_loaded_run(&hw->loaded, request, answer, error);
}

static int nodes(srv_machine *machine, srv_numa numas[SRV_NUMA_MAX], int *count,
                 servet_error *error)
{
    return srv_nodes_list(&self(machine)->topology, numas, count, error);
}

static int transfer_lines(srv_machine *machine, const srv_line_transfer *transfers, int count,
                          srv_timing *timings, servet_error *error)
{
    hardware *hw = self(machine);
    return srv_line_transfer_run(&hw->topology, &hw->clock, transfers, count, timings, error);
}

static int evict(srv_machine *machine, const srv_eviction *probe, float *ns, servet_error *error)
{
    hardware *hw = self(machine);
    int code = settle_on(hw, probe->core, error);
    if (code != SERVET_OK)
        return code;
    srv_spell spell = srv_spell_begin();
    code = srv_eviction_run(&hw->elements, &hw->topology, &hw->clock, probe, ns, error);
    if (probe->other < 0)
        end_spell(hw, &spell);
    return code;
}

static int false_sharing(srv_machine *machine, const srv_false_sharing *probe, srv_timing *timing,
                         servet_error *error)
{
    hardware *hw = self(machine);
    return srv_false_sharing_run(&hw->topology, &hw->clock, probe, timing, error);
}

static int synchronize(srv_machine *machine, const srv_sync *sync, srv_spread *ns,
                       servet_error *error)
{
    hardware *hw = self(machine);
    return srv_sync_run(&hw->topology, &hw->clock, sync, ns, error);
}

static int compute(srv_machine *machine, const srv_computation *computations, int count,
                   srv_computed *computed, servet_error *error)
{
    hardware *hw = self(machine);
    return srv_compute_run(&hw->topology, &hw->clock, computations, count, computed, error);
}

static int devices(srv_machine *machine, srv_device list[SRV_DEVICES_MAX], int *count,
                   servet_error *error)
{
    hardware *hw = self(machine);
    int code = srv_driver_open(&hw->driver, error);
    *count = hw->driver.count;
    if (code == SERVET_OK && *count > 0)
        code = srv_driver_describe(&hw->driver, list, error);
    if (code == SERVET_OK && *count > 0)
        srv_devices_place(&hw->topology, list, *count);
    return code;
}

static int copy(srv_machine *machine, const srv_copy *copies, int count, srv_spread *ns,
                servet_error *error)
{
    hardware *hw = self(machine);
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    return srv_copy_run(&hw->driver, &hw->arenas, &hw->clock, copies, count, ns, error);
}

/* --- life ------------------------------------------------------------------------------------- */

static void destroy(srv_machine *machine)
{
    srv_driver_close(&self(machine)->driver);
    srv_hardware_traversal_finish(&self(machine)->traversal);
    srv_loaded_release(&self(machine)->loaded);
    srv_arena_pool_finish(&self(machine)->arenas);
    srv_elements_finish(&self(machine)->elements);
    srv_topology_finish(&self(machine)->topology);
    free(machine);
}

int srv_hardware_create(srv_machine **machine, servet_error *error)
{
    static const srv_machine_ops ops = {
        .describe = describe,
        .core_types = core_types,
        .reported = reported,
        .clock = clock_facts,
        .memory = memory,
        .noise = noise,
        .absence = absence,
        .traverse = traverse,
        .transfer_lines = transfer_lines,
        .false_sharing = false_sharing,
        .synchronize = synchronize,
        .evict = evict,
        .compute = compute,
        .stream = stream,
        .load = load,
        .nodes = nodes,
        .objects = objects,
        .devices = devices,
        .copy = copy,
        .elapsed = elapsed,
        .destroy = destroy,
    };
    hardware *hw = calloc(1, sizeof *hw);
    if (!hw)
        return srv_fail_memory(error);
    hw->machine.ops = &ops;
    hw->bound_core = -1;
    hw->stolen = (srv_stolen)SRV_STOLEN_INIT;
    hw->elements = (srv_elements)SRV_ELEMENTS_INIT;
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
    double bytes =
        fmin(MEMORY_SHARE * srv_memory_available(), fmin((double)(SIZE_MAX / 4), SRV_BYTES_MAX));
    srv_arena_pool_init(&hw->arenas, &hw->topology, bytes);
    srv_hardware_traversal_init(&hw->traversal, &hw->arenas, &hw->clock, bytes,
                                (double)sysconf(_SC_PAGESIZE));
    hw->traversal.pace = &hw->pace;
    srv_streams_init(&hw->streams, &hw->arenas, &hw->clock, bytes);
    srv_loaded_init(&hw->loaded, &hw->arenas, &hw->clock, bytes, hw->traversal.page_bytes);
    *machine = &hw->machine;
    return SERVET_OK;
}
