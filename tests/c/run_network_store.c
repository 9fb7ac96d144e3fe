/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the facts that a measurement stores in a profile and that a resumed one continues with. */
#include "test.h"

#include "network_run.h"
#include "sim/messages.h"
#include "sample_cluster.h"

TEST_EACH(network_run_begin, network_run_end)

/* Benchmarks that were not requested stay unmeasured. */
TEST(partial_results_are_stored)
{
    int count;
    servet_ratios about;
    network_run_open(sample_ring(4, 1), 4);
    options.message_bytes = 1 << 20;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_code(servet_network_layer_count(measured, &count), SERVET_EUNMEASURED);
    assert_code(servet_network_ratios(measured, SERVET_DEGRADATION_ACCESS, &about),
                SERVET_EUNMEASURED);
    assert_ok(servet_network_ratios(measured, SERVET_DEGRADATION_DISTANCE, &about));
    assert_true(about.largest == 2 && about.bytes == 1 << 20);
    network_run_reopen();
    assert_int_equal(facts.done, SRV_BIT(SRV_NETWORK_DISTANCE));
}

/* A job that goes on after the layers leaves it out of the rings, too. */
TEST(a_slow_node_stays_known)
{
    srv_model *model = sample_cluster(6, 1);
    model->network.slow_node_count = 1;
    model->network.slow_node[0] = (srv_model_slow_node){4, 3, 3};
    network_run_open(model, 6);
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    for (int node = 0; node < 6; node++)
        assert_float_equal(network_view_slowness(measured, node), node == 4 ? 3 : 1, 1e-6);
    network_run_reopen();
    for (int node = 0; node < 6; node++)
        assert_int_equal(srv_network_is_slow(measured, node), node == 4);
    network_run_measure(0);
    assert_int_equal(facts.distance.ratio[0].nodes, 5);
}

/* The near neighbour: of nodes all alike nothing is stored. */
TEST(sound_nodes_need_no_record)
{
    servet_value slowness;
    network_run_open(sample_cluster(6, 1), 6);
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    assert_code(servet_network_slowness(measured, 0, &slowness), SERVET_EUNMEASURED);
}

/* Facts of another job are deleted. */
TEST(results_of_another_job_are_replaced)
{
    servet_error error = SERVET_ERROR_INIT;
    network_run_open(sample_ring(4, 1), 4);
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    srv_network_destroy(network);
    assert_ok(srv_messages_from(&network, sample_ring(4, 2), NULL, 8, NULL));
    assert_code(srv_network_check_same(measured, network, &error), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "another number of processes"));
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS));
    assert_int_equal(facts.done, SRV_BIT(SRV_NETWORK_LAYERS));
    assert_int_equal(facts.distance.count, 0);
}

/* The doubt that there was no time for ratios does not apply to ratios that were measured later. */
TEST(a_doubt_is_deleted_with_its_fact)
{
    network_run_open(sample_ring(8, 2), 16);
    options.message_bytes = 32 << 20;
    options.budget_seconds = 3;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE) | SRV_BIT(SRV_NETWORK_CURVES));
    assert_int_equal(facts.distance.count, 0);
    char *text = network_run_text();
    assert_non_null(strstr(text, "time limit leaves"));
    free(text);
    const char *nodes[8];
    servet_network about;
    assert_ok(servet_network_get(measured, &about));
    for (int i = 0; i < 8; i++)
        nodes[i] = servet_network_node(measured, i);
    strcpy(about.benchmarks, "layers,curves");
    assert_ok(servet_profile_set_network(measured, &about, nodes, NULL));
    network_run_reopen();
    options.budget_seconds = 0;
    network_run_measure(SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(facts.distance.count, 4);
    assert_string_equal(facts.distance.doubt, "");
}
