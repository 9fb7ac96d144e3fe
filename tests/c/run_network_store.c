/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of communication, stored in a profile and read back. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "core/bit.h"
#include "sim/messages.h"
#include "run/network/store.h"
#include "sample_cluster.h"

static srv_network *network;
static srv_network_facts facts, again;
static servet_profile *profile;

static int setup(void **state)
{
    (void)state;
    facts = again = (srv_network_facts){0};
    return servet_profile_create(&profile, NULL);
}

static int teardown(void **state)
{
    (void)state;
    srv_network_facts_finish(&facts);
    srv_network_facts_finish(&again);
    srv_network_destroy(network);
    servet_profile_close(profile);
    return 0;
}

static void measure_on(srv_model *model, unsigned only)
{
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    int ranks = model->node_count * model->pu_count;
    options.only = only;
    options.message_bytes = 1 << 20;
    assert_int_equal(srv_messages_from(&network, model, NULL, ranks, NULL), SERVET_OK);
    assert_int_equal(srv_measure_network(network, &options, &facts, NULL), SERVET_OK);
}

static void measure(int nodes, int cores, unsigned only)
{
    measure_on(sample_ring(nodes, cores), only);
}

/* Five digits are stored. */
static void nearly(double a, double b)
{
    assert_true(fabs(a - b) <= 5e-5 * fabs(a));
}

static void same(const servet_value *a, const servet_value *b)
{
    assert_int_equal(servet_value_known(a), servet_value_known(b));
    if (!servet_value_known(a))
        return;
    nearly(a->value, b->value);
    nearly(a->low, b->low);
    nearly(a->high, b->high);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->trusted, b->trusted);
}

static void same_layer(const srv_network_layer *a, const srv_network_layer *b)
{
    assert_int_equal(a->between_nodes, b->between_nodes);
    same(&a->latency, &b->latency);
    same(&a->bandwidth, &b->bandwidth);
    assert_true(a->confidence == b->confidence);
    for (int i = 0; i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        assert_string_equal(a->doubt[i], b->doubt[i]);
    assert_int_equal(a->pair.from, b->pair.from);
    assert_int_equal(a->pair.to, b->pair.to);
    assert_int_equal(a->groups.count, b->groups.count);
    for (int i = 0; i < a->groups.count; i++)
        assert_string_equal(a->groups.set[i], b->groups.set[i]);
    assert_int_equal(a->curve_count, b->curve_count);
    for (int i = 0; i < a->curve_count; i++) {
        assert_true(a->curve[i].bytes == b->curve[i].bytes);
        same(&a->curve[i].time, &b->curve[i].time);
    }
    assert_int_equal(a->protocol_count, b->protocol_count);
    for (int i = 0; i < a->protocol_count; i++) {
        same(&a->protocol[i].from, &b->protocol[i].from);
        same(&a->protocol[i].latency, &b->protocol[i].latency);
        same(&a->protocol[i].bandwidth, &b->protocol[i].bandwidth);
    }
}

static void same_slowdowns(const srv_network_layer *a, const srv_network_layer *b)
{
    assert_int_equal(a->together_count, b->together_count);
    for (int i = 0; i < a->together_count; i++) {
        assert_int_equal(a->together[i].messages, b->together[i].messages);
        assert_true(a->together[i].bytes == b->together[i].bytes);
        same(&a->together[i].time, &b->together[i].time);
        same(&a->together[i].ratio, &b->together[i].ratio);
    }
}

static void same_batches(const srv_network_layer *a, const srv_network_layer *b)
{
    assert_int_equal(a->batch_count, b->batch_count);
    for (int i = 0; i < a->batch_count; i++) {
        assert_int_equal(a->batches[i].messages, b->batches[i].messages);
        assert_true(a->batches[i].bytes == b->batches[i].bytes);
        assert_int_equal(a->batches[i].payoff, b->batches[i].payoff);
        same(&a->batches[i].in_turn, &b->batches[i].in_turn);
        same(&a->batches[i].at_once, &b->batches[i].at_once);
        same(&a->batches[i].as_one, &b->batches[i].as_one);
        same(&a->batches[i].gain, &b->batches[i].gain);
    }
    assert_int_equal(a->aggregation_count, b->aggregation_count);
    for (int i = 0; i < a->aggregation_count; i++) {
        assert_int_equal(a->aggregation[i].messages, b->aggregation[i].messages);
        assert_int_equal(a->aggregation[i].payoff, b->aggregation[i].payoff);
        assert_int_equal(a->aggregation[i].unbounded, b->aggregation[i].unbounded);
        nearly(a->aggregation[i].from, b->aggregation[i].from);
        nearly(a->aggregation[i].below, b->aggregation[i].below);
        same(&a->aggregation[i].gain, &b->aggregation[i].gain);
    }
}

static void same_ratios(const srv_network_ratios *a, const srv_network_ratios *b)
{
    assert_true(a->bytes == b->bytes && a->constant_total == b->constant_total);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        assert_int_equal(a->ratio[i].at, b->ratio[i].at);
        assert_int_equal(a->ratio[i].nodes, b->ratio[i].nodes);
        same(&a->ratio[i].bandwidth, &b->ratio[i].bandwidth);
        same(&a->ratio[i].ratio, &b->ratio[i].ratio);
    }
}

/* A ring of eight nodes: ratDist is 1, 2, 3, 4. */
/* Marks the layer as a noise monitor does after a disturbance of the benchmark of layers. */
static void doubt_the_second_layer(void)
{
    srv_network_layer *layer = &facts.layer[1];
    strcpy(layer->doubt[SRV_NETWORK_LAYERS], "node0: it was loud");
    layer->latency.trusted = layer->bandwidth.trusted = false;
    layer->confidence = fmin(layer->confidence, 0.5);
}

static void all_results_are_stored(void **state)
{
    (void)state;
    servet_ratio ratio;
    measure(8, 2, 0);
    doubt_the_second_layer();
    assert_int_equal(srv_network_store(&facts, network, profile, NULL), SERVET_OK);
    for (int i = 1; i <= 4; i++) {
        assert_int_equal(servet_network_ratio(profile, SERVET_DEGRADATION_DISTANCE, i, &ratio),
                         SERVET_OK);
        assert_true(fabs(ratio.ratio.value / i - 1) < 0.15);
    }
    assert_int_equal(srv_network_recall(profile, network, &again, NULL), SERVET_OK);
    assert_int_equal(again.done, facts.done);
    assert_int_equal(again.node_count, 8);
    assert_int_equal(again.rank_count, 16);
    assert_int_equal(again.nodes_asked, facts.nodes_asked);
    assert_true(again.message_bytes == facts.message_bytes);
    assert_true(facts.layer_count >= 2);
    assert_int_equal(again.layer_count, facts.layer_count);
    for (int i = 0; i < facts.layer_count; i++) {
        assert_true(facts.layer[i].curve_count > 0 && facts.layer[i].together_count > 0);
        same_layer(&facts.layer[i], &again.layer[i]);
        same_slowdowns(&facts.layer[i], &again.layer[i]);
        same_batches(&facts.layer[i], &again.layer[i]);
    }
    assert_int_equal(facts.distance.count, 4);
    same_ratios(&facts.distance, &again.distance);
    same_ratios(&facts.access, &again.access);
}

/* Benchmarks that were not requested stay unmeasured. */
static void partial_results_are_stored(void **state)
{
    (void)state;
    int count;
    servet_ratios about;
    measure(4, 1, SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(srv_network_store(&facts, network, profile, NULL), SERVET_OK);
    assert_int_equal(servet_network_layer_count(profile, &count), SERVET_EUNMEASURED);
    assert_int_equal(servet_network_ratios(profile, SERVET_DEGRADATION_ACCESS, &about),
                     SERVET_EUNMEASURED);
    assert_int_equal(servet_network_ratios(profile, SERVET_DEGRADATION_DISTANCE, &about),
                     SERVET_OK);
    assert_true(about.largest == 2 && about.bytes == 1 << 20);
    assert_int_equal(srv_network_recall(profile, network, &again, NULL), SERVET_OK);
    assert_int_equal(again.done, SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(again.layer_count, 0);
    same_ratios(&facts.distance, &again.distance);
}

/* A job that goes on after the layers leaves it out of the rings, too. */
static void a_slow_node_stays_known(void **state)
{
    (void)state;
    servet_value slowness;
    srv_model *model = sample_cluster(6, 1);
    model->network.slow_node_count = 1;
    model->network.slow_node[0] = (srv_model_slow_node){4, 3, 3};
    measure_on(model, SRV_BIT(SRV_NETWORK_LAYERS));
    assert_int_equal(srv_network_store(&facts, network, profile, NULL), SERVET_OK);
    for (int node = 0; node < 6; node++) {
        assert_int_equal(servet_network_slowness(profile, node, &slowness), SERVET_OK);
        assert_float_equal(slowness.value, node == 4 ? 3 : 1, 1e-6);
    }
    assert_int_equal(srv_network_recall(profile, network, &again, NULL), SERVET_OK);
    for (int node = 0; node < 6; node++) {
        same(&facts.slowness[node], &again.slowness[node]);
        assert_int_equal(srv_network_is_slow(&again, node), node == 4);
    }
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    assert_int_equal(srv_measure_network(network, &options, &again, NULL), SERVET_OK);
    assert_int_equal(again.distance.ratio[0].nodes, 5);
}

/* The near neighbour: of nodes all alike nothing is stored. */
static void sound_nodes_need_no_record(void **state)
{
    (void)state;
    servet_value slowness;
    measure_on(sample_cluster(6, 1), SRV_BIT(SRV_NETWORK_LAYERS));
    assert_int_equal(srv_network_store(&facts, network, profile, NULL), SERVET_OK);
    assert_int_equal(servet_network_slowness(profile, 0, &slowness), SERVET_EUNMEASURED);
}

static void without_results_nothing_is_restored(void **state)
{
    (void)state;
    measure(2, 1, SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(srv_network_recall(profile, network, &again, NULL), SERVET_OK);
    assert_int_equal(again.done, 0);
}

static void results_of_another_job_are_refused(void **state)
{
    (void)state;
    servet_error error = SERVET_ERROR_INIT;
    srv_network *other;
    measure(4, 1, SRV_BIT(SRV_NETWORK_DISTANCE));
    assert_int_equal(srv_network_store(&facts, network, profile, NULL), SERVET_OK);
    assert_int_equal(srv_messages_from(&other, sample_ring(4, 2), NULL, 8, NULL), SERVET_OK);
    assert_int_equal(srv_network_recall(profile, other, &again, &error), SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "another number of processes"));
    srv_network_destroy(other);
}

static int store_and_recall(void *context)
{
    (void)context;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *made = NULL;
    srv_network_facts recalled = {0};
    int code = servet_profile_create(&made, &error);
    if (code == SERVET_OK)
        code = srv_network_store(&facts, network, made, &error);
    if (code == SERVET_OK)
        code = srv_network_recall(made, network, &recalled, &error);
    assert_int_equal(error.code, code);
    srv_network_facts_finish(&recalled);
    servet_profile_close(made);
    return code;
}

static void each_failed_allocation_is_reported(void **state)
{
    (void)state;
    measure(3, 2, 0);
    assert_true(alloc_fail_everywhere(store_and_recall, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_slow_node_stays_known, setup, teardown),
        cmocka_unit_test_setup_teardown(sound_nodes_need_no_record, setup, teardown),
        cmocka_unit_test_setup_teardown(all_results_are_stored, setup, teardown),
        cmocka_unit_test_setup_teardown(partial_results_are_stored, setup, teardown),
        cmocka_unit_test_setup_teardown(without_results_nothing_is_restored, setup, teardown),
        cmocka_unit_test_setup_teardown(results_of_another_job_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(each_failed_allocation_is_reported, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
