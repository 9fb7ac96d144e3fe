/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/spin.h"

#include <float.h>
#include <math.h>

#include "stats/robust.h"

enum { ADDITIONS = 64, LOOP_ROUNDS = 512, FREQUENCY_TRIES = 11 };
static const double WARM_MIN_NS = 1e6, WARM_MAX_NS = 200e6, WARM_WINDOW_NS = 2e6;
static const double STILL_FASTER = 0.995; /* a warm clock repeats to 0.1 %, see measuring.md */

/* Cycles from one dependent addition to the next: one nearly everywhere, two on POWER. */
#if defined(__powerpc64__)
enum { ADD_CYCLES = 2 };
#else
enum { ADD_CYCLES = 1 };
#endif

/* One dependent addition of two registers. Immediate operands would not do: some cores fold
 * additions of constants when they rename registers. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define ADD(x, y) __asm__ volatile("add %1, %0" : "+r"(x) : "r"(y))
#elif defined(__GNUC__) && defined(__aarch64__)
#define ADD(x, y) __asm__ volatile("add %0, %0, %1" : "+r"(x) : "r"(y))
#elif defined(__GNUC__) && defined(__powerpc64__)
#define ADD(x, y) __asm__ volatile("add %0, %0, %1" : "+r"(x) : "r"(y))
#elif defined(__GNUC__)
#define ADD(x, y) ((x) += (y), __extension__({ __asm__ volatile("" : "+r"(x), "+r"(y)); }))
#endif

#define TIMES_8(x)  x x x x x x x x
#define TIMES_64(x) TIMES_8(TIMES_8(x))

/* ADDITIONS * LOOP_ROUNDS dependent additions, about 10 us; the loop's own work hides beside them.
 */
static void spin_once(void)
{
    unsigned long x = 1, y = 3;
    for (int i = 0; i < LOOP_ROUNDS; i++) {
        TIMES_64(ADD(x, y);)
    }
}

/* Eight chains keep all units of a core that add busy: none has more. */
#define ADD_ALL(y)                                                                                 \
    ADD(x0, y);                                                                                    \
    ADD(x1, y);                                                                                    \
    ADD(x2, y);                                                                                    \
    ADD(x3, y);                                                                                    \
    ADD(x4, y);                                                                                    \
    ADD(x5, y);                                                                                    \
    ADD(x6, y);                                                                                    \
    ADD(x7, y);

/* Some 5 us: a clock that ticks in 20 ns resolves 0.4 %. */
enum { PACE_ROUNDS = 1024, PACE_TRIES = 3 };
static const double PACE_BEGIN_NS = 5e6;

static void add_independently(void)
{
    unsigned long x0 = 1, x1 = 1, x2 = 1, x3 = 1, x4 = 1, x5 = 1, x6 = 1, x7 = 1, y = 3;
    for (int i = 0; i < PACE_ROUNDS; i++) {
        TIMES_8(ADD_ALL(y))
    }
}

double srv_spin_additions(const srv_clock *clock)
{
    double samples[PACE_TRIES];
    for (int i = 0; i < PACE_TRIES; i++) {
        uint64_t start = clock->ticks();
        add_independently();
        samples[i] = (double)(clock->ticks() - start) * clock->ns_per_tick - clock->overhead_ns;
    }
    return srv_spread_of(samples, PACE_TRIES).median;
}

double srv_spin_busy(srv_spin_pace *pace, double ns, double ghz)
{
    double cycles = ns * ghz;
    pace->fastest_cycles = fmin(pace->fastest_cycles, cycles);
    return cycles / pace->fastest_cycles;
}

void srv_spin_pace_begin(srv_spin_pace *pace, const srv_clock *clock, int core)
{
    double end = srv_clock_raw_ns() + PACE_BEGIN_NS;
    *pace = (srv_spin_pace){core, DBL_MAX};
    while (srv_clock_raw_ns() < end) {
        double ns = srv_spin_additions(clock);
        (void)srv_spin_busy(pace, ns, srv_spin_frequency(clock));
    }
}

double srv_spin_once(const srv_clock *clock)
{
    uint64_t start = clock->ticks();
    spin_once();
    return (double)(clock->ticks() - start) * clock->ns_per_tick;
}

static double fastest_within(const srv_clock *clock, double ns)
{
    double fastest = DBL_MAX, end = srv_clock_raw_ns() + ns;
    do
        fastest = fmin(fastest, srv_spin_once(clock));
    while (srv_clock_raw_ns() < end);
    return fastest;
}

void srv_spin_warm(const srv_clock *clock)
{
    double start = srv_clock_raw_ns(), before, now = DBL_MAX;
    do {
        before = now;
        now = fastest_within(clock, WARM_WINDOW_NS);
    } while ((now < before * STILL_FASTER || srv_clock_raw_ns() < start + WARM_MIN_NS) &&
             srv_clock_raw_ns() < start + WARM_MAX_NS);
}

/* The fastest try counts: no core adds more often than once in a cycle, and all that others do only
 * delays a try. The median of eleven was 2.65 GHz on a busy guest of 3.09. */
double srv_spin_frequency(const srv_clock *clock)
{
    double fastest = DBL_MAX;
    for (int i = 0; i < FREQUENCY_TRIES; i++)
        fastest = fmin(fastest, srv_spin_once(clock) - clock->overhead_ns);
    return ADD_CYCLES * ADDITIONS * LOOP_ROUNDS / fastest;
}
