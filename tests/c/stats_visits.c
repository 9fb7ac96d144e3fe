/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits to a machine of known times, some of them disturbed by other work. */
#include "test.h"

#include "chance.h"
#include "stats/visits.h"

static const double KIB = 1 << 10;

/* Other programs run for a share of the time and slow loads down by up to 3 times. */
typedef struct others {
    double share;
    bool seen;       /* by the indicator */
    double hidden;   /* share of the disturbed visits that it misses all the same */
    double clock_ns; /* step of the clock; a sample of 20 us is a whole number of these */
} others;

/* One level of 32 KiB; placements of pages differ by 4 %. */
static double truth_of(double bytes, int placement)
{
    double miss = fmax(0, 1 - 32 * KIB / bytes);
    return (1 + 3 * miss) * (1 + 0.04 * (placement - 1) * miss);
}

/* The value read by a clock with steps: samples of 20 us, all rounded alike. */
static double read_by(double ns, double step)
{
    double loads = floor(20e3 / ns);
    return step > 0 ? floor(ns * loads / step) * step / loads : ns;
}

static void add(srv_visits *visits, srv_visit visit)
{
    assert_ok(srv_visits_add(visits, &visit, NULL));
}

static servet_curve curve_of(srv_visits *visits)
{
    servet_curve curve;
    assert_ok(srv_visits_verify(visits, NULL));
    assert_ok(srv_visits_curve(visits, &curve, NULL));
    return curve;
}

static srv_visits visits_with(others noise, int moments, size_t *disturbed)
{
    srv_visits visits = {0};
    *disturbed = 0;
    for (int moment = 0; moment < moments; moment++)
        for (double bytes = 4 * KIB; bytes < 1024 * KIB; bytes *= 1.25)
            for (int placement = 0; placement < 3; placement++) {
                bool now = chance() < noise.share;
                double slower = now ? 1.15 + 1.85 * chance() : 1 + 0.002 * chance();
                bool told = now && noise.seen && chance() >= noise.hidden;
                double ns = read_by(truth_of(bytes, placement) * slower, noise.clock_ns);
                add(&visits, (srv_visit){.bytes = bytes,
                                         .placement = placement,
                                         .seconds = (double)visits.count,
                                         .ns = ns,
                                         .error = ns * fmax(1e-4, 0.4 * noise.clock_ns / 20e3),
                                         .busy = !noise.seen ? NAN
                                                 : told      ? 1.2 + 0.7 * chance()
                                                             : 1 + 0.01 * chance(),
                                         .ghz = 3});
                *disturbed += now;
            }
    assert_ok(srv_visits_verify(&visits, NULL));
    return visits;
}

/* The number of sizes that differ by more than this share from the mean over the placements. */
static size_t wrong_sizes(const srv_visits *visits, double share)
{
    servet_curve curve;
    size_t wrong = 0;
    assert_ok(srv_visits_curve(visits, &curve, NULL));
    for (size_t i = 0; i < curve.n; i++) {
        double truth = truth_of(curve.bytes[i], 1);
        assert_true(i == 0 || curve.bytes[i] > curve.bytes[i - 1]);
        assert_true(curve.low[i] <= curve.latency[i] && curve.latency[i] <= curve.high[i]);
        wrong += fabs(1e9 * curve.latency[i] / truth - 1) > share;
    }
    servet_curve_free(&curve);
    return wrong;
}

TEST(bursts_are_recognized)
{
    const double shares[] = {0, 0.13, 0.6};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        size_t disturbed;
        srv_visits visits =
            visits_with((others){.share = shares[i], .seen = true, .hidden = 0.1}, 16, &disturbed);
        size_t called = visits.count - srv_visits_quiet(&visits);
        assert_true(called <= disturbed + visits.count / 50);
        assert_true((double)called >= 0.97 * (double)disturbed);
        assert_int_equal(wrong_sizes(&visits, 0.01), 0);
        srv_visits_free(&visits);
    }
}

/* Without an indicator of others, visits to the same placement show them. */
TEST(repeated_visits_replace_the_indicator)
{
    size_t disturbed;
    srv_visits visits = visits_with((others){.share = 0.3}, 8, &disturbed);
    assert_true((double)(visits.count - srv_visits_quiet(&visits)) > 0.9 * (double)disturbed);
    assert_int_equal(wrong_sizes(&visits, 0.01), 0);
    srv_visits_free(&visits);
}

/* Rounding down by a step of 20 ns in a sample of 20 us takes off up to a thousandth, and the
 * interval has it. */
TEST(the_interval_covers_a_coarse_clock)
{
    size_t disturbed;
    srv_visits visits =
        visits_with((others){.share = 0.13, .seen = true, .clock_ns = 20}, 6, &disturbed);
    servet_curve curve;
    assert_int_equal(wrong_sizes(&visits, 0.01), 0);
    assert_ok(srv_visits_curve(&visits, &curve, NULL));
    for (size_t i = 0; i < curve.n; i++)
        assert_true(curve.high[i] - curve.low[i] >= curve.latency[i] * 20 / 20e3 * 0.5);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

/* Alone, a size that no visit was quiet at is an upper limit: it may be as fast as the one before.
 */
TEST(a_size_without_a_quiet_visit_is_an_upper_bound)
{
    srv_visits visits = {0};
    for (double bytes = 4 * KIB; bytes <= 64 * KIB; bytes *= 2)
        for (int moment = 0; moment < 4; moment++) {
            bool late = bytes > 32 * KIB;
            add(&visits, (srv_visit){.bytes = bytes,
                                     .ns = late ? 3 : 1,
                                     .error = 1e-3,
                                     .busy = late ? 1.7 : 1,
                                     .ghz = 3});
        }
    servet_curve curve = curve_of(&visits);
    assert_int_equal(curve.n, 5);
    assert_true(curve.low[3] > 0.99e-9 && curve.low[4] <= 1e-9 && curve.high[4] >= 3e-9);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

/* A program on the other thread of the core runs all the time: additions take 1.6 times as long,
 * dependent loads do not. */
TEST(interference_without_end_does_not_change_the_times)
{
    srv_visits visits = {0};
    for (double bytes = 4 * KIB; bytes < 1024 * KIB; bytes *= 1.5)
        for (int placement = 0; placement < 3; placement++) {
            add(&visits, (srv_visit){.bytes = bytes,
                                     .placement = placement,
                                     .ns = truth_of(bytes, placement),
                                     .error = 1e-3,
                                     .busy = 1.58 + 0.01 * chance(),
                                     .ghz = 3});
        }
    assert_ok(srv_visits_verify(&visits, NULL));
    assert_int_equal(srv_visits_quiet(&visits), 0);
    assert_int_equal(wrong_sizes(&visits, 0.04), 0); /* that is what placements differ by */
    srv_visits_free(&visits);
}

/* Disturbances that nothing tells of: a larger set that is faster does. */
TEST(a_larger_set_is_not_faster)
{
    const double ns[] = {1, 1, 5, 2, 6, 3};
    srv_visits visits = {0};
    for (int i = 0; i < 6; i++) {
        add(&visits,
            (srv_visit){
                .bytes = (i + 1) * 4 * KIB, .ns = ns[i], .error = 1e-3, .busy = NAN, .ghz = 3});
    }
    servet_curve curve = curve_of(&visits);
    assert_true(curve.low[2] <= 1.01e-9 && curve.high[2] >= 2e-9 && curve.high[2] < 2.1e-9);
    assert_true(curve.low[4] <= 2.01e-9 && curve.high[4] >= 3e-9 && curve.high[4] < 3.1e-9);
    assert_float_equal(1e9 * curve.latency[3], 2, 1e-9);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

TEST(moments_are_counted)
{
    srv_visits visits = {0};
    srv_visit visit = {.bytes = 4096, .ns = 1};
    for (int i = 0; i < 6; i++) {
        visit.placement = i % 2;
        assert_ok(srv_visits_add(&visits, &visit, NULL));
    }
    assert_int_equal(visits.visit[5].moment, 2);
    assert_int_equal(visits.visit[4].moment, 2);
    srv_visits_free(&visits);
}
