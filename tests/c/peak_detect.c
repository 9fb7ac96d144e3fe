/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak rates from visits: the best one counts, and the doubts that visits raise. */
#include "test.h"

#include "facts/peak/detect.h"

static const int cores[] = {3, 5};

/* Vectors of eight doubles: 2.5 GHz, two fused units: 80 GFLOP/s. */
static srv_peak_row row_of(int visits, const double gflops[])
{
    srv_peak_row row = {.precision = SERVET_PRECISION_F64,
                        .width = SERVET_WIDTH_VECTOR,
                        .cores = cores,
                        .count = 1,
                        .visits = visits};
    for (int i = 0; i < visits; i++)
        row.visit[i] =
            (srv_peak_visit){gflops[i] * 1e9, gflops[i] * 0.99e9, gflops[i] * 1.01e9, 2.5, 512};
    return row;
}

TEST(the_best_visit_counts)
{
    srv_peak_row row = row_of(3, (const double[]){41, 80, 78});
    servet_peak peak = srv_detect_peak(&row);
    assert_float_equal(peak.rate.value, 80e9, 1);
    assert_float_equal(peak.rate.low, 78e9, 1);
    assert_float_equal(peak.rate.high, 80.8e9, 1);
    assert_float_equal(peak.clock.value, 2.5e9, 1);
    assert_int_equal(peak.rate.samples, 3);
    assert_int_equal(peak.rate.unit, SERVET_UNIT_FLOP_PER_SECOND);
    assert_int_equal(peak.bits, 512);
    assert_int_equal(peak.cores, 1);
    assert_int_equal(peak.core, 3);
    assert_null(srv_detect_peak_doubt(&row));
}

TEST(one_fast_visit_is_doubtful)
{
    srv_peak_row alone = row_of(1, (const double[]){80}),
                 apart = row_of(5, (const double[]){60, 61, 80, 60, 50});
    assert_string_equal(srv_detect_peak_doubt(&alone), "no second visit was as fast");
    assert_string_equal(srv_detect_peak_doubt(&apart), "no second visit was as fast");
}

/* 60 GFLOP/s are 24 operations a cycle, three for each number of a register. One unit does two, two
 * units four; without fusing, two units do two, one does one. With three quarters of two units, no
 * whole number comes out. */
TEST(shared_units_are_doubtful)
{
    static const struct {
        double gflops;
        bool doubtful;
    } rows[] = {{80, false}, {40, false}, {20, false}, {10, false},
                {50, true},  {30, true},  {70, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        srv_peak_row row = row_of(2, (const double[]){rows[i].gflops, rows[i].gflops});
        assert_int_equal(srv_detect_peak_doubt(&row) != NULL, rows[i].doubtful);
    }
}

/* The best visit's core had already returned to its clock without load. */
TEST(the_clock_is_the_lowest_of_visits_that_are_alike)
{
    srv_peak_row row = row_of(3, (const double[]){80, 79, 40});
    row.visit[0].ghz = 3.1;
    row.visit[2].ghz = 1.2;
    assert_float_equal(srv_detect_peak(&row).clock.value, 2.5e9, 1);
    assert_null(srv_detect_peak_doubt(&row));
}

TEST(cores_together_are_one_rate)
{
    srv_peak_row row = row_of(2, (const double[]){160, 159});
    row.count = 2;
    servet_peak peak = srv_detect_peak(&row);
    assert_int_equal(peak.cores, 2);
    assert_float_equal(peak.rate.value, 160e9, 1);
    assert_null(srv_detect_peak_doubt(&row));
}
