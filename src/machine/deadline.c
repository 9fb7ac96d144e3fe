/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/deadline.h"

#include <math.h>

double srv_deadline_left(const srv_deadline *on, srv_machine *machine)
{
    return on->at > 0 ? on->at - machine->ops->elapsed(machine) : INFINITY;
}

bool srv_deadline_fits(const srv_deadline *on, srv_machine *machine, double seconds)
{
    bool fits = seconds <= srv_deadline_left(on, machine);
    if (!fits && on->cut)
        *on->cut = true;
    return fits;
}

srv_deadline srv_deadline_spare(const srv_deadline *on)
{
    return (srv_deadline){.at = on->at};
}
