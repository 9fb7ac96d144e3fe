/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "detect/concurrency.h"

enum { MOST = 20 };

/* Rates that grow with the count up to `limit`, with an interval of `spread` around each. */
static void fill(srv_rate rates[MOST], int limit, double spread)
{
    for (int i = 0; i < MOST; i++) {
        double rate = i + 1 < limit ? i + 1 : limit;
        rates[i] = (srv_rate){i + 1, rate, rate * (1 - spread), rate * (1 + spread)};
    }
}

static void saturation_is_where_growth_ends(void **state)
{
    (void)state;
    srv_rate rates[MOST];
    for (int limit = 1; limit < MOST; limit++) { /* 19 of 20 would be 95 % */
        fill(rates, limit, 0.001);
        assert_int_equal(rates[srv_detect_saturation(rates, MOST)].count, limit);
    }
}

/* 95 % of the best are enough: the last of 20 steps adds no more than that. */
static void nearly_the_best_is_enough(void **state)
{
    (void)state;
    srv_rate rates[MOST];
    fill(rates, MOST, 0.001);
    assert_int_equal(rates[srv_detect_saturation(rates, MOST)].count, 19);
}

static void gaps_between_counts_are_allowed(void **state)
{
    (void)state;
    const srv_rate rates[] = {{1, 10, 9, 11}, {2, 20, 19, 21}, {8, 78, 76, 80}, {64, 79, 76, 82}};
    assert_int_equal(srv_detect_saturation(rates, 4), 2);
}

/* One lucky measurement of a plateau is not the best: the others cannot be told from it. */
static void luck_does_not_count(void **state)
{
    (void)state;
    srv_rate rates[MOST];
    fill(rates, 10, 0.03);
    rates[15].rate = 10.4;
    rates[15].low = 10.0;
    rates[15].high = 10.5;
    assert_float_equal(rates[srv_detect_best(rates, MOST)].rate, 10, 1e-12);
    assert_int_equal(rates[srv_detect_saturation(rates, MOST)].count, 10);
}

/* A bus that suffers from too many: the best lies before. */
static void decline_after_the_best(void **state)
{
    (void)state;
    const srv_rate rates[] = {
        {1, 10, 9.9, 10.1}, {2, 20, 19.9, 20.1}, {4, 30, 29.9, 30.1}, {8, 20, 19.9, 20.1}};
    assert_int_equal(srv_detect_best(rates, 4), 2);
    assert_int_equal(srv_detect_saturation(rates, 4), 2);
}

static void one_alone_is_the_best(void **state)
{
    (void)state;
    const srv_rate rate = {1, 5, 4, 6};
    assert_int_equal(srv_detect_best(&rate, 1), 0);
    assert_int_equal(srv_detect_saturation(&rate, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saturation_is_where_growth_ends),
        cmocka_unit_test(nearly_the_best_is_enough),
        cmocka_unit_test(gaps_between_counts_are_allowed),
        cmocka_unit_test(luck_does_not_count),
        cmocka_unit_test(decline_after_the_best),
        cmocka_unit_test(one_alone_is_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
