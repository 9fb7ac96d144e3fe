/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection of benchmarks, their costs, and the division of a budget. */
#include "test.h"

#include "core/bit.h"
#include "facts/facts.h"

static const srv_scale two_cores = {.pus = 2, .core_types = 1, .levels = 3};

static const srv_benchmark *row_of(const srv_benchmark *plan, servet_benchmark id)
{
    while (plan->cost && plan->id != (int)id)
        plan++;
    return plan;
}

TEST(every_method_has_its_benchmarks)
{
    const srv_benchmark *all = srv_facts_of(SERVET_APPROACH_DEFAULT);
    const srv_benchmark *papers = srv_facts_of(SERVET_APPROACH_SERVET2010);
    assert_int_equal(srv_plan_wanted(all, 0), SRV_BIT(SERVET_BENCHMARK_COUNT) - 1);
    assert_int_equal(srv_plan_wanted(papers, 0),
                     SRV_BIT(SERVET_BENCHMARK_CACHE) | SRV_BIT(SERVET_BENCHMARK_SHARING));
}

TEST(requested_benchmarks_include_those_they_need)
{
    const srv_benchmark *plan = srv_facts_of(SERVET_APPROACH_DEFAULT);
    unsigned sharing = srv_plan_wanted(plan, SRV_BIT(SERVET_BENCHMARK_SHARING));
    assert_int_equal(sharing, SRV_BIT(SERVET_BENCHMARK_CACHE) | SRV_BIT(SERVET_BENCHMARK_SHARING));
    assert_int_equal(srv_plan_wanted(plan, SRV_BIT(SERVET_BENCHMARK_CONCURRENCY)),
                     sharing | SRV_BIT(SERVET_BENCHMARK_CONCURRENCY));
    assert_int_equal(srv_plan_wanted(plan, SRV_BIT(SERVET_BENCHMARK_DISTANCE)),
                     SRV_BIT(SERVET_BENCHMARK_DISTANCE));
}

/* Nothing runs before what it needs. */
TEST(required_benchmarks_come_first)
{
    for (int i = 0; i < SERVET_APPROACH_COUNT; i++) {
        unsigned before = 0;
        for (const srv_benchmark *row = srv_facts_of((servet_approach)i); row->cost; row++) {
            assert_int_equal(row->needs & ~before, 0);
            before |= SRV_BIT(row->id);
        }
    }
}

/* Each row names members of a profile. */
TEST(facts_that_may_be_distrusted_are_in_a_profile)
{
    servet_profile *profile;
    int class;
    char shared[512];
    const servet_machine node = {.cores = "0-1", .pu_count = 2, .core_count = 2};
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_add_class(profile, "default", &node, &class, NULL));
    for (int i = 0; i < SERVET_APPROACH_COUNT; i++)
        for (const srv_benchmark *row = srv_facts_of((servet_approach)i); row->cost; row++) {
            snprintf(shared, sizeof shared, "%s", row->shared ? row->shared : "");
            for (char *c = shared; *c; c++)
                *c = *c == '#' ? '3' : *c;
            assert_ok(servet_profile_distrust(profile, class, row->facts, "noise", NULL));
            assert_ok(servet_profile_distrust(profile, class, shared, "noise", NULL));
        }
    servet_profile_close(profile);
}

/* Two cores: a minute; 24 cores: 3 minutes; 128: 8 minutes; 256: 12. */
TEST(costs_grow_with_the_cores_within_bounds)
{
    const struct {
        int pus;
        double seconds;
    } bounds[] = {{2, 60}, {24, 180}, {128, 480}, {256, 720}};
    const srv_benchmark *plan = srv_facts_of(SERVET_APPROACH_DEFAULT);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        srv_scale scale = {.pus = bounds[i].pus, .core_types = 1, .levels = 3};
        assert_true(srv_plan_cost(plan, srv_plan_wanted(plan, 0), &scale) <= bounds[i].seconds);
    }
}

/* The largest working sets of recorded machines, and the time of their benchmarks in peace: of
 * those before synchronization, which is younger than these recordings. */
TEST(idle_machines_take_the_predicted_time)
{
    const struct {
        double largest_bytes, seconds;
    } recorded[] = {{260 << 22, 18.7}, {480.0 * (1 << 22), 26.7}, {508.0 * (1 << 22), 28.7}};
    const srv_benchmark *plan = srv_facts_of(SERVET_APPROACH_DEFAULT);
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        srv_scale scale = two_cores;
        scale.largest_bytes = recorded[i].largest_bytes;
        double told = srv_plan_quiet(plan, SRV_BIT(SERVET_BENCHMARK_SYNC) - 1, &scale);
        assert_true(told > 0.75 * recorded[i].seconds && told < 1.25 * recorded[i].seconds);
        for (const srv_benchmark *row = plan; row->cost; row++)
            assert_true(row->quiet(&scale) <= row->cost(&scale));
    }
}

/* Shares of what is left, one after the other, are all of it, whatever it is. */
TEST(shares_add_up)
{
    const double budgets[] = {1, 10, 60, 600};
    const srv_benchmark *plan = srv_facts_of(SERVET_APPROACH_DEFAULT);
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        double left = budgets[i];
        unsigned set = srv_plan_wanted(plan, 0);
        for (const srv_benchmark *row = plan; row->cost; row++) {
            double share = srv_plan_share(row, plan, set, &two_cores, left);
            assert_true((share > 0 || srv_plan_is_idle(row, &two_cores)) && share <= left);
            left -= share;
            set &= ~SRV_BIT(row->id);
        }
        assert_float_equal(left, 0, 1e-9);
    }
}

/* A budget that is too short gives the caches at least half, because other benchmarks depend on
 * them. */
TEST(caches_come_first_when_time_is_short)
{
    const srv_benchmark *plan = srv_facts_of(SERVET_APPROACH_DEFAULT);
    const srv_benchmark *caches = row_of(plan, SERVET_BENCHMARK_CACHE);
    unsigned set = srv_plan_wanted(plan, 0);
    double cost = caches->cost(&two_cores), all = srv_plan_cost(plan, set, &two_cores);
    const srv_scale many = {.pus = 256, .core_types = 1, .levels = 3};
    assert_true(srv_plan_share(caches, plan, set, &two_cores, 2) >= 1);
    assert_float_equal(srv_plan_share(caches, plan, set, &many, 2), 1, 1e-9);
    assert_float_equal(srv_plan_share(caches, plan, set, &many, 100), cost, 1e-9);
    assert_float_equal(srv_plan_share(caches, plan, set, &two_cores, 10 * all), 10 * cost, 1e-6);
    assert_float_equal(srv_plan_share(caches, plan, SRV_BIT(SERVET_BENCHMARK_CACHE), &two_cores, 7),
                       7, 1e-9);
}

/* Only such files are ever removed from a folder of series. */
TEST(series_are_distinguished_from_other_files)
{
    static const char *const of_node[] = {
        "cache-all-lines.csv", "geometry-all-L2.csv", "sharing-L1.csv", "coherence.csv",
        "line-core0-L1.csv",   "answers-cache.txt",   "repeats.csv"};
    static const char *const of_job[] = {"layers-nodes.csv", "messages-repeats.csv",
                                         "bisection.csv", "answers-network-layers.txt"};
    static const char *const others[] = {"notes.txt",        "cache-all-lines.csv.old",
                                         "my-cache-1.csv",   "profile.json",
                                         "coherence.csv.gz", ""};
    for (size_t i = 0; i < sizeof of_node / sizeof *of_node; i++)
        assert_true(servet_is_series(of_node[i], false) && !servet_is_series(of_node[i], true));
    for (size_t i = 0; i < sizeof of_job / sizeof *of_job; i++)
        assert_true(servet_is_series(of_job[i], true) && !servet_is_series(of_job[i], false));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(servet_is_series(others[i], true) || servet_is_series(others[i], false));
}
