/* SPDX-License-Identifier: BSD-3-Clause */
/* Units, their tree, its cuts, effects and contrast, against known costs of small matrices. */
#include "test.h"

#include "facts/layers/detect_effects.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_tree.h"
#include "sim/random.h"
#include "stats/robust.h"

enum { N_MAX = 24, REPEATS = 40 };

static double cost[N_MAX * N_MAX];
static servet_matrix matrix;
static const double side[N_MAX]; /* none pays more for its lines */
static int fine[N_MAX], coarse[N_MAX];
static srv_room cuts; /* the arrays of all cuts of a test */
static srv_units units;
static double effect[N_MAX];
static uint64_t random_state;

static double uniform(void)
{
    return srv_random_unit(&random_state);
}

static int below(int n)
{
    return (int)srv_random_below(&random_state, (uint32_t)n);
}

static void set_both(int n, int i, int j, double value)
{
    cost[i * n + j] = cost[j * n + i] = value;
}

static void build(int n)
{
    matrix = (servet_matrix){(size_t)n, cost, SERVET_UNIT_SECOND};
    assert_int_equal(srv_units_build(&units, &matrix, side, fine, coarse, NULL), SERVET_OK);
}

/* --- units ------------------------------------------------------------------------------------ */

/* Costs of nodes that each have a share of their own in all they exchange. */
static double own[N_MAX];

static double true_cost(int u, int v)
{
    return 1 + own[u] + own[v];
}

static void sums_are_those_of_the_costs(void)
{
    double all = 0, pairs = 0;
    for (int b = 0; b < units.block_count; b++) {
        double squares = 0;
        for (int u = units.first[b]; u < units.first[b + 1]; u++) {
            double sum = 0;
            for (int v = units.first[b]; v < units.first[b + 1]; v++)
                if (v != u) {
                    sum += srv_unit_cost(&units, u, v);
                    squares += pow(srv_unit_cost(&units, u, v), 2) / 2;
                    pairs += 0.5;
                }
            assert_float_equal(units.sum[u], sum, 1e-9);
            all += sum / 2;
        }
        assert_float_equal(units.squares[b], squares, 1e-6);
    }
    assert_float_equal((double)units.pairs, pairs, 0);
    assert_float_equal(units.mean, pairs > 0 ? all / pairs : 0, 1e-9);
}

static void units_have_their_cores(void)
{
    int n = (int)matrix.n;
    for (int i = 0; i < n; i++) {
        int u = units.of_core[i], cores = 0;
        assert_int_equal(u, units.of_fine[fine[i]]);
        assert_int_equal(units.block[u], coarse[i]);
        assert_in_range(u, units.first[coarse[i]], units.first[coarse[i] + 1] - 1);
        for (int j = 0; j < n; j++) {
            assert_int_equal(u == units.of_core[j], fine[i] == fine[j]);
            cores += fine[i] == fine[j];
        }
        assert_int_equal(units.cores[u], cores);
    }
}

/* The costs of units that have a pair, of fine group f and g. */
static void costs_are_within(double share)
{
    for (int f = 0; f < units.count; f++)
        for (int g = 0; g < f; g++) {
            int u = units.of_fine[f], v = units.of_fine[g];
            if (units.block[u] == units.block[v])
                assert_float_equal(srv_unit_cost(&units, u, v), true_cost(f, g),
                                   share * true_cost(f, g));
        }
}

/* Groups of a finer partition, each inside a group of a coarser one. */
static void make_partitions(int n, int groups, int blocks)
{
    for (int i = 0; i < n; i++) {
        fine[i] = i < groups ? i : below(groups); /* each has one at least */
        coarse[i] = fine[i] % blocks;
        own[i] = 0.3 * uniform();
    }
}

/* All pairs were measured, in one direction or both: the costs are known. */
static void measured_costs_are_those_of_the_units(void **state)
{
    (void)state;
    random_state = 1;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        int n = 3 + repeat % (N_MAX - 2), blocks = 1 + repeat % 3, groups = blocks + n / 2;
        groups = groups < n ? groups : n;
        make_partitions(n, groups, blocks);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                double known = true_cost(fine[i], fine[j]);
                bool both = uniform() < 0.5;
                cost[i * n + j] = known;
                cost[j * n + i] = both ? known : repeat % 2 ? NAN : 0;
            }
        build(n);
        assert_int_equal(units.count, groups);
        assert_int_equal(units.block_count, blocks);
        units_have_their_cores();
        sums_are_those_of_the_costs();
        costs_are_within(0.1); /* the most expensive quarter of a unit's costs may be limited */
        srv_units_free(&units);
    }
}

/* A fifth of the pairs is missing, or two of each unit's were disturbed and cost ten times as much.
 */
static void missing_and_disturbed_costs_follow_from_others(void **state)
{
    (void)state;
    random_state = 2;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        bool missing = repeat % 2;
        make_partitions(N_MAX, N_MAX, 1);
        for (int i = 0; i < N_MAX; i++)
            for (int j = 0; j < i; j++) {
                double known = true_cost(i, j);
                bool disturbed = (i - j) % (N_MAX - 1) == 1 + repeat / 2;
                set_both(N_MAX, i, j,
                         missing && uniform() < 0.2 ? NAN
                         : !missing && disturbed    ? 10 * known
                                                    : known);
            }
        build(N_MAX);
        costs_are_within(missing ? 0.1 : 0.3);
        srv_units_free(&units);
    }
}

/* --- the tree --------------------------------------------------------------------------------- */

static double less_effects(int u, int v)
{
    return srv_unit_cost(&units, u, v) - effect[u] - effect[v];
}

static double mean_between(const int *group, int a, int b)
{
    double sum = 0, pairs = 0;
    for (int u = 0; u < units.count; u++)
        for (int v = 0; v < units.count; v++)
            if (group[u] == a && group[v] == b && units.block[u] == units.block[v]) {
                sum += less_effects(u, v);
                pairs++;
            }
    return pairs > 0 ? sum / pairs : INFINITY;
}

/* The nearest two groups of a block become one; the height at which they do. */
static double merge_by_definition(int *group)
{
    double least = INFINITY;
    int first = 0, second = 0;
    for (int a = 0; a < units.count; a++)
        for (int b = 0; b < a; b++)
            if (mean_between(group, a, b) < least) {
                least = mean_between(group, a, b);
                first = a;
                second = b;
            }
    for (int u = 0; u < units.count; u++)
        group[u] = group[u] == second ? first : group[u];
    return least;
}

static void same_groups(const srv_cut *cut, const int *group)
{
    for (int u = 0; u < units.count; u++)
        for (int v = 0; v < u; v++)
            assert_int_equal(cut->group[u] == cut->group[v], group[u] == group[v]);
}

static srv_merge merges[N_MAX];

static int build_tree(void)
{
    float work[N_MAX * N_MAX];
    int size[N_MAX + 1], chain[N_MAX];
    return srv_tree_build(&units, effect, merges, work, size, chain);
}

/* Each core is a unit; `blocks` of them in turn. */
static void make_units(int n, int blocks, double spread)
{
    for (int i = 0; i < n; i++) {
        fine[i] = i;
        coarse[i] = i % blocks;
        effect[i] = spread * uniform();
        for (int j = 0; j < i; j++)
            set_both(n, i, j, 1 + uniform());
    }
    build(n);
}

static void trees_join_the_nearest_first(void **state)
{
    (void)state;
    random_state = 3;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        int n = 2 + repeat % (N_MAX - 1), blocks = 1 + repeat % 2, group[N_MAX];
        srv_cut cut;
        make_units(n, blocks, repeat % 4 ? 0.3 : 0);
        for (int i = 0; i < n; i++)
            group[i] = i;
        int count = build_tree();
        assert_int_equal(count, n - blocks);
        cut = srv_cut_of(&cuts, n);
        for (int m = 0; m <= count; m++) {
            srv_tree_cut(&units, merges, m, &cut);
            assert_int_equal(cut.count, n - m);
            same_groups(&cut, group);
            if (m < count) {
                assert_float_equal(merges[m].height, merge_by_definition(group), 1e-5);
                assert_int_equal(merges[m].a_size, srv_cut_size(&cut, cut.group[merges[m].a]));
                assert_int_equal(merges[m].b_size, srv_cut_size(&cut, cut.group[merges[m].b]));
            }
        }
        srv_room_free(&cuts);
        srv_units_free(&units);
    }
}

/* --- cuts ------------------------------------------------------------------------------------- */

static void groups_are_numbered_by_their_first_units(void **state)
{
    (void)state;
    static const int numbers[] = {3, 0, 3, 5, 0, 3}, expected[] = {0, 1, 0, 2, 1, 0};
    static const int start[] = {0, 3, 5, 6}, order[] = {0, 2, 5, 1, 4, 3};
    srv_cut cut;
    cut = srv_cut_of(&cuts, 6);
    srv_cut_set(&cut, 6, numbers);
    assert_int_equal(cut.count, 3);
    assert_memory_equal(cut.group, expected, sizeof expected);
    assert_memory_equal(cut.start, start, sizeof start);
    assert_memory_equal(cut.order, order, sizeof order);
    assert_int_equal(srv_cut_size(&cut, 1), 2);
    assert_false(srv_cut_alike(&cut)); /* one unit is alone */
    srv_cut_set(&cut, 6, (const int[]){0, 1, 1, 0, 1, 1});
    assert_true(srv_cut_alike(&cut)); /* 2 and 4 */
    srv_cut_set(&cut, 6, (const int[]){0, 0, 0, 0, 0, 0});
    assert_true(srv_cut_alike(&cut));
    srv_room_free(&cuts);
    assert_true(srv_sizes_alike(2, 4) && srv_sizes_alike(3, 6) && srv_sizes_alike(2, 2));
    assert_false(srv_sizes_alike(2, 5) || srv_sizes_alike(3, 7) || srv_sizes_alike(1, 1));
}

/* How much of the squares groups with a gap explain: the regression of the costs less effects on
 * whether a pair is inside, both from their means in the block. */
static double explained_by(const srv_cut *cut)
{
    double contrast = 0, weight = 0;
    for (int b = 0; b < units.block_count; b++) {
        double sum = 0, inside = 0, pairs = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int u = units.first[b]; u < units.first[b + 1]; u++)
                for (int v = units.first[b]; v < u; v++) {
                    double is_inside = cut->group[u] == cut->group[v];
                    if (pass == 0) {
                        sum += less_effects(u, v);
                        inside += is_inside;
                        pairs++;
                    } else {
                        contrast -=
                            (is_inside - inside / pairs) * (less_effects(u, v) - sum / pairs);
                        weight += pow(is_inside - inside / pairs, 2);
                    }
                }
    }
    return contrast > 0 && weight > 0 ? contrast * contrast / weight : 0;
}

/* Is true if one of the cuts makes exactly the groups of `together` neighbouring units. */
static bool has_cut(const int *chosen, int count, int together)
{
    srv_cut made, known;
    int group[N_MAX];
    bool found = false;
    made = srv_cut_of(&cuts, units.count);
    known = srv_cut_of(&cuts, units.count);
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
static void cuts_of_nested_groups_are_chosen(void **state)
{
    (void)state;
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
        assert_int_equal(srv_cuts_choose(&units, effect, merges, all, chosen, &count, NULL),
                         SERVET_OK);
        assert_true(has_cut(chosen, count, 2));
        assert_true(has_cut(chosen, count, 4));
        assert_true(repeat % 4 > 1 || has_cut(chosen, count, 12));
        srv_units_free(&units);
    }
}

/* --- effects ---------------------------------------------------------------------------------- */

static srv_cut cut_in_turn(int n, int groups)
{
    int group[N_MAX];
    srv_cut cut;
    cut = srv_cut_of(&cuts, n);
    for (int i = 0; i < n; i++)
        group[units.of_core[i]] = i % groups;
    srv_cut_set(&cut, n, group);
    return cut;
}

/* Costs by the model in groups of one size: the gap does not depend on the effects. All of these
 * shrink by one factor, which leaves as much of them in the costs. */
static void effects_of_equal_groups_shrink_alike(void **state)
{
    (void)state;
    static const double of_unit[] = {0.1, -0.2, 0.3, 0.05, -0.15, -0.1};
    enum { N = 6 };
    for (int i = 0; i < N; i++) {
        fine[i] = i;
        coarse[i] = 0;
        for (int j = 0; j < i; j++)
            set_both(N, i, j, 10 + of_unit[i] + of_unit[j] - 2 * (i % 3 == j % 3));
    }
    build(N);
    for (int i = 0; i < N; i++) /* before costs are limited */
        for (int j = 0; j < i; j++)
            units.cost[srv_units_at(&units, i, j)] = (float)cost[i * N + j];
    for (int i = 0; i < N; i++) {
        units.sum[i] = 0;
        for (int j = 0; j < N; j++)
            units.sum[i] += i != j ? cost[i * N + j] : 0;
    }
    units.squares[0] = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            units.squares[0] += pow(cost[i * N + j], 2);
        }
    srv_cut cut = cut_in_turn(N, 3);
    memset(effect, 0, sizeof effect);
    double rest = srv_effects_fit(&units, &cut, effect), kept = effect[1] / of_unit[1], left = 0;
    assert_true(kept > 0.3 && kept < 1); /* the model has an error */
    for (int i = 0; i < N; i++) {
        assert_float_equal(effect[i], kept * of_unit[i], 1e-6);
        for (int j = 0; j < i; j++)
            left += pow((1 - kept) * (of_unit[i] + of_unit[j]), 2);
    }
    assert_float_equal(rest, left, 1e-5);
    srv_room_free(&cuts);
    srv_units_free(&units);
}

static double squares_less_effects(void)
{
    double squares = 0;
    for (int b = 0; b < units.block_count; b++) {
        double sum = 0, pairs = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int u = units.first[b]; u < units.first[b + 1]; u++)
                for (int v = units.first[b]; v < u; v++) {
                    sum += pass ? 0 : less_effects(u, v);
                    pairs += !pass;
                    squares += pass ? pow(less_effects(u, v) - sum / pairs, 2) : 0;
                }
    }
    return squares;
}

/* The remainder is the sum of squares less the effects and less the part that the groups explain.
 */
static void what_effects_leave_is_the_squares(void **state)
{
    (void)state;
    random_state = 5;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        int n = 4 + repeat % (N_MAX - 3), blocks = 1 + repeat % 2;
        make_units(n, blocks, 0);
        srv_cut cut = cut_in_turn(n, blocks * (1 + repeat % 4));
        double rest = srv_effects_fit(&units, &cut, effect);
        assert_float_equal(rest, squares_less_effects() - explained_by(&cut), 1e-4);
        for (int b = 0; b < blocks; b++) {
            double sum = 0;
            for (int u = units.first[b]; u < units.first[b + 1]; u++)
                sum += effect[u];
            assert_float_equal(sum, 0, 1e-9);
        }
        double better = rest; /* effects of other sizes explain less */
        for (int u = 0; u < n; u++)
            effect[u] *= 0.5;
        better = squares_less_effects() - explained_by(&cut);
        assert_true(better >= rest - 1e-9);
        srv_room_free(&cuts);
        srv_units_free(&units);
    }
}

static void gaps_are_those_of_their_sums(void **state)
{
    (void)state;
    srv_gap gap =
        srv_gap_of(&(srv_pair_sums){.pairs = 10, .sum = 50, .inside = 4, .inside_sum = 8});
    assert_float_equal(gap.contrast, 12, 1e-12); /* 4 pairs at the mean of 5 less 8 */
    assert_float_equal(gap.weight, 2.4, 1e-12);
    assert_float_equal(srv_gap_explains(gap), 60, 1e-12);
    assert_float_equal(srv_gap_explains((srv_gap){-1, 2}), 0, 0);
    assert_float_equal(srv_gap_explains((srv_gap){1, 0}), 0, 0);
    gap = srv_gap_of(&(srv_pair_sums){.pairs = 0});
    assert_true(gap.contrast == 0 && gap.weight == 0);
}

/* --- contrast --------------------------------------------------------------------------------- */

static srv_layers_contrast contrast_of(int n, const int *group)
{
    srv_layers_contrast found;
    srv_cut cut;
    memset(effect, 0, sizeof effect);
    build(n);
    cut = srv_cut_of(&cuts, n);
    srv_cut_set(&cut, n, group);
    assert_int_equal(srv_contrast_of(&units, &cut, effect, &found, NULL), SERVET_OK);
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
static void groups_are_compared_with_the_nearest_one(void **state)
{
    (void)state;
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
static void parts_of_a_line_have_no_edge(void **state)
{
    (void)state;
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
static void groups_without_a_step_lower_the_ratio(void **state)
{
    (void)state;
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
static void halves_of_a_line_are_not_pure(void **state)
{
    (void)state;
    int group[N_MAX];
    each_core_is_a_unit(N_MAX, 12, group);
    for (int i = 0; i < N_MAX; i++)
        for (int j = 0; j < i; j++)
            set_both(N_MAX, i, j, i - j);
    assert_float_equal(contrast_of(N_MAX, group).purity, 11.0 / 12, 0.03);
}

/* Half of the units are in groups: they cover as much. */
static void units_without_a_group_lower_the_coverage(void **state)
{
    (void)state;
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

static void a_pair_costs_what_its_cheaper_direction_does(void **state)
{
    (void)state;
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
static void a_layer_costs_the_median_of_its_pairs(void **state)
{
    (void)state;
    for (int n = 3; n <= 16; n++) {
        double outside = share_outside(n), last = n * (n - 1) / 2 - 1;
        servet_layer layer = {.group = fine};
        for (int i = 0, next = 1; i < n; i++) {
            fine[i] = 0;
            for (int j = 0; j < i; j++)
                set_both(n, i, j, next++);
        }
        matrix = (servet_matrix){(size_t)n, cost, SERVET_UNIT_SECOND};
        assert_int_equal(srv_layer_cost(&matrix, NULL, &layer, NULL), SERVET_OK);
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
static void a_layer_has_the_pairs_that_are_new_in_it(void **state)
{
    (void)state;
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
    assert_int_equal(srv_layer_cost(&matrix, before, &layer, NULL), SERVET_OK);
    assert_int_equal(layer.cost.samples, 5); /* four of the first group, and 6 with 7 */
    assert_int_equal(layer.group_count, 3);
    assert_float_equal(layer.cost.value, 2, 0);
    /* six cores: between the fourth and the fifth of five costs */
    assert_float_equal(layer.cost.high, 2 + 2 * (4 * (1 - share_outside(6)) - 3), 1e-9);
    layer = (servet_layer){.group = before};
    assert_int_equal(srv_layer_cost(&matrix, group, &layer, NULL), SERVET_OK);
    assert_int_equal(layer.cost.samples, 0);
    assert_int_equal(layer.group_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_costs_are_those_of_the_units),
        cmocka_unit_test(missing_and_disturbed_costs_follow_from_others),
        cmocka_unit_test(trees_join_the_nearest_first),
        cmocka_unit_test(groups_are_numbered_by_their_first_units),
        cmocka_unit_test(cuts_of_nested_groups_are_chosen),
        cmocka_unit_test(effects_of_equal_groups_shrink_alike),
        cmocka_unit_test(what_effects_leave_is_the_squares),
        cmocka_unit_test(gaps_are_those_of_their_sums),
        cmocka_unit_test(groups_are_compared_with_the_nearest_one),
        cmocka_unit_test(parts_of_a_line_have_no_edge),
        cmocka_unit_test(halves_of_a_line_are_not_pure),
        cmocka_unit_test(groups_without_a_step_lower_the_ratio),
        cmocka_unit_test(units_without_a_group_lower_the_coverage),
        cmocka_unit_test(a_pair_costs_what_its_cheaper_direction_does),
        cmocka_unit_test(a_layer_costs_the_median_of_its_pairs),
        cmocka_unit_test(a_layer_has_the_pairs_that_are_new_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
