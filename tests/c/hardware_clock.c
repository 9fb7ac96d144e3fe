/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <time.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/core_noise.h"
#include "machine/hardware/spin.h"

static srv_clock clock_used;

static int init(void **state)
{
    (void)state;
    return srv_clock_init(&clock_used, NULL);
}

static void the_clock_agrees_with_the_system_clock(void **state)
{
    (void)state;
    double raw = srv_clock_raw_ns();
    uint64_t start = clock_used.ticks();
    nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
    double ns = (double)(clock_used.ticks() - start) * clock_used.ns_per_tick;
    raw = srv_clock_raw_ns() - raw;
    assert_true(ns > 49.9e6);
    assert_true(ns < raw * 1.001);
}

static void overhead_and_resolution_are_positive_and_small(void **state)
{
    (void)state;
    assert_true(clock_used.overhead_ns >= 0 && clock_used.overhead_ns < 10e3);
    assert_true(clock_used.resolution_ns > 0 && clock_used.resolution_ns < 10e3);
}

static void frequency_is_that_of_a_processor(void **state)
{
    (void)state;
    srv_spin_warm(&clock_used);
    double ghz = srv_spin_frequency(&clock_used);
    assert_true(ghz > 0.05 && ghz < 10);
}

/* Of the tries at a frequency, this clock shows the last one alone undisturbed: 10 us for each. */
static uint64_t disturbed_ticks(void)
{
    enum { TRIES = 11 };
    static uint64_t now;
    static int readings;
    bool ends = ++readings % 2 == 0;
    now += !ends ? 1 : readings == 2 * TRIES ? 10000 : 12000;
    return now;
}

static void disturbances_do_not_change_the_frequency(void **state)
{
    (void)state;
    const srv_clock disturbed = {.ticks = disturbed_ticks, .ns_per_tick = 1};
    double cycles = srv_spin_frequency(&disturbed) * 10000;
    assert_true(cycles == 32768 || cycles == 65536); /* 64 * 512 additions of a cycle or two */
}

static void noise_is_a_share(void **state)
{
    (void)state;
    srv_noise noise;
    srv_stolen stolen = SRV_STOLEN_INIT;
    srv_core_noise_measure(&clock_used, 0, 5e-3, &stolen, &noise);
    assert_true(noise.lost >= 0 && noise.lost < 1);
    assert_false(noise.steal < 0);
    assert_false(noise.others < 0);
    assert_true(noise.ghz > 0.1 && noise.ghz < 10);
    assert_int_equal(stolen.core, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_clock_agrees_with_the_system_clock),
        cmocka_unit_test(overhead_and_resolution_are_positive_and_small),
        cmocka_unit_test(disturbances_do_not_change_the_frequency),
        cmocka_unit_test(frequency_is_that_of_a_processor),
        cmocka_unit_test(noise_is_a_share),
    };
    return cmocka_run_group_tests(tests, init, NULL);
}
