/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/machine.h"

int servet_machine_here(servet_machine *description, servet_error *error)
{
    srv_machine *machine;
    int code = srv_hardware_create(&machine, error);
    if (code != SERVET_OK)
        return code;
    code = machine->ops->describe(machine, description, error);
    srv_machine_destroy(machine);
    return code;
}
