/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "two_cores.h"

static const double KIB = 1 << 10;

static srv_traversal lines(int core)
{
    return (srv_traversal){.core = core,
                           .bytes = 16 * KIB,
                           .line_bytes = 64,
                           .stride = 1 * KIB,
                           .chains = 1,
                           .seconds = 2e-3};
}

TEST(two_cores_are_measured_at_once)
{
    needs_two_cores();
    const srv_pattern patterns[] = {SRV_PATTERN_LINES, SRV_PATTERN_STRIDE};
    for (size_t i = 0; i < 2; i++) {
        srv_traversal both[2] = {lines(cores[0]), lines(cores[1])};
        both[0].pattern = both[1].pattern = patterns[i];
        both[1].seconds = 8e-3;
        srv_timing timings[2] = {{.ghz = 0}};
        assert_ok(machine->ops->traverse(machine, both, 2, timings, NULL));
        for (int j = 0; j < 2; j++) {
            assert_true(timings[j].spread.n >= 9);
            assert_true(timings[j].spread.median > 0 && isfinite(timings[j].spread.median));
            assert_true(timings[j].ghz > 0 && isfinite(timings[j].ghz));
        }
    }
}

TEST(runs_alone_and_together_alternate)
{
    needs_two_cores();
    srv_traversal both[2] = {lines(cores[0]), lines(cores[1])};
    srv_timing timings[2];
    for (int count = 1; count <= 2; count++)
        for (int again = 0; again < 2; again++)
            assert_ok(machine->ops->traverse(machine, both, count, timings, NULL));
    assert_ok(machine->ops->traverse(machine, both, 1, timings, NULL));
}

TEST(no_thread_waits_for_one_that_failed)
{
    servet_error error = SERVET_ERROR_INIT;
    srv_timing timings[2];
    srv_traversal both[2] = {lines(cores[0]), lines(1000000)};
    assert_int_equal(machine->ops->traverse(machine, both, 2, timings, &error), SERVET_EMACHINE);
    assert_non_null(strstr(error.text, "core 1000000"));
    if (core_count < 2)
        return;
    both[1] = lines(cores[1]);
    both[1].chains = SRV_CHAINS_MAX + 1;
    assert_int_equal(machine->ops->traverse(machine, both, 2, timings, NULL), SERVET_EARGUMENT);
}

TEST(a_core_runs_one_traversal_at_a_time)
{
    srv_timing timings[2];
    srv_traversal both[2] = {lines(cores[0]), lines(cores[0])};
    assert_int_equal(machine->ops->traverse(machine, both, 2, timings, NULL), SERVET_EARGUMENT);
    assert_int_equal(machine->ops->traverse(machine, both, 0, timings, NULL), SERVET_EARGUMENT);
}

TEST(strides_are_whole_pointers)
{
    srv_timing timing;
    srv_traversal odd = lines(cores[0]);
    odd.pattern = SRV_PATTERN_STRIDE;
    const double strides[] = {0, -1024, 1, 1028.5, 1025};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        odd.stride = strides[i];
        assert_int_equal(machine->ops->traverse(machine, &odd, 1, &timing, NULL), SERVET_EARGUMENT);
    }
}

TEST_GROUP(two_cores_begin, two_cores_end)
