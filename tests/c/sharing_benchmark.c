/* SPDX-License-Identifier: BSD-3-Clause */
/* Traversals at once and sets that are read, on the sample model: L1 of 4 KiB at 2 ns, L2 of 64 KiB
 * at 10 ns that cores 3 and 2, 1 and 0 share, memory at 100 ns. */
#include "test.h"

#include "facts/sharing/benchmark.h"
#include "sim/simulated.h"
#include "sample_model.h"

static const double KIB = 1 << 10;
static const srv_sharing_layout layout = {64, SERVET_PAGES_BASE, 1};
static srv_machine *machine;

TEST_FIXTURE(create)
{
    srv_model *model = sample_model();
    model->placement = SRV_PAGES_COLOURED; /* what fits, fits */
    return srv_simulated_from(&machine, model, NULL);
}

TEST_FIXTURE(destroy)
{
    srv_machine_destroy(machine);
    return 0;
}

TEST_EACH(create, destroy)

TEST(traversals_that_share_a_cache_slow_each_other)
{
    double ns[2];
    const srv_traversed_set shared[] = {{3, 48 * KIB}, {2, 48 * KIB}},
                            apart[] = {{3, 48 * KIB}, {1, 48 * KIB}};
    assert_ok(srv_bench_together(machine, &layout, apart, 2, 0, ns, NULL));
    assert_true(ns[0] <= 11 && ns[1] <= 11);
    assert_ok(srv_bench_together(machine, &layout, shared, 2, 0, ns, NULL));
    assert_true(ns[0] > 50 && ns[1] > 50);
}

TEST(alone_is_a_mean_over_visits)
{
    double mean, deviation;
    const srv_traversed_set small = {3, 2 * KIB}, odd = {3, 100};
    assert_ok(srv_bench_alone(machine, &layout, &small, &mean, &deviation, NULL));
    assert_float_equal(mean, 2, 1e-9);
    assert_float_equal(deviation, 0, 1e-9);
    assert_ok(srv_bench_alone(machine, &layout, &odd, &mean, &deviation, NULL));
    assert_float_equal(mean, 2, 1e-9); /* one whole line */
}

/* 16 KiB that the owner brought in are in L2, but for what its L1 holds. */
TEST(readers_hit_lines_in_their_cache)
{
    double ns[2];
    const srv_sharing_reading readings[] = {{3, 2, 16 * KIB, false}, {1, 0, 16 * KIB, false}},
                              far = {3, 0, 16 * KIB, false};
    assert_ok(srv_bench_reuse(machine, &layout, readings, 2, 0, ns, NULL));
    assert_true(ns[0] < 40 && ns[1] < 40); /* 3/4 at 10 ns */
    assert_ok(srv_bench_reuse(machine, &layout, &far, 1, 0, ns, NULL));
    assert_float_equal(ns[0], 100, 1); /* from memory */
}

TEST(errors_are_returned)
{
    double ns[2];
    const srv_traversed_set twice[] = {{3, 4 * KIB}, {3, 4 * KIB}};
    const srv_sharing_reading itself = {3, 3, 4 * KIB, false};
    assert_code(srv_bench_together(machine, &layout, twice, 2, 0, ns, NULL), SERVET_EARGUMENT);
    assert_code(srv_bench_reuse(machine, &layout, &itself, 1, 0, ns, NULL), SERVET_EARGUMENT);
}
