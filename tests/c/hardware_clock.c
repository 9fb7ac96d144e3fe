/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <time.h>

#include "machine/hardware/clock.h"
#include "machine/hardware/core_noise.h"
#include "machine/hardware/spin.h"

static srv_clock clock_used;

/* The clock is calibrated once the core has the frequency that it keeps. */
static int init(void **state)
{
    (void)state;
    if (srv_clock_init(&clock_used, NULL) != SERVET_OK)
        return -1;
    srv_spin_warm(&clock_used);
    return srv_clock_init(&clock_used, NULL);
}

/* A counter is used only if its rate is constant to a thousandth (clock.c). */
static const double RATE_TOLERANCE = 1e-3;

TEST(the_clock_agrees_with_the_system_clock)
{
    double outer = srv_clock_raw_ns();
    uint64_t start = clock_used.ticks();
    double inner = srv_clock_raw_ns();
    nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
    inner = srv_clock_raw_ns() - inner;
    double ns = (double)(clock_used.ticks() - start) * clock_used.ns_per_tick;
    outer = srv_clock_raw_ns() - outer;
    assert_true(ns >= inner * (1 - RATE_TOLERANCE));
    assert_true(ns <= outer * (1 + RATE_TOLERANCE));
}

/* Each reading takes the overhead, and each change of the time a step. Both are the least of many:
 * with more than twice the mean, too much would be subtracted. */
TEST(overhead_and_resolution_are_those_of_readings)
{
    enum { READINGS = 10000 };
    int steps = 0;
    uint64_t start = clock_used.ticks(), last = start;
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = clock_used.ticks();
        steps += now != last;
        last = now;
    }
    double ns = (double)(last - start) * clock_used.ns_per_tick;
    assert_true(clock_used.overhead_ns >= 0 && clock_used.overhead_ns * READINGS <= 2 * ns);
    assert_true(clock_used.resolution_ns > 0 && clock_used.resolution_ns * steps <= 2 * ns);
}

/* Nanoseconds of a turn in which each addition needs the sum of the one before, by the system's
 * clock; the least of some, for others may use the core. */
static double addition_ns(void)
{
    enum { TURNS = 100000, TRIES = 20 };
    double least = INFINITY;
    unsigned long sum = 1, summand = 3;
    for (int k = 0; k < TRIES; k++) {
        double start = srv_clock_raw_ns();
        for (int i = 0; i < TURNS; i++) {
            sum += summand;
            __asm__ volatile("" : "+r"(sum), "+r"(summand));
        }
        least = fmin(least, (srv_clock_raw_ns() - start) / TURNS);
    }
    return least;
}

/* An addition takes a cycle or two, and the turn around it some more, however it is compiled. */
TEST(an_addition_takes_some_cycles)
{
    double cycles = addition_ns() * srv_spin_frequency(&clock_used);
    assert_true(cycles > 0.5 && cycles < 50);
}

/* At each frequency this clock is disturbed in all tries but the last: 10 us for each. */
static uint64_t disturbed_ticks(void)
{
    enum { TRIES = 11 };
    static uint64_t now;
    static int readings;
    bool ends = ++readings % 2 == 0;
    now += !ends ? 1 : readings == 2 * TRIES ? 10000 : 12000;
    return now;
}

TEST(disturbances_do_not_change_the_frequency)
{
    const srv_clock disturbed = {.ticks = disturbed_ticks, .ns_per_tick = 1};
    double cycles = srv_spin_frequency(&disturbed) * 10000;
    assert_true(cycles == 32768 || cycles == 65536); /* 64 * 512 additions of a cycle or two */
}

TEST(noise_is_a_share)
{
    srv_noise noise;
    srv_stolen stolen = SRV_STOLEN_INIT;
    srv_core_noise_measure(&clock_used, 0, 5e-3, &stolen, &noise);
    assert_true(noise.lost >= 0 && noise.lost < 1);
    assert_false(noise.steal < 0);
    assert_false(noise.others < 0);
    assert_true(noise.ghz > 0 && isfinite(noise.ghz));
    assert_int_equal(stolen.core, 0);
}

TEST_GROUP(init, NULL)
