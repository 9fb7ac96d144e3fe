/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits to a machine of known times, some of them disturbed by other work. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stats/visits.h"

static const double KIB = 1 << 10;
static uint64_t random_state;

/* Uniform in 0..1. */
static double chance(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 11) / (double)(UINT64_C(1) << 53);
}

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

static srv_visits visits_with(others noise, int moments, size_t *disturbed)
{
    srv_visits visits = {0};
    random_state = 7;
    *disturbed = 0;
    for (int moment = 0; moment < moments; moment++)
        for (double bytes = 4 * KIB; bytes < 1024 * KIB; bytes *= 1.25)
            for (int placement = 0; placement < 3; placement++) {
                bool now = chance() < noise.share;
                double slower = now ? 1.15 + 1.85 * chance() : 1 + 0.002 * chance();
                bool told = now && noise.seen && chance() >= noise.hidden;
                double ns = read_by(truth_of(bytes, placement) * slower, noise.clock_ns);
                srv_visit visit = {.bytes = bytes,
                                   .placement = placement,
                                   .seconds = (double)visits.count,
                                   .ns = ns,
                                   .error = ns * fmax(1e-4, 0.4 * noise.clock_ns / 20e3),
                                   .busy = !noise.seen ? NAN
                                           : told      ? 1.2 + 0.7 * chance()
                                                       : 1 + 0.01 * chance(),
                                   .ghz = 3};
                assert_int_equal(srv_visits_add(&visits, &visit, NULL), SERVET_OK);
                *disturbed += now;
            }
    assert_int_equal(srv_visits_verify(&visits, NULL), SERVET_OK);
    return visits;
}

/* The number of sizes that differ by more than this share from the mean over the placements. */
static size_t wrong_sizes(const srv_visits *visits, double share)
{
    servet_curve curve;
    size_t wrong = 0;
    assert_int_equal(srv_visits_curve(visits, &curve, NULL), SERVET_OK);
    for (size_t i = 0; i < curve.n; i++) {
        double truth = truth_of(curve.bytes[i], 1);
        assert_true(i == 0 || curve.bytes[i] > curve.bytes[i - 1]);
        assert_true(curve.low[i] <= curve.latency[i] && curve.latency[i] <= curve.high[i]);
        wrong += fabs(1e9 * curve.latency[i] / truth - 1) > share;
    }
    servet_curve_free(&curve);
    return wrong;
}

static void bursts_are_recognized(void **state)
{
    (void)state;
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
static void repeated_visits_replace_the_indicator(void **state)
{
    (void)state;
    size_t disturbed;
    srv_visits visits = visits_with((others){.share = 0.3}, 8, &disturbed);
    assert_true((double)(visits.count - srv_visits_quiet(&visits)) > 0.9 * (double)disturbed);
    assert_int_equal(wrong_sizes(&visits, 0.01), 0);
    srv_visits_free(&visits);
}

/* Rounding down by a step of 20 ns in a sample of 20 us takes off up to a thousandth, and the
 * interval has it. */
static void the_interval_covers_a_coarse_clock(void **state)
{
    (void)state;
    size_t disturbed;
    srv_visits visits =
        visits_with((others){.share = 0.13, .seen = true, .clock_ns = 20}, 6, &disturbed);
    servet_curve curve;
    assert_int_equal(wrong_sizes(&visits, 0.01), 0);
    assert_int_equal(srv_visits_curve(&visits, &curve, NULL), SERVET_OK);
    for (size_t i = 0; i < curve.n; i++)
        assert_true(curve.high[i] - curve.low[i] >= curve.latency[i] * 20 / 20e3 * 0.5);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

/* Alone, a size that no visit was quiet at is an upper limit: it may be as fast as the one before.
 */
static void a_size_without_a_quiet_visit_is_an_upper_bound(void **state)
{
    (void)state;
    srv_visits visits = {0};
    for (double bytes = 4 * KIB; bytes <= 64 * KIB; bytes *= 2)
        for (int moment = 0; moment < 4; moment++) {
            bool late = bytes > 32 * KIB;
            srv_visit visit = {.bytes = bytes,
                               .ns = late ? 3 : 1,
                               .error = 1e-3,
                               .busy = late ? 1.7 : 1,
                               .ghz = 3};
            assert_int_equal(srv_visits_add(&visits, &visit, NULL), SERVET_OK);
        }
    servet_curve curve;
    assert_int_equal(srv_visits_verify(&visits, NULL), SERVET_OK);
    assert_int_equal(srv_visits_curve(&visits, &curve, NULL), SERVET_OK);
    assert_int_equal(curve.n, 5);
    assert_true(curve.low[3] > 0.99e-9 && curve.low[4] <= 1e-9 && curve.high[4] >= 3e-9);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

/* A program on the other thread of the core runs all the time: additions take 1.6 times as long,
 * dependent loads do not. */
static void interference_without_end_does_not_change_the_times(void **state)
{
    (void)state;
    srv_visits visits = {0};
    for (double bytes = 4 * KIB; bytes < 1024 * KIB; bytes *= 1.5)
        for (int placement = 0; placement < 3; placement++) {
            srv_visit visit = {.bytes = bytes,
                               .placement = placement,
                               .ns = truth_of(bytes, placement),
                               .error = 1e-3,
                               .busy = 1.58 + 0.01 * chance(),
                               .ghz = 3};
            assert_int_equal(srv_visits_add(&visits, &visit, NULL), SERVET_OK);
        }
    assert_int_equal(srv_visits_verify(&visits, NULL), SERVET_OK);
    assert_int_equal(srv_visits_quiet(&visits), 0);
    assert_int_equal(wrong_sizes(&visits, 0.04), 0); /* that is what placements differ by */
    srv_visits_free(&visits);
}

/* Disturbances that nothing tells of: a larger set that is faster does. */
static void a_larger_set_is_not_faster(void **state)
{
    (void)state;
    const double ns[] = {1, 1, 5, 2, 6, 3};
    srv_visits visits = {0};
    for (int i = 0; i < 6; i++) {
        srv_visit visit = {
            .bytes = (i + 1) * 4 * KIB, .ns = ns[i], .error = 1e-3, .busy = NAN, .ghz = 3};
        assert_int_equal(srv_visits_add(&visits, &visit, NULL), SERVET_OK);
    }
    servet_curve curve;
    assert_int_equal(srv_visits_verify(&visits, NULL), SERVET_OK);
    assert_int_equal(srv_visits_curve(&visits, &curve, NULL), SERVET_OK);
    assert_true(curve.low[2] <= 1.01e-9 && curve.high[2] >= 2e-9 && curve.high[2] < 2.1e-9);
    assert_true(curve.low[4] <= 2.01e-9 && curve.high[4] >= 3e-9 && curve.high[4] < 3.1e-9);
    assert_float_equal(1e9 * curve.latency[3], 2, 1e-9);
    srv_visits_free(&visits);
    servet_curve_free(&curve);
}

static void moments_are_counted(void **state)
{
    (void)state;
    srv_visits visits = {0};
    srv_visit visit = {.bytes = 4096, .ns = 1};
    for (int i = 0; i < 6; i++) {
        visit.placement = i % 2;
        assert_int_equal(srv_visits_add(&visits, &visit, NULL), SERVET_OK);
    }
    assert_int_equal(visits.visit[5].moment, 2);
    assert_int_equal(visits.visit[4].moment, 2);
    srv_visits_free(&visits);
}

/* --- files ------------------------------------------------------------------------------------ */

static char path[TEST_PATH_MAX];

/* Two visits of one size, each a row of eight columns; an unknown indicator is "nan". */
static void visits_are_written_a_row_each(void **state)
{
    (void)state;
    char text[512] = "";
    srv_visits visits = {0};
    const srv_visit first = {
        .bytes = 4096, .seconds = 0.5, .ns = 1.25, .error = 0.01, .busy = 1, .ghz = 3};
    const srv_visit other = {.bytes = 4096, .placement = 1, .ns = 1.5, .busy = NAN, .ghz = 2.5};
    assert_int_equal(srv_visits_add(&visits, &first, NULL), SERVET_OK);
    assert_int_equal(srv_visits_add(&visits, &other, NULL), SERVET_OK);
    visits.visit[0].quiet = true;
    assert_int_equal(srv_visits_write(path, &visits, NULL), SERVET_OK);
    srv_visits_free(&visits);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, "# 1 of 2 visits were quiet\n"
                              "bytes,placement,moment,seconds,ns,error,busy,ghz\n"
                              "4096,0,0,0.500000,1.25,0.01,1,3\n"
                              "4096,1,0,0.000000,1.5,0,nan,2.5\n");
}

static int make_file(void **state)
{
    (void)state;
    test_path(path, "servet-visits-XXXXXX");
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_are_recognized),
        cmocka_unit_test(repeated_visits_replace_the_indicator),
        cmocka_unit_test(the_interval_covers_a_coarse_clock),
        cmocka_unit_test(a_size_without_a_quiet_visit_is_an_upper_bound),
        cmocka_unit_test(interference_without_end_does_not_change_the_times),
        cmocka_unit_test(a_larger_set_is_not_faster),
        cmocka_unit_test(moments_are_counted),
        cmocka_unit_test(visits_are_written_a_row_each),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
