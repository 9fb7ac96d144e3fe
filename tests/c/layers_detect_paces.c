/* SPDX-License-Identifier: BSD-3-Clause */
/* The factors of slow nodes, worked out by hand on small matrices. */
#include "test.h"

#include "facts/layers/detect_links.h"

enum { N_MAX = 12 };

static double cost[N_MAX * N_MAX];

static void slowness_is(int n, int node, double expected)
{
    const servet_matrix matrix = {(size_t)n, cost, SERVET_UNIT_SECOND};
    srv_paces paces;
    assert_true(srv_paces_find(&matrix, &paces));
    servet_value found = srv_slowness_of(&paces, (size_t)node, (size_t)n);
    assert_float_equal(found.value, expected, 1e-12);
    assert_true(found.low <= found.value && found.value <= found.high);
    assert_int_equal(found.samples, n - 1);
    assert_true(found.trusted && found.unit == SERVET_UNIT_NONE);
    srv_paces_finish(&paces);
}

/* A node whose messages take three times as long with every other one. */
TEST(the_slowness_of_a_node_is_found_exactly)
{
    for (int n = 4; n <= N_MAX; n++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                cost[i * n + j] = i == 1 || j == 1 ? 6 : 2;
        for (int node = 0; node < n; node++)
            slowness_is(n, node, node == 1 ? 3 : 1);
    }
}

/* Two pairs are nearer to each other than to all others. The last node takes four times as long as
 * the nearest ones do, but twice as long as its partners do with their other partners. */
TEST(a_node_is_compared_with_the_others_of_its_partners)
{
    enum { N = 5 };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            cost[i * N + j] = i == 4 || j == 4 ? 4 : i / 2 == j / 2 ? 1 : 2;
    for (int node = 0; node < N; node++)
        slowness_is(N, node, node == 4 ? 2 : 1);
}

/* Costs are products of the paces. Partners of the last node have others of 1.1 and 1.2, 1 and 1.2,
 * 1 and 1.1, so that its median ratio is 3 / 1.1; its fastest message takes 3, those of all nodes
 * 1.1, 1.1, 1.2 and 3. */
TEST(a_node_is_as_slow_as_its_fastest_message_at_most)
{
    static const double pace[] = {1, 1.1, 1.2, 3};
    for (int i = 0; i < 16; i++)
        cost[i] = pace[i / 4] * pace[i % 4];
    slowness_is(4, 3, 3 / 1.15);
}
