/* SPDX-License-Identifier: BSD-3-Clause */
/* A run keeps its budget on links of any speed, and reports the facts that the budget left out. */

#include "network_run.h"
#include "sample_cluster.h"
#include "test.h"

static srv_model *slowed(srv_model *model, double rate)
{
    double factor = SAMPLE_LINK / rate;
    model->layer[1].protocol[0].bytes_per_second /= factor;
    model->network.link_bytes_per_second /= factor;
    return model;
}

/* Rates of 0.1 to 10000 Mbit/s; 32 MiB take from 4 minutes to 27 ms. */
static const double rates[] = {0.125e6, 1.25e6, 12.5e6, 1.25e9};
static const double budgets[] = {1, 3, 10, 30, 90};
enum { RATES = 4, BUDGETS = 5 };

TEST_EACH(network_run_begin, network_run_end)

static void keeps_budgets(srv_model *make(int nodes, int cores), int nodes, double rate)
{
    for (int i = 0; i < BUDGETS; i++) {
        network_run_begin(NULL);
        network_run_open(slowed(make(nodes, 2), rate), 2 * nodes);
        options.budget_seconds = budgets[i];
        network_run_measure(0);
        double took = network->ops->elapsed(network);
        if (took > fmax(1.1 * budgets[i], budgets[i] + 2))
            fail_msg("%d nodes, %g B/s: %g s instead of %g", nodes, rate, took, budgets[i]);
        assert_true(facts.layer_count > 0);
    }
}

TEST(a_budget_is_kept_on_links_of_any_speed)
{
    srv_model *(*const kinds[])(int, int) = {sample_cluster, sample_ring, sample_two_leaves};
    for (size_t kind = 0; kind < 3; kind++)
        for (int rate = 0; rate < RATES; rate++) {
            keeps_budgets(kinds[kind], 8, rates[rate]);
            if (test_cases(0, 1))
                keeps_budgets(kinds[kind], 64, rates[rate]);
        }
}

/* A message of the size that finds layers takes 0.26 s in each direction. */
TEST(half_a_minute_finds_the_layers_of_slow_links)
{
    network_run_open(slowed(sample_cluster(8, 2), 0.125e6), 16);
    options.budget_seconds = 30;
    network_run_measure(0);
    assert_int_equal(facts.layer_count, 2);
    is_near(&facts.layer[1].latency, 50e-6 + 32768 / 0.125e6, 0.05);
}

/* Four messages of 32 MiB take 11 s at 100 Mbit/s, more than the budget of 3 s. Without a budget,
 * nothing is left out. */
TEST(facts_that_the_budget_left_out_are_marked)
{
    static const double limits[] = {3, 0};
    for (int i = 0; i < 2; i++) {
        network_run_begin(NULL);
        network_run_open(slowed(sample_ring(4, 2), SAMPLE_LINK), 8);
        options.message_bytes = 32 << 20;
        options.budget_seconds = limits[i];
        network_run_measure(0);
        unsigned ratios = SRV_BIT(SRV_NETWORK_DISTANCE) | SRV_BIT(SRV_NETWORK_ACCESS);
        assert_int_equal(facts.cut & ratios, i == 0 ? ratios : 0);
        assert_int_equal(facts.cut & SRV_BIT(SRV_NETWORK_CURVES),
                         i == 0 ? SRV_BIT(SRV_NETWORK_CURVES) : 0);
        assert_int_equal(facts.distance.count, i == 0 ? 0 : 2);
    }
}

/* At 20 Mbit/s, a message of 2 MiB takes 0.84 s and one of 32 MiB 13 s. A run sends hundreds of
 * them, so that it would take half an hour. A user may request larger messages; on faster links,
 * the largest size stays 32 MiB. */
TEST(unless_requested_no_message_takes_longer_than_a_second)
{
    static const struct {
        double rate, wanted, largest, seconds;
    } jobs[] = {
        {2.5e6, 0, 2 << 20, 200}, {2.5e6, 4 << 20, 4 << 20, 400}, {125e6, 0, 32 << 20, 200}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        network_run_begin(NULL);
        network_run_open(slowed(sample_ring(4, 2), jobs[i].rate), 8);
        options.message_bytes = jobs[i].wanted;
        network_run_measure(0);
        const view_layer *within = &facts.layer[0], *between = &facts.layer[1];
        assert_true(facts.distance.bytes == jobs[i].largest);
        assert_true(facts.access.bytes == jobs[i].largest);
        assert_true(between->curve[between->curve_count - 1].bytes == jobs[i].largest);
        assert_true(within->curve[within->curve_count - 1].bytes == 32 << 20);
        assert_true(network->ops->elapsed(network) < jobs[i].seconds);
    }
}

/* There is one process on each node. On these links, a message of 32 KiB takes longer than the
 * budget. */
TEST(the_error_of_a_small_budget_names_the_least_that_suffices)
{
    servet_error error = SERVET_ERROR_INIT;
    network_run_begin(NULL);
    network_run_open(slowed(sample_cluster(4, 1), 0.125e6), 4);
    options.budget_seconds = 1;
    assert_code(network_run_try(&error), SERVET_EUNMEASURED);
    const char *least = strstr(error.text, "takes ");
    assert_non_null(least);
    network_run_begin(NULL);
    network_run_open(slowed(sample_cluster(4, 1), 0.125e6), 4);
    options.budget_seconds = strtod(least + strlen("takes "), NULL);
    network_run_measure(0);
    assert_int_equal(facts.layer_count, 1);
}
