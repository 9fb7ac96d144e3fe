/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a network: times of messages computed by hand. */
#include "test.h"

#include "alloc.h"
#include "sim/messages.h"
#include "sample_cluster.h"

static srv_network *network;
static srv_spread times[16];

static void open(srv_model *model, const srv_rank *ranks, int count)
{
    network = network_of_model(model, ranks, count);
}

static int send_over(const srv_rank_pair *pairs, int count, double bytes, srv_flow flow,
                     servet_error *error)
{
    const srv_exchange exchange = {pairs, count, bytes, flow, SRV_BUFFERS_WARM, 1e-3};
    return network->ops->exchange(network, &exchange, times, error);
}

static void takes(const srv_rank_pair *pairs, int count, double bytes, srv_flow flow,
                  double seconds)
{
    assert_ok(send_over(pairs, count, bytes, flow, NULL));
    for (int i = 0; i < count; i++) {
        assert_float_equal(times[i].median / seconds, 1, 1e-9);
        assert_true(times[i].n >= 3);
    }
}

TEST(ranks_fill_one_node_after_another)
{
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    open(sample_cluster(4, 3), NULL, 7);
    assert_ok(network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, NULL));
    assert_int_equal(rank_count, 7);
    assert_int_equal(node_count, 3);
    for (int i = 0; i < 7; i++)
        assert_true(ranks[i].node == i / 3 && ranks[i].core == i % 3);
    assert_string_equal(nodes[1].cores, "0-2");
    assert_string_equal(nodes[2].cores, "0");
    assert_int_equal(nodes[2].rank_count, 1);
}

TEST(nodes_are_numbered_by_their_first_ranks)
{
    const srv_rank placed[] = {{5, 2}, {1, 0}, {5, 0}};
    const srv_rank *ranks;
    const srv_network_node *nodes;
    int rank_count, node_count;
    open(sample_cluster(8, 3), placed, 3);
    network->ops->describe(network, &ranks, &rank_count, &nodes, &node_count, NULL);
    assert_int_equal(node_count, 2);
    assert_true(ranks[0].node == 0 && ranks[1].node == 1 && ranks[2].node == 0);
    assert_string_equal(nodes[0].cores, "0,2");
    assert_string_not_equal(nodes[0].name, nodes[1].name);
}

TEST(invalid_rank_locations_are_refused)
{
    static const srv_rank wrong[][2] = {{{0, 0}, {4, 0}}, {{0, 0}, {0, 9}}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(srv_messages_from(&network, sample_cluster(4, 3), wrong[i], 2, NULL),
                         SERVET_EARGUMENT);
    assert_int_equal(srv_messages_from(&network, sample_cluster(4, 3), NULL, 13, NULL),
                     SERVET_EARGUMENT);
    assert_int_equal(srv_messages_from(&network, sample_cluster(4, 3), NULL, 0, NULL),
                     SERVET_EARGUMENT);
}

/* 1 us and 4 GB/s inside, 50 us and 12.5 MB/s between nodes. */
TEST(messages_take_latency_and_bytes)
{
    open(sample_cluster(2, 2), NULL, 4);
    takes((const srv_rank_pair[]){{0, 1}}, 1, 4000, SRV_FLOW_PING_PONG, 2e-6);
    takes((const srv_rank_pair[]){{0, 1}}, 1, 4000, SRV_FLOW_ONE_WAY, 2e-6);
    takes((const srv_rank_pair[]){{0, 2}}, 1, 12500, SRV_FLOW_PING_PONG, 1050e-6);
    takes((const srv_rank_pair[]){{3, 0}}, 1, 0, SRV_FLOW_PING_PONG, 50e-6);
}

static void batch_takes(int batch, double bytes, srv_flow flow, double seconds)
{
    const srv_rank_pair pair = {0, 1};
    const srv_exchange exchange = {
        .pairs = &pair, .count = 1, .bytes = bytes, .flow = flow, .seconds = 1e-3, .batch = batch};
    srv_spread time;
    assert_ok(network->ops->exchange(network, &exchange, &time, NULL));
    assert_float_equal(time.median / seconds, 1, 1e-9);
}

/* LogGP: 1 us and 4 GB/s, a gap of 0.25 us; from 8000 bytes on a rendezvous of 3 us. */
TEST(a_batch_takes_gaps_or_bytes)
{
    srv_model *model = sample_cluster(1, 2);
    model->layer[0].protocol_count = 2;
    model->layer[0].protocol[0].gap_us = 0.25;
    model->layer[0].protocol[1] = (srv_model_protocol){
        .bytes = 8000, .latency_us = 3, .bytes_per_second = 4e9, .rendezvous = true};
    open(model, NULL, 2);
    batch_takes(1, 400, SRV_FLOW_AT_ONCE, 1.1e-6);
    batch_takes(5, 400, SRV_FLOW_AT_ONCE, 1.1e-6 + 4 * 0.25e-6);
    batch_takes(5, 400, SRV_FLOW_PING_PONG, 1.1e-6 + 4 * 0.25e-6);
    batch_takes(5, 4000, SRV_FLOW_PING_PONG, 2e-6 + 4 * 1e-6);
    batch_takes(5, 8000, SRV_FLOW_PING_PONG, 5 * 5e-6);
    batch_takes(5, 8000, SRV_FLOW_AT_ONCE, 5e-6 + 4 * 3e-6);
    batch_takes(5, 16000, SRV_FLOW_AT_ONCE, 7e-6 + 4 * 4e-6);
}

TEST(an_invalid_batch_is_refused)
{
    const srv_rank_pair pair = {0, 1};
    const struct {
        srv_flow flow;
        int batch;
        double bytes;
    } wrong[] = {{SRV_FLOW_ONE_WAY, 2, 8},
                 {SRV_FLOW_AT_ONCE, SRV_BATCH_MAX + 1, 8},
                 {SRV_FLOW_AT_ONCE, -1, 8},
                 {SRV_FLOW_PING_PONG, 64, 64 << 20}};
    srv_spread time;
    open(sample_cluster(1, 2), NULL, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        srv_exchange exchange = {
            &pair, 1, wrong[i].bytes, wrong[i].flow, SRV_BUFFERS_WARM, 1e-3, wrong[i].batch};
        assert_int_equal(network->ops->exchange(network, &exchange, &time, NULL), SERVET_EARGUMENT);
    }
}

/* Two messages in each direction use both links between the neighbours. */
TEST(concurrent_messages_share_links)
{
    open(sample_ring(4, 2), NULL, 8);
    const srv_rank_pair pairs[] = {{0, 2}, {1, 3}};
    takes(pairs, 2, 12500, SRV_FLOW_PING_PONG, 2050e-6);
    takes(pairs, 2, 12500, SRV_FLOW_ONE_WAY, 2050e-6);
    const srv_rank_pair exchange[] = {{0, 2}, {2, 0}};
    takes(exchange, 2, 12500, SRV_FLOW_ONE_WAY, 1050e-6);
}

/* Eight nodes that each need 50 us and 80 ns a byte: the rounds of the fastest algorithm, which
 * changes with the size (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005). */
TEST(collective_operations_take_their_rounds)
{
    static const struct {
        servet_collective_op op;
        double bytes, us;
    } truth[] = {
        {SERVET_COLLECTIVE_BARRIER, 0, 3 * 50},
        {SERVET_COLLECTIVE_BROADCAST, 8, 3 * (50 + 0.64)},
        {SERVET_COLLECTIVE_REDUCE, 8, 3 * (50 + 0.64)},
        {SERVET_COLLECTIVE_ALLREDUCE, 8, 3 * (50 + 0.64)},
        {SERVET_COLLECTIVE_ALLGATHER, 8, 3 * 50 + 7 * 0.64},
        {SERVET_COLLECTIVE_ALLTOALL, 8, 3 * (50 + 4 * 0.64)},
        /* seven eighths in three rounds, and seven rounds of an eighth */
        {SERVET_COLLECTIVE_BROADCAST, 1e6, 3 * 50 + 70000 + 7 * (50 + 10000)},
        /* seven eighths in three rounds, twice */
        {SERVET_COLLECTIVE_REDUCE, 1e6, 2 * (3 * 50 + 70000)},
        {SERVET_COLLECTIVE_ALLREDUCE, 1e6, 2 * (3 * 50 + 70000)},
        {SERVET_COLLECTIVE_ALLGATHER, 1e6, 3 * 50 + 7 * 80000},
        {SERVET_COLLECTIVE_ALLTOALL, 1e6, 7 * (50 + 80000)},
    };
    srv_rank_pair all[8];
    open(sample_cluster(8, 1), NULL, 8);
    for (int i = 0; i < 8; i++)
        all[i] = (srv_rank_pair){0, i};
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++)
        takes(all, 8, truth[i].bytes, (srv_flow)(SRV_FLOW_COLLECTIVE + (int)truth[i].op),
              1e-6 * truth[i].us);
    /* Two of six give their part to a neighbour before four do it, and get the result after. */
    takes(all, 6, 8, (srv_flow)(SRV_FLOW_COLLECTIVE + SERVET_COLLECTIVE_ALLREDUCE),
          4 * (50e-6 + 0.64e-6));
}

/* Node 0 sends to node 2 and node 1 to node 3: on a ring both use the link from 1 to 2. */
TEST(groups_at_once_share_links)
{
    const srv_flow broadcast = (srv_flow)(SRV_FLOW_COLLECTIVE + SERVET_COLLECTIVE_BROADCAST);
    const srv_rank_pair groups[] = {{0, 0}, {0, 2}, {1, 1}, {1, 3}};
    open(sample_ring(8, 1), NULL, 8);
    takes(groups, 2, 12504, broadcast, 50e-6 + 12504 / SAMPLE_LINK);
    takes(groups, 4, 12504, broadcast, 50e-6 + 2 * 12504 / SAMPLE_LINK);
}

TEST(invalid_groups_are_refused)
{
    const srv_flow broadcast = (srv_flow)(SRV_FLOW_COLLECTIVE + SERVET_COLLECTIVE_BROADCAST);
    static const srv_rank_pair wrong[][2] = {{{0, 1}, {0, 0}}, {{0, 0}, {0, 0}}, {{0, 0}, {0, 9}}};
    open(sample_cluster(2, 1), NULL, 2);
    for (int i = 0; i < 3; i++)
        assert_int_equal(send_over(wrong[i], 2, 8, broadcast, NULL), SERVET_EARGUMENT);
    const srv_rank_pair both[] = {{0, 0}, {0, 1}};
    assert_int_equal(send_over(both, 2, 7, broadcast, NULL), SERVET_EARGUMENT);
    assert_ok(send_over(both, 2, 8, broadcast, NULL));
}

TEST(a_rank_is_in_one_pair)
{
    static const srv_rank_pair wrong[][2] = {{{0, 1}, {1, 2}}, {{0, 1}, {0, 2}}, {{0, 1}, {2, 1}}};
    static const srv_rank_pair none[] = {{0, 0}, {0, 9}, {-1, 0}};
    servet_error error = SERVET_ERROR_INIT;
    open(sample_cluster(2, 2), NULL, 4);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(send_over(wrong[i], 2, 8, SRV_FLOW_PING_PONG, NULL), SERVET_EARGUMENT);
        assert_int_equal(send_over(&none[i], 1, 8, SRV_FLOW_ONE_WAY, NULL), SERVET_EARGUMENT);
    }
    assert_ok(send_over(wrong[0], 2, 8, SRV_FLOW_ONE_WAY, NULL));
    assert_int_equal(send_over(wrong[1], 2, 8, SRV_FLOW_ONE_WAY, NULL), SERVET_EARGUMENT);
    assert_int_equal(send_over(wrong[2], 2, 8, SRV_FLOW_ONE_WAY, &error), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "several pairs"));
    assert_int_equal(send_over(wrong[0], 0, 8, SRV_FLOW_ONE_WAY, NULL), SERVET_EARGUMENT);
    assert_int_equal(send_over(wrong[0], 1, 1e12, SRV_FLOW_ONE_WAY, NULL), SERVET_EARGUMENT);
}

/* A message of 12.5 MB takes a second: warming up and three samples, there and back, are eight. */
TEST(the_clock_counts_the_time_of_messages)
{
    open(sample_cluster(2, 1), NULL, 2);
    double before = network->ops->elapsed(network);
    const srv_rank_pair pair = {0, 1};
    send_over(&pair, 1, 12.5e6, SRV_FLOW_PING_PONG, NULL);
    double seconds = network->ops->elapsed(network) - before;
    assert_true(seconds > 8 && seconds < 8.1);
}

TEST(noise_spreads_samples_around_the_truth)
{
    srv_model *model = sample_cluster(2, 1);
    model->noise = (srv_model_noise){.jitter = 0.1, .outlier_share = 0.05, .outlier_factor = 10};
    open(model, NULL, 2);
    const srv_rank_pair pair = {0, 1};
    assert_ok(send_over(&pair, 1, 0, SRV_FLOW_PING_PONG, NULL));
    assert_float_equal(times[0].median / 50e-6, 1, 0.1);
    assert_true(times[0].high > 1.02 * times[0].low);
}

TEST(nodes_of_a_model_are_not_measured_through_a_network)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    srv_survey survey = {.options = &options};
    servet_error errors[2];
    open(sample_cluster(2, 1), NULL, 2);
    assert_int_equal(srv_network_measure_nodes(network, &survey, errors, NULL),
                     SERVET_EUNSUPPORTED);
}

static int open_and_send(void *context)
{
    (void)context;
    const srv_rank_pair pairs[] = {{0, 2}, {1, 3}};
    int code = srv_messages_create(&network, "finis-terrae", NULL, 20, NULL);
    if (code == SERVET_OK) {
        code = send_over(pairs, 2, 100, SRV_FLOW_PING_PONG, NULL);
        srv_network_destroy(network);
    }
    return code;
}

TEST(each_failed_allocation_is_reported)
{
    assert_true(alloc_fail_everywhere(open_and_send, NULL) > 10);
}
