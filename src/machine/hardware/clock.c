/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/clock.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "core/error.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* STILL_READINGS take far longer than a step of any clock. */
enum { PROBES = 2000, STEPS = 5, STILL_READINGS = 1 << 22 };

/* A sample is to have many steps, and a budget of seconds many samples. */
static const double COARSEST_NS = 1e5;

static uint64_t monotonic_raw_ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double srv_clock_raw_ns(void)
{
    return (double)monotonic_raw_ticks();
}

/* Both fences matter: the counter must be read after the loads before it and before those behind.
 */
#if defined(__x86_64__)
#define COUNTER_NAME "tsc"
static uint64_t counter_ticks(void)
{
    _mm_lfence();
    uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}
#elif defined(__aarch64__)
#define COUNTER_NAME "cntvct"
static uint64_t counter_ticks(void)
{
    uint64_t ticks;
    __asm__ volatile("dsb ld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) : : "memory");
    return ticks;
}
#elif defined(__powerpc64__)
#define COUNTER_NAME "timebase"
static uint64_t counter_ticks(void)
{
    __asm__ volatile("isync" : : : "memory");
    uint64_t ticks = __builtin_ppc_get_timebase();
    __asm__ volatile("isync" : : : "memory");
    return ticks;
}
#endif

#ifdef COUNTER_NAME
/* Two calibrations of a good counter, 5 ms each, differ by read jitter (some 20 ns) only: under
 * 1e-5. A counter that follows the core's frequency is off by percents. */
static const double RATE_TOLERANCE = 1e-3;
static const double CALIBRATION_NS = 5e6;
enum { CALIBRATIONS = 3 };

/* A reading of both clocks at one moment. */
typedef struct reading {
    double raw_ns;
    uint64_t ticks;
} reading;

/* The reading with the shortest bracket of a few tries. */
static reading read_both(void)
{
    double shortest = DBL_MAX;
    reading best = {0, 0};
    for (int i = 0; i < 10; i++) {
        double before = srv_clock_raw_ns();
        uint64_t now = counter_ticks();
        double bracket = srv_clock_raw_ns() - before;
        if (bracket < shortest) {
            shortest = bracket;
            best = (reading){before + bracket / 2, now};
        }
    }
    return best;
}

static double calibrate(void)
{
    const reading start = read_both();
    while (srv_clock_raw_ns() < start.raw_ns + CALIBRATION_NS) {
    }
    const reading end = read_both();
    return end.ticks > start.ticks ? (end.raw_ns - start.raw_ns) / (double)(end.ticks - start.ticks)
                                   : 0;
}

/* True, and its rate, if the counter advances at a constant rate. */
static bool counter_is_good(double *ns_per_tick)
{
    double first = calibrate();
    *ns_per_tick = first;
    for (int i = 1; i < CALIBRATIONS; i++) {
        double next = calibrate();
        if (next <= 0 || fabs(next / first - 1) > RATE_TOLERANCE)
            return false;
        *ns_per_tick = next;
    }
    uint64_t previous = counter_ticks();
    for (int i = 0; i < PROBES; i++) {
        uint64_t now = counter_ticks();
        if (now < previous)
            return false;
        previous = now;
    }
    return first > 0;
}
#endif

/* Overhead: the most common empty interval is also near the smallest one; the minimum is exact and
 * cannot be disturbed. Resolution: the smallest step between different readings. */
static void measure_overhead(srv_clock *clock)
{
    uint64_t smallest = UINT64_MAX, step = UINT64_MAX;
    for (int i = 0; i < PROBES; i++) {
        uint64_t start = clock->ticks(), end = clock->ticks();
        while (end == start)
            end = clock->ticks();
        step = end - start < step ? end - start : step;
        start = clock->ticks();
        end = clock->ticks();
        smallest = end - start < smallest ? end - start : smallest;
    }
    clock->overhead_ns = (double)smallest * clock->ns_per_tick;
    clock->resolution_ns = (double)step * clock->ns_per_tick;
}

/* The smallest of a few steps of CLOCK_MONOTONIC_RAW; 0: it stands still. */
static double raw_step_ns(void)
{
    double smallest = DBL_MAX;
    for (int i = 0; i < STEPS && smallest > 0; i++) {
        double start = srv_clock_raw_ns(), now = start;
        for (int n = 0; n < STILL_READINGS && now <= start; n++)
            now = srv_clock_raw_ns();
        smallest = fmin(smallest, now - start);
    }
    return smallest;
}

int srv_clock_init(srv_clock *clock, servet_error *error)
{
    double step = raw_step_ns();
    if (step <= 0)
        return srv_fail(error, SERVET_EMACHINE, "CLOCK_MONOTONIC_RAW stands still or goes back");
    if (step > COARSEST_NS)
        return srv_fail(error, SERVET_EMACHINE,
                        "CLOCK_MONOTONIC_RAW ticks every %.3g ms: 0.1 ms is needed", step * 1e-6);
    *clock = (srv_clock){"monotonic_raw", monotonic_raw_ticks, 1, 0, 0};
#ifdef COUNTER_NAME
    double ns_per_tick;
    if (counter_is_good(&ns_per_tick))
        *clock = (srv_clock){COUNTER_NAME, counter_ticks, ns_per_tick, 0, 0};
#endif
    measure_overhead(clock);
    return SERVET_OK;
}
