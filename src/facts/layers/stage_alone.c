/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/stage_alone.h"

#include <math.h>

#include "sample/visit_seconds.h"
#include "stats/interval.h"

/* Pairs of each layer, spread over all of it. */
enum { PAIRS = 8 };

static bool is_of_layer(const srv_alone_plan *plan, const servet_layers *layers, int number, int i,
                        int j)
{
    const int *group = layers->layer[number].group;
    const int *before = number > 0 ? layers->layer[number - 1].group : NULL;
    return i != j && group[i] == group[j] && (!before || before[i] != before[j]) &&
           !(plan->skip && (plan->skip[i] || plan->skip[j]));
}

/* The first pair of the layer from thing `from` on. */
static bool find_pair(const srv_alone_plan *plan, const servet_layers *layers, int number, int from,
                      srv_rank_pair *pair)
{
    int n = (int)layers->n;
    for (int k = 0; k < n; k++)
        for (int step = 1; step < n; step++) {
            int i = (from + k) % n, j = (i + step) % n;
            if (!is_of_layer(plan, layers, number, i, j))
                continue;
            *pair = (srv_rank_pair){plan->rank[i], plan->rank[j]};
            return true;
        }
    return false;
}

static int measure_layer(const srv_alone_plan *plan, const servet_layers *layers, int number,
                         servet_value *cost, servet_error *error)
{
    double seconds[PAIRS], each = 0;
    srv_rank_pair pair;
    srv_exchange exchange = {.pairs = &pair,
                             .count = 1,
                             .bytes = plan->bytes,
                             .flow = SRV_FLOW_PING_PONG,
                             .buffers = SRV_BUFFERS_WARM,
                             .seconds = SRV_VISIT_SECONDS};
    for (int i = 0; i < PAIRS; i++) {
        srv_spread time;
        if (!find_pair(plan, layers, number, (int)(layers->n * (size_t)i / PAIRS), &pair))
            return SERVET_OK;
        each = fmax(each, srv_messaging_foresee(&plan->messaging, &exchange));
        if (!srv_sampler_fits(&plan->messaging.sampler, each * (PAIRS - i)))
            return SERVET_EUNMEASURED;
        int code = srv_messaging_probe(&plan->messaging, &exchange, 1, &time, &each, error);
        if (code != SERVET_OK)
            return code;
        seconds[i] = time.median;
    }
    srv_interval median = srv_interval_of(seconds, PAIRS);
    cost->value = median.value;
    cost->low = median.low;
    cost->high = median.high;
    return SERVET_OK;
}

int srv_network_measure_alone(const srv_alone_plan *plan, servet_layers *layers, bool *measured,
                              servet_error *error)
{
    servet_value cost[SERVET_LAYERS_MAX];
    int code = SERVET_OK;
    *measured = false;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++) {
        if (srv_sampler_left(&plan->messaging.sampler) <= 0)
            return SERVET_OK;
        cost[i] = layers->layer[i].cost;
        code = measure_layer(plan, layers, i, &cost[i], error);
    }
    if (code == SERVET_EUNMEASURED)
        return SERVET_OK;
    for (int i = 0; i < layers->layer_count && code == SERVET_OK; i++)
        layers->layer[i].cost = cost[i];
    *measured = code == SERVET_OK;
    return code;
}
