/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/error.h"
#include "facts/speed.h"
#include "sim/simulated.h"

int servet_check_speed(const servet_profile *profile, const char *node_class, const char *model,
                       double seconds, servet_speed *speed, servet_error *error)
{
    srv_machine *machine;
    if (!(seconds > 0))
        return srv_fail(error, SERVET_EARGUMENT, "a check needs time");
    int code =
        model ? srv_simulated_create(&machine, model, error) : srv_hardware_create(&machine, error);
    if (code != SERVET_OK)
        return code;
    code = srv_speed_check(machine, profile, node_class, seconds, speed, error);
    srv_machine_destroy(machine);
    return code;
}
