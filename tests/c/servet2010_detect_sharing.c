/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "facts/servet2010/stage.h"

enum { CORES = 6, PAIRS = CORES * (CORES - 1) / 2 };

static srv_pair pairs[PAIRS];
static int group[CORES];

/* All pairs have the ratio 1: no core slows another one down. */
static int prepare(void **state)
{
    (void)state;
    int n = 0;
    for (int a = 0; a < CORES; a++)
        for (int b = a + 1; b < CORES; b++)
            pairs[n++] = (srv_pair){a, b, 1};
    return 0;
}

static void slow(int a, int b, double ratio)
{
    for (int i = 0; i < PAIRS; i++)
        if (pairs[i].a == a && pairs[i].b == b)
            pairs[i].value = ratio;
}

static void each_core_has_a_private_cache(void **state)
{
    (void)state;
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 1.5, group, CORES), CORES);
}

static void pairs_connect_groups(void **state)
{
    (void)state;
    slow(0, 1, 3);
    slow(0, 2, 3);
    slow(3, 4, 3);
    slow(3, 5, 3);
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 1.5, group, CORES), 2);
    const int expected[CORES] = {0, 0, 0, 1, 1, 1};
    assert_memory_equal(group, expected, sizeof expected);
}

/* IPDPS'10 requires a ratio above 2, Jornadas'10 one above 1.5: a slow-down of 1.8 is sharing in
 * only one of them. */
static void the_ratio_decides_sharing(void **state)
{
    (void)state;
    slow(1, 4, 1.8);
    slow(2, 3, 1.5);
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 2, group, CORES), CORES);
    assert_int_equal(srv_2010_sharing(pairs, PAIRS, 1.5, group, CORES), CORES - 1);
    assert_int_equal(group[4], group[1]);
    assert_int_not_equal(group[2], group[3]);
}

static void one_core_is_one_instance(void **state)
{
    (void)state;
    assert_int_equal(srv_2010_sharing(NULL, 0, 1.5, group, 1), 1);
    assert_int_equal(group[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_core_has_a_private_cache, prepare),
        cmocka_unit_test_setup(pairs_connect_groups, prepare),
        cmocka_unit_test_setup(the_ratio_decides_sharing, prepare),
        cmocka_unit_test_setup(one_core_is_one_instance, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
