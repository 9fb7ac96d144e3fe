/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/cost/message_costs.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* Smaller differences of bandwidths change no decision. */
static const double FULL = 0.95;

/* The share is found up to rounding by this number of halvings. */
enum { BISECTIONS = 40 };

/* Returns the message time if the layer has no curve. The layer's latency is the time of one size;
 * longer messages take proportionally longer, shorter ones the same time, as in
 * servet_network_time(). */
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

/* Returns the time that each further message of a batch adds. It is the difference of two times,
 * therefore the upper end of the interval is used. If n messages took no longer than one, each has
 * an nth of the time. */
static double further_of(const srv_message_costs *costs, int layer, const servet_batch *batch)
{
    double alone = srv_message_costs_alone(costs, layer, batch->bytes);
    double more = (batch->at_once.high - alone) / (batch->messages - 1);
    return more > 0 ? fmin(more, alone) : alone / batch->messages;
}

/* Returns the busy time between two sizes with batches of as many messages. Times have steps where
 * the protocol changes. The rest of the time, the latency, has smaller ones and is interpolated,
 * but a longer message is not busy for less time. */
static double between(const srv_message_costs *costs, int layer, double bytes,
                      const servet_batch *below, const servet_batch *above)
{
    double less = further_of(costs, layer, below), more = further_of(costs, layer, above);
    double first = srv_message_costs_alone(costs, layer, below->bytes) - less;
    double last = srv_message_costs_alone(costs, layer, above->bytes) - more;
    double where = (bytes - below->bytes) / (above->bytes - below->bytes);
    double busy = srv_message_costs_alone(costs, layer, bytes) - (first + where * (last - first));
    return fmax(less, fmin(busy, more));
}

/* Finds the busy time of a message from the largest batches that were measured up to its size.
 * Returns false if there are none. */
static bool find_busy(const srv_message_costs *costs, int layer, double bytes, double *busy)
{
    servet_batch at, below = {.messages = 0};
    int found = 0; /* messages of the batches */
    for (int i = 1;
         SERVET_ITEM(costs->profile, "network.layers.batches", &at, layer, i) == SERVET_OK; i++) {
        if (at.messages == found || !servet_value_known(&at.at_once) || !at.at_once.trusted)
            continue;
        if (at.bytes < bytes) {
            below = at;
            continue;
        }
        *busy = below.messages == at.messages ? between(costs, layer, bytes, &below, &at)
                                              : further_of(costs, layer, &at);
        found = at.messages;
    }
    return found > 0;
}

/* Returns the busy time of a message that is larger than those of batches: the time of its bytes.
 */
static double time_of_bytes(const srv_message_costs *costs, int layer, double bytes, double alone)
{
    servet_protocol protocol;
    double latency = 0;
    for (int i = 1;
         SERVET_ITEM(costs->profile, "network.layers.protocols", &protocol, layer, i) == SERVET_OK;
         i++)
        if (protocol.from.value <= bytes && servet_value_known(&protocol.latency))
            latency = protocol.latency.value;
    return latency < alone ? alone - fmax(latency, 0) : alone;
}

double srv_message_costs_busy(const srv_message_costs *costs, int layer, double bytes)
{
    double alone = srv_message_costs_alone(costs, layer, bytes);
    double busy;
    int batches = 0;
    (void)servet_profile_count(costs->profile, NULL, "network.layers.batches", (int[]){layer},
                               &batches);
    if (find_busy(costs, layer, bytes, &busy))
        return fmin(busy, alone);
    return batches ? time_of_bytes(costs, layer, bytes, alone) : alone;
}

/* Returns the largest number of messages, up to `limit`, with a known slowdown; 1 if there is none.
 */
static int most_together(const srv_message_costs *costs, int layer, int limit)
{
    int count = 0, most = 1;
    servet_together together;
    (void)servet_profile_count(costs->profile, NULL, "network.layers.together", (int[]){layer},
                               &count);
    for (int i = 1; i <= count; i++)
        if (SERVET_ITEM(costs->profile, "network.layers.together", &together, layer, i) ==
                SERVET_OK &&
            together.messages <= limit && together.messages > most)
            most = together.messages;
    return most;
}

/* True if a slowdown of this number of messages is not trusted, for any size. */
static bool is_doubtful(const srv_message_costs *costs, int layer, int messages)
{
    servet_together near;
    bool doubtful = false;
    for (int i = 1;
         SERVET_ITEM(costs->profile, "network.layers.together", &near, layer, i) == SERVET_OK; i++)
        doubtful = doubtful || (!near.ratio.trusted && near.messages < 2 * messages &&
                                messages < 2 * near.messages);
    return doubtful;
}

/* A slowdown that is not trusted is limited to the slowdown of messages one after the other. */
double srv_message_costs_share(const srv_message_costs *costs, int layer, int messages)
{
    servet_value factor;
    int measured_at = messages;
    int code = servet_network_slowdown(costs->profile, layer, costs->bytes, measured_at, &factor);
    if (code == SERVET_ERANGE) {
        measured_at = most_together(costs, layer, messages);
        code = servet_network_slowdown(costs->profile, layer, costs->bytes, measured_at, &factor);
    }
    if (code != SERVET_OK || !servet_value_known(&factor))
        return 1. / messages;
    double alone = srv_message_costs_alone(costs, layer, costs->bytes);
    double busy = srv_message_costs_busy(costs, layer, costs->bytes);
    double share = (1 + (factor.value - 1) * alone / busy) / measured_at;
    return is_doubtful(costs, layer, measured_at) ? fmin(share, 1) : share;
}

static bool ratio_of(const srv_message_costs *costs, servet_degradation what, int at,
                     servet_ratio *ratio)
{
    return servet_network_ratio(costs->profile, what, at, ratio) == SERVET_OK &&
           servet_value_known(&ratio->ratio);
}

/* Returns the share of a link that a message takes if the mean over all messages of a shift is
 * `times` times as long as a message alone: c messages on a link take c times that share, but not
 * less than one alone. */
static double share_of(const int *sharers, int nodes, double times)
{
    double low = 0, high = times;
    for (int step = 0; step < BISECTIONS; step++) {
        double share = (low + high) / 2, mean = 0;
        for (int node = 0; node < nodes; node++)
            mean += fmax(1, share * sharers[node]) / nodes;
        if (mean < times)
            low = share;
        else
            high = share;
    }
    return high;
}

static int most_of(const int *sharers, int nodes)
{
    int most = 0;
    for (int node = 0; node < nodes; node++)
        most = sharers[node] > most ? sharers[node] : most;
    return most;
}

/* Finds the share of a link that a message takes, from ratDist at the distances at which messages
 * share links. Of those whose messages are slower than alone the largest share counts, because
 * messages that go the other one of two equally long ways share less. If none are, as many messages
 * as shared a link do not fill it. A message alone fills a link of which nothing was measured. */
static int find_link(srv_message_costs *costs)
{
    const srv_torus *torus = &costs->known.torus;
    int nodes = srv_torus_nodes(torus), code = SERVET_OK;
    servet_ratios about = {.largest = 0};
    servet_ratio ratio;
    double slow = 0, free_for = 1;
    costs->link = costs->ends = 1;
    if (torus->count == 0 ||
        servet_network_ratios(costs->profile, SERVET_DEGRADATION_DISTANCE, &about) != SERVET_OK)
        return SERVET_OK;
    double alone = srv_message_costs_alone(costs, costs->known.layer, about.bytes);
    int *sharers = calloc((size_t)nodes, sizeof *sharers);
    if (!sharers)
        return SERVET_EMEMORY;
    for (int at = 1; at <= about.largest && code == SERVET_OK; at++) {
        if (!ratio_of(costs, SERVET_DEGRADATION_DISTANCE, at, &ratio) ||
            ratio.ratio.method == SERVET_METHOD_INTERPOLATED || ratio.nodes != nodes)
            continue;
        double times = about.bytes / ratio.bandwidth.value / alone;
        code = srv_torus_sharers(torus, at, sharers);
        int most = code == SERVET_OK ? most_of(sharers, nodes) : 0;
        if (most > 1 && times * FULL > 1)
            slow = fmax(slow, share_of(sharers, nodes, times));
        else if (most > 1)
            free_for = fmin(free_for, 1. / most);
    }
    free(sharers);
    double share = slow > 0 ? slow : free_for;
    costs->link = share > FULL ? 1 : share;
    costs->ends = costs->link == 1 ? 0 : 1;
    return code;
}

/* Returns the number of nodes with which ratDist was measured; 0 if it is not used. Several layers
 * between nodes, and links, describe pairs better than the mean over a distance. If only one
 * distance was measured, larger distances are not known. */
static int nodes_of_distances(const servet_profile *profile)
{
    servet_network_layer layer;
    servet_ratios about;
    servet_ratio first;
    int number;
    bool known = srv_layers_between(profile, &layer, &number) == 1 &&
                 servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about) == SERVET_OK &&
                 about.largest > 1 &&
                 servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, 1, &first) == SERVET_OK;
    return known ? first.nodes : 0;
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
                            "the profile has no message costs of communication layer %d", layer);
    srv_torus_get(profile, &costs->known);
    if (costs->known.torus.count == 0)
        costs->ring = nodes_of_distances(profile);
    return find_link(costs) == SERVET_OK ? SERVET_OK : srv_fail_memory(error);
}

/* Returns the share of each process: ratNC divided by the number of processes for which it was
 * measured. */
static double share_by_ratio(const srv_message_costs *costs, int processes, bool *same_nodes)
{
    servet_ratios about;
    servet_ratio first, ratio;
    if (servet_network_ratios(costs->profile, SERVET_DEGRADATION_ACCESS, &about) != SERVET_OK)
        return NAN;
    int measured_at = processes < about.largest ? processes : about.largest;
    if (!ratio_of(costs, SERVET_DEGRADATION_ACCESS, measured_at, &ratio) ||
        !ratio_of(costs, SERVET_DEGRADATION_ACCESS, 1, &first))
        return NAN;
    *same_nodes = ratio.nodes == first.nodes;
    return ratio.ratio.value / measured_at;
}

double srv_message_costs_access(const srv_message_costs *costs, int layer, int processes)
{
    bool same_nodes = false;
    double by_ratio = share_by_ratio(costs, processes, &same_nodes);
    if (same_nodes)
        return by_ratio;
    double together = 2 * srv_message_costs_share(costs, layer, 2 * processes);
    return isnan(by_ratio) ? together : fmax(by_ratio, together);
}

double srv_message_costs_distance(const srv_message_costs *costs, int layer, int steps)
{
    servet_ratios about;
    servet_ratio ratio;
    if (servet_network_ratios(costs->profile, SERVET_DEGRADATION_DISTANCE, &about) != SERVET_OK)
        return 1;
    int measured_at = steps < 1 ? 1 : steps > about.largest ? about.largest : steps;
    if (!ratio_of(costs, SERVET_DEGRADATION_DISTANCE, measured_at, &ratio))
        return 1;
    double together = about.bytes / ratio.bandwidth.value;
    return fmax(1, together / srv_message_costs_alone(costs, layer, about.bytes));
}
