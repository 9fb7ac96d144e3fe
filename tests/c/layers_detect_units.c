/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of units, contrast and costs of pairs, against known costs of small matrices. */
#include "test.h"

#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_effects.h"
#include "facts/layers/detect_tree.h"
#include "sim/random.h"
#include "stats/robust.h"

enum { N_MAX = 24, REPEATS = 40 };

static double cost[N_MAX * N_MAX];
static servet_matrix matrix;
static const double side[N_MAX]; /* none pays more for its lines */
static int fine[N_MAX], coarse[N_MAX];
static srv_units units;
static double effect[N_MAX];
static uint64_t random_state;

static double uniform(void)
{
    return srv_random_unit(&random_state);
}

static void set_both(int n, int i, int j, double value)
{
    cost[i * n + j] = cost[j * n + i] = value;
}

static void build(int n)
{
    matrix = (servet_matrix){(size_t)n, cost, SERVET_UNIT_SECOND};
    assert_ok(srv_units_build(&units, &matrix, side, fine, coarse, NULL));
}

/* --- units ------------------------------------------------------------------------------------ */

/* Costs of nodes that each have a share of their own in all they exchange. */
static double own[N_MAX];

static double true_cost(int u, int v)
{
    return 1 + own[u] + own[v];
}

static void costs_are_within(double share)
{
    for (int f = 0; f < N_MAX; f++)
        for (int g = 0; g < f; g++)
            assert_float_equal(srv_unit_cost(&units, units.of_fine[f], units.of_fine[g]),
                               true_cost(f, g), share * true_cost(f, g));
}

/* A fifth of the pairs is missing, or two of each unit's were disturbed and cost ten times as much.
 */
TEST(missing_and_disturbed_costs_follow_from_others)
{
    random_state = 2;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        bool missing = repeat % 2;
        for (int i = 0; i < N_MAX; i++) {
            fine[i] = i;
            coarse[i] = 0;
            own[i] = 0.3 * uniform();
            for (int j = 0; j < i; j++) {
                double known = true_cost(i, j);
                bool disturbed = (i - j) % (N_MAX - 1) == 1 + repeat / 2;
                set_both(N_MAX, i, j,
                         missing && uniform() < 0.2 ? NAN
                         : !missing && disturbed    ? 10 * known
                                                    : known);
            }
        }
        build(N_MAX);
        costs_are_within(missing ? 0.1 : 0.3);
        srv_units_free(&units);
    }
}

static srv_merge merges[N_MAX];

static int build_tree(void)
{
    float work[N_MAX * N_MAX];
    int size[N_MAX + 1], chain[N_MAX];
    return srv_tree_build(&units, effect, merges, work, size, chain);
}

/* Is true if one of the cuts makes exactly the groups of `together` neighbouring units. */
static bool has_cut(const int *chosen, int count, int together)
{
    srv_room cuts = {0};
    srv_cut made = srv_cut_of(&cuts, units.count), known = srv_cut_of(&cuts, units.count);
    int group[N_MAX];
    bool found = false;
    assert_true(!cuts.failed);
    for (int f = 0; f < units.count; f++)
        group[units.of_fine[f]] = f / together;
    srv_cut_set(&known, units.count, group);
    for (int k = 0; k < count; k++) {
        srv_tree_cut(&units, merges, chosen[k], &made);
        found = found || memcmp(made.group, known.group, (size_t)units.count * sizeof(int)) == 0;
    }
    srv_room_free(&cuts);
    return found;
}

/* Groups of 2 in groups of 4 in groups of 12, near and far. */
TEST(cuts_of_nested_groups_are_chosen)
{
    random_state = 4;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double noise = repeat % 2 ? 0.1 : 0;
        for (int i = 0; i < N_MAX; i++) {
            fine[i] = i;
            coarse[i] = repeat % 4 > 1 ? i / 12 : 0;
            effect[i] = 0;
            for (int j = 0; j < i; j++)
                set_both(N_MAX, i, j,
                         (i / 2 == j / 2     ? 1
                          : i / 4 == j / 4   ? 2
                          : i / 12 == j / 12 ? 4
                                             : 8) +
                             noise * uniform());
        }
        build(N_MAX);
        int chosen[SRV_CUTS_MAX], count = 0, all = build_tree();
        assert_ok(srv_cuts_choose(&units, effect, merges, all, chosen, &count, NULL));
        assert_true(has_cut(chosen, count, 2));
        assert_true(has_cut(chosen, count, 4));
        assert_true(repeat % 4 > 1 || has_cut(chosen, count, 12));
        srv_units_free(&units);
    }
}

/* --- contrast --------------------------------------------------------------------------------- */

static srv_layers_contrast contrast_of(int n, const int *group)
{
    srv_layers_contrast found;
    srv_room cuts = {0};
    srv_cut cut = srv_cut_of(&cuts, n);
    memset(effect, 0, sizeof effect);
    build(n);
    srv_cut_set(&cut, n, group);
    assert_ok(srv_contrast_of(&units, &cut, effect, &found, NULL));
    srv_room_free(&cuts);
    srv_units_free(&units);
    return found;
}

static void each_core_is_a_unit(int n, int size, int *group)
{
    for (int i = 0; i < n; i++) {
        fine[i] = i;
        coarse[i] = 0;
        group[i] = i / size;
    }
}

/* Groups of four; the next group is 1.5 times as far as the inside, all others are 3 times. */
TEST(groups_are_compared_with_the_nearest_one)
{
    int group[N_MAX];
    each_core_is_a_unit(N_MAX, 4, group);
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set_both(N_MAX, i, j, i / 4 == j / 4 ? 2 : i / 8 == j / 8 ? 3 : 6);
    srv_layers_contrast found = contrast_of(N_MAX, group);
    assert_int_equal(found.groups, 6);
    assert_float_equal(found.ratio, 1.5, 1e-6);
    assert_float_equal(found.edge, 1, 1e-6);
    assert_float_equal(found.purity, 1, 1e-9);
    assert_float_equal(found.coverage, 1, 1e-9);
}

/* Costs of a line are distances: at the border between two parts of n points they are 1, while the
 * two points there have n / 2 with their own parts. The means are n and (n + 1) / 3. */
TEST(parts_of_a_line_have_no_edge)
{
    for (int n = 4; n <= N_MAX / 2; n++) {
        int group[N_MAX];
        each_core_is_a_unit(2 * n, n, group);
        for (int i = 0; i < 2 * n; i++)
            for (int j = 0; j < i; j++) /* a start that keeps costs from being limited */
                set_both(2 * n, i, j, 100 + i - j);
        srv_layers_contrast found = contrast_of(2 * n, group);
        assert_int_equal(found.groups, 2);
        assert_true(found.edge < 0.1);
    }
}

/* Pairs, some of which cost as much inside as outside: these have no step. */
TEST(groups_without_a_step_lower_the_ratio)
{
    static const double ratio[] = {2, 4.0 / 3, 1}; /* 2 * 2 / (own cost + that of the next) */
    for (int n = 20; n <= N_MAX; n += 2)
        for (int disturbed = 2; disturbed < 4; disturbed++) {
            int group[N_MAX], pairs = n / 2;
            each_core_is_a_unit(n, 2, group);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < i; j++)
                    set_both(n, i, j, i / 2 == j / 2 && i / 2 >= disturbed ? 1 : 2);
            srv_layers_contrast found = contrast_of(n, group);
            assert_int_equal(found.groups, pairs);
            /* the nearest group of a sound pair, and of a disturbed one, is a disturbed one */
            assert_float_equal(
                found.ratio, ((pairs - disturbed) * ratio[1] + disturbed * ratio[2]) / pairs, 1e-6);
        }
}

/* A pair inside half of a line is cheaper than one to the other half with a probability of 0.92
 * (11/12) as the line grows; ends of 12 points are near to it. */
TEST(halves_of_a_line_are_not_pure)
{
    int group[N_MAX];
    each_core_is_a_unit(N_MAX, 12, group);
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set_both(N_MAX, i, j, i - j);
    assert_float_equal(contrast_of(N_MAX, group).purity, 11.0 / 12, 0.03);
}

/* Half of the units are in groups: they cover as much. */
TEST(units_without_a_group_lower_the_coverage)
{
    int group[N_MAX];
    each_core_is_a_unit(N_MAX, 2, group);
    for (int i = N_MAX / 2; i < N_MAX; i++)
        group[i] = i;
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set_both(N_MAX, i, j, group[i] == group[j] ? 1 : 2);
    srv_layers_contrast found = contrast_of(N_MAX, group);
    assert_int_equal(found.groups, N_MAX / 4);
    assert_float_equal(found.coverage, 0.5, 1e-9);
}

/* --- costs of pairs --------------------------------------------------------------------------- */

TEST(a_pair_costs_what_its_cheaper_direction_does)
{
    static const struct {
        double there, back, expected;
    } pairs[] = {{2, 3, 2},
                 {3, 2, 2},
                 {2, NAN, 2},
                 {NAN, 3, 3},
                 {0, 3, 3},
                 {3, -1, 3},
                 {SERVET_COST_MAX, 0, SERVET_COST_MAX},
                 {1e300, 3, 3},
                 {3, 1e-300, 3},
                 {SERVET_COST_MIN, 3, SERVET_COST_MIN}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double two[] = {0, pairs[i].there, pairs[i].back, 0};
        servet_matrix of = {2, two, SERVET_UNIT_SECOND};
        assert_float_equal(srv_pair_cost(&of, 0, 1), pairs[i].expected, 0);
        assert_float_equal(srv_pair_cost(&of, 1, 0), pairs[i].expected, 0);
    }
    assert_true(isnan(srv_pair_cost(&(servet_matrix){2, (double[]){0, NAN, 0, 0}, 0}, 0, 1)));
}

/* The share of the samples that is outside of a median's 95 % interval on either side. */
static double share_outside(int samples)
{
    return samples < 6 ? 0 : (samples / 2. - 0.98 * sqrt(samples) - 0.4) / (samples - 1);
}

/* Costs 1, 2, ... of the pairs of one layer; as many samples as there are cores. */
TEST(a_layer_costs_the_median_of_its_pairs)
{
    for (int n = 3; n <= 16; n++) {
        double outside = share_outside(n), last = n * (n - 1) / 2 - 1;
        servet_layer layer = {.group = fine};
        for (int i = 0, next = 1; i < n; i++) {
            fine[i] = 0;
            for (int j = 0; j < i; j++)
                set_both(n, i, j, next++);
        }
        matrix = (servet_matrix){(size_t)n, cost, SERVET_UNIT_SECOND};
        assert_ok(srv_layer_cost(&matrix, NULL, &layer, NULL));
        assert_float_equal(layer.cost.value, 1 + last / 2, 1e-9);
        assert_float_equal(layer.cost.low, 1 + last * outside, 1e-9);
        assert_float_equal(layer.cost.high, 1 + last * (1 - outside), 1e-9);
        assert_float_equal(layer.near, 1 + last * 0.05, 1e-9);
        assert_float_equal(layer.far, 1 + last * 0.95, 1e-9);
        assert_int_equal(layer.cost.samples, n * (n - 1) / 2);
        assert_int_equal(layer.group_count, 1);
        assert_true(layer.cost.trusted && layer.cost.unit == SERVET_UNIT_SECOND);
    }
}

/* Only pairs that a group has and none before had, and only cores that have one. */
TEST(a_layer_has_the_pairs_that_are_new_in_it)
{
    enum { N = 8 };
    static int before[] = {0, 0, 1, 1, 2, 2, 3, 4}, group[] = {0, 0, 0, 0, 1, 1, 2, 2};
    servet_layer layer = {.group = group};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            set_both(N, i, j,
                     group[i] != group[j]     ? 9
                     : before[i] == before[j] ? 1
                     : i == 7                 ? 4
                                              : 2);
    matrix = (servet_matrix){N, cost, SERVET_UNIT_NONE};
    assert_ok(srv_layer_cost(&matrix, before, &layer, NULL));
    assert_int_equal(layer.cost.samples, 5); /* four of the first group, and 6 with 7 */
    assert_int_equal(layer.group_count, 3);
    assert_float_equal(layer.cost.value, 2, 0);
    /* six cores: between the fourth and the fifth of five costs */
    assert_float_equal(layer.cost.high, 2 + 2 * (4 * (1 - share_outside(6)) - 3), 1e-9);
    layer = (servet_layer){.group = before};
    assert_ok(srv_layer_cost(&matrix, group, &layer, NULL));
    assert_int_equal(layer.cost.samples, 0);
    assert_int_equal(layer.group_count, 0);
}
