/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of loaded latencies whose knee and latencies are worked out by hand, or by calculus. */
#include "test.h"

#include <unistd.h>

#include "servet/analyze.h"

static int read_text(const char *text, servet_loaded_curve *curve)
{
    char path[TEST_PATH_MAX];
    test_temporary_file(path, "", text);
    int code = servet_loaded_read(path, curve, NULL);
    unlink(path);
    return code;
}

static servet_loaded analyze_text(const char *text)
{
    servet_loaded_curve curve = SERVET_LOADED_CURVE_INIT;
    servet_loaded loaded;
    assert_ok(read_text(text, &curve));
    assert_ok(servet_analyze_loaded(&curve, &loaded, NULL));
    servet_loaded_free(&curve);
    assert_null(curve.points);
    return loaded;
}

static void is_near(double value, double expected)
{
    if (!(fabs(value / expected - 1) < 1e-9))
        fail_msg("%g is not %g", value, expected);
}

/* --- the decisions ---------------------------------------------------------------------------- */

/* GB/s per ns: 0.01, 0.1, 0.05, 0.25, 0.2: the knee has 25 GB/s. Half of the best bandwidth lies in
 * the middle between 10 and 30 GB/s. */
TEST(values_are_those_of_the_points)
{
    servet_loaded loaded =
        analyze_text("GB/s,ns\n# any order\n40,200\n1,100\n\n10,100\n30,120\n35,130\n");
    is_near(loaded.unloaded.value, 100e-9);
    assert_true(loaded.unloaded.trusted);
    is_near(loaded.best.value, 40e9);
    assert_true(loaded.best.trusted);
    is_near(loaded.at_50.value, 110e-9);
    is_near(loaded.at_50.low, 100e-9);
    is_near(loaded.at_50.high, 120e-9);
    is_near(loaded.at_80.value, 124e-9);
    is_near(loaded.at_95.value, 172e-9);
    is_near(loaded.knee.value, 35e9);
    is_near(loaded.knee.low, 30e9);
    is_near(loaded.knee.high, 40e9);
    assert_true(loaded.at_95.trusted);
}

/* Beyond saturation more load gets less bandwidth; a disturbed point has more latency than one with
 * more bandwidth. */
TEST(points_behind_others_do_not_count)
{
    servet_loaded clean = analyze_text("GB/s,ns\n0,100\n10,100\n30,120\n35,130\n40,200\n");
    servet_loaded loaded =
        analyze_text("GB/s,ns\n0,100\n10,100\n30,120\n35,130\n40,200\n38,350\n20,300\n");
    is_near(loaded.at_50.value, clean.at_50.value);
    is_near(loaded.at_95.value, clean.at_95.value);
    is_near(loaded.knee.value, clean.knee.value);
    is_near(loaded.best.value, 40e9);
}

/* M/D/1: L = 90 + 3.2 u / (2 (1 - u)) ns at a share u of 20 GB/s. Bandwidth over latency is largest
 * where (1 - u) / u = sqrt(3.2 / 180). */
TEST(the_knee_of_a_queue_is_that_of_calculus)
{
    enum { POINTS = 991 };
    static servet_loaded_point points[POINTS];
    servet_loaded_curve curve = {POINTS, points};
    servet_loaded loaded;
    for (int i = 0; i < POINTS; i++) {
        double u = i / 1000.0, ns = 90 + 3.2 * u / (2 * (1 - u));
        points[i].bandwidth = (servet_value){
            u * 20e9, u * 20e9, u * 20e9, 1, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED,
            true};
        points[i].latency = (servet_value){ns * 1e-9,          ns * 1e-9,           ns * 1e-9, 1,
                                           SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, true};
    }
    assert_ok(servet_analyze_loaded(&curve, &loaded, NULL));
    double knee = 20e9 / (1 + sqrt(3.2 / 180)), u = 0.95 * 0.99;
    assert_true(loaded.knee.low <= knee && knee <= loaded.knee.high);
    assert_true(fabs(loaded.at_95.value - (90 + 3.2 * u / (2 * (1 - u))) * 1e-9) < 0.1e-9);
}

/* One core that cannot load the memory: latency hardly rises. */
TEST(too_small_a_load_has_no_knee)
{
    servet_loaded loaded = analyze_text("MB/s,ns\n0,90\n5000,92\n9900,95\n10000,97\n");
    assert_false(servet_value_known(&loaded.knee));
    assert_false(loaded.best.trusted || loaded.at_50.trusted || loaded.at_95.trusted);
    is_near(loaded.at_50.value, 92e-9);
    assert_true(loaded.unloaded.trusted);
}

/* The least load is already half of all. */
TEST(a_curve_without_rest_has_no_unloaded_latency)
{
    assert_false(analyze_text("B/s,ns\n20e9,100\n30e9,120\n40e9,200\n").unloaded.trusted);
}

TEST(senseless_points_are_refused)
{
    servet_loaded_point points[3] = {{{1, 1, 1, 1, SERVET_UNIT_BYTE_PER_SECOND, 0, true},
                                      {1, 1, 1, 1, SERVET_UNIT_SECOND, 0, true}}};
    servet_loaded_curve curve = {3, points};
    servet_loaded loaded;
    points[1] = points[2] = points[0];
    assert_ok(servet_analyze_loaded(&curve, &loaded, NULL));
    points[1].latency.value = 0;
    assert_code(servet_analyze_loaded(&curve, &loaded, NULL), SERVET_EARGUMENT);
    points[1] = points[0];
    points[2].bandwidth.value = -1;
    assert_code(servet_analyze_loaded(&curve, &loaded, NULL), SERVET_EARGUMENT);
    curve.n = 2;
    assert_code(servet_analyze_loaded(&curve, &loaded, NULL), SERVET_EARGUMENT);
}

/* --- files ------------------------------------------------------------------------------------ */

/* The output that a user of two Xeon Silver 4110 posted: 16 cores that get 59 % of what 12 channels
 * of DDR4-2400 carry. */
static const char mlc[] =
    "Intel(R) Memory Latency Checker - v3.5\n"
    "Measuring Loaded Latencies for the system\n"
    "Using all the threads from each core if Hyper-threading is enabled\n"
    "Using Read-only traffic type\n"
    "Inject\tLatency\tBandwidth\n"
    "Delay\t(ns)\tMB/sec\n"
    "==========================\n"
    " 00000\t130.31\t 135655.9\n 00002\t130.34\t 135653.8\n 00008\t130.37\t 135599.5\n"
    " 00015\t129.67\t 135267.3\n 00050\t123.71\t 131282.0\n 00100\t 98.94\t  68357.8\n"
    " 00200\t 94.56\t  42695.4\n 00300\t 92.29\t  29473.3\n 00400\t 90.85\t  22580.9\n"
    " 00500\t 90.16\t  18355.0\n 00700\t 88.79\t  13463.5\n 01000\t 87.81\t   9723.8\n"
    " 20000\t 81.96\t   1237.6\n"
    "\n"
    "Measuring cache-to-cache transfer latency (in ns)...\n"
    "Local Socket L2->L2 HIT  latency\t38.5\n"
    "1 2 3\n";

TEST(the_table_of_mlc_is_read)
{
    servet_loaded loaded = analyze_text(mlc);
    is_near(loaded.best.value, 135655.9e6);
    is_near(loaded.unloaded.value, 81.96e-9);
    /* 67827.95 MB/s lie between 42695.4 and 68357.8 */
    is_near(loaded.at_50.value,
            (94.56 + (67827.95 - 42695.4) / (68357.8 - 42695.4) * (98.94 - 94.56)) * 1e-9);
    assert_false(servet_value_known(&loaded.knee));
}

static const struct {
    const char *text;
    int code;
    size_t points;
} files[] = {
    {mlc, SERVET_OK, 13},
    /* the last one of two tables */
    {"Delay (ns) MB/sec\n0 100 5\n1 90 4\nend\nDelay (ns) MB/sec\n===\n0 100 5\n", SERVET_OK, 1},
    {"B/s,ns\n1,2\n3,4", SERVET_OK, 2},
    {"", SERVET_EFORMAT, 0},
    {"1,2\n", SERVET_EFORMAT, 0},
    {"KB/s,ns\n1,2\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n1,2\n1 2\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n1,2,3\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n-1,2\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n1,0\n", SERVET_EFORMAT, 0},
    {"GB/s,ns\n1,nan\n", SERVET_EFORMAT, 0},
};

TEST(files_are_read_or_refused)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        servet_loaded_curve curve = SERVET_LOADED_CURVE_INIT;
        int code = read_text(files[i].text, &curve);
        if (code != files[i].code || curve.n != files[i].points)
            fail_msg("case %zu: code %d, %zu points", i, code, curve.n);
        servet_loaded_free(&curve);
    }
}
