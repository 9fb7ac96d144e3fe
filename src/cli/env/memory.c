/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints NUMA nodes by the bandwidth with which one core reads their memory. */
#include "cli/env/env.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "servet/node.h"

enum { WEIGHT_MAX = 255 }; /* limit of Linux */

/* A NUMA node, and the best bandwidth with which a core of any node reads its memory. */
typedef struct node {
    int number;
    bool has_cores;
    servet_value bandwidth;
    int weight;
} node;

/* Prints the lines for all nodes. */
typedef void node_printer(const env_source *from, const char *target, node *nodes, int count);

/* --- facts ------------------------------------------------------------------------------------ */

static servet_value best_bandwidth(const env_source *from, int count, int to)
{
    servet_value best = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND), now;
    for (int i = 0; i < count; i++)
        if (servet_numa_bandwidth(from->profile, &from->at, i, to, &now) == SERVET_OK &&
            (!servet_value_known(&best) || now.value > best.value))
            best = now;
    return best;
}

/* Reads the nodes. Returns the reason if a fact is not known; NULL if all are known. */
static const char *read_nodes(const env_source *from, node *nodes, int count)
{
    servet_numa numa;
    for (int i = 0; i < count; i++) {
        if (servet_numa_get(from->profile, &from->at, i, &numa) != SERVET_OK)
            return "numa.N.number: not measured";
        nodes[i] = (node){.number = numa.number,
                          .has_cores = *numa.cores != '\0',
                          .bandwidth = best_bandwidth(from, count, i)};
        if (!servet_value_known(&nodes[i].bandwidth) || !(nodes[i].bandwidth.value > 0))
            return "numa.N.bandwidth.M: not measured";
        if (!nodes[i].bandwidth.trusted)
            return "numa.N.bandwidth.M: not trusted";
    }
    return NULL;
}

static int with_nodes(const env_source *from, const char *target, node_printer *print,
                      servet_error *error)
{
    int count = 0;
    (void)servet_numa_count(from->profile, &from->at, &count);
    node *nodes = calloc((size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return srv_fail_memory(error);
    const char *doubt = count ? read_nodes(from, nodes, count) : "numa.count: not measured";
    if (count == 1)
        env_leave_out(from, target, false, "there is one NUMA node");
    else if (doubt)
        env_leave_out(from, target, true, doubt);
    else
        print(from, target, nodes, count);
    free(nodes);
    return SERVET_OK;
}

/* --- memkind ---------------------------------------------------------------------------------- */

/* Prints nodes without cores that are faster than all others: high-bandwidth memory beside DRAM. */
static void print_fast(const env_source *from, const char *target, node *nodes, int count)
{
    double slowest_fast = INFINITY, fastest_other = 0;
    int found = 0;
    for (int i = 0; i < count; i++)
        if (nodes[i].has_cores)
            fastest_other = fmax(fastest_other, nodes[i].bandwidth.high);
        else
            slowest_fast = fmin(slowest_fast, nodes[i].bandwidth.low);
    if (!isfinite(slowest_fast) || !(slowest_fast > fastest_other)) {
        env_leave_out(from, target, false,
                      "no NUMA node without cores has faster memory than those with cores "
                      "(numa.N.bandwidth.M)");
        return;
    }
    env_explain(from, "MEMKIND_HBW_NODES: nodes without cores whose memory one core reads faster "
                      "than its own: numa.N.bandwidth.M");
    env_mark_unproven("MEMKIND_HBW_NODES");
    env_print(from, "MEMKIND_HBW_NODES=");
    for (int i = 0; i < count; i++)
        if (!nodes[i].has_cores)
            env_print(from, "%s%d", found++ ? "," : "", nodes[i].number);
    env_print(from, "\n");
}

int env_print_fast_nodes(const env_source *from, const char *target, servet_error *error)
{
    return with_nodes(from, target, print_fast, error);
}

/* --- interleave ------------------------------------------------------------------------------- */

/* Computes the weights if the slowest node has weight `least`. Returns true if all ratios are
 * within the intervals. */
static bool weigh(node *nodes, int count, const node *slowest, int least)
{
    bool fits = true;
    for (int i = 0; i < count; i++) {
        const servet_value *own = &nodes[i].bandwidth, *other = &slowest->bandwidth;
        nodes[i].weight = (int)fmin(round(least * own->value / other->value), WEIGHT_MAX + 1);
        double ratio = (double)nodes[i].weight / least;
        fits = fits && (&nodes[i] == slowest ||
                        (ratio * other->high >= own->low && ratio * other->low <= own->high));
    }
    return fits;
}

static int largest_weight(const node *nodes, int count)
{
    int most = 0;
    for (int i = 0; i < count; i++)
        most = nodes[i].weight > most ? nodes[i].weight : most;
    return most;
}

/* Finds the smallest weights whose ratios are within the measured intervals; if there are none, the
 * largest weights. */
static void find_weights(node *nodes, int count)
{
    const node *slowest = nodes;
    for (int i = 1; i < count; i++)
        if (nodes[i].bandwidth.value < slowest->bandwidth.value)
            slowest = &nodes[i];
    int least = 1;
    while (!weigh(nodes, count, slowest, least) && largest_weight(nodes, count) <= WEIGHT_MAX)
        least++;
    while (largest_weight(nodes, count) > WEIGHT_MAX && least > 1)
        weigh(nodes, count, slowest, --least);
    for (int i = 0; i < count; i++)
        nodes[i].weight = nodes[i].weight > WEIGHT_MAX ? WEIGHT_MAX : nodes[i].weight;
}

static void print_weights(const env_source *from, const char *target, node *nodes, int count)
{
    bool differ = false;
    find_weights(nodes, count);
    for (int i = 1; i < count; i++)
        differ = differ || nodes[i].weight != nodes[0].weight;
    if (!differ) {
        env_leave_out(from, target, false,
                      "all memory is as fast: numactl --interleave does the same");
        return;
    }
    env_explain(from, "interleave_nodeN: ratio of the best bandwidths with which one core reads "
                      "each memory: numa.N.bandwidth.M");
    env_explain(from, "as root: echo $interleave_nodeN "
                      ">/sys/kernel/mm/mempolicy/weighted_interleave/nodeN; then "
                      "numactl -w $interleave_nodes PROGRAM");
    env_mark_unproven("these weights");
    for (int i = 0; i < count; i++)
        env_print(from, "%s%d", i ? "," : "interleave_nodes=", nodes[i].number);
    env_print(from, "\n");
    for (int i = 0; i < count; i++)
        env_print(from, "interleave_node%d=%d\n", nodes[i].number, nodes[i].weight);
}

int env_print_weights(const env_source *from, const char *target, servet_error *error)
{
    return with_nodes(from, target, print_weights, error);
}
