/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/probes.h"

int srv_hardware_settle(srv_hardware *hw, int core, servet_error *error)
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

void srv_hardware_end_spell(srv_hardware *hw, srv_spell *spell)
{
    srv_spell_end(spell, !srv_topology_is_bound(&hw->topology, hw->bound_core));
    srv_absences_add(&hw->topology.absences, spell);
}

void srv_hardware_forget_chase(srv_hardware *hw)
{
    srv_hardware_traversal_finish(&hw->chase);
    hw->chased = (srv_traversal){.bytes = 0};
}

void srv_hardware_leave_room(srv_hardware *hw, double bytes)
{
    const srv_arena *arena = hw->chase.arena;
    double held = arena ? (double)(arena->skipped + arena->room) : 0;
    if (held + bytes > hw->memory_bytes)
        srv_hardware_forget_chase(hw);
}
