/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "servet/value.h"
#include "servet/version.h"

TEST(the_unknown_value_is_not_a_number)
{
    servet_value value = servet_value_unknown(SERVET_UNIT_BYTE);
    assert_false(servet_value_known(&value));
    assert_true(isnan(value.value) && isnan(value.low) && isnan(value.high));
    assert_int_equal(value.unit, SERVET_UNIT_BYTE);
    assert_false(value.trusted);
}

TEST(zero_is_a_value)
{
    const servet_value value = {0, 0, 0, 1, SERVET_UNIT_NONE, SERVET_METHOD_OS, false};
    assert_true(servet_value_known(&value));
}

TEST(names_are_distinct_and_invalid_constants_have_none)
{
    for (int i = 0; i < SERVET_UNIT_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(servet_unit_symbol((servet_unit)i),
                                    servet_unit_symbol((servet_unit)j));
    for (int i = 0; i < SERVET_METHOD_COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(servet_method_name((servet_method)i),
                                    servet_method_name((servet_method)j));
    assert_string_equal(servet_unit_symbol(SERVET_UNIT_SECOND), "s");
    assert_string_equal(servet_method_name(SERVET_METHOD_CURVE_FIT), "curve-fit");
    assert_string_equal(servet_unit_symbol(SERVET_UNIT_COUNT), "?");
    assert_string_equal(servet_method_name((servet_method)-1), "?");
}

TEST(library_and_headers_have_one_version)
{
    assert_string_equal(servet_version(), SERVET_VERSION);
}
