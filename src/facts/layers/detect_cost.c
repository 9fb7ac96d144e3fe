/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_cost.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "stats/interval.h"
#include "stats/robust.h"

/* Nine of ten pairs lie between these quantiles. */
static const double NEAR = 0.05, FAR = 0.95;

/* Pairs that are enough for the quantiles; a larger set is thinned evenly. */
enum { SAMPLE_MAX = 1 << 20 };

double srv_pair_cost(const servet_matrix *matrix, size_t i, size_t j)
{
    double there = matrix->cost[i * matrix->n + j], back = matrix->cost[j * matrix->n + i];
    if (!srv_is_cost(there))
        return srv_is_cost(back) ? back : NAN;
    return srv_is_cost(back) && back < there ? back : there;
}

bool srv_is_of_layer(const servet_layers *layers, int number, size_t i, size_t j)
{
    const servet_layer *layer = &layers->layer[number];
    return srv_joins(layer->group, number > 0 ? layer[-1].group : NULL, i, j);
}

void srv_typical_pair(const servet_matrix *matrix, const servet_layers *layers, int number,
                      size_t pair[2])
{
    double least = INFINITY;
    pair[0] = pair[1] = 0;
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = i + 1; j < matrix->n; j++) {
            double off = fabs(srv_pair_cost(matrix, i, j) - layers->layer[number].cost.value);
            if (srv_is_of_layer(layers, number, i, j) && off < least) {
                least = off;
                pair[0] = i;
                pair[1] = j;
            }
        }
}

/* The pairs of a layer: measured ones and others, and the largest number of the latter without a
 * common core. `core[i]` describes core i. */
typedef struct pair_count {
    size_t measured, unmeasured, couples;
} pair_count;

typedef struct pair_core {
    bool reached, coupled; /* it is in a measured pair; it is in one of the couples */
} pair_core;

static pair_count count_pairs(const servet_matrix *matrix, const int *group, const int *before,
                              pair_core *core)
{
    pair_count count = {0, 0, 0};
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < i; j++) {
            if (!srv_joins(group, before, i, j))
                continue;
            if (!isnan(srv_pair_cost(matrix, i, j))) {
                core[i].reached = core[j].reached = true;
                count.measured++;
                continue;
            }
            count.unmeasured++;
            if (core[i].coupled || core[j].coupled)
                continue;
            core[i].coupled = core[j].coupled = true;
            count.couples++;
        }
    return count;
}

/* Every `step`th of the layer's pairs. */
static size_t collect(const servet_matrix *matrix, const int *group, const int *before, size_t step,
                      double *costs)
{
    size_t at = 0, count = 0;
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < i; j++) {
            double cost = srv_joins(group, before, i, j) ? srv_pair_cost(matrix, i, j) : NAN;
            if (!isnan(cost) && at++ % step == 0)
                costs[count++] = cost;
        }
    return count;
}

/* Median and the interval of it. Pairs that share a core are not independent: there are as many
   independent samples as cores. */
static void summarise(servet_layer *layer, double *costs, size_t count, size_t cores)
{
    srv_sort(costs, count);
    srv_interval median = srv_interval_by_ranks(costs, count, (double)cores);
    layer->near = srv_sorted_quantile(costs, count, NEAR);
    layer->far = srv_sorted_quantile(costs, count, FAR);
    layer->cost = (servet_value){median.value, median.low, median.high,
                                 .method = SERVET_METHOD_TIMED, .trusted = true};
}

static void fill_in(const servet_matrix *matrix, const int *before, servet_layer *layer,
                    double *costs, pair_core *core)
{
    size_t cores = 0;
    const pair_count pairs = count_pairs(matrix, layer->group, before, core);
    layer->cost.samples = (int)pairs.measured;
    if (pairs.measured == 0)
        return;
    for (size_t i = 0; i < matrix->n; i++)
        cores += core[i].reached;
    size_t step = 1 + pairs.measured / SAMPLE_MAX;
    summarise(layer, costs, collect(matrix, layer->group, before, step, costs), cores);
    layer->cost.samples = (int)pairs.measured;
    layer->cost.unit = matrix->unit;
    int most = -1;
    for (size_t i = 0; i < matrix->n; i++)
        most = layer->group[i] > most ? layer->group[i] : most;
    layer->group_count = most + 1;
    /* A nearer layer may be among the pairs that were not measured. The smallest one is a layer
     * of couples: there is none if fewer than half of the cores can be first in such. */
    layer->unmeasured = (int)pairs.unmeasured;
    if (2 * pairs.couples < cores)
        return;
    layer->cost.trusted = false;
    layer->confidence = fmin(layer->confidence, 0.5);
}

int srv_layer_cost(const servet_matrix *matrix, const int *before, servet_layer *layer,
                   servet_error *error)
{
    double *costs = malloc(SAMPLE_MAX * sizeof *costs);
    pair_core *core = calloc(matrix->n, sizeof *core);
    bool ready = costs && core;
    if (ready)
        fill_in(matrix, before, layer, costs, core);
    free(costs);
    free(core);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
