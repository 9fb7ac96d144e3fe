/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/message_costs.h"

#include <math.h>

#include "core/error.h"

/* Message times are those of the size that separated the layers; for other sizes as
 * servet_network_time() extrapolates: in proportion to the size for longer ones, the same for
 * shorter ones. */
static double by_latency(const srv_message_costs *costs, int layer, double bytes)
{
    servet_network_layer found;
    if (servet_network_layer_get(costs->profile, layer, &found) != SERVET_OK ||
        !servet_value_known(&found.latency))
        return NAN;
    double own = costs->message_bytes;
    return found.latency.value * (own > 0 && bytes > own ? bytes / own : 1);
}

double srv_message_costs_alone(const srv_message_costs *costs, int layer, double bytes)
{
    servet_value time;
    if (servet_network_time(costs->profile, layer, bytes, &time) == SERVET_OK &&
        servet_value_known(&time))
        return time.value;
    return by_latency(costs, layer, bytes);
}

int srv_message_costs_begin(srv_message_costs *costs, const servet_profile *profile, double bytes,
                            servet_error *error)
{
    servet_network network = {.nodes = 1, .ranks = 1};
    int layers = 0;
    (void)servet_network_get(profile, &network);
    (void)servet_network_layer_count(profile, &layers);
    *costs = (srv_message_costs){profile, bytes, network.message_bytes,
                                 network.nodes ? network.ranks / network.nodes : 1};
    for (int layer = 1; layer <= layers; layer++)
        if (isnan(srv_message_costs_alone(costs, layer, bytes)))
            return srv_fail(error, SERVET_EUNMEASURED,
                            "the profile has no message costs of layer %d", layer);
    return SERVET_OK;
}

/* The largest number of messages, up to `limit`, whose slowdown is known; 1 if none is. */
static int most_together(const srv_message_costs *costs, int layer, int limit)
{
    int count = 0, most = 1;
    servet_together together;
    (void)servet_network_together_count(costs->profile, layer, &count);
    for (int i = 0; i < count; i++)
        if (servet_network_together(costs->profile, layer, i, &together) == SERVET_OK &&
            together.messages <= limit && together.messages > most)
            most = together.messages;
    return most;
}

double srv_message_costs_share(const srv_message_costs *costs, int layer, int messages)
{
    servet_value factor;
    int measured_at = messages;
    int code = servet_network_slowdown(costs->profile, layer, costs->bytes, measured_at, &factor);
    if (code == SERVET_ERANGE) {
        measured_at = most_together(costs, layer, messages);
        code = servet_network_slowdown(costs->profile, layer, costs->bytes, measured_at, &factor);
    }
    return code == SERVET_OK && servet_value_known(&factor) ? factor.value / measured_at
                                                            : 1. / messages;
}

double srv_message_costs_access(const srv_message_costs *costs, int layer, int processes)
{
    servet_ratios about;
    servet_ratio ratio;
    if (servet_network_ratios(costs->profile, SERVET_DEGRADATION_ACCESS, &about) == SERVET_OK) {
        int measured_at = processes < about.largest ? processes : about.largest;
        if (servet_network_ratio(costs->profile, SERVET_DEGRADATION_ACCESS, measured_at, &ratio) ==
                SERVET_OK &&
            servet_value_known(&ratio.ratio))
            return ratio.ratio.value / measured_at;
    }
    return 2 * srv_message_costs_share(costs, layer, 2 * processes);
}
