/* SPDX-License-Identifier: BSD-3-Clause */
/* The clusters are the same as those of average linkage computed pair by pair, as it is defined. */
#include "test.h"

#include "facts/geometry/detect_pages.h"
#include "sim/random.h"

enum { N_MAX = 24 };

static float effect[N_MAX * N_MAX];
static int label[N_MAX], defined[N_MAX];

static double mean_between(int n, int a, int b)
{
    double sum = 0;
    int pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (defined[i] == a && defined[j] == b) {
                sum += effect[i * n + j];
                pairs++;
            }
    return pairs > 0 ? sum / pairs : -INFINITY;
}

/* Repeatedly joins the two clusters with the largest mean effect. */
static void link_by_definition(int n, double least)
{
    for (int i = 0; i < n; i++)
        defined[i] = i;
    for (;;) {
        double most = -INFINITY;
        int first = 0, second = 0;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < a; b++)
                if (mean_between(n, a, b) > most) {
                    most = mean_between(n, a, b);
                    first = a;
                    second = b;
                }
        if (!(most > least))
            return;
        for (int i = 0; i < n; i++)
            defined[i] = defined[i] == second ? first : defined[i];
    }
}

static void same_clusters(int n, double least)
{
    link_by_definition(n, least);
    assert_true(srv_find_clusters(effect, n, least, label));
    for (int i = 0; i < n; i++) {
        assert_in_range(label[i], 0, n - 1);
        for (int j = 0; j < i; j++)
            assert_int_equal(label[i] == label[j], defined[i] == defined[j]);
    }
}

static void set(int n, int i, int j, double value)
{
    effect[i * n + j] = effect[j * n + i] = (float)value;
}

static void any_effects_are_linked_as_defined(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int repeat = 0; repeat < 60; repeat++) {
        int n = 2 + repeat % (N_MAX - 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                set(n, i, j, srv_random_unit(&random) - 0.3);
        for (double least = -0.2; least < 0.7; least += 0.15)
            same_clusters(n, least);
    }
}

static void colours_are_clusters(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set(N_MAX, i, j, (i % 4 == j % 4 ? 1 : 0) + 0.3 * srv_random_unit(&random));
    same_clusters(N_MAX, 0.65);
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(label[i] == label[j], i % 4 == j % 4);
}

/* An effect that equals `least` does not join clusters. */
static void effects_equal_to_the_limit_do_not_join(void **state)
{
    (void)state;
    set(2, 0, 1, 0.5);
    assert_true(srv_find_clusters(effect, 2, 0.5, label));
    assert_int_not_equal(label[0], label[1]);
    assert_true(srv_find_clusters(effect, 2, 0.499, label));
    assert_int_equal(label[0], label[1]);
    assert_true(srv_find_clusters(effect, 1, 0, label));
    assert_int_equal(label[0], 0);
}

/* If all effects are equal, every join is a tie. All elements end in one cluster. */
static void equal_effects_are_one_cluster(void **state)
{
    (void)state;
    for (int n = 2; n <= N_MAX; n++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                set(n, i, j, 1);
        same_clusters(n, 0.5);
        same_clusters(n, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_effects_are_linked_as_defined),
        cmocka_unit_test(colours_are_clusters),
        cmocka_unit_test(effects_equal_to_the_limit_do_not_join),
        cmocka_unit_test(equal_effects_are_one_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
