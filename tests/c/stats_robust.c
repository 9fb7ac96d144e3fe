/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "stats/robust.h"

static void quantiles_interpolate(void **state)
{
    (void)state;
    const double sorted[] = {1, 2, 3, 4};
    assert_float_equal(srv_sorted_quantile(sorted, 4, 0), 1, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 4, 0.5), 2.5, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 4, 1), 4, 1e-12);
    assert_float_equal(srv_sorted_quantile(sorted, 1, 0.7), 1, 1e-12);
}

static void outliers_do_not_move_the_median(void **state)
{
    (void)state;
    double samples[] = {10.1, 1e9, 9.9, 10, 10, 500, 10};
    srv_spread spread = srv_spread_of(samples, 7);
    assert_float_equal(spread.median, 10, 1e-12);
    assert_float_equal(spread.minimum, 9.9, 1e-12);
    assert_true(spread.low <= spread.median && spread.median <= spread.high);
    assert_int_equal(spread.n, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_interpolate),
        cmocka_unit_test(outliers_do_not_move_the_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
