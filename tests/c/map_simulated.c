/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares predicted with simulated times: a simulated network is measured, processes are placed
 * by its profile, and then all their messages are sent over it at once. */
#include "test.h"

#include "sim/messages.h"
#include "run/network/network.h"
#include "sample_cluster.h"
#include "map_machine.h"

enum { NODES = 8, CORES = 4, RANKS = NODES * CORES, BYTES = 1 << 20 };

/* The model neglects sequences of bottlenecks, and uses ratNC, measured with other neighbours, for
 * every way out of a node: most predictions are close, and none is far off. The compared placements
 * depend on whether Scotch is available. */
static const double close_enough = 0.25, far_off = 0.5, mostly = 0.95;

static srv_network *network;
static servet_profile *profile;

/* --- the network, measured -------------------------------------------------------------------- */

static void record_nodes(void)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count, index;
    servet_machine machine = {.memory_bytes = 1e9, .page_bytes = 4096};
    assert_int_equal(
        network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, NULL), 0);
    assert_int_equal(node_count, NODES);
    snprintf(machine.hostname, sizeof machine.hostname, "%s", nodes[0].name);
    snprintf(machine.cores, sizeof machine.cores, "%s", nodes[0].cores);
    machine.pu_count = machine.core_count = CORES;
    machine.package_count = machine.numa_count = 1;
    assert_int_equal(servet_profile_add_class(profile, "node", &machine, &index, NULL), 0);
    for (int i = 0; i < NODES; i++)
        assert_int_equal(servet_profile_add_node(profile, index, nodes[i].name, NULL), 0);
}

static int setup(void **state)
{
    (void)state;
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    options.message_bytes = BYTES;
    assert_int_equal(servet_profile_create(&profile, NULL), 0);
    assert_int_equal(
        srv_messages_from(&network, sample_two_leaves(NODES, CORES), NULL, RANKS, NULL), 0);
    assert_int_equal(srv_measure_network(network, &options, profile, NULL), 0);
    record_nodes();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    srv_network_destroy(network);
    servet_profile_close(profile);
    return 0;
}

/* --- programs --------------------------------------------------------------------------------- */

/* Each rank sends to one and receives from one; or to itself, and then not at all. */
typedef struct program {
    int processes, to[RANKS];
    servet_traffic *traffic;
} program;

static int other_of(const program *made, int kind, int rank)
{
    int n = made->processes, columns = n == 8 ? 2 : 4, rows = n / columns;
    const int to[] = {(rank + 1) % n, (rank + n / 2) % n, n - 1 - rank,
                      rank % columns * rows + rank / columns};
    return to[kind];
}

enum { KINDS = 4, RANDOM_KINDS = 4 };

static void shuffle(program *made, unsigned seed)
{
    for (int i = made->processes - 1; i > 0; i--) {
        seed = seed * 1103515245u + 12345u;
        int j = (int)((seed >> 16) % (unsigned)(i + 1)), other = made->to[j];
        made->to[j] = made->to[i];
        made->to[i] = other;
    }
}

static void make_program(program *made, int processes, int kind)
{
    *made = (program){.processes = processes};
    for (int rank = 0; rank < processes; rank++)
        made->to[rank] = kind < KINDS ? other_of(made, kind, rank) : rank;
    if (kind >= KINDS)
        shuffle(made, (unsigned)kind);
    made->traffic = map_traffic(processes);
    for (int rank = 0; rank < processes; rank++)
        map_send(made->traffic, rank, made->to[rank], BYTES);
}

/* --- both answers ----------------------------------------------------------------------------- */

/* The job's ranks fill one node after the other. */
static int rank_at(const servet_map *map, int rank)
{
    servet_map_process process = map_at(map, rank);
    return process.node * CORES + process.cores[0];
}

static double simulated(const servet_map *map, const program *run)
{
    srv_rank_pair pairs[RANKS];
    srv_spread times[RANKS];
    int count = 0;
    double longest = 0;
    for (int rank = 0; rank < run->processes; rank++)
        if (run->to[rank] != rank)
            pairs[count++] = (srv_rank_pair){rank_at(map, rank), rank_at(map, run->to[rank])};
    const srv_exchange exchange = {
        .pairs = pairs, .count = count, .bytes = BYTES, .flow = SRV_FLOW_ONE_WAY, .seconds = 0.01};
    assert_int_equal(network->ops->exchange(network, &exchange, times, NULL), 0);
    for (int i = 0; i < count; i++)
        longest = fmax(longest, times[i].median);
    return longest;
}

static double predicted(const servet_map *map, const program *run)
{
    servet_map_cost cost;
    assert_int_equal(servet_map_predict(map, profile, run->traffic, &cost, NULL), 0);
    return cost.seconds;
}

typedef struct comparison {
    int all, close;
} comparison;

/* The simulated time in an order, for comparison with the predicted time. */
static double seconds_of(const program *run, servet_order order, comparison *compared)
{
    const servet_map_request request = {.processes = run->processes,
                                        .code = SERVET_CODE_COMMUNICATION,
                                        .order = order,
                                        .traffic = run->traffic};
    servet_map *map = map_made(profile, request);
    double seconds = simulated(map, run), expected = predicted(map, run);
    compared->all++;
    compared->close += fabs(expected - seconds) <= close_enough * seconds;
    if (!(fabs(expected - seconds) <= far_off * seconds))
        fail_msg("%d processes, %s: %g s predicted, %g s taken", run->processes,
                 servet_order_name(order), expected, seconds);
    return seconds;
}

TEST(simulated_times_match_predictions_and_are_never_slower)
{
    program run;
    comparison compared = {0, 0};
    double gain = 0;
    for (int processes = 8; processes <= RANKS; processes *= 2)
        for (int kind = 0; kind < KINDS + RANDOM_KINDS; kind++) {
            make_program(&run, processes, kind);
            double own = seconds_of(&run, SERVET_ORDER_SERVET, &compared);
            double block = seconds_of(&run, SERVET_ORDER_BLOCK, &compared);
            double cyclic = seconds_of(&run, SERVET_ORDER_CYCLIC, &compared);
            assert_true(own <= 1.02 * fmin(block, cyclic));
            gain = fmax(gain, fmin(block, cyclic) / own);
        }
    assert_true(gain > 1.5);
    assert_true(compared.close >= mostly * compared.all);
}

TEST_MAIN_GROUP(setup, teardown)
