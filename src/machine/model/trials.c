/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/trials.h"

#include <stdlib.h>

#include "machine/model/simulated_traversal.h"
#include "machine/order.h"

uint64_t *srv_trials_lines(const srv_eviction *eviction)
{
    uint64_t *line = calloc((size_t)eviction->lines, sizeof *line);
    srv_order order =
        srv_order_of((size_t)(eviction->element_bytes / eviction->line_bytes), eviction->seed);
    for (int i = 0; line && i < eviction->lines; i++)
        line[i] = srv_order_at(&order, (size_t)i) * (uint64_t)eviction->line_bytes;
    return line;
}

static double load(srv_trials *trials, int pu, uint32_t element, int line)
{
    uint64_t address = element * (uint64_t)trials->eviction->element_bytes + trials->line[line];
    return srv_hierarchy_bring(trials->hierarchy, pu, address, trials->now_ns);
}

/* Independent loads. */
static void visit(srv_trials *trials, int pu, const uint32_t *element, int count)
{
    for (int round = 0; round < trials->eviction->rounds; round++)
        for (int e = 0; e < count; e++)
            for (int i = 0; i < trials->eviction->lines; i++)
                trials->now_ns += load(trials, pu, element[e], i) / SRV_OVERLAP;
}

/* Dependent loads; the translation is known. */
static double chase(srv_trials *trials, uint32_t element)
{
    double began = trials->now_ns;
    for (int i = 0; i < trials->eviction->lines; i++)
        trials->now_ns += load(trials, trials->pu, element, i);
    return trials->now_ns - began;
}

void srv_trials_fill(srv_trials *trials)
{
    const srv_eviction *eviction = trials->eviction;
    uint64_t bytes = (uint64_t)(eviction->elements * eviction->element_bytes);
    for (uint64_t address = 0; address < bytes; address += (uint64_t)eviction->line_bytes)
        trials->now_ns +=
            srv_hierarchy_bring(trials->hierarchy, trials->pu, address, trials->now_ns) /
            SRV_OVERLAP;
}

void srv_trials_run(srv_trials *trials, int trial, float *ns)
{
    const srv_eviction *eviction = trials->eviction;
    size_t in_trial = (size_t)eviction->walked + (size_t)eviction->others;
    const uint32_t *element = eviction->element + (size_t)trial * in_trial;
    visit(trials, trials->pu, element, eviction->walked);
    if (trials->other >= 0)
        visit(trials, trials->other, element + eviction->walked, eviction->others);
    for (int i = 0; i < eviction->walked; i++)
        ns[i] = (float)chase(trials, element[i]);
}
