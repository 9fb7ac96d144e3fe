/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of made-up machines, whose layers are known. */
#include "test.h"

#include "alloc.h"
#include "servet/analyze.h"

enum { CORES_MAX = 256, LAYERS = 4 };

/* Core i is in group i / size[k] of layer k, which costs cost[k]; sizes end with 0. */
typedef struct machine {
    int n;
    int size[LAYERS];
    double cost[LAYERS];
} machine;

static const machine flat = {16, {16}, {40}};
static const machine smt = {16, {2, 16}, {7, 40}};
static const machine packages = {48, {2, 24, 48}, {8, 50, 130}};
static const machine chiplets = {128, {2, 8, 64, 128}, {8, 25, 100, 200}};
static const machine *const machines[] = {&flat, &smt, &packages, &chiplets};
enum { MACHINE_COUNT = sizeof machines / sizeof machines[0] };

static uint64_t random_state;

/* 0 to 1. */
static double uniform(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

/* About normal, mean 0, standard deviation 1. */
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform();
    return sum;
}

static servet_matrix empty_matrix(int n)
{
    servet_matrix matrix = {(size_t)n, calloc((size_t)n * (size_t)n, sizeof(double)),
                            SERVET_UNIT_SECOND};
    assert_non_null(matrix.cost);
    return matrix;
}

static double *at(servet_matrix *matrix, int i, int j)
{
    return &matrix->cost[(size_t)i * matrix->n + (size_t)j];
}

static void set_both(servet_matrix *matrix, int i, int j, double cost)
{
    *at(matrix, i, j) = *at(matrix, j, i) = cost;
}

static double cost_of(const machine *m, int i, int j)
{
    int k = 0;
    while (i / m->size[k] != j / m->size[k])
        k++;
    return m->cost[k];
}

/* The machine's matrix; `noise` is the standard deviation of the logarithm of each direction. */
static servet_matrix matrix_of(const machine *m, double noise)
{
    servet_matrix matrix = empty_matrix(m->n);
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n; j++)
            if (i != j)
                *at(&matrix, i, j) = cost_of(m, i, j) * exp(noise * normal());
    return matrix;
}

static int layers_of(const machine *m)
{
    int count = 0;
    while (count < LAYERS && m->size[count] > 0)
        count++;
    return count;
}

TEST_KEEPS_VALUE(servet_layers, servet_layers_free)

/* Analyses and frees the matrix; the layers end with the test. */
static servet_layers analyse(servet_matrix *matrix)
{
    servet_layers layers = {0};
    assert_ok(servet_analyze_layers(matrix, &layers, NULL));
    assert_int_equal(layers.n, matrix->n);
    servet_matrix_free(matrix);
    return keep_servet_layers(layers);
}

/* The groups are those of the machine, whose core i has the number `number[i]` (NULL: i). */
static void check_groups(const servet_layers *layers, const machine *m, const int *number)
{
    assert_int_equal(layers->layer_count, layers_of(m));
    for (int k = 0; k < layers->layer_count; k++) {
        const servet_layer *layer = &layers->layer[k];
        assert_int_equal(layer->group_count, (m->n + m->size[k] - 1) / m->size[k]);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < i; j++) {
                int a = number ? number[i] : i, b = number ? number[j] : j;
                assert_int_equal(layer->group[a] == layer->group[b],
                                 i / m->size[k] == j / m->size[k]);
            }
    }
}

static void check_costs(const servet_layers *layers, const machine *m, double tolerance)
{
    for (int k = 0; k < layers->layer_count; k++) {
        const servet_layer *layer = &layers->layer[k];
        const servet_value *cost = &layer->cost;
        assert_true(fabs(cost->value / m->cost[k] - 1) <= tolerance);
        assert_true(cost->low <= cost->value && cost->value <= cost->high);
        assert_true(layer->near <= cost->low && cost->high <= layer->far);
        assert_int_equal(cost->unit, SERVET_UNIT_SECOND);
        assert_true(servet_value_known(cost));
        assert_true(layer->confidence >= 0.5 && layer->confidence <= 1);
    }
}

/* Each pair of cores is in one layer only. */
TEST(pairs_are_counted_once)
{
    servet_matrix matrix = matrix_of(&packages, 0);
    servet_layers layers = analyse(&matrix);
    const int expected[] = {24, 48 * 22 / 2, 24 * 24};
    for (int k = 0; k < 3; k++)
        assert_int_equal(layers.layer[k].cost.samples, expected[k]);
}

TEST(noise_of_0_to_20_percent)
{
    const double noises[] = {0, 0.01, 0.05, 0.1, 0.2};
    random_state = 1;
    for (int i = 0; i < MACHINE_COUNT; i++)
        for (int k = 0; k < 5; k++) {
            servet_matrix matrix = matrix_of(machines[i], noises[k]);
            servet_layers layers = analyse(&matrix);
            check_groups(&layers, machines[i], NULL);
            /* The cheaper of two directions lies 0.56 standard deviations below the mean. */
            check_costs(&layers, machines[i], noises[k] > 0 ? 0.01 + noises[k] : 1e-9);
        }
}

static void shuffle(int *number, int n)
{
    for (int i = 0; i < n; i++)
        number[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(uniform() * (i + 1)), kept = number[i];
        number[i] = number[j];
        number[j] = kept;
    }
}

TEST(the_numbering_means_nothing)
{
    int number[CORES_MAX];
    random_state = 2;
    for (int k = 0; k < MACHINE_COUNT; k++) {
        const machine *m = machines[k];
        servet_matrix plain = matrix_of(m, 0.05), shuffled = empty_matrix(m->n);
        shuffle(number, m->n);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < m->n; j++)
                *at(&shuffled, number[i], number[j]) = *at(&plain, i, j);
        servet_matrix_free(&plain);
        servet_layers layers = analyse(&shuffled);
        check_groups(&layers, m, number);
        for (int i = 0, most = -1; i < m->n; i++) { /* numbered by first members */
            assert_true(layers.layer[0].group[i] <= most + 1);
            most = layers.layer[0].group[i] > most ? layers.layer[0].group[i] : most;
        }
    }
}

/* Disturbed pairs cost up to five times as much, in both directions. Siblings are spared: no other
   pair could tell. */
TEST(outliers)
{
    random_state = 3;
    for (int k = 0; k < MACHINE_COUNT; k++) {
        const machine *m = machines[k];
        servet_matrix matrix = matrix_of(m, 0.02);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < i; j++)
                if (i / 2 != j / 2 && uniform() < 0.02)
                    set_both(&matrix, i, j, *at(&matrix, i, j) * (1.5 + 3.5 * uniform()));
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, m, NULL);
        check_costs(&layers, m, 0.05);
    }
}

/* One direction of a tenth of all pairs is disturbed: the other one counts. */
TEST(one_disturbed_direction_does_no_harm)
{
    random_state = 4;
    for (int k = 0; k < MACHINE_COUNT; k++) {
        const machine *m = machines[k];
        servet_matrix matrix = matrix_of(m, 0);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < i; j++)
                if (uniform() < 0.1)
                    *at(&matrix, i, j) *= 5;
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, m, NULL);
        check_costs(&layers, m, 1e-9);
    }
}

/* Half a matrix is as good as a whole one; a tenth of the other pairs is missing in both
 * directions. */
TEST(missing_entries)
{
    const double missing[] = {0, -1, NAN, INFINITY, 1e300, 1e-300};
    random_state = 5;
    for (int k = 0; k < MACHINE_COUNT; k++) {
        const machine *m = machines[k];
        servet_matrix matrix = matrix_of(m, 0.05);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < i; j++) {
                *at(&matrix, i, j) = missing[(i + j) % 6];
                if (i / 2 != j / 2 && uniform() < 0.1)
                    *at(&matrix, j, i) = missing[i % 6];
            }
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, m, NULL);
    }
}

/* A layer of couples would have 8 pairs of 16 cores: with 7 of them missing there is none, with 8
 * there may be one. */
TEST(a_layer_that_may_be_hidden)
{
    for (int couples = 7; couples <= 8; couples++) {
        servet_matrix matrix = matrix_of(&flat, 0.01);
        for (int i = 0; i < couples; i++)
            set_both(&matrix, 2 * i, 2 * i + 1, i % 2 ? NAN : 0);
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, 1);
        assert_int_equal(layers.layer[0].unmeasured, couples);
        assert_int_equal(layers.layer[0].cost.samples, 120 - couples);
        assert_true(layers.layer[0].cost.trusted == (couples == 7));
        assert_true((layers.layer[0].confidence > 0.5) == (couples == 7));
    }
}

/* A core's own cost, here the way to its line's home, is no distance to another core. */
TEST(cores_of_their_own_cost)
{
    random_state = 6;
    for (int k = 0; k < MACHINE_COUNT; k++) {
        const machine *m = machines[k];
        double own[CORES_MAX];
        servet_matrix matrix = matrix_of(m, 0.01);
        for (int i = 0; i < m->n; i++)
            own[i] = 15 * uniform();
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < m->n; j++)
                if (m->size[0] != 2 || i / 2 != j / 2) /* siblings never leave their core */
                    *at(&matrix, i, j) += own[i] + own[j];
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, m, NULL);
    }
}

/* IPDPS'10: messages on four Xeon E7450 pass at 2130 MB/s through a shared L2 (cores 0 and 12),
   1780 in a processor ({0,1,2,12,13,14}) and 750 between two. */
TEST(messages_on_dunnington)
{
    const machine m = {24, {2, 6, 24}, {1 / 2.130, 1 / 1.780, 1 / 0.750}};
    int number[24];
    for (int i = 0; i < 24; i++)
        number[i] = i / 2 + 12 * (i % 2);
    random_state = 12;
    servet_matrix plain = matrix_of(&m, 0.005), matrix = empty_matrix(24);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            *at(&matrix, number[i], number[j]) = *at(&plain, i, j);
    servet_matrix_free(&plain);
    servet_layers layers = analyse(&matrix);
    check_groups(&layers, &m, number);
    check_costs(&layers, &m, 0.02);
}

/* The part of each transfer that its line's home adds: with one of the two cores, or with both. */
typedef enum home_part { BY_OWNER, BY_REQUESTER, BY_BOTH } home_part;

/* Two packages; each line has its home on the first one, and the way there costs 60. */
static double transfer(int requester, int owner, int package, home_part part)
{
    bool owner_far = owner >= package, requester_far = requester >= package;
    double cost = owner_far == requester_far ? 50 : 100;
    if (requester / 2 == owner / 2)
        return 8; /* siblings never leave their core */
    cost += part != BY_REQUESTER && owner_far ? 60 : 0;
    return cost + (part != BY_OWNER && requester_far ? 60 : 0);
}

/* Transfers in the far package cost the same as those between the two, or more; where only one side
 * pays, the cheaper direction of pairs between the packages hides it. */
TEST(homes_are_no_layers)
{
    random_state = 22;
    for (int cores = 8; cores <= 24; cores += 8)
        for (int part = BY_OWNER; part <= BY_BOTH; part++) {
            const machine m = {2 * cores, {2, cores, 2 * cores}, {8, 50, 100}};
            servet_matrix matrix = empty_matrix(2 * cores);
            for (int i = 0; i < 2 * cores; i++)
                for (int j = 0; j < 2 * cores; j++)
                    if (i != j)
                        *at(&matrix, i, j) =
                            transfer(i, j, cores, (home_part)part) * exp(0.01 * normal());
            servet_layers layers = analyse(&matrix);
            check_groups(&layers, &m, NULL);
        }
}

/* Nodes of fat trees, 2 x hop more for each level of switches: each leaf is a group of its own,
   though two leaves joined would add less than the model's error to all pairs together. */
TEST(all_leaves_of_fat_trees)
{
    static const machine trees[] = {{256, {16, 256}, {1.3, 1.7}},
                                    {1024, {32, 1024}, {1.3, 1.7}},
                                    {1024, {16, 256, 1024}, {1.3, 1.7, 2.1}},
                                    {1024, {32, 256, 1024}, {1.3, 1.7, 2.1}}};
    static const double noises[] = {0, 0.01, 0.05};
    random_state = 13;
    for (size_t i = 0; i < test_cases(4, 12); i++) {
        const machine *tree = &trees[i % 4];
        const double noise = noises[i / 4];
        servet_matrix matrix = matrix_of(tree, noise);
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, tree, NULL);
        check_costs(&layers, tree, 0.01 + noise);
    }
}

/* The near neighbour: two leaves behind one switch are one group. */
TEST(two_leaves_that_cost_alike_stay_one)
{
    random_state = 14;
    servet_matrix matrix = empty_matrix(256);
    for (int i = 0; i < 256; i++)
        for (int j = 0; j < i; j++) {
            int a = i / 16 == 12 ? 3 : i / 16, b = j / 16 == 12 ? 3 : j / 16;
            set_both(&matrix, i, j, (a == b ? 1.3 : 1.7) * exp(0.01 * normal()));
        }
    servet_layers layers = analyse(&matrix);
    assert_int_equal(layers.layer_count, 2);
    assert_int_equal(layers.layer[0].group_count, 15);
    assert_int_equal(layers.layer[0].group[3 * 16], layers.layer[0].group[12 * 16]);
}

/* The node of a row in a sample: runs of 27 with 63 nodes between them. */
static int sampled(int row)
{
    return row + row / 27 * 63;
}

/* A run has parts of leaves at either end, of two nodes and more, so that the groups are not alike.
   Groups that are set apart are a layer all the same. */
TEST(leaves_that_a_sample_cuts)
{
    enum { ROWS = 243, LEAF = 25 };
    static const machine trees[] = {{900, {LEAF, 900}, {1.3, 1.7}},
                                    {900, {LEAF, 450, 900}, {1.3, 1.7, 2.1}}};
    random_state = 16;
    for (int k = 0; k < 2; k++) {
        servet_matrix matrix = empty_matrix(ROWS);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < i; j++)
                set_both(&matrix, i, j,
                         cost_of(&trees[k], sampled(i), sampled(j)) * exp(0.02 * normal()));
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, layers_of(&trees[k]));
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < i; j++)
                assert_int_equal(layers.layer[0].group[i] == layers.layer[0].group[j],
                                 sampled(i) / LEAF == sampled(j) / LEAF);
    }
}

/* Four groups of nodes, here equal, that a switch adds `step` to; the other nodes, if any, are
 * alone. */
static servet_matrix grouped(int n, int size, int in_groups, double step, double noise)
{
    servet_matrix matrix = empty_matrix(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            set_both(&matrix, i, j,
                     1.3 * (i / size == j / size && i < in_groups ? 1 : 1 + step) *
                         exp(noise * normal()));
    return matrix;
}

/* Leaf switches that add 8 to 15 % make two layers where there are 16 leaves; two leaves are too
 * few for such a step. */
TEST(a_small_step_of_many_groups_is_a_layer)
{
    static const double steps[] = {0.08, 0.11, 0.15};
    double before = 0;
    random_state = 15;
    for (int i = 0; i < 3; i++) {
        const machine leaves = {256, {16, 256}, {1.3, 1.3 * (1 + steps[i])}};
        servet_matrix many = grouped(256, 16, 256, steps[i], 0.005);
        servet_matrix few = grouped(32, 16, 32, steps[i], 0.005);
        servet_layers layers = analyse(&many), one = analyse(&few);
        check_groups(&layers, &leaves, NULL);
        assert_true(layers.layer[0].confidence > fmax(before, 0.5));
        before = layers.layer[0].confidence;
        assert_int_equal(one.layer_count, 1);
        assert_true(one.layer[0].confidence < 0.8);
    }
}

/* The less of a machine has a group, the more these groups must stand out: hardware repeats. */
TEST(groups_of_a_part_need_a_larger_step)
{
    double before = 1;
    random_state = 17;
    for (int in_groups = 32; in_groups >= 8; in_groups /= 2) {
        servet_matrix matrix = grouped(32, 4, in_groups, 0.4, 0.005);
        servet_layers layers = analyse(&matrix);
        bool found = layers.layer_count == 2;
        assert_true(found == (in_groups > 8));
        if (found) {
            assert_true(layers.layer[0].confidence < before);
            before = layers.layer[0].confidence;
        }
    }
}

/* The larger the step, the surer is the layer; where it is too small, the doubt grows with it. */
TEST(the_confidence_follows_from_the_step)
{
    double before[2] = {1, 0}; /* without and with a layer */
    int counts[3] = {0, 0, 0};
    for (double step = 0.02; step < 1; step *= 1.3) {
        servet_matrix matrix = grouped(32, 4, 32, step, 0);
        servet_layers layers = analyse(&matrix);
        bool found = layers.layer_count > 1;
        double confidence = layers.layer[0].confidence;
        counts[layers.layer_count]++;
        assert_in_range(layers.layer_count, 1, 2);
        assert_true(confidence >= 0.5);
        assert_true(found ? confidence >= before[1] : confidence <= before[0]);
        assert_true(!found || layers.layer[1].confidence > 0.99);
        before[found] = confidence;
    }
    assert_true(counts[1] > 2 && counts[2] > 2);
    assert_true(before[1] > 0.99 && before[0] < 0.6);
}

/* Noise hides small steps: that there is no layer becomes less sure, and the step that would have
 * been seen grows. A step above it is seen. */
TEST(noise_makes_one_layer_uncertain)
{
    static const double noises[] = {0.005, 0.03, 0.06, 0.1};
    double confidence = 1.01, unseen = 0, least = 0;
    random_state = 18;
    for (int i = 0; i < 4; i++) {
        servet_matrix matrix = grouped(128, 128, 128, 0, noises[i]);
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, 1);
        assert_true(layers.layer[0].confidence < confidence);
        assert_true(layers.layer[0].unseen >= unseen);
        confidence = layers.layer[0].confidence;
        unseen = layers.layer[0].unseen;
        least = i == 0 ? unseen : least;
        for (int size = 2; size <= 64; size *= 2) {
            matrix = grouped(128, size, 128, 1.3 * unseen, noises[i]);
            layers = analyse(&matrix);
            assert_true(layers.layer_count > 1);
            assert_in_range(layers.layer[layers.layer_count - 2].group_count, 128 / size,
                            1.1 * 128 / size);
        }
    }
    assert_true(confidence < 0.75 && unseen > 2 * least);
}

/* Costs k times as large make the same layers. */
TEST(the_unit_means_nothing)
{
    static const double factors[] = {1e-6, 1, 1000};
    double confidence[3][LAYERS];
    for (int f = 0; f < 3; f++) {
        random_state = 21;
        servet_matrix matrix = matrix_of(&chiplets, 0.05);
        for (size_t i = 0; i < matrix.n * matrix.n; i++)
            matrix.cost[i] *= factors[f];
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, &chiplets, NULL);
        for (int k = 0; k < layers.layer_count; k++) {
            confidence[f][k] = layers.layer[k].confidence;
            assert_float_equal(confidence[f][k], confidence[0][k], 1e-4);
        }
    }
}

/* Costs grow with the distance on a mesh, here by up to a half: a gradient has no layers. */
TEST(a_mesh_is_one_layer)
{
    const machine whole = {64, {64}, {60}};
    random_state = 8;
    for (int wide = 4; wide <= 64; wide *= 2) { /* 64: a line */
        double step = 20.0 / (wide + 64.0 / wide);
        servet_matrix matrix = empty_matrix(64);
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < i; j++) {
                int hops = abs(i % wide - j % wide) + abs(i / wide - j / wide);
                set_both(&matrix, i, j, (40 + step * hops) * exp(0.01 * normal()));
            }
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, &whole, NULL);
    }
}

/* On a torus each node of a block has a near partner of its own beyond the border. */
TEST(a_torus_is_one_layer)
{
    const machine whole = {28, {28}, {9}};
    random_state = 25;
    for (int hop = 1; hop <= 3; hop++) {
        servet_matrix matrix = empty_matrix(28);
        for (int i = 0; i < 28; i++)
            for (int j = 0; j < i; j++) {
                int x = abs(i % 4 - j % 4), y = abs(i / 4 - j / 4);
                int hops = (x < 4 - x ? x : 4 - x) + (y < 7 - y ? y : 7 - y);
                set_both(&matrix, i, j, (5 + hop * hops) * exp(0.002 * normal()));
            }
        servet_layers layers = analyse(&matrix);
        check_groups(&layers, &whole, NULL);
    }
}

/* Hybrid processors: 4 cores with siblings, and 2 or 4 clusters of 4 cores that share an L2. Cores
 * of clusters are slower with all others. */
TEST(siblings_and_clusters_are_two_layers)
{
    random_state = 23;
    for (int n = 16; n <= 24; n += 8) {
        servet_matrix matrix = empty_matrix(n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                bool siblings = i < 8 && i / 2 == j / 2, cluster = j >= 8 && i / 4 == j / 4;
                double others = 32 + (i < 8 ? 0 : 5) + (j < 8 ? 0 : 5);
                set_both(&matrix, i, j,
                         (siblings  ? 6
                          : cluster ? 20
                                    : others) *
                             exp(0.01 * normal()));
            }
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, 3);
        for (int i = 0; i < n; i++) {
            assert_int_equal(layers.layer[0].group[i], i < 8 ? i / 2 : i - 4);
            assert_int_equal(layers.layer[1].group[i], i < 8 ? i / 2 : i / 4 + 2);
        }
    }
}

/* Two cores on a part of their own are slow with all others, and with each other: two such cores
 * are no layer of the others. */
TEST(cores_that_are_slow_with_each_other_are_no_layer)
{
    random_state = 24;
    servet_matrix matrix = empty_matrix(16);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < i; j++)
            set_both(&matrix, i, j,
                     (40 + (i < 14 ? 0 : 30) + (j < 14 ? 0 : 30)) * exp(0.01 * normal()));
    servet_layers layers = analyse(&matrix);
    assert_int_equal(layers.layer_count, 1);
}

/* A job that may use 13 of 16 cores, so that clusters of 4 have 4, 4, 3 and 2. */
TEST(groups_of_uneven_size)
{
    const int cluster[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3};
    random_state = 11;
    servet_matrix matrix = empty_matrix(13);
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < i; j++)
            set_both(&matrix, i, j, (cluster[i] == cluster[j] ? 20 : 60) * exp(0.05 * normal()));
    servet_layers layers = analyse(&matrix);
    assert_int_equal(layers.layer_count, 2);
    for (int i = 0; i < 13; i++)
        assert_int_equal(layers.layer[0].group[i], cluster[i]);
}

/* Whatever one core costs with all others may be its own; the same from several cores is not: the
 * near neighbour. */
TEST(a_core_that_is_slow_to_all_is_no_layer)
{
    for (int slow = 1; slow <= 2; slow++) {
        servet_matrix matrix = empty_matrix(20);
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < i; j++)
                set_both(&matrix, i, j, (i < 20 - slow) == (j < 20 - slow) ? 100 : 400);
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, slow);
    }
}

TEST(unconnected_cores_stay_apart)
{
    servet_matrix matrix = empty_matrix(5);
    set_both(&matrix, 0, 3, 10);
    set_both(&matrix, 1, 2, 10);
    servet_layers layers = analyse(&matrix);
    const int expected[] = {0, 1, 1, 0, 2};
    assert_int_equal(layers.layer_count, 1);
    assert_int_equal(layers.layer[0].group_count, 3);
    assert_memory_equal(layers.layer[0].group, expected, sizeof expected);
    assert_int_equal(layers.layer[0].cost.samples, 2);
}

/* Pairs 1-2, 0-3 and 1-3 connect all four, though 2 is not measured with 0. */
TEST(cores_connected_by_a_chain_of_pairs_are_one_group)
{
    static const int chains[][6] = {{1, 2, 0, 3, 1, 3}, {0, 1, 1, 2, 2, 3}, {0, 3, 2, 3, 1, 2}};
    for (int k = 0; k < 3; k++) {
        servet_matrix matrix = empty_matrix(4);
        for (int i = 0; i < 6; i += 2)
            set_both(&matrix, chains[k][i], chains[k][i + 1], 10);
        servet_layers layers = analyse(&matrix);
        assert_int_equal(layers.layer_count, 1);
        assert_int_equal(layers.layer[0].group_count, 1);
        assert_int_equal(layers.layer[0].cost.samples, 3);
    }
}

TEST(one_core_two_cores_three_cores)
{
    servet_matrix one = empty_matrix(1), two = empty_matrix(2), three = empty_matrix(3);
    servet_layers layers = analyse(&one);
    assert_int_equal(layers.layer_count, 0);
    set_both(&two, 0, 1, 30);
    layers = analyse(&two);
    assert_int_equal(layers.layer_count, 1);
    assert_int_equal(layers.layer[0].group_count, 1);
    assert_true(fabs(layers.layer[0].cost.value - 30) < 1e-9);
    for (int i = 0; i < 3; i++)
        set_both(&three, i, (i + 1) % 3, 30);
    layers = analyse(&three);
    assert_int_equal(layers.layer_count, 1);
}

TEST(no_matrix_is_a_mistake)
{
    double cost = 0;
    const servet_matrix none = SERVET_MATRIX_INIT, without = {4, NULL, SERVET_UNIT_NONE};
    const servet_matrix huge = {SERVET_MATRIX_MAX + 1, &cost, SERVET_UNIT_NONE};
    servet_layers layers = {0};
    assert_int_equal(servet_analyze_layers(NULL, &layers, NULL), SERVET_EARGUMENT);
    assert_int_equal(servet_analyze_layers(&none, &layers, NULL), SERVET_EARGUMENT);
    assert_int_equal(servet_analyze_layers(&without, &layers, NULL), SERVET_EARGUMENT);
    assert_int_equal(servet_analyze_layers(&huge, &layers, NULL), SERVET_EARGUMENT);
    servet_layers_free(&layers);
    servet_layers_free(NULL);
}

static int analyse_and_forget(void *context)
{
    servet_layers layers = {0};
    int code = servet_analyze_layers(context, &layers, NULL);
    servet_layers_free(&layers);
    return code;
}

TEST(memory_may_run_out_anywhere)
{
    const machine small = {16, {2, 8, 16}, {8, 40, 100}};
    servet_matrix matrix = matrix_of(&small, 0);
    assert_true(alloc_fail_everywhere(analyse_and_forget, &matrix) > 20);
    servet_matrix_free(&matrix);
}
