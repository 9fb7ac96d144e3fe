/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of the benchmarks of a network, and the division of a budget among them. */
#include "facts/network.h"
#include "test.h"

#include "sim/messages.h"
#include "network_run.h"
#include "network_sample.h"
#include "sample_cluster.h"
#include "../record.h"

/* --- costs ------------------------------------------------------------------------------------ */

/* Costs are estimates: right within this factor. */
static const double WITHIN = 3;

/* Measures the network that is open with all benchmarks; each benchmark of a second and more must
 * match its estimate. */
static void costs_what_it_was_told_to(const char *name)
{
    srv_network_costs costs;
    assert_ok(srv_network_cost(network, &options, measured, &costs, NULL));
    double began = network->ops->elapsed(network);
    network_run_measure(0);
    double seconds = network->ops->elapsed(network) - began;
    if (costs.all > WITHIN * seconds || costs.all < seconds / WITHIN)
        fail_msg("%s: %.1f s were told, it took %.1f s", name, costs.all, seconds);
}

TEST_EACH(network_run_begin, network_run_end)

TEST(shipped_machines_take_the_predicted_time)
{
    static const struct {
        const char *name;
        int ranks;
    } jobs[] = {{"dunnington", 24}, {"finis-terrae", 16},   {"finis-terrae", 128},
                {"hector", 64},     {"fat-tree-4096", 512}, {"fat-tree-4096", 4096}};
    for (size_t i = 0; i < test_cases(4, sizeof jobs / sizeof *jobs); i++) {
        network_run_open_shipped(jobs[i].name, jobs[i].ranks);
        costs_what_it_was_told_to(jobs[i].name);
    }
}

/* 100 Mbit/s, of messages that take up to seconds. */
TEST(slow_links_take_the_predicted_time)
{
    static const struct {
        int nodes, cores;
        double bytes;
    } jobs[] = {{2, 1, 32 << 20}, {2, 4, 1 << 20}, {8, 2, 32 << 20}, {16, 4, 1 << 20}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        int ranks = jobs[i].nodes * jobs[i].cores;
        options.message_bytes = jobs[i].bytes;
        network_run_open(sample_ring(jobs[i].nodes, jobs[i].cores), ranks);
        costs_what_it_was_told_to("a ring");
        network_run_open(sample_cluster(jobs[i].nodes, jobs[i].cores), ranks);
        costs_what_it_was_told_to("a crossbar");
    }
}

TEST(completed_benchmarks_cost_no_time)
{
    srv_network_costs before, after;
    network_run_open(sample_ring(8, 2), 16);
    assert_ok(srv_network_cost(network, &options, measured, &before, NULL));
    network_run_measure(SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_ACCESS));
    options.only = 0;
    assert_ok(srv_network_cost(network, &options, measured, &after, NULL));
    assert_true(before.seconds[SRV_NETWORK_ACCESS] > 0 && after.seconds[SRV_NETWORK_ACCESS] == 0);
    assert_true(after.seconds[SRV_NETWORK_DISTANCE] > 0);
    assert_true(after.all < before.all);
    options.only = SRV_BIT(SRV_NETWORK_DISTANCE);
    assert_ok(srv_network_cost(network, &options, measured, &after, NULL));
    assert_true(after.seconds[SRV_NETWORK_CURVES] == 0);
}

TEST(one_node_has_no_network_benchmarks)
{
    srv_network_costs costs;
    network_run_open(sample_cluster(1, 4), 4);
    assert_ok(srv_network_cost(network, &options, measured, &costs, NULL));
    assert_true(costs.seconds[SRV_NETWORK_LAYERS] > 0);
    assert_true(costs.seconds[SRV_NETWORK_DISTANCE] == 0);
    assert_true(costs.seconds[SRV_NETWORK_ACCESS] == 0);
}

TEST(invalid_options_have_no_cost)
{
    srv_network_costs costs;
    network_run_open(sample_cluster(2, 1), 2);
    options.nodes = 3;
    assert_code(srv_network_cost(network, &options, measured, &costs, NULL), SERVET_EARGUMENT);
}

/* --- shares ----------------------------------------------------------------------------------- */

/* Eight nodes of four cores, 100 Mbit/s between them. */
static const srv_scale slow = {.nodes = 8,
                               .cores = 4,
                               .sender_nodes = 8,
                               .sender_processes = 4,
                               .within = 1,
                               .between = 1,
                               .byte_within = 0.25e-9,
                               .byte_between = 80e-9,
                               .layer_bytes = 32768,
                               .message_bytes = 32 << 20};

TEST(shares_add_up)
{
    const double budgets[] = {1, 10, 60, 600};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        double left = budgets[i];
        unsigned set = srv_plan_wanted(srv_network_plan, 0);
        for (int id = 0; id < SRV_NETWORK_BENCHMARK_COUNT; id++) {
            double share =
                srv_plan_share(&srv_network_plan[id], srv_network_plan, set, &slow, left);
            assert_true(share > 0 && share <= left + 1e-9);
            left -= share;
            set &= ~SRV_BIT(id);
        }
        assert_true(fabs(left) < 1e-9);
    }
}

static double told(int id)
{
    return srv_plan_cost(srv_network_plan, SRV_BIT(id), &slow);
}

TEST(with_enough_time_costs_decide_the_shares)
{
    unsigned set = SRV_BIT(SRV_NETWORK_DISTANCE) | SRV_BIT(SRV_NETWORK_ACCESS);
    double distance = told(SRV_NETWORK_DISTANCE), all = srv_plan_cost(srv_network_plan, set, &slow);
    double share = srv_plan_share(&srv_network_plan[SRV_NETWORK_DISTANCE], srv_network_plan, set,
                                  &slow, 10 * all);
    assert_true(fabs(share - 10 * distance) < 1e-9 * all);
}

/* Large messages on slow links take minutes, and can be left out. Layers take seconds, up to three
 * times the estimate if links are shared. */
TEST(the_longest_benchmark_is_shortened)
{
    unsigned set = SRV_BIT(SRV_NETWORK_LAYERS) | SRV_BIT(SRV_NETWORK_DISTANCE);
    double layers = told(SRV_NETWORK_LAYERS), distance = told(SRV_NETWORK_DISTANCE);
    assert_true(distance > 10 * layers);
    double share = srv_plan_share(&srv_network_plan[SRV_NETWORK_DISTANCE], srv_network_plan, set,
                                  &slow, distance);
    assert_true(fabs(share - (distance - 3 * layers)) < 1e-9 * distance);
    share = srv_plan_share(&srv_network_plan[SRV_NETWORK_LAYERS], srv_network_plan, set, &slow,
                           distance);
    assert_true(fabs(share - 3 * layers) < 1e-9 * distance);
}

TEST(a_short_budget_gives_half_to_layers_and_equal_shares_to_the_rest)
{
    unsigned set = srv_plan_wanted(srv_network_plan, 0);
    double share =
        srv_plan_share(&srv_network_plan[SRV_NETWORK_LAYERS], srv_network_plan, set, &slow, 1);
    assert_true(fabs(2 * share - 1) < 1e-9);
    share = srv_plan_share(&srv_network_plan[SRV_NETWORK_CURVES], srv_network_plan,
                           set & ~SRV_BIT(SRV_NETWORK_LAYERS), &slow, 1);
    assert_true(fabs(share * (SRV_NETWORK_BENCHMARK_COUNT - 1) - 1) < 1e-9);
}

TEST(requested_benchmarks_include_those_they_need)
{
    unsigned before = 0;
    for (int id = 0; id < SRV_NETWORK_BENCHMARK_COUNT; id++) {
        assert_int_equal(srv_network_plan[id].needs & ~before, 0);
        before |= SRV_BIT(id);
    }
    assert_int_equal(srv_plan_wanted(srv_network_plan, 0), before);
    assert_int_equal(srv_plan_wanted(srv_network_plan, SRV_BIT(SRV_NETWORK_ACCESS)),
                     SRV_BIT(SRV_NETWORK_ACCESS) | SRV_BIT(SRV_NETWORK_LAYERS));
}

/* --- words ------------------------------------------------------------------------------------ */

static bool is_word(const servet_part *part)
{
    bool found = false;
    for (int i = 0; part->of_job && i < SRV_NETWORK_BENCHMARK_COUNT; i++)
        found = found ||
                strcmp(part->benchmark, srv_network_benchmark_name((srv_network_benchmark)i)) == 0;
    for (int i = 0; !part->of_job && i < SERVET_BENCHMARK_COUNT; i++)
        found = found || strcmp(part->benchmark, servet_benchmark_name((servet_benchmark)i)) == 0;
    return found;
}

/* The words of parts of a profile are those of --only, and each benchmark of messages has a part.
 */
TEST(parts_name_the_benchmark_that_measures_them)
{
    servet_profile *profile;
    servet_part part;
    servet_network_layer layer = network_layer(1);
    servet_machine machine = {.hostname = "a", .cores = "0-1", .pu_count = 2};
    int class, count = 0;
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "default", &machine, &class, NULL));
    assert_ok(servet_profile_set_network(profile, &network_job, network_nodes, NULL));
    assert_ok(record_network_layers(profile, &layer, 1, NULL));
    for (int i = 0; servet_profile_part(profile, NULL, i, &part) == SERVET_OK; i++) {
        if (!is_word(&part))
            fail_msg("%s: there is no benchmark '%s'", part.name, part.benchmark);
        count += part.of_job;
    }
    assert_int_equal(count, SRV_NETWORK_BENCHMARK_COUNT);
    servet_profile_close(profile);
}
