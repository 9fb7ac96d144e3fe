/* SPDX-License-Identifier: BSD-3-Clause */
/* Clusters of average linkage, where it is known who belongs together. */
#include "test.h"

#include "facts/geometry/detect_pages.h"
#include "sim/random.h"

enum { N_MAX = 24 };

static float effect[N_MAX * N_MAX];
static int label[N_MAX];

static void set(int n, int i, int j, double value)
{
    effect[i * n + j] = effect[j * n + i] = (float)value;
}

TEST(colours_are_clusters)
{
    uint64_t random = 2;
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set(N_MAX, i, j, (i % 4 == j % 4 ? 1 : 0) + 0.3 * srv_random_unit(&random));
    assert_true(srv_find_clusters(effect, N_MAX, 0.65, label));
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            assert_int_equal(label[i] == label[j], i % 4 == j % 4);
}

/* An effect that equals `least` does not join clusters. */
TEST(effects_equal_to_the_limit_do_not_join)
{
    set(2, 0, 1, 0.5);
    assert_true(srv_find_clusters(effect, 2, 0.5, label));
    assert_int_not_equal(label[0], label[1]);
    assert_true(srv_find_clusters(effect, 2, 0.499, label));
    assert_int_equal(label[0], label[1]);
    assert_true(srv_find_clusters(effect, 1, 0, label));
    assert_int_equal(label[0], 0);
}

/* Elements 0 and 1 join first; each of the others is nearer to one of them, but only 3 in the mean
 * of both. */
TEST(clusters_join_by_their_mean_effect)
{
    static const double effects[4][4] = {{0}, {0.9}, {0.6, 0.1}, {0.4, 0.7, 0}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            set(4, i, j, effects[i][j]);
    assert_true(srv_find_clusters(effect, 4, 0.5, label));
    assert_true(label[1] == label[0] && label[3] == label[0] && label[2] != label[0]);
    set(4, 3, 2, 0.4); /* of three elements: (0.6 + 0.1 + 0.4) / 3 */
    assert_true(srv_find_clusters(effect, 4, 0.36, label));
    assert_int_equal(label[2], label[0]);
    assert_true(srv_find_clusters(effect, 4, 0.37, label));
    assert_int_not_equal(label[2], label[0]);
}

/* If all effects are equal, every join is a tie. All elements end in one cluster. */
TEST(equal_effects_are_one_cluster)
{
    for (int n = 2; n <= N_MAX; n++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                set(n, i, j, 1);
        for (double least = 0.5; least <= 1; least += 0.5) {
            assert_true(srv_find_clusters(effect, n, least, label));
            for (int i = 0; i < n; i++)
                assert_int_equal(label[i] == label[0], i == 0 || least < 1);
        }
    }
}
