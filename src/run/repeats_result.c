/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/repeats_result.h"

#include <stdio.h>

#include "core/numbers.h"

double srv_machine_now(void *machine)
{
    srv_machine *on = machine;
    return on->ops->elapsed(on);
}

servet_value srv_repeated_value(const srv_repeated *one, servet_modes *modes)
{
    servet_value value = srv_repeats_value(one->repeat, one->count, one->unit);
    srv_repeats_modes(one->repeat, one->count, modes);
    value.trusted = modes->count == 0;
    return value;
}

void srv_repeats_print(const srv_repeats *repeats, FILE *stream)
{
    srv_numbers numbers = srv_numbers_begin();
    fputs("fact,moment,buffer,value,unit\n", stream);
    for (int i = 0; i < repeats->count; i++) {
        const srv_repeated *one = &repeats->of[i];
        for (int k = 0; k < one->count; k++)
            fprintf(stream, "%s,%.6g,%d,%.6g,%s\n", one->fact, one->repeat[k].moment,
                    one->repeat[k].buffer, one->repeat[k].value, servet_unit_symbol(one->unit));
    }
    srv_numbers_end(numbers);
}
