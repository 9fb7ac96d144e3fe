/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/plan.h"

#include <math.h>

#include "core/bit.h"

unsigned srv_plan_wanted(const srv_benchmark *plan, unsigned only)
{
    unsigned wanted = 0, before;
    for (const srv_benchmark *row = plan; row->run; row++)
        if (!only || only & SRV_BIT(row->id))
            wanted |= SRV_BIT(row->id);
    do {
        before = wanted;
        for (const srv_benchmark *row = plan; row->run; row++)
            if (wanted & SRV_BIT(row->id))
                wanted |= row->needs;
    } while (wanted != before);
    return wanted;
}

double srv_plan_cost(const srv_benchmark *plan, unsigned set, const srv_scale *scale)
{
    double cost = 0;
    for (const srv_benchmark *row = plan; row->run; row++)
        if (set & SRV_BIT(row->id))
            cost += row->cost(scale);
    return cost;
}

double srv_plan_share(const srv_benchmark *benchmark, const srv_benchmark *plan, unsigned set,
                      const srv_scale *scale, double left)
{
    double cost = benchmark->cost(scale), all = srv_plan_cost(plan, set, scale);
    if (!(all > cost))
        return left;
    return fmax(left * cost / all, fmin(cost, left * benchmark->least));
}
