/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/ranges.h"

static void well_formed_texts(void **state)
{
    (void)state;
    const char *const good[] = {"0", "0-2,12-14", "5,7,9-9", "0-2147483646"};
    const char *const bad[] = {"",    "-1",  "1-",   "2-1", "1,,2",       "1,",
                               "a",   "1 ",  " 1",   "3,2", "1-3,3",      "+1",
                               "1-2-3", "0x1", "1;2", ",1",  "99999999999"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(srv_ranges_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(srv_ranges_valid(bad[i]));
}

static void membership(void **state)
{
    (void)state;
    assert_true(srv_ranges_contain("0-2,12-14", 13));
    assert_true(srv_ranges_contain("0-2,12-14", 0));
    assert_false(srv_ranges_contain("0-2,12-14", 3));
    assert_true(srv_ranges_overlap("0-2,12-14", "7,14"));
    assert_false(srv_ranges_overlap("0-2,12-14", "3-11"));
    assert_true(srv_ranges_overlap("1,3,5,9-12", "0,2,4,12"));
    assert_false(srv_ranges_overlap("1,3,5,9-12", "0,2,4,6-8,13"));
    assert_false(srv_ranges_overlap("1,3,5,9-12", ""));
    assert_int_equal(srv_ranges_count("0-2,12-14,20"), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_texts),
        cmocka_unit_test(membership),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
