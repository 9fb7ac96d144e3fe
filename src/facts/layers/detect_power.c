/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of two units, of four, and so on up to half a block are equally likely, and so is a
 * further layer at all or none. */
#include "facts/layers/detect_power.h"

#include <math.h>

#include "facts/layers/detect_effects.h"

/* Steps of layers are spread evenly, as logarithms, over a decade above the smallest one that is a
 * layer: switches add 5 to 50 % to a message, caches and packages multiply costs by up to ten. */
static const double STEPS_DECADES = 1;

/* Blocks of the largest size, and groups of `size` units that each would have. */
typedef struct grouping {
    double blocks, units, size;
    double deviation; /* of a cost, with the model's error, as a share of the mean */
} grouping;

/* About the expected maximum of n normal numbers: 0.56 for 2, 1.77 for 16. */
static double expected_maximum(double n)
{
    return sqrt(2 * log(n)) - (n > 2 ? (log(log(n)) + 1.75) / (2 * sqrt(2 * log(n))) : 0.62);
}

/* The least step that the noise of a border leaves apart: of the means over the other group, one
 * from each side is the smallest. */
static double step_at_edge(const grouping *g, const srv_power_rules *rules)
{
    double below = 2 * expected_maximum(g->size) / sqrt(g->size);
    return below * g->deviation / (1 - rules->edge);
}

/* Nats that name the groups of a block: their size, and which units are together. */
static double surprise_of(const grouping *g)
{
    double groups = g->units / g->size;
    return log(g->units) + lgamma(g->units + 1) - groups * lgamma(g->size + 1) - lgamma(groups + 1);
}

/* The least step whose evidence is enough. */
static double step_of_evidence(const grouping *g, const srv_power_rules *rules)
{
    double pairs = g->blocks * g->units * (g->units - 1) / 2;
    double inside = (g->size - 1) / (g->units - 1);
    double nats = rules->evidence + g->blocks * surprise_of(g);
    return g->deviation * sqrt(expm1(2 * nats / pairs) / (inside * (1 - inside)));
}

static double least_step(const grouping *g, const srv_power_rules *rules)
{
    return fmax(rules->step / sqrt(g->blocks * g->units / g->size), rules->least);
}

/* Steps so far are shares of the mean cost, which is about that of the farther pairs. */
static double over_nearer_pairs(double step)
{
    return step < 1 ? step / (1 - step) : INFINITY;
}

static double share_hidden(double unseen, double least)
{
    return fmin(fmax(log10(unseen / least) / STEPS_DECADES, 0), 1);
}

/* The largest block stands for all: most are alike. */
static grouping largest_blocks(const srv_units *units, double deviation)
{
    grouping g = {.units = 0};
    for (int b = 0; b < units->block_count; b++)
        g.units = fmax(g.units, units->first[b + 1] - units->first[b]);
    g.blocks = units->count / fmax(g.units, 1);
    g.deviation = hypot(deviation / units->mean, SRV_MODEL_ERROR);
    return g;
}

srv_power srv_power_of(const srv_units *units, double deviation, const srv_power_rules *rules)
{
    grouping g = largest_blocks(units, deviation);
    srv_power power = {0, 0};
    int sizes = 0;
    for (g.size = 2; 2 * g.size <= g.units; g.size *= 2, sizes++) {
        double least = least_step(&g, rules);
        double unseen =
            over_nearer_pairs(fmax(step_at_edge(&g, rules), step_of_evidence(&g, rules)));
        power.unseen = fmax(power.unseen, fmax(unseen, least));
        power.hidden += share_hidden(unseen, least) / 2;
    }
    power.hidden /= sizes > 0 ? sizes : 1;
    return power;
}
