/* SPDX-License-Identifier: BSD-3-Clause */
/* The factors of slow nodes, compared with their definition on small matrices. */
#include "test.h"

#include "facts/layers/detect_links.h"
#include "sim/random.h"
#include "stats/interval.h"
#include "stats/robust.h"

enum { N_MAX = 12 };

static double cost[N_MAX * N_MAX];
static uint64_t random_state;

static double median_of(const double *values, size_t n)
{
    double sorted[N_MAX];
    memcpy(sorted, values, n * sizeof *sorted);
    return srv_spread_of(sorted, n).median;
}

/* The median of what a node costs its partners but one. */
static double median_with_others(int n, int node, int without)
{
    double costs[N_MAX];
    size_t count = 0;
    for (int i = 0; i < n; i++)
        if (i != node && i != without)
            costs[count++] = cost[node * n + i];
    return median_of(costs, count);
}

static double fastest_of(int n, int node)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        least = i != node ? fmin(least, cost[node * n + i]) : least;
    return least;
}

static void slowness_is_as_defined(int n)
{
    const servet_matrix matrix = {(size_t)n, cost, SERVET_UNIT_SECOND};
    double fastest[N_MAX];
    srv_paces paces;
    for (int i = 0; i < n; i++)
        fastest[i] = fastest_of(n, i);
    double usual = median_of(fastest, (size_t)n);
    assert_true(srv_paces_find(&matrix, &paces));
    assert_float_equal(paces.usual, usual, 1e-12);
    for (int node = 0; node < n; node++) {
        double ratio[N_MAX];
        size_t count = 0;
        for (int other = 0; other < n; other++)
            if (other != node)
                ratio[count++] = cost[node * n + other] / median_with_others(n, other, node);
        double value = fmin(fastest[node] / usual, fmax(1, srv_spread_of(ratio, count).median));
        srv_interval with = srv_interval_of(ratio, count);
        servet_value found = srv_slowness_of(&paces, (size_t)node, (size_t)n);
        assert_float_equal(paces.fastest[node], fastest[node], 0);
        assert_float_equal(found.value, value, 1e-12);
        assert_float_equal(found.low, fmin(value, with.low), 1e-12);
        assert_float_equal(found.high, fmax(value, with.high), 1e-12);
        assert_int_equal(found.samples, n - 1);
        assert_true(found.trusted && found.unit == SERVET_UNIT_NONE);
    }
    srv_paces_finish(&paces);
}

/* `kinds` different costs, so that many are equal, or all different. */
static void any_nodes_are_as_slow_as_defined(void **state)
{
    (void)state;
    random_state = 1;
    for (int repeat = 0; repeat < 100; repeat++) {
        int n = 3 + repeat % (N_MAX - 2), kinds = repeat % 2 ? 3 : 1 << 20;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                cost[i * n + j] = cost[j * n + i] =
                    1 + (double)srv_random_below(&random_state, (uint32_t)kinds) / kinds;
        slowness_is_as_defined(n);
    }
}

/* A node whose messages take three times as long with every other one. */
static void the_slowness_of_a_node_is_found_exactly(void **state)
{
    (void)state;
    for (int n = 4; n <= N_MAX; n++) {
        const servet_matrix matrix = {(size_t)n, cost, SERVET_UNIT_SECOND};
        srv_paces paces;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                cost[i * n + j] = i == 1 || j == 1 ? 6 : 2;
        assert_true(srv_paces_find(&matrix, &paces));
        for (int node = 0; node < n; node++)
            assert_float_equal(srv_slowness_of(&paces, (size_t)node, (size_t)n).value,
                               node == 1 ? 3 : 1, 1e-12);
        srv_paces_finish(&paces);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_nodes_are_as_slow_as_defined),
        cmocka_unit_test(the_slowness_of_a_node_is_found_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
