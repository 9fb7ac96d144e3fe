/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, batches, distances, shares and halves of networks whose truth is known: the machines of
 * the papers, rings, stars and switches. */
#include "test.h"

#include "core/error.h"
#include "folder.h"
#include "sim/model.h"
#include "network_run.h"
#include "sample_cluster.h"

TEST_EACH(network_run_begin, network_run_end)

/* --- message sizes ---------------------------------------------------------------------------- */

/* The protocols of the model: 0.6 us and 2.217 GB/s, from 64 KiB on 4 us and 1.6 GB/s; and so on.
 */
TEST(protocols_of_dunnington_are_found)
{
    static const double truth[3][4] = {{0.6e-6, 2.217e9, 4e-6, 1.60e9},
                                       {0.8e-6, 1.861e9, 5e-6, 1.45e9},
                                       {1.5e-6, 0.777e9, 7e-6, 0.72e9}};
    network_run_open_shipped("dunnington", 24);
    network_run_measure(SRV_BIT(SRV_NETWORK_CURVES));
    for (int i = 0; i < 3; i++) {
        const view_layer *layer = &facts.layer[i];
        assert_int_equal(layer->protocol_count, 2);
        assert_true(layer->protocol[1].from.value == 65536);
        assert_true(layer->protocol[1].from.low > 0.95 * 65536);
        for (int k = 0; k < 2; k++) {
            is_near(&layer->protocol[k].latency, truth[i][2 * k], 0.01);
            is_near(&layer->protocol[k].bandwidth, truth[i][2 * k + 1], 0.01);
        }
        assert_true(layer->curve[0].bytes == 1);
        assert_true(layer->curve[layer->curve_count - 1].bytes == 1 << 25);
    }
}

/* --- many messages ---------------------------------------------------------------------------- */

static const servet_together *together(int layer, int messages, double bytes)
{
    for (int i = 0; i < facts.layer[layer].together_count; i++) {
        const servet_together *seen = &facts.layer[layer].together[i];
        if (seen->messages == messages && seen->bytes == bytes)
            return seen;
    }
    fail_msg("%d messages of %g bytes were not measured", messages, bytes);
    return NULL;
}

/* IPDPS'10, IV.D: a message between nodes is 7 times slower among 32. */
TEST(messages_of_finis_terrae_are_7_times_slower_with_32_at_once)
{
    network_run_open_shipped("finis-terrae", 142 * 16);
    options.layer_bytes = 16384;
    network_run_measure(SRV_BIT(SRV_NETWORK_SCALABILITY));
    is_near(&together(1, 1, 16384)->ratio, 1, 1e-9);
    is_near(&together(1, 32, 16384)->ratio, 7, 0.05);
}

/* All that share a link of 12.5 MB/s: 16 messages of 1 KiB take 50 us and 16 KiB of the link. */
TEST(messages_of_a_node_share_its_link)
{
    srv_model *model = sample_cluster(2, 16);
    model->layer[1].protocol[0].latency_us = 500;
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    network_run_open(model, 32);
    network_run_measure(SRV_BIT(SRV_NETWORK_SCALABILITY));
    is_near(&together(1, 32, 1024)->time, 500e-6 + 16 * 1024 / SAMPLE_LINK, 0.01);
}

/* --- batches ---------------------------------------------------------------------------------- */

/*
 * One node of two cores, 1 GB/s. Up to 4 KiB 2 us, and 2 us from message to message; from there on
 * 50 us, and a blocking send waits for the receiver. Eight of s bytes, apart and as one, in us:
 *
 *     s < 512        16 + s/1000 or more       2 + 8s/1000     one pays
 *     s < 4096       16 + s/1000, or 2 + 8s    50 + 8s/1000    one loses: it waits
 *     s < 50000      400 + s/1000              50 + 8s/1000    one pays: it waits once
 *     s >= 50000     50 + 8s/1000              50 + 8s/1000    even
 */
static srv_model *two_protocols(void)
{
    srv_model *model = sample_cluster(1, 2);
    model->layer[0].protocol_count = 2;
    model->layer[0].protocol[0] =
        (srv_model_protocol){.latency_us = 2, .bytes_per_second = 1e9, .gap_us = 2};
    model->layer[0].protocol[1] = (srv_model_protocol){
        .bytes = 4096, .latency_us = 50, .bytes_per_second = 1e9, .rendezvous = true};
    return model;
}

/* Range `index` of a number of messages in the first layer; NULL: it has fewer. */
static const servet_aggregation *range_of(int messages, int index)
{
    const view_layer *layer = &facts.layer[0];
    for (int i = 0; i < layer->aggregation_count; i++)
        if (layer->aggregation[i].messages == messages && index-- == 0)
            return &layer->aggregation[i];
    return NULL;
}

static void has_range(int messages, int index, servet_payoff payoff, double from, double below)
{
    const servet_aggregation *range = range_of(messages, index);
    assert_non_null(range);
    assert_int_equal(range->payoff, payoff);
    assert_float_equal(range->from / from, 1, 0.2);
    assert_float_equal(range->below / below, 1, 0.2);
    assert_true(range->unbounded == (range_of(messages, index + 1) == NULL));
}

static const servet_batch *batch_of(int messages, double bytes)
{
    const view_layer *layer = &facts.layer[0];
    for (int i = 0; i < layer->batch_count; i++)
        if (layer->batches[i].messages == messages && layer->batches[i].bytes == bytes)
            return &layer->batches[i];
    fail_msg("%d messages of %g bytes were not measured", messages, bytes);
    return NULL;
}

TEST(aggregation_pays_where_it_saves_time)
{
    network_run_open(two_protocols(), 2);
    network_run_measure(SRV_BIT(SRV_NETWORK_AGGREGATION));
    assert_int_equal(facts.layer_count, 1);
    has_range(8, 0, SERVET_PAYOFF_PAYS, 8, 512);
    has_range(8, 1, SERVET_PAYOFF_LOSES, 512, 4096);
    has_range(8, 2, SERVET_PAYOFF_PAYS, 4096, 50000);
    has_range(8, 3, SERVET_PAYOFF_EVEN, 50000, 131072);
    assert_null(range_of(8, 4));
    is_near(&batch_of(8, 128)->in_turn, 16.128e-6, 1e-4);
    is_near(&batch_of(8, 128)->at_once, 16.128e-6, 1e-4);
    is_near(&batch_of(8, 128)->as_one, 3.024e-6, 1e-4);
    is_near(&batch_of(8, 128)->gain, 16.128 / 3.024, 1e-4);
    is_near(&batch_of(8, 8192)->in_turn, 8 * 58.192e-6, 1e-4);
    is_near(&batch_of(8, 8192)->at_once, 58.192e-6 + 7 * 50e-6, 1e-4);
    is_near(&batch_of(8, 8192)->as_one, 50e-6 + 65.536e-6, 1e-4);
    is_near(&range_of(8, 3)->gain, 1, 1e-4);
}

/* A tenth of the messages takes five times as long, the others differ by 5 %. */
TEST(noise_does_not_decide_about_aggregation)
{
    srv_model *model = two_protocols();
    model->noise = (srv_model_noise){.jitter = 0.05, .outlier_share = 0.1, .outlier_factor = 5};
    network_run_open(model, 2);
    network_run_measure(SRV_BIT(SRV_NETWORK_AGGREGATION));
    assert_int_equal(batch_of(8, 128)->payoff, SERVET_PAYOFF_PAYS);
    assert_int_equal(batch_of(8, 2048)->payoff, SERVET_PAYOFF_LOSES);
    assert_int_equal(batch_of(8, 8192)->payoff, SERVET_PAYOFF_PAYS);
    assert_int_equal(batch_of(8, 131072)->payoff, SERVET_PAYOFF_EVEN);
    const servet_value *gain = &batch_of(8, 128)->gain;
    assert_true(gain->low < 16.128 / 3.024 && 16.128 / 3.024 < gain->high);
    has_range(8, 0, SERVET_PAYOFF_PAYS, 8, 512);
    has_range(8, 1, SERVET_PAYOFF_LOSES, 512, 4096);
}

/* Up to 2 MiB, each message takes 100 us, so that k messages take k times as long; or messages
 * follow each other without a gap. */
TEST(aggregation_may_pay_always_or_never)
{
    static const double below[][2] = {{2, 131072}, {8, 131072}, {32, 32768}, {128, 8192}};
    for (int never = 0; never < 2; never++) {
        srv_model *model = sample_cluster(1, 2);
        if (never)
            model->layer[0].protocol[0].gap_us = 0.001;
        else
            model->layer[0].protocol[0] =
                (srv_model_protocol){.latency_us = 100, .bytes_per_second = 1e12};
        network_run_open(model, 2);
        network_run_measure(SRV_BIT(SRV_NETWORK_AGGREGATION));
        for (int i = 0; i < 4; i++)
            has_range((int)below[i][0], 0, never ? SERVET_PAYOFF_EVEN : SERVET_PAYOFF_PAYS, 8,
                      below[i][1]);
        is_near(&range_of(2, 0)->gain, never ? 1 : 2, 0.01);
        is_near(&range_of(8, 0)->gain, never ? 1 : 8, 0.01);
    }
}

/* In 0.4 s, of which the layers' latencies take a part, not all batches are measured twice. */
TEST(batches_that_were_measured_once_are_not_trusted)
{
    network_run_open(two_protocols(), 2);
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    options.budget_seconds = 0.4;
    network_run_measure(SRV_BIT(SRV_NETWORK_AGGREGATION));
    const view_layer *layer = &facts.layer[0];
    assert_in_range(layer->batch_count, 1, 35);
    for (int i = 0; i < layer->batch_count; i++)
        assert_false(layer->batches[i].gain.trusted);
    assert_non_null(strstr(layer->doubt[SRV_NETWORK_AGGREGATION], "measured 1 time only"));
}

/* --- distance --------------------------------------------------------------------------------- */

static void ratios_are(const view_ratios *ratios, const double *truth, int count, double share)
{
    assert_int_equal(ratios->count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(ratios->ratio[i].at, i + 1);
        is_near(&ratios->ratio[i].ratio, truth[i], share);
    }
}

TEST(on_a_ring_distance_divides_bandwidth)
{
    static const double truth[] = {1, 2, 3, 4};
    network_run_open(sample_ring(8, 2), 16);
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    ratios_are(&facts.distance, truth, 4, 0.01);
    is_near(&facts.distance.ratio[0].bandwidth, SAMPLE_LINK, 0.01);
    assert_true(facts.distance.bytes == 1 << 23); /* 0.67 s */
    assert_int_equal(facts.done, SRV_BIT(SRV_NETWORK_DISTANCE));
}

TEST(the_user_chooses_nodes_and_size)
{
    static const double truth[] = {1, 2};
    network_run_open(sample_ring(8, 2), 16);
    options.nodes = 5; /* from the last to the first one it is 3 links the other way round */
    options.message_bytes = 1 << 20;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(facts.distance.count, 2);
    assert_true(facts.distance.bytes == 1 << 20);
    assert_int_equal(facts.distance.ratio[0].nodes, 5);
    assert_true(facts.distance.ratio[1].ratio.value > truth[0]);
}

TEST(without_limits_distance_does_not_matter)
{
    static const double truth[] = {1, 1, 1};
    network_run_open(sample_cluster(7, 1), 7);
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    ratios_are(&facts.distance, truth, 3, 0.01);
}

TEST(hector_slows_down_with_distance)
{
    network_run_open_shipped("hector", 16 * 32);
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(facts.distance.count, 8);
    for (int i = 1; i < 8; i++)
        assert_true(facts.distance.ratio[i].ratio.value >=
                    0.999 * facts.distance.ratio[i - 1].ratio.value);
    assert_true(facts.distance.ratio[7].ratio.value > 2);
}

/* --- access ----------------------------------------------------------------------------------- */

TEST(on_a_star_processes_share_the_access_link)
{
    static const double one[] = {1, 2, 3, 4}, two[] = {1, 1, 1.5, 2};
    for (int wide = 0; wide < 2; wide++) {
        srv_model *model = sample_cluster(8, 4);
        model->network.nic_bytes_per_second = SAMPLE_LINK * (1 + wide);
        network_run_open(model, 32);
        network_run_measure(SRV_BIT(SRV_NETWORK_ACCESS));
        ratios_are(&facts.access, wide ? two : one, 4, 0.01);
        assert_true(facts.access.constant_total);
        assert_int_equal(facts.access.ratio[0].nodes, 8);
        assert_int_equal(facts.access.ratio[1].nodes, 4);
        assert_int_equal(facts.access.ratio[3].nodes, 2);
    }
}

TEST(on_few_nodes_the_total_bandwidth_is_not_constant)
{
    static const double truth[] = {1, 2, 3, 4};
    srv_model *model = sample_cluster(3, 4);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    network_run_open(model, 12);
    network_run_measure(SRV_BIT(SRV_NETWORK_ACCESS));
    ratios_are(&facts.access, truth, 4, 0.01);
    assert_false(facts.access.constant_total);
    for (int i = 0; i < 4; i++)
        assert_int_equal(facts.access.ratio[i].nodes, 3);
}

/* Servet 3.0, 6: no difference between one and two processes of a node, more and more from four on.
 */
TEST(hector_slows_down_from_four_processes_on)
{
    network_run_open_shipped("hector", 64 * 32);
    network_run_measure(SRV_BIT(SRV_NETWORK_ACCESS));
    const servet_ratio *ratio = facts.access.ratio;
    assert_int_equal(facts.access.count, 32);
    assert_true(facts.access.constant_total);
    is_near(&ratio[1].ratio, 1, 0.05);
    assert_true(ratio[3].ratio.value > 1.5);
    for (int i = 4; i < 32; i++)
        assert_true(ratio[i].ratio.value > ratio[i - 1].ratio.value);
}

/* --- random halves ---------------------------------------------------------------------------- */

static void measure_halves(srv_model *model, int ranks, servet_bisection *halves)
{
    network_run_open(model, ranks);
    network_run_measure(SRV_BIT(SRV_NETWORK_BISECTION));
    assert_ok(servet_network_bisection(measured, halves));
}

static servet_node_rate node_rate(int node)
{
    servet_node_rate rate;
    assert_ok(SERVET_ITEM(measured, "network.node_rates", &rate, node + 1));
    return rate;
}

/* A switch for all nodes, whose cables have a tenth of what their cores could send: both directions
 * of all couples go at once. One cable has a quarter. */
TEST(a_slow_cable_makes_its_node_an_outlier)
{
    servet_bisection halves;
    for (int slow = 0; slow < 2; slow++) {
        srv_model *model = sample_cluster_of(8, 4, 1.25e9, 0, 0);
        model->network = (srv_model_network){.type = SRV_NETWORK_TREE,
                                             .dimension_count = 1,
                                             .dimensions = {8},
                                             .oversubscription = {1},
                                             .link_bytes_per_second = 1.25e8,
                                             .slow_link_count = slow,
                                             .slow_link = {{.node = 5, .byte_factor = 4}}};
        measure_halves(model, 8, &halves);
        assert_int_equal(halves.nodes, 8);
        assert_int_equal(halves.processes, 1);
        is_near(&halves.bandwidth, (slow ? 3.25 : 4) * 1.25e8, 0.01);
        for (int i = 0; i < 8; i++) {
            servet_node_rate rate = node_rate(i);
            is_near(&rate.bandwidth, slow && i == 5 ? 1.25e8 / 4 : 1.25e8, 0.01);
            is_near(&halves.usual, 1.25e8, 0.01);
            assert_true(rate.slow == (slow && i == 5) && !rate.noisy);
        }
    }
}

/* The processes of a node share its interface. */
TEST(all_processes_of_a_node_take_part_in_its_half)
{
    servet_bisection halves;
    srv_model *model = sample_cluster(6, 4);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    measure_halves(model, 24, &halves);
    assert_int_equal(halves.processes, 4);
    is_near(&halves.bandwidth, 3 * SAMPLE_LINK, 0.02);
}

/* Two leaf switches of eight nodes, 2:1: the uplinks carry four cables, which is the least that
 * halves can have. If x couples are of both leaves, they divide the uplinks among them. */
TEST(halves_of_a_fat_tree_have_the_bandwidth_of_its_uplinks)
{
    char path[TEST_PATH_MAX], *text, *line, *rest;
    double rate[12][16];
    int partner[12][16], across[12] = {0}, seen = 0, crowded = 0;
    servet_bisection halves;
    srv_model *model = sample_cluster_of(16, 4, 1.25e9, 0, 0);
    model->network = (srv_model_network){.type = SRV_NETWORK_TREE,
                                         .dimension_count = 2,
                                         .dimensions = {8, 2},
                                         .oversubscription = {2, 1},
                                         .link_bytes_per_second = 1.25e8};
    assert_int_equal(make_folder(NULL), 0);
    network_run_open(model, 16);
    options.raw_dir = folder;
    network_run_measure(SRV_BIT(SRV_NETWORK_BISECTION));
    assert_ok(servet_network_bisection(measured, &halves));
    assert_true(halves.bandwidth.value >= 4 * 1.25e8);
    snprintf(path, sizeof path, "%s/bisection.csv", folder);
    text = rest = test_read_file(path, NULL);
    while ((line = strtok_r(rest, "\n", &rest))) {
        int division, node, other;
        double bytes;
        if (sscanf(line, "%d,%d,%d,%lf", &division, &node, &other, &bytes) != 4)
            continue;
        rate[division][node] = bytes;
        partner[division][node] = other;
        across[division] += node < 8 && other >= 8;
        seen++;
    }
    free(text);
    assert_int_equal(remove_folder(NULL), 0);
    assert_int_equal(seen, 12 * 16);
    for (int d = 0; d < 12; d++)
        for (int i = 0; i < 16; i++) {
            bool is_across = i / 8 != partner[d][i] / 8;
            double share = is_across && across[d] > 4 ? 4.0 / across[d] : 1;
            assert_int_equal(partner[d][partner[d][i]], i);
            assert_float_equal(rate[d][i] / (share * 1.25e8), 1, 0.01);
            crowded += share < 1;
        }
    assert_true(crowded > 0);
}

/* --- jobs of all shapes ----------------------------------------------------------------------- */

TEST(one_rank_alone_has_no_results)
{
    network_run_open(sample_cluster(4, 4), 1);
    network_run_measure(0);
    assert_int_equal(facts.layer_count, 0);
    assert_int_equal(facts.distance.count + facts.access.count, 0);
    assert_int_equal(facts.done, SRV_BIT(SRV_NETWORK_BENCHMARK_COUNT) - 1);
}

TEST(one_node_has_no_network)
{
    static const char *const node[] = {"0:0-3"};
    network_run_open(sample_cluster(4, 4), 4);
    network_run_measure(0);
    assert_int_equal(facts.layer_count, 1);
    network_run_has_groups(0, node, 1);
    assert_true(facts.layer[0].curve_count > 0 && facts.layer[0].together_count > 0);
    assert_int_equal(facts.distance.count + facts.access.count, 0);
    servet_bisection halves;
    assert_code(servet_network_bisection(measured, &halves), SERVET_EUNMEASURED);
}

/* The last of seven nodes has one rank, the others have four. */
TEST(nodes_may_have_different_numbers_of_ranks)
{
    static const char *const nodes[] = {"0:0-3", "1:0-3", "2:0-3", "3:0-3", "4:0-3", "5:0-1"};
    static const char *const all[] = {"0-4:0-3,5:0-1,6:0"};
    static const double truth[] = {1};
    srv_rank ranks[23];
    for (int i = 0; i < 20; i++)
        ranks[i] = (srv_rank){i / 4, i % 4};
    ranks[20] = (srv_rank){5, 0};
    ranks[21] = (srv_rank){5, 1};
    ranks[22] = (srv_rank){6, 0};
    srv_model *model = sample_cluster(7, 4);
    model->network.nic_bytes_per_second = SAMPLE_LINK;
    network_run_open_places(model, ranks, 23);
    network_run_measure(0);
    assert_int_equal(facts.layer_count, 2);
    network_run_has_groups(0, nodes, 6);
    network_run_has_groups(1, all, 1);
    assert_int_equal(facts.distance.count, 3);
    ratios_are(&facts.access, truth, 1, 0.01);
}

/* --- collective operations -------------------------------------------------------------------- */

static void operation_takes(servet_collective_op op, int ranks, int groups, double bytes,
                            double seconds)
{
    servet_collective at;
    servet_value time;
    for (int i = 1; SERVET_ITEM(measured, "network.collectives", &at, i) == SERVET_OK; i++)
        if (at.op == op && at.ranks == ranks && at.groups == groups && at.bytes == bytes) {
            is_near(&at.time, seconds, 1e-3);
            assert_ok(servet_network_collective_predict(measured, op, bytes, ranks, groups, &time));
            assert_float_equal(time.value / seconds, 1, 2e-3); /* a barrier sends one byte */
            return;
        }
    fail_msg("%s of %d ranks in %d groups was not measured", servet_collective_name(op), ranks,
             groups);
}

/* Two nodes of four cores: 1 us and 4 GB/s within a node, 50 us and 12.5 MB/s between them. */
TEST(collective_operations_of_a_job_and_of_its_nodes)
{
    network_run_open(sample_cluster(2, 4), 8);
    network_run_measure(SRV_BIT(SRV_NETWORK_COLLECTIVES));
    assert_int_equal(facts.layer_count, 2);
    operation_takes(SERVET_COLLECTIVE_BARRIER, 8, 1, 0, 3 * 50e-6);
    operation_takes(SERVET_COLLECTIVE_BROADCAST, 8, 1, 8, 2 * 1.002e-6 + 50.64e-6);
    operation_takes(SERVET_COLLECTIVE_ALLREDUCE, 8, 1, 8, 2 * 1.002e-6 + 50.64e-6);
    for (int groups = 1; groups <= 2; groups++) {
        operation_takes(SERVET_COLLECTIVE_BARRIER, 4, groups, 0, 2 * 1e-6);
        operation_takes(SERVET_COLLECTIVE_ALLREDUCE, 4, groups, 8, 2 * 1.002e-6);
        operation_takes(SERVET_COLLECTIVE_ALLTOALL, 4, groups, 32768, 3 * (1e-6 + 32768 / 4e9));
    }
}
