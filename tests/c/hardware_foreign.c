/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor time of other programs is computed from texts in the format of /proc/stat. */
#include "test.h"

#include "machine/hardware/foreign.h"

static srv_processor_use read(const char *text, double own, double wall)
{
    srv_processor_use use = {.own = own, .wall = wall};
    FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(stream);
    srv_processor_use_read(&use, stream, 100);
    fclose(stream);
    return use;
}

/* user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second. */
static const char before[] = "cpu  3000 0 200 9000 50 10 10 400 5 0\n"
                             "cpu0 1000 0 100 5000 25 5 5 200 5 0\n"
                             "cpu1 2000 0 100 4000 25 5 5 200 0 0\n"
                             "intr 12345 0 9\nctxt 99\nbtime 1\n";

/* Ten seconds later: cpu0 was busy for 8 s, cpu1 for 5 s. */
static const char after[] = "cpu  4000 100 300 9500 60 60 60 500 6 0\n"
                            "cpu0 1600 0 150 5100 30 80 80 250 6 0\n"
                            "cpu1 2300 100 150 4300 30 30 30 250 0 0\n"
                            "intr 22345 0 9\nctxt 199\nbtime 1\n";

TEST(time_of_other_processes_is_foreign)
{
    srv_processor_use from = read(before, 30, 100), to = read(after, 36, 110);
    assert_int_equal(to.processors, 2);
    assert_float_equal(from.busy, 32.2, 1e-9);
    assert_float_equal(to.busy - from.busy, 13, 1e-9);
    assert_float_equal(srv_processor_use_foreign(&from, &to), (13.0 - 6) / 20, 1e-9);
}

/* The kernel counts in ticks of 10 ms, so that the difference can be slightly negative. */
TEST(the_share_is_between_0_and_1)
{
    srv_processor_use from = read(before, 30, 100), to = read(after, 43.1, 110);
    assert_float_equal(srv_processor_use_foreign(&from, &to), 0, 0);
    to.own = 30, to.wall = 105;
    assert_float_equal(srv_processor_use_foreign(&from, &to), 1, 0);
}

TEST(foreign_time_is_unknown_without_a_report)
{
    srv_processor_use from = read("nothing here\n", 0, 100), to = read("cpu all\n", 1, 110);
    assert_true(isnan(to.busy));
    assert_true(isnan(srv_processor_use_foreign(&from, &to)));
    from = read(before, 30, 100);
    assert_true(isnan(srv_processor_use_foreign(&from, &from)));
}

/* The time of this process is not foreign, on any core. */
TEST(a_reading_includes_own_time)
{
    srv_processor_use from = srv_processor_use_now(), to = from;
    for (long i = 0; to.own < from.own + 0.05 && i < 100000; i++)
        to = srv_processor_use_now();
    assert_true(to.own >= from.own + 0.05);
    assert_true(to.wall > from.wall);
}
