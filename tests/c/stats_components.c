/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "stats/components.h"

enum { N = 6 };
static int group[N];

static int prepare(void **state)
{
    (void)state;
    srv_components_init(group, N);
    return 0;
}

TEST_EACH(prepare, NULL)

TEST(members_that_were_not_joined_are_alone)
{
    assert_int_equal(srv_components_number(group, N), N);
    for (int i = 0; i < N; i++)
        assert_int_equal(group[i], i);
}

/* IPDPS'10, III.C: (0,1), (0,2), (3,4), (3,5) are {0,1,2} and {3,4,5}. */
TEST(the_papers_example_is_reproduced)
{
    srv_components_join(group, 0, 1);
    srv_components_join(group, 0, 2);
    srv_components_join(group, 3, 4);
    srv_components_join(group, 3, 5);
    assert_int_equal(srv_components_number(group, N), 2);
    const int expected[N] = {0, 0, 0, 1, 1, 1};
    assert_memory_equal(group, expected, sizeof expected);
}

/* Whatever the order, a chain 0-4-2-5-1 ties five of six. */
TEST(chains_connect_their_ends)
{
    const int ties[4][2] = {{2, 5}, {4, 0}, {5, 1}, {4, 2}};
    for (int shift = 0; shift < 4; shift++) {
        srv_components_init(group, N);
        for (int i = 0; i < 4; i++) {
            const int *tie = ties[(i + shift) % 4];
            srv_components_join(group, tie[shift % 2], tie[1 - shift % 2]);
        }
        assert_int_equal(srv_components_number(group, N), 2);
        const int expected[N] = {0, 0, 0, 1, 0, 0};
        assert_memory_equal(group, expected, sizeof expected);
    }
}

TEST(joining_twice_changes_nothing)
{
    srv_components_join(group, 1, 3);
    srv_components_join(group, 3, 1);
    srv_components_join(group, 2, 2);
    assert_int_equal(srv_components_number(group, N), 5);
    assert_int_equal(group[3], group[1]);
}
