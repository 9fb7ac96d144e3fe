/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits to pages of a machine whose TLB and loads are known: 64 entries, a load takes 2 ns, a miss
 * 5 ns more. */
#include "test.h"

#include "alloc.h"
#include "stats/page_visits.h"

enum { ENTRIES = 64, PAGE = 4096, HUGE = 2 << 20 };
static const double LOAD = 2, MISS = 5;

static srv_page_visits series;
static srv_page_point point[SRV_PAGE_POINTS_MAX];

TEST_FIXTURE(prepare)
{
    series = (srv_page_visits){.base_bytes = PAGE, .page_bytes = PAGE, .line_bytes = 64};
    return 0;
}

TEST_FIXTURE(clear)
{
    srv_page_visits_free(&series);
    assert_null(series.visit);
    assert_int_equal(series.count, 0);
    return 0;
}

static void visit(double stride, int lines, double ns)
{
    assert_ok(srv_page_visits_add(&series, (srv_page_visit){stride, lines, ns}, NULL));
}

/* Visits to one line in each of `lines` pages, and the control, whose lines lie in a 64th of the
 * pages. */
static void visit_pages(int lines, double slower)
{
    visit(PAGE, lines, LOAD + (lines > ENTRIES ? MISS : 0) + slower);
    visit(0, lines, LOAD);
}

static bool packed; /* the control of curve_is() */

static void curve_is(double stride, int count, const int *lines, const double *ns)
{
    assert_int_equal(srv_page_curve(&series, stride, packed, point), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(point[i].lines, lines[i]);
        assert_true(fabs(point[i].ns - ns[i]) < 1e-9);
    }
}

TEST_EACH(prepare, clear)

TEST(the_cost_of_a_miss_is_found)
{
    const int lines[] = {128, 16, 65, 64};
    for (int i = 0; i < 4; i++)
        visit_pages(lines[i], 0);
    curve_is(PAGE, 4, (const int[]){16, 64, 65, 128}, (const double[]){0, 0, MISS, MISS});
    assert_true(point[0].control == LOAD && point[3].control == LOAD);
    assert_true(isinf(point[0].doubt));
}

/* Interference slows visits down: for each set, the fastest visit counts, and the difference of the
 * next one. */
TEST(the_fastest_visits_count)
{
    const double slower[] = {3, 0.25, 7, 0};
    for (int i = 0; i < 4; i++) {
        visit_pages(32, slower[i]);
        visit_pages(128, slower[3 - i]);
    }
    curve_is(PAGE, 2, (const int[]){32, 128}, (const double[]){0, MISS});
    assert_true(point[0].doubt == 0.25 && point[1].doubt == 0.25);
    visit(0, 256, LOAD);
    visit(0, 256, LOAD + 0.5);
    visit(PAGE, 256, LOAD + MISS);
    visit(PAGE, 256, LOAD + MISS + 0.125);
    assert_int_equal(srv_page_curve(&series, PAGE, false, point), 3);
    assert_true(point[2].doubt == 0.5);
}

TEST(times_of_two_larger_sets_limit_smaller_ones)
{
    visit_pages(16, 0);
    visit_pages(32, 4);
    visit_pages(48, 0);
    visit_pages(64, 0);
    curve_is(PAGE, 4, (const int[]){16, 32, 48, 64}, (const double[]){0, 0, 0, 0});
}

/* The control of 256 lines was slowed down by 4 ns, so that translation seems to cost 1 ns there.
 */
TEST(one_larger_set_alone_does_not)
{
    visit_pages(64, 0);
    visit_pages(128, 0);
    visit(PAGE, 256, LOAD + MISS);
    visit(0, 256, LOAD + 4);
    curve_is(PAGE, 3, (const int[]){64, 128, 256}, (const double[]){0, MISS, MISS});
}

/* If both take the time of memory, a small difference says nothing of translation. */
TEST(what_larger_sets_take_in_memory_does_not)
{
    visit_pages(128, 0);
    for (int lines = 2048; lines <= 4096; lines += 2048) {
        visit(PAGE, lines, LOAD + 100 * MISS);
        visit(0, lines, LOAD + 100 * MISS);
    }
    assert_int_equal(srv_page_curve(&series, PAGE, false, point), 3);
    assert_true(fabs(point[0].ns - MISS) < 1e-9);
}

/* More lines side by side take no less time: a control that others made slower is known by a larger
 * one. */
TEST(a_slow_control_is_known_by_a_larger_one)
{
    visit(PAGE, 128, LOAD + MISS);
    visit(0, 128, LOAD + 3);
    visit(0, 256, LOAD);
    curve_is(PAGE, 1, (const int[]){128}, (const double[]){MISS});
}

TEST(sets_without_a_control_are_left_out)
{
    visit_pages(16, 0);
    visit(PAGE, 32, LOAD);
    visit(PAGE, 128, LOAD + MISS);
    visit(HUGE, 16, LOAD);
    curve_is(PAGE, 1, (const int[]){16}, (const double[]){0});
    assert_int_equal(srv_page_curve(&series, 2 * PAGE, false, point), 0);
}

/* 8192 lines of 64 B lie in 128 base pages, 65 of which the TLB holds at a time: what the others
 * cost is no part of what huge pages save. */
TEST(the_pages_of_the_control_are_paid_back)
{
    const int lines[] = {16, 64, 65, 128};
    for (int i = 0; i < 4; i++)
        visit_pages(lines[i], 0);
    visit(0, 8192, LOAD + MISS * (1 - 65 / 128.));
    visit(HUGE, 8192, LOAD + 3);
    curve_is(HUGE, 1, (const int[]){8192}, (const double[]){3});
}

/* 2048 packed lines, five from one to the next, lie in 160 pages. A cache takes lines of more than
 * 64 pages longer, and packed ones, but not those side by side. */
TEST(packed_lines_are_another_control)
{
    const int lines[] = {16, 64, 65, 2048};
    for (int i = 0; i < 4; i++) {
        double pages = lines[i] * 5 / 64., cache = lines[i] > ENTRIES ? 3 : 0;
        visit_pages(lines[i], cache);
        visit(5 * 64, lines[i], LOAD + cache + MISS * fmax(0, 1 - 65 / pages));
    }
    assert_true(srv_page_is_packed(&series, PAGE));
    curve_is(PAGE, 4, lines, (const double[]){0, 0, MISS + 3, MISS + 3});
    packed = true;
    curve_is(PAGE, 4, lines, (const double[]){0, 0, MISS, MISS});
    packed = false;
    visit_pages(4096, 0);
    assert_false(srv_page_is_packed(&series, PAGE));
}

/* Packed lines come at as many offsets in a page as it has lines, and are no neighbours. */
TEST(packed_lines_use_all_sets)
{
    static const double pages[] = {PAGE, 4 * PAGE, 16 * PAGE};
    for (int i = 0; i < 3; i++)
        for (series.line_bytes = 32; series.line_bytes <= 256; series.line_bytes *= 2) {
            series.base_bytes = pages[i];
            double stride = srv_page_packed_stride(&series), met = 1;
            while (fmod(met * stride, pages[i]) != 0)
                met++;
            assert_float_equal(met, pages[i] / series.line_bytes, 0);
            assert_true(stride > 2 * series.line_bytes && 3 * stride < pages[i]);
        }
}

TEST(more_sets_than_there_is_room_for_are_left_out)
{
    for (int lines = 1; lines <= SRV_PAGE_POINTS_MAX + 40; lines++)
        visit_pages(lines, 0);
    assert_int_equal(srv_page_curve(&series, PAGE, false, point), SRV_PAGE_POINTS_MAX);
    assert_int_equal(point[SRV_PAGE_POINTS_MAX - 1].lines, SRV_PAGE_POINTS_MAX);
}

TEST(without_memory_the_series_stays)
{
    servet_error error = SERVET_ERROR_INIT;
    visit_pages(16, 0);
    while ((series.count & (series.count - 1)) != 0) /* the room grows at powers of two */
        visit(PAGE, 16, LOAD);
    size_t count = series.count;
    alloc_fail_at(1);
    int code = srv_page_visits_add(&series, (srv_page_visit){PAGE, 32, LOAD}, &error);
    alloc_fail_at(0);
    assert_code(code, SERVET_EMEMORY);
    assert_int_equal(series.count, count);
    assert_int_equal(srv_page_curve(&series, PAGE, false, point), 1);
}
