/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/speed.h"

#include <math.h>

#include "core/error.h"
#include "servet/node.h"

/* Returns the speed of a core; types whose intervals reach that of the fastest one are as fast. */
static double speed_of(const servet_profile *profile, const servet_at *at, servet_work work)
{
    servet_value speed;
    if (servet_core_speed(profile, at, work, &speed) != SERVET_OK || speed.high >= 1)
        return 1;
    return speed.value;
}

int srv_map_class_speeds(srv_map_class *class, const servet_profile *profile,
                         const char *class_name, servet_code code, servet_work work,
                         servet_error *error)
{
    if (work == SERVET_WORK_USUAL && code == SERVET_CODE_MEMORY)
        work = SERVET_WORK_MEMORY;
    class->speed =
        srv_room_take(&class->room, (size_t) class->core_count + 1, sizeof *class->speed);
    if (!class->speed)
        return srv_fail_memory(error);
    for (int i = 0; i < class->core_count; i++) {
        const servet_at at = {class_name, class->cores[i]};
        class->speed[i] = speed_of(profile, &at, work);
    }
    return SERVET_OK;
}

srv_weight srv_map_speed_weight(double speed)
{
    const double most = 1e6; /* far more than any core type takes, and few enough to add up */
    return llround(SRV_WEIGHT_FACTOR * SRV_WEIGHT_UNIT * (fmin(1 / speed, most) - 1));
}
