/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/memory/detect.h"

#include <math.h>
#include <stdlib.h>

#include "core/units.h"
#include "stats/components.h"

/* Least difference of levels: two probes of one pair differ by up to 3 %. */
static const double APART = 0.05;

static int by_share(const void *a, const void *b)
{
    double x = ((const srv_contention *)a)->share, y = ((const srv_contention *)b)->share;
    return (x < y) - (x > y);
}

/* True if a pair, which keeps less, belongs to another level than the one before it. */
static bool is_apart(const srv_contention *before, const srv_contention *pair)
{
    return before->share - pair->share > APART * before->share && pair->high < before->low;
}

/* The interval of one pair is from its samples, that of several from their spread. */
static servet_value bandwidth_of(const srv_contention *pairs, const srv_overhead_level *level)
{
    const srv_contention *typical = srv_overhead_typical(pairs, level);
    double low = typical->rate, high = typical->rate;
    if (level->count == 1) {
        low *= typical->low / typical->share;
        high *= typical->high / typical->share;
    }
    for (size_t i = level->first; i < level->first + level->count; i++) {
        low = fmin(low, pairs[i].rate);
        high = fmax(high, pairs[i].rate);
    }
    return srv_timed(typical->rate, low, high, (int)level->count, SERVET_UNIT_BYTE_PER_SECOND);
}

int srv_detect_overheads(srv_contention *pairs, size_t count,
                         srv_overhead_level levels[SRV_OVERHEAD_LEVELS_MAX])
{
    int n = 0;
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, by_share);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || (n < SRV_OVERHEAD_LEVELS_MAX && is_apart(&pairs[i - 1], &pairs[i])))
            levels[n++] = (srv_overhead_level){.first = i};
        levels[n - 1].count++;
    }
    for (int i = 0; i < n; i++)
        levels[i].bandwidth = bandwidth_of(pairs, &levels[i]);
    return n;
}

int srv_detect_overhead_groups(const srv_contention *pairs, const srv_overhead_level *level,
                               int *group, int cores)
{
    srv_components_init(group, cores);
    for (size_t i = level->first; i < level->first + level->count; i++)
        srv_components_join(group, pairs[i].a, pairs[i].b);
    return srv_components_number(group, cores);
}
