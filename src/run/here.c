/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/machine.h"
#include "sim/simulated.h"

static int describe(srv_machine *machine, servet_machine *description, servet_error *error)
{
    int code = machine->ops->describe(machine, description, error);
    srv_machine_destroy(machine);
    return code;
}

int servet_machine_here(servet_machine *description, servet_error *error)
{
    srv_machine *machine;
    int code = srv_hardware_create(&machine, error);
    return code == SERVET_OK ? describe(machine, description, error) : code;
}

int servet_machine_of_model(const char *model, servet_machine *description, servet_error *error)
{
    srv_machine *machine;
    int code = srv_simulated_create(&machine, model, error);
    return code == SERVET_OK ? describe(machine, description, error) : code;
}
