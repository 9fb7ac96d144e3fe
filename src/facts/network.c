/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/network.h"

#include <math.h>

#include "core/bit.h"
#include "facts/cost.h"
#include "facts/degradation/benchmark.h"
#include "sample/visit.h"

/* Rounds of a round-robin schedule, twice within nodes; fewer pairs at once between them. */
double srv_network_cost_layers(const srv_scale *scale)
{
    const double visit = SRV_VISIT_SECONDS, probes = 20;
    double bytes = scale->layer_bytes;
    double within = scale->within ? probes + 4 * scale->cores : 0;
    double between = scale->between ? probes + 6 * scale->nodes : 0;
    return within * srv_network_cost_probe(scale->byte_within, bytes, visit, true) +
           between * srv_network_cost_probe(scale->byte_between, bytes, visit, true);
}

/* One round of sizes that grow by the root of 2 up to the largest; further rounds take 5 s. */
static double cost_curve(double byte_seconds, double wanted)
{
    const double visit = SRV_PAIR_SECONDS, rounds = 5, sizes = 50;
    double all = srv_messaging_largest(byte_seconds, wanted) / (1 - sqrt(0.5));
    return rounds + sizes * srv_network_cost_probe(0, 1, visit, true) +
           srv_network_cost_probe(byte_seconds, all, 0, true);
}

double srv_network_cost_curves(const srv_scale *scale)
{
    return scale->within * cost_curve(scale->byte_within, scale->message_bytes) +
           scale->between * cost_curve(scale->byte_between, scale->message_bytes);
}

/* Small sizes take a visit; the largest as long as messages that share a node's link. */
static double cost_concurrent(double byte_seconds, int messages, int sharing)
{
    const double visit = SRV_TOGETHER_SECONDS, largest = 1 << 20, small_sizes = 3;
    double cost = 0;
    for (int number = 1; number <= messages; number *= 2)
        cost += small_sizes * srv_network_cost_probe(0, 1, visit, false) +
                srv_network_cost_probe(byte_seconds * fmin(number, sharing), largest, visit, false);
    return cost;
}

double srv_network_cost_scalability(const srv_scale *scale)
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
        cost += srv_network_cost_probe(scale->byte_between * pow(number, power),
                                       scale->message_bytes, visit, false);
    return cost;
}

/* Between the 1 of a network with a link for everybody and the distance itself, on a ring. */
double srv_network_cost_distance(const srv_scale *scale)
{
    return cost_numbers(scale, scale->sender_nodes / 2, 0.5);
}

/* The processes of a node share its link. */
double srv_network_cost_access(const srv_scale *scale)
{
    return cost_numbers(scale, scale->sender_processes, 1);
}

/* Sizes grow fourfold up to the largest, in each of three ways; small ones take no longer than a
 * visit. There are six rounds, and about as many visits of one of them to sizes that are added. */
static double cost_batches(double byte_seconds)
{
    const double visit = SRV_MOMENT_SECONDS, ways = 3, numbers = 4, batches = 36;
    double largest = fmin(2 << 20, 10e-3 / byte_seconds);
    double round = ways * (batches * srv_network_cost_probe(0, 1, visit, true) +
                           numbers * srv_network_cost_probe(byte_seconds, 2 * largest, 0, true));
    return 7 * round;
}

double srv_network_cost_aggregation(const srv_scale *scale)
{
    return scale->within * cost_batches(scale->byte_within) +
           scale->between * cost_batches(scale->byte_between);
}

/* How wrong the costs of messages may be. */
#define DOUBT 3

#define ROW(number, word, words, needed, measures, cost_of, by, raw, stored)                       \
    {.id = number,                                                                                 \
     .name = word,                                                                                 \
     .what = words,                                                                                \
     .needs = needed,                                                                              \
     .cost = cost_of,                                                                              \
     .doubt = DOUBT,                                                                               \
     .witness = by,                                                                                \
     .series = raw,                                                                                \
     .run.job = measures,                                                                          \
     .facts = stored},

const srv_benchmark srv_network_plan[] = {SRV_NETWORK_BENCHMARK_LIST(ROW){0}};
