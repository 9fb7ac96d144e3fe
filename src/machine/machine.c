/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/machine.h"

#include <stdlib.h>

void srv_machine_destroy(srv_machine *machine)
{
    if (machine)
        machine->ops->destroy(machine);
}

void srv_sets_finish(srv_sets *sets)
{
    for (int i = 0; i < sets->count; i++)
        free(sets->set[i]);
    free(sets->set);
    *sets = (srv_sets){NULL, 0};
}
