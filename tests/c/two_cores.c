/* SPDX-License-Identifier: BSD-3-Clause */
#include "two_cores.h"

#include "core/ranges.h"

srv_machine *machine;
int cores[2], core_count;

int two_cores_begin(void **state)
{
    (void)state;
    if (srv_hardware_create(&machine, NULL) != SERVET_OK)
        return -1;
    servet_machine description;
    if (machine->ops->describe(machine, &description, NULL) != SERVET_OK)
        return -1;
    const char *rest = description.cores;
    int first, last;
    while (core_count < 2 && srv_ranges_next(&rest, &first, &last))
        for (int core = first; core <= last && core_count < 2; core++)
            cores[core_count++] = core;
    return 0;
}

int two_cores_end(void **state)
{
    (void)state;
    srv_machine_destroy(machine);
    return 0;
}
