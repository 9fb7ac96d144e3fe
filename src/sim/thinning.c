/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/thinning.h"

#include <math.h>

#include "sim/system.h"

/* Least number of simulated lines: with this number of random loads, shares are within 0.3 %. */
static const double LINES_ENOUGH = 1 << 14;

/* Lines of the largest size that are simulated of each period at least: prefetchers fetch pairs. */
enum { KEPT_MIN = 4 };

/* The largest power of two that divides a whole number of bytes. */
static size_t power_in(double bytes)
{
    size_t whole = (size_t)bytes;
    return whole & ~(whole - 1);
}

size_t srv_thinning_period(const srv_model *model)
{
    size_t period = power_in(model->machine.page_bytes);
    for (int i = 0; i < model->cache_count; i++) {
        size_t own = power_in(srv_system_sets(&model->cache[i]) * model->cache[i].line_bytes);
        period = own < period ? own : period;
    }
    return period;
}

size_t srv_thinning(const srv_model *model, double lines, double line_bytes)
{
    double kept = KEPT_MIN * line_bytes, period = (double)srv_thinning_period(model);
    size_t thin = 1;
    for (int i = 0; i < model->cache_count; i++)
        kept = fmax(kept, KEPT_MIN * model->cache[i].line_bytes);
    /* A sibling begins and ends at its times, however many lines are loaded until then. */
    if (!srv_system_is_timeless(model) || power_in(line_bytes) != (size_t)line_bytes)
        return 1;
    while (lines / (double)(2 * thin) >= LINES_ENOUGH && period / (double)(2 * thin) >= kept)
        thin *= 2;
    return thin;
}
