/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/machine.h"

void srv_machine_destroy(srv_machine *machine)
{
    if (machine)
        machine->ops->destroy(machine);
}
