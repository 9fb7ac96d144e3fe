/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/network/plan.h"

#include <math.h>
#include <stdbool.h>

#include "core/bit.h"
#include "facts/network.h"

/* Share of too short a time for what others need: they would have no use for it. */
static const double NEEDED_SHARE = 0.5;

unsigned srv_network_wanted(unsigned only)
{
    unsigned set = only ? only : SRV_BIT(SRV_NETWORK_BENCHMARK_COUNT) - 1;
    for (int i = SRV_NETWORK_BENCHMARK_COUNT - 1; i >= 0; i--)
        if (set & SRV_BIT(i))
            set |= srv_network_plan[i].needs;
    return set;
}

double srv_network_set_cost(unsigned set, const srv_network_scale *scale)
{
    double cost = 0;
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        if (set & SRV_BIT(i))
            cost += srv_network_plan[i].cost(scale);
    return cost;
}

/* Seconds that a benchmark takes if its cost is estimated too low. */
static double most_of(int id, const srv_network_scale *scale)
{
    return SRV_NETWORK_COST_DOUBT * srv_network_plan[id].cost(scale);
}

/* The time that each of a set may take so that all fit, where those that take less leave the rest
 * to the others; INFINITY if all of them take less. */
static double level_of(unsigned set, const srv_network_scale *scale, double left)
{
    double level = 0;
    for (unsigned open = set, before = 0; open && open != before;) {
        int count = 0;
        before = open;
        for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
            count += (open & SRV_BIT(i)) != 0;
        level = left / count;
        for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
            if (open & SRV_BIT(i) && most_of(i, scale) <= level) {
                left -= most_of(i, scale);
                open &= ~SRV_BIT(i);
            }
        level = open ? level : INFINITY;
    }
    return level;
}

/* True if others of a set cannot be measured without it. */
static bool is_needed(srv_network_benchmark benchmark, unsigned set)
{
    bool needed = false;
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        needed = needed || (set & SRV_BIT(i) && srv_network_plan[i].needs & SRV_BIT(benchmark));
    return needed;
}

double srv_network_share(srv_network_benchmark benchmark, unsigned set,
                         const srv_network_scale *scale, double left)
{
    double cost = srv_network_plan[benchmark].cost(scale), all = srv_network_set_cost(set, scale);
    if (!(all > cost) || !isfinite(left))
        return left;
    double level = level_of(set, scale, left), most = most_of(benchmark, scale);
    double least = is_needed(benchmark, set) ? fmin(most, NEEDED_SHARE * left) : 0;
    return isfinite(level) ? fmax(least, fmin(most, level)) : left * cost / all;
}
