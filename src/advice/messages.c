/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice about communication, for each layer. Advice about the whole network is given once, with
 * the slowest layer. */
#include <stdio.h>

#include "advice/say.h"
#include "core/human.h"
#include "servet/network.h"

static const char *where(const servet_network_layer *layer)
{
    return layer->between_nodes ? "between nodes" : "in a node";
}

static bool is_slowest(const srv_subject *on)
{
    int count = 0;
    return servet_network_layer_count(on->profile, &count) == SERVET_OK && on->level == count;
}

/* --- gathering -------------------------------------------------------------------------------- */

enum { SIZES_MAX = 2 * HUMAN_MAX + 16 };

/* Writes "below 512 B", or the range if it does not begin with the smallest messages. */
static void sizes_of(const servet_aggregation *range, bool first, char text[SIZES_MAX])
{
    char from[HUMAN_MAX], below[HUMAN_MAX];
    human_bytes(range->from, from);
    human_bytes(range->below, below);
    if (first)
        snprintf(text, SIZES_MAX, "%s %s", range->unbounded ? "of up to" : "below", below);
    else if (range->from == range->below)
        snprintf(text, SIZES_MAX, "of %s", from);
    else
        snprintf(text, SIZES_MAX, "from %s to %s", from, below);
}

/* Advises the first range that pays for the largest number of messages. */
static bool gather(const srv_subject *on, servet_advice *advice)
{
    servet_network_layer layer;
    servet_aggregation range, best = {.messages = 0};
    char sizes[SIZES_MAX];
    int which = 0, before = 0;
    if (servet_network_layer_get(on->profile, on->level, &layer) != SERVET_OK)
        return false;
    for (int i = 1;
         SERVET_ITEM(on->profile, "network.layers.aggregation", &range, on->level, i) == SERVET_OK;
         i++) {
        if (range.payoff == SERVET_PAYOFF_PAYS && range.messages > best.messages) {
            best = range;
            which = i;
            sizes_of(&range, range.messages != before, sizes);
        }
        before = range.messages;
    }
    if (!best.messages)
        return false;
    advice->topic = SERVET_ADVICE_GATHER;
    advice->value = srv_advised(best.messages, SERVET_UNIT_NONE, &best.gain);
    advice->value.low = advice->value.high = best.messages;
    SRV_SAY(advice, "gather %d messages %s to one process into one (communication layer %d, %s)",
            best.messages, sizes, on->level, where(&layer));
    SRV_WHY(advice, "one message is %s times as fast as %d with the same bytes",
            HUMAN(best.gain.value, 2), best.messages);
    srv_rest_on(on, advice, "layers.%d.aggregation.%d.gain", on->level, which);
    return true;
}

/* --- placement of processes ------------------------------------------------------------------- */

static bool stay_in_layer(const srv_subject *on, servet_advice *advice)
{
    servet_network_layer near, far;
    servet_network network;
    char bytes[HUMAN_MAX], fast[HUMAN_MAX], slow[HUMAN_MAX];
    if (!is_slowest(on) || on->level < 2 ||
        servet_network_get(on->profile, &network) != SERVET_OK ||
        servet_network_layer_get(on->profile, 1, &near) != SERVET_OK ||
        servet_network_layer_get(on->profile, on->level, &far) != SERVET_OK)
        return false;
    human_bytes(network.message_bytes, bytes);
    human_time(near.latency.value, fast);
    human_time(far.latency.value, slow);
    advice->topic = SERVET_ADVICE_LAYERS;
    advice->value = srv_times(&far.latency, &near.latency);
    SRV_SAY(advice, "place processes that exchange much near each other (servet map does)");
    SRV_WHY(advice, "a message of %s takes %s in the fastest layer, %s, and %s in the slowest, %s",
            bytes, fast, where(&near), slow, where(&far));
    srv_rest_on(on, advice, "layers.1.latency_us");
    srv_rest_on(on, advice, "layers.%d.latency_us", on->level);
    return true;
}

/* The bandwidth of all sending processes of a node, relative to one process alone. */
static servet_value total_of(const servet_ratio *access)
{
    servet_value total = access->ratio;
    total.value = access->at / access->ratio.value;
    total.low = access->at / access->ratio.high;
    total.high = access->at / access->ratio.low;
    return total;
}

/* Advises the number of processes with the best total bandwidth, if a larger number gets less. */
static bool send_by_few(const srv_subject *on, servet_advice *advice)
{
    servet_ratios about;
    servet_ratio ratio;
    servet_value most = {.value = 0}, least = most;
    int best = 0, worst = 0;
    if (!is_slowest(on) ||
        servet_network_ratios(on->profile, SERVET_DEGRADATION_ACCESS, &about) != SERVET_OK)
        return false;
    for (int at = 1; at <= about.largest; at++) {
        if (servet_network_ratio(on->profile, SERVET_DEGRADATION_ACCESS, at, &ratio) != SERVET_OK)
            continue;
        servet_value total = total_of(&ratio);
        if (total.value > most.value) {
            least = most = total;
            best = worst = at;
        } else if (total.value < least.value) {
            least = total;
            worst = at;
        }
    }
    if (!(most.low > SRV_NOTICEABLE * least.high))
        return false;
    advice->topic = SERVET_ADVICE_SENDERS;
    advice->value = srv_advised(best, SERVET_UNIT_NONE, &most);
    advice->value.low = advice->value.high = best;
    SRV_SAY(advice, "let at most %d process%s of a node send to other nodes at once", best,
            best == 1 ? "" : "es");
    SRV_WHY(advice,
            "%d at once get %s times the bandwidth of one alone, %d get %s times "
            "(ratNC)",
            best, HUMAN(most.value, 3), worst, HUMAN(least.value, 3));
    srv_rest_on(on, advice, "network.access_ratio.%d", best);
    srv_rest_on(on, advice, "network.access_ratio.%d", worst);
    return true;
}

static bool use_near_nodes(const srv_subject *on, servet_advice *advice)
{
    static const double ratio_min = 1.1; /* a smaller difference does not justify a placement */
    servet_ratios about;
    servet_ratio most;
    if (!is_slowest(on) ||
        servet_network_ratios(on->profile, SERVET_DEGRADATION_DISTANCE, &about) != SERVET_OK ||
        servet_network_ratio(on->profile, SERVET_DEGRADATION_DISTANCE, about.largest, &most) !=
            SERVET_OK ||
        !(most.ratio.value >= ratio_min))
        return false;
    advice->topic = SERVET_ADVICE_NODES;
    advice->value = most.ratio;
    SRV_SAY(advice, "let nodes next to each other in the job exchange most");
    SRV_WHY(advice, "at distance %d a message gets 1/%s of the bandwidth of neighbours (ratDist)",
            most.at, HUMAN(most.ratio.value, 3));
    srv_rest_on(on, advice, "network.distance_ratio.%d", about.largest);
    return true;
}

srv_advice_rule *const srv_layer_rules[] = {gather, stay_in_layer, send_by_few, use_near_nodes,
                                            NULL};
