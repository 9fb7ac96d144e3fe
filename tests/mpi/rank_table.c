/* SPDX-License-Identifier: BSD-3-Clause */
/** The table of ranks knows which of them are on one PU; needs no launcher. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "machine/ranks/rank_table.h"

enum { RANKS = 4 };

/* Two hosts with two ranks each, on these machines and PUs. */
static int share_cores(const char *const *boots, const int *cores)
{
    srv_rank_location locations[RANKS] = {{.leader = 0}};
    srv_rank_table table;
    int share = -1;
    for (int i = 0; i < RANKS; i++) {
        locations[i].leader = i / 2 * 2;
        locations[i].peers = 2;
        locations[i].core = cores[i];
        snprintf(locations[i].host, sizeof locations[i].host, "host%d", i / 2);
        snprintf(locations[i].boot, sizeof locations[i].boot, "%s", boots[i / 2]);
    }
    assert_int_equal(srv_rank_table_init(&table, locations, RANKS, NULL), SERVET_OK);
    assert_int_equal(srv_rank_table_share_cores(&table, &share, NULL), SERVET_OK);
    srv_rank_table_finish(&table);
    return share;
}

static void ranks_with_a_core_of_their_own_share_none(void **state)
{
    (void)state;
    static const char *const machines[] = {"a", "b"}, *const one[] = {"a", "a"};
    assert_int_equal(share_cores(machines, (int[]){0, 1, 0, 1}), 0);
    assert_int_equal(share_cores(one, (int[]){0, 1, 2, 3}), 0);
    assert_int_equal(share_cores(one, (int[]){3, 1, 0, 2}), 0);
}

static void ranks_on_one_core_share_it(void **state)
{
    (void)state;
    static const char *const machines[] = {"a", "b"}, *const one[] = {"a", "a"};
    assert_int_equal(share_cores(machines, (int[]){0, 1, 2, 2}), 1);
    assert_int_equal(share_cores(one, (int[]){0, 1, 1, 2}), 1);
    assert_int_equal(share_cores(one, (int[]){0, 3, 2, 0}), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_with_a_core_of_their_own_share_none),
        cmocka_unit_test(ranks_on_one_core_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
