/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/trials.h"

#include "machine/model/walker.h"
#include "machine/order.h"

/* All elements have the same lines, in an order that depends on the seed. */
static uint64_t address_of(const srv_eviction *eviction, const srv_order *order, uint32_t element,
                           int line)
{
    return element * (uint64_t)eviction->element_bytes +
           srv_order_at(order, (size_t)line) * (uint64_t)eviction->line_bytes;
}

/* Loads that need not wait for each other. */
static void walk(srv_trials *trials, const srv_order *order, int pu, const uint32_t *element,
                 int count)
{
    for (int round = 0; round < trials->eviction->rounds; round++)
        for (int e = 0; e < count; e++)
            for (int i = 0; i < trials->eviction->lines; i++) {
                uint64_t address = address_of(trials->eviction, order, element[e], i);
                trials->now_ns +=
                    srv_hierarchy_bring(trials->hierarchy, pu, address, trials->now_ns) /
                    SRV_OVERLAP;
            }
}

/* Loads of which each waits for the one before; the translation is there. */
static double chase(srv_trials *trials, const srv_order *order, uint32_t element)
{
    double began = trials->now_ns;
    for (int i = 0; i < trials->eviction->lines; i++) {
        uint64_t address = address_of(trials->eviction, order, element, i);
        trials->now_ns +=
            srv_hierarchy_bring(trials->hierarchy, trials->pu, address, trials->now_ns);
    }
    return trials->now_ns - began;
}

void srv_trials_fill(srv_trials *trials)
{
    const srv_eviction *eviction = trials->eviction;
    uint64_t bytes = (uint64_t)(eviction->elements * eviction->element_bytes);
    for (uint64_t address = 0; address < bytes; address += (uint64_t)eviction->line_bytes)
        trials->now_ns += srv_hierarchy_bring(trials->hierarchy, trials->pu, address, trials->now_ns) /
                          SRV_OVERLAP;
}

void srv_trials_run(srv_trials *trials, int trial, float *ns)
{
    const srv_eviction *eviction = trials->eviction;
    size_t in_trial = (size_t)(eviction->walked + eviction->others);
    const uint32_t *element = eviction->element + (size_t)trial * in_trial;
    size_t lines = (size_t)(eviction->element_bytes / eviction->line_bytes);
    srv_order order = srv_order_of(lines, eviction->seed);
    walk(trials, &order, trials->pu, element, eviction->walked);
    if (trials->other >= 0)
        walk(trials, &order, trials->other, element + eviction->walked, eviction->others);
    for (int i = 0; i < eviction->walked; i++)
        ns[i] = (float)chase(trials, &order, element[i]);
}
