/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/ranges.h"
#include "servet/error.h"

TEST(well_formed_texts_are_read)
{
    const char *const good[] = {"0", "0-2,12-14", "5,7,9-9", "0-1048575"};
    const char *const bad[] = {"",      "-1",  "1-",  "2-1", "1,,2",        "1,",
                               "a",     "1 ",  " 1",  "3,2", "1-3,3",       "+1",
                               "1-2-3", "0x1", "1;2", ",1",  "99999999999", "0-1048576"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(srv_ranges_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(srv_ranges_valid(bad[i]));
}

TEST(membership_is_tested)
{
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

TEST(a_set_is_within_another_one_if_that_has_all_its_numbers)
{
    assert_true(srv_ranges_within("1-2,13", "0-2,12-14"));
    assert_true(srv_ranges_within("2-5", "0-3,4-7"));
    assert_true(srv_ranges_within("", "3"));
    assert_false(srv_ranges_within("2-5", "0-3,5-7"));
    assert_false(srv_ranges_within("1-2,15", "0-2,12-14"));
    assert_false(srv_ranges_within("3", ""));
}

TEST(the_common_numbers_of_two_sets_are_written)
{
    char text[16];
    assert_int_equal(srv_ranges_common("0-7,12-14", "2,5-12,14-20", text, sizeof text), 6);
    assert_string_equal(text, "2,5-7,12,14");
    assert_int_equal(srv_ranges_common("0-2", "3-9", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(srv_ranges_common("0,2,4,6", "0-9", text, 6), 3);
    assert_string_equal(text, "0,2,4");
}

TEST(ranges_are_written)
{
    const int numbers[] = {0, 1, 2, 5, 7, 8, 1048575};
    char text[64];
    assert_true(srv_ranges_write(numbers, 7, text, sizeof text));
    assert_string_equal(text, "0-2,5,7-8,1048575");
    assert_true(srv_ranges_write(numbers + 3, 1, text, 2));
    assert_string_equal(text, "5");
    for (size_t size = 1; size <= strlen("0-2,5,7-8,1048575"); size++)
        assert_false(srv_ranges_write(numbers, 7, text, size));
    assert_false(srv_ranges_write(numbers, 0, text, sizeof text));
}

TEST(disjoint_sets_are_recognized)
{
    const char *const good[] = {"4-6", "0,2", "1,3,7-9"}, *const bad[] = {"4-6", "0,2", "1,6-9"};
    bool disjoint = false;
    assert_ok(srv_ranges_disjoint(good, 3, &disjoint));
    assert_true(disjoint);
    assert_ok(srv_ranges_disjoint(bad, 3, &disjoint));
    assert_false(disjoint);
    assert_ok(srv_ranges_disjoint(NULL, 0, &disjoint));
    assert_true(disjoint);
}
