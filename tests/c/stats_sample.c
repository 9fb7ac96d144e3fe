/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of many members: they contain neighbours and distant members. */
#include "test.h"

#include "stats/round_robin.h"

enum { TOTAL_MAX = 200 };

static int chosen[TOTAL_MAX];

static void a_sample_of_all_is_complete(void **state)
{
    (void)state;
    for (int total = 1; total <= TOTAL_MAX; total++) {
        srv_sample_runs(total, total, chosen);
        for (int i = 0; i < total; i++)
            assert_int_equal(chosen[i], i);
    }
}

/* 4 runs of 4 in 100: 84 are left out in three gaps. */
static void a_sample_has_as_many_runs_as_members_in_each(void **state)
{
    (void)state;
    static const int truth[] = {0, 1, 2, 3, 32, 33, 34, 35, 64, 65, 66, 67, 96, 97, 98, 99};
    srv_sample_runs(100, 16, chosen);
    for (int i = 0; i < 16; i++)
        assert_int_equal(chosen[i], truth[i]);
}

static void a_sample_has_both_ends_and_no_member_twice(void **state)
{
    (void)state;
    for (int total = 2; total <= TOTAL_MAX; total++)
        for (int count = 2; count <= total; count++) {
            srv_sample_runs(total, count, chosen);
            assert_int_equal(chosen[0], 0);
            assert_int_equal(chosen[count - 1], total - 1);
            for (int i = 1; i < count; i++)
                assert_true(chosen[i] > chosen[i - 1]);
        }
    srv_sample_runs(TOTAL_MAX, 1, chosen);
    assert_int_equal(chosen[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_of_all_is_complete),
        cmocka_unit_test(a_sample_has_as_many_runs_as_members_in_each),
        cmocka_unit_test(a_sample_has_both_ends_and_no_member_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
