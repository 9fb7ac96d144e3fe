/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/slot.h"

#include <math.h>

srv_slot srv_slot_part(const srv_slot *slot, double now, double from, double to)
{
    srv_slot part = *slot;
    double work = slot->to - slot->from;
    part.from = slot->from + work * from;
    part.to = slot->from + work * to;
    if (slot->until > 0 && to < 1)
        part.until = now + fmax(0, slot->until - now) * (to - from) / (1 - from);
    return part;
}

double srv_slot_done(const srv_slot *slot, double within)
{
    srv_repeats_tick(slot->repeats, slot->until > 0 ? slot->until : INFINITY);
    return slot->from + (slot->to - slot->from) * within;
}
