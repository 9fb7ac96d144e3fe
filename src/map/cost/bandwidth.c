/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/bandwidth.h"

#include <math.h>
#include <stdlib.h>

#include "servet/node.h"

/* Returns the bandwidth of each of `cores` cores of a group; NaN if no number was measured. If this
 * number was not measured, the cores share the total of the largest smaller number that was. */
static double by_scaling(const servet_profile *profile, const servet_at *at, int level, int cores)
{
    servet_value bandwidth;
    for (int measured = cores; measured > 0; measured--)
        if (servet_memory_scaling(profile, at, level, measured, &bandwidth) == SERVET_OK &&
            servet_value_known(&bandwidth))
            return bandwidth.value * measured / cores;
    return NAN;
}

/* Returns the bandwidth as by_scaling() does; from pairs of cores if only these were measured. */
static double of_group(const servet_profile *profile, const servet_at *at, int level, int cores)
{
    servet_memory_level pair;
    double each = by_scaling(profile, at, level, cores);
    if (isnan(each) && level > 0 && cores > 1 &&
        servet_memory_level_get(profile, at, level, &pair) == SERVET_OK &&
        servet_value_known(&pair.bandwidth))
        each = pair.bandwidth.value * 2 / cores;
    return each;
}

/* Reduces the bandwidth to the shares in the groups of each level. fmin() ignores unknown values.
 */
static void limit_by_groups(const srv_active *active, const servet_profile *profile,
                            const servet_at *at, const srv_grouping *grouping, int *members,
                            double *each)
{
    for (int g = 0; g < grouping->group_count; g++)
        members[g] = 0;
    for (int i = 0; i < active->count; i++)
        if (grouping->group[active->cores[i]] >= 0)
            members[grouping->group[active->cores[i]]]++;
    for (int i = 0; i < active->count; i++) {
        int group = grouping->group[active->cores[i]];
        if (group >= 0)
            each[i] = fmin(each[i], of_group(profile, at, grouping->level, members[group]));
    }
}

int srv_bandwidth_each(const srv_active *active, const servet_profile *profile, double *each)
{
    const srv_map_class *class = active->class;
    const servet_at at = {.node_class = active->node_class, .core = SERVET_ANY_CORE};
    int *members = calloc((size_t) class->core_count + 1, sizeof *members);
    if (!members)
        return SERVET_EMEMORY;
    servet_value single;
    bool known =
        servet_memory_single(profile, &at, &single) == SERVET_OK && servet_value_known(&single);
    double all = fmin(known ? single.value : NAN, of_group(profile, &at, 0, active->count));
    for (int i = 0; i < active->count; i++)
        each[i] = all;
    for (int f = 0; f < class->grouping_count; f++)
        if (class->groupings[f].rule == SERVET_RULE_MEMORY)
            limit_by_groups(active, profile, &at, &class->groupings[f], members, each);
    free(members);
    return SERVET_OK;
}
