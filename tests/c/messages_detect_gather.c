/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include <math.h>

#include "facts/messages/detect_gather.h"

static void never_where_one_message_is_slower(void **state)
{
    (void)state;
    const srv_gather_times times[] = {{64, 1, 2}, {1024, 2, 5}};
    assert_true(srv_detect_gather(times, 2) == 0);
}

static void always_where_it_is_faster(void **state)
{
    (void)state;
    const srv_gather_times times[] = {{64, 3, 2}, {1024, 6, 5}};
    assert_true(isinf(srv_detect_gather(times, 2)));
}

/* Eight messages of s bytes cost 8 us and s / 1 GB/s, one of 8 * s bytes 1 us and 8 * s / 1 GB/s:
 * alike at 1000 bytes. */
static void up_to_where_both_cost_the_same(void **state)
{
    (void)state;
    srv_gather_times times[8];
    int count = 0;
    for (double bytes = 250; bytes < 5000; bytes *= 2)
        times[count++] = (srv_gather_times){bytes, 8e-6 + bytes / 1e9, 1e-6 + 8 * bytes / 1e9};
    assert_float_equal(srv_detect_gather(times, count) / 1000, 1, 0.01);
}

static void a_second_gain_does_not_count(void **state)
{
    (void)state;
    const srv_gather_times times[] = {{100, 4, 2}, {1600, 2, 4}, {2000, 9, 2}};
    assert_float_equal(srv_detect_gather(times, 3), 400, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_where_one_message_is_slower),
        cmocka_unit_test(always_where_it_is_faster),
        cmocka_unit_test(up_to_where_both_cost_the_same),
        cmocka_unit_test(a_second_gain_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
