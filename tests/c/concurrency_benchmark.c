/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads in flight on a simulated machine whose limits are known. */
#include "test.h"

#include "facts/concurrency/benchmark.h"
#include "sim/simulated.h"
#include "sample_model.h"

static const double KIB = 1 << 10;
static srv_machine *machine;
static srv_model *model;

static int prepare(void **state)
{
    (void)state;
    model = sample_model();
    return srv_simulated_from(&machine, model, NULL);
}

static int finish(void **state)
{
    (void)state;
    srv_machine_destroy(machine);
    return 0;
}

static srv_load_plan plan_of(double bytes)
{
    return (srv_load_plan){.traversal = {.core = 0, .bytes = bytes, .line_bytes = 64, .chains = 1},
                           .seed = 1,
                           .sampler.machine = machine};
}

static int count_of(const srv_load *loads, int n, double ns)
{
    for (int i = 0; i < n; i++)
        if (loads[i].ns < 1.05 * ns)
            return loads[i].count;
    return 0;
}

TEST_EACH(prepare, finish)

/* The L2 answers in 10 ns, memory in 100 ns, both to a limited number of loads at a time. */
TEST(chains_show_the_misses_in_flight)
{
    const int limits[] = {2, 6, 10, 13};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        srv_load loads[SRV_CHAINS_MAX];
        int n;
        finish(NULL); /* a machine remembers what it has simulated */
        assert_ok(prepare(NULL));
        srv_load_plan plan = plan_of(1024 * KIB);
        model->misses_in_flight = limits[i];
        assert_ok(srv_bench_chains(&plan, loads, &n, NULL));
        assert_int_equal(count_of(loads, n, 100.0 / limits[i]), limits[i]);
        assert_int_equal(loads[0].count, 1);
        assert_float_equal(loads[0].ns, 100, 1);
        for (int k = 1; k < n; k++)
            assert_true(loads[k].count > loads[k - 1].count);
        for (int k = 0; k < n; k++)
            assert_true(loads[k].visits >= 2 && loads[k].low <= loads[k].ns &&
                        loads[k].ns <= loads[k].high);
    }
}

/* A load of the L1 takes 2 ns, and one a ns is issued. */
TEST(hits_are_limited_by_their_issue)
{
    srv_load loads[SRV_CHAINS_MAX];
    srv_load_plan plan = plan_of(2 * KIB);
    int n;
    assert_ok(srv_bench_chains(&plan, loads, &n, NULL));
    assert_int_equal(count_of(loads, n, 1), 2);
}

/* Nothing can be said where the deadline comes before more chains cease to help. */
TEST(the_deadline_is_kept)
{
    srv_load loads[SRV_CHAINS_MAX];
    srv_load_plan plan = plan_of(1024 * KIB);
    int n;
    plan.sampler.deadline.at = 0.05;
    assert_ok(srv_bench_chains(&plan, loads, &n, NULL));
    assert_int_equal(n, 0);
    assert_true(machine->ops->elapsed(machine) < 0.06);
}

/* OS numbers 3 and 2, and 1 and 0, share an L2 of 64 KiB; memory has no limits. */
TEST(loads_of_several_threads_are_probed)
{
    const int cores[] = {3, 2, 1, 0};
    srv_load_plan plan = plan_of(0);
    srv_load loads[] = {{.count = 2, .bytes = 24 * KIB},
                        {.count = 2, .bytes = 48 * KIB},
                        {.count = 4, .bytes = 1024 * KIB}};
    assert_ok(srv_bench_threads(&plan, cores, loads, 3, NULL));
    assert_float_equal(loads[0].ns, 10, 2); /* fit together, but for unlucky pages */
    assert_true(loads[1].ns > 20);          /* don't */
    assert_float_equal(loads[2].ns, 100, 1);
}

static int stop_at_four(void *context, const char *what, double done)
{
    (void)context;
    assert_true(done >= 0 && done <= 1);
    return strncmp(what, "4 ", 2) == 0;
}

TEST(the_caller_can_end_the_benchmark)
{
    srv_load loads[SRV_CHAINS_MAX], of_four = {.count = 4, .bytes = 16 * KIB};
    const int cores[] = {0, 1, 2, 3};
    srv_load_plan plan = plan_of(16 * KIB);
    int n;
    plan.sampler.progress = stop_at_four;
    assert_int_equal(srv_bench_chains(&plan, loads, &n, NULL), SERVET_EINTERRUPTED);
    assert_int_equal(srv_bench_threads(&plan, cores, &of_four, 1, NULL), SERVET_EINTERRUPTED);
}

TEST(errors_of_the_machine_are_returned)
{
    srv_load loads[SRV_CHAINS_MAX];
    srv_load_plan plan = plan_of(16 * KIB);
    int n;
    plan.traversal.core = 77;
    assert_int_equal(srv_bench_chains(&plan, loads, &n, NULL), SERVET_EARGUMENT);
}
