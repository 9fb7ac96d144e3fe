/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/network.h"

#include <math.h>

#include "core/bit.h"
#include "facts/degradation/benchmark.h"
#include "sample/visit_seconds.h"

/* --- a probe ---------------------------------------------------------------------------------- */

/* Costs of an exchange: bytes to warm up with, or one message; seconds to command all ranks. */
static const double WARM_BYTES = 256 * 1024, TELL_SECONDS = 2e-3;

/* Messages of a sample, and samples at least. */
typedef struct flow {
    int messages, samples;
} flow;
static const flow ONE_WAY = {1, 5}, BOTH_WAYS = {2, 3};

/* Samples take `visit` seconds, or longer where messages do. */
static double probe(double byte_seconds, double bytes, double visit, flow way)
{
    double each = way.messages * byte_seconds;
    return TELL_SECONDS + each * fmax(bytes, WARM_BYTES) + fmax(visit, each * way.samples * bytes);
}

/* --- costs --------------------------------------------------------------------------------------
 * In seconds, from runs without a budget on models and virtual clusters (share/doc/measuring.md).
 */

/* Rounds of a round-robin schedule within nodes, twice, and between them, where fewer pairs go at
 * once. */
static double cost_layers(const srv_scale *scale)
{
    const double visit = SRV_VISIT_SECONDS, probes = 20;
    double bytes = scale->layer_bytes;
    double within = scale->within ? probes + 4 * scale->cores : 0;
    double between = scale->between ? probes + 6 * scale->nodes : 0;
    return within * probe(scale->byte_within, bytes, visit, BOTH_WAYS) +
           between * probe(scale->byte_between, bytes, visit, BOTH_WAYS);
}

/* One round of sizes that grow by the root of 2 up to the largest; further rounds take 5 s. */
static double cost_curve(double byte_seconds, double wanted)
{
    const double visit = SRV_PAIR_SECONDS, rounds = 5, sizes = 50;
    double all = srv_messaging_largest(byte_seconds, wanted) / (1 - sqrt(0.5));
    return rounds + sizes * probe(0, 1, visit, BOTH_WAYS) + probe(byte_seconds, all, 0, BOTH_WAYS);
}

static double cost_curves(const srv_scale *scale)
{
    return scale->within * cost_curve(scale->byte_within, scale->message_bytes) +
           scale->between * cost_curve(scale->byte_between, scale->message_bytes);
}

/* Small sizes take no longer than a visit, the largest as long as its messages: those of a node's
 * cores share its link. */
static double cost_concurrent(double byte_seconds, int messages, int sharing)
{
    const double visit = SRV_TOGETHER_SECONDS, largest = 1 << 20, small_sizes = 3;
    double cost = 0;
    for (int number = 1; number <= messages; number *= 2)
        cost += small_sizes * probe(0, 1, visit, ONE_WAY) +
                probe(byte_seconds * fmin(number, sharing), largest, visit, ONE_WAY);
    return cost;
}

static double cost_scalability(const srv_scale *scale)
{
    return scale->within * cost_concurrent(scale->byte_within, scale->cores, 1) +
           scale->between *
               cost_concurrent(scale->byte_between, scale->nodes * scale->cores, scale->cores);
}

/* `power` of the number is how many messages share a link. */
static double cost_numbers(const srv_scale *scale, int last, double power)
{
    const double visit = SRV_SHIFT_SECONDS;
    double cost = 0;
    if (scale->sender_nodes < 2)
        return 0;
    for (int number = 1; number <= last; number = srv_network_next_number(number, last))
        cost +=
            probe(scale->byte_between * pow(number, power), scale->message_bytes, visit, ONE_WAY);
    return cost;
}

/* Between the 1 of a network with a link for everybody and the distance itself, on a ring. */
static double cost_distance(const srv_scale *scale)
{
    return cost_numbers(scale, scale->sender_nodes / 2, 0.5);
}

/* The processes of a node share its link. */
static double cost_access(const srv_scale *scale)
{
    return cost_numbers(scale, scale->sender_processes, 1);
}

/* Sizes grow fourfold up to the largest, in each of three ways; small ones take no longer than a
 * visit. There are six rounds, and about as many visits of one of them to sizes that are added. */
static double cost_batches(double byte_seconds)
{
    const double visit = SRV_MOMENT_SECONDS, ways = 3, numbers = 4, batches = 36;
    double largest = fmin(2 << 20, 10e-3 / byte_seconds);
    double round = ways * (batches * probe(0, 1, visit, BOTH_WAYS) +
                           numbers * probe(byte_seconds, 2 * largest, 0, BOTH_WAYS));
    return 7 * round;
}

static double cost_aggregation(const srv_scale *scale)
{
    return scale->within * cost_batches(scale->byte_within) +
           scale->between * cost_batches(scale->byte_between);
}

/* --- the table -------------------------------------------------------------------------------- */

/* How wrong the costs of messages may be. */
#define DOUBT 3

#define NEED_LAYERS SRV_BIT(SRV_NETWORK_LAYERS)

#define ROW(number, word, words, needed, cost_of, by, raw, measures, stored)                       \
    {                                                                                              \
        .id = number, .name = word, .what = words, .needs = needed, .cost = cost_of,               \
        .doubt = DOUBT, .witness = by, .series = raw, .run.job = measures, .facts = stored         \
    }

/* Most other benchmarks need layers. If a layer is not trusted, their number is not, either. */
const srv_benchmark srv_network_plan[] = {
    ROW(SRV_NETWORK_LAYERS, "layers", "layers of communication", 0, cost_layers, SRV_WITNESS_LAYER,
        "layers-*.csv", srv_network_measure_layers,
        "network.layers.#.latency_us network.layers.#.bandwidth network.layers.#.confidence "
        "network.layers.#.groups network.layers.#.from network.layers.#.to network.layers.count"),
    ROW(SRV_NETWORK_CURVES, "curves", "message sizes", NEED_LAYERS, cost_curves, SRV_WITNESS_PAIR,
        "messages-*.csv", srv_network_measure_curves,
        "network.layers.#.points network.layers.#.protocols"),
    ROW(SRV_NETWORK_SCALABILITY, "scalability", "messages at once", NEED_LAYERS, cost_scalability,
        SRV_WITNESS_MANY, "together-*.csv", srv_network_measure_scalability,
        "network.layers.#.together"),
    ROW(SRV_NETWORK_DISTANCE, "distance", "distances between nodes", 0, cost_distance,
        SRV_WITNESS_FIRST, "distance-ratio.csv", srv_network_measure_distance, "network.distance"),
    ROW(SRV_NETWORK_ACCESS, "access", "processes at the network", NEED_LAYERS, cost_access,
        SRV_WITNESS_ALL, "access-ratio.csv", srv_network_measure_access, "network.access"),
    ROW(SRV_NETWORK_AGGREGATION, "aggregation", "batches of messages", NEED_LAYERS,
        cost_aggregation, SRV_WITNESS_PAIR, "aggregation-*.csv", srv_network_measure_aggregation,
        "network.layers.#.batches network.layers.#.aggregation"),
    {0},
};
