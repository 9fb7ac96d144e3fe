/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/servet2010/detect_sharing.h"

#include "stats/components.h"

int srv_2010_sharing(const srv_pair *pairs, size_t pair_count, double ratio, int *group,
                     int core_count)
{
    srv_components_init(group, core_count);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].value > ratio)
            srv_components_join(group, pairs[i].a, pairs[i].b);
    return srv_components_number(group, core_count);
}
