/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/verdict.h"

#include <string.h>

#include "core/ranges.h"

static bool is_reported(const srv_sets *sets, const char *group)
{
    for (int i = 0; i < sets->count; i++)
        if (strcmp(sets->set[i], group) == 0)
            return true;
    return false;
}

servet_verdict srv_compare_groups(const srv_sets *sets, const char *const *groups, int count)
{
    int joined = 0, reported = 0;
    for (int i = 0; i < count; i++)
        if (srv_ranges_count(groups[i]) > 1) {
            joined++;
            reported += is_reported(sets, groups[i]);
        }
    if (reported == joined)
        return SERVET_VERDICT_AGREES;
    return reported > 0 ? SERVET_VERDICT_DIFFERS : SERVET_VERDICT_NOT_VISIBLE;
}

servet_verdict srv_compare_instances(const srv_sets *instances, const char *const *groups,
                                     int count)
{
    if (instances->count == 0)
        return SERVET_VERDICT_NOT_VISIBLE;
    for (int i = 0; i < count; i++)
        if (!is_reported(instances, groups[i]))
            return SERVET_VERDICT_DIFFERS;
    return SERVET_VERDICT_AGREES;
}
