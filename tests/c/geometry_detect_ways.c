/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of cyclic accesses to lines of one set, by the laws of replacement policies: the number
 * of lines that fit is found. */
#include "test.h"

#include "facts/geometry/detect_lines.h"
#include "sim/random.h"

enum { POINTS_MAX = 160, WAYS_MAX = 24, REPEATS = 10 };

static const double HIT = 10, MISS = 40;

/* --- laws ------------------------------------------------------------------------------------- */

/* LRU has always just dropped what comes next. */
static double misses_of_lru(double c, double ways)
{
    return c <= ways ? 0 : 1;
}

/* The misses of random replacement, counted in sets after many lines have passed. */
static double watch_random_sets(int lines, int ways)
{
    enum { SETS = 60, WARM = 15, ROUNDS = 30 };
    int line_of[POINTS_MAX], misses = 0;
    uint64_t random = (uint64_t)(1000 * lines + ways);
    for (int set = 0; set < SETS; set++) {
        for (int way = 0; way < ways; way++)
            line_of[way] = way;
        for (int visit = 0; visit < (WARM + ROUNDS) * lines; visit++) {
            int way = 0;
            while (way < ways && line_of[way] != visit % lines)
                way++;
            if (way < ways)
                continue;
            line_of[srv_random_below(&random, (uint32_t)ways)] = visit % lines;
            misses += visit >= WARM * lines;
        }
    }
    return misses / (double)(SETS * ROUNDS * lines);
}

static double misses_of_random(double c, double ways)
{
    static double seen[POINTS_MAX][WAYS_MAX + 1];
    double *misses = &seen[(int)c][(int)ways];
    if (c > ways && *misses == 0)
        *misses = watch_random_sets((int)c, (int)ways);
    return *misses;
}

/* Numbers of ways that caches up to some MiB have. */
static const int built[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 18, 20, 24};
enum { BUILT = sizeof built / sizeof *built };

/* The best that can be done: `ways` - 1 lines stay, the others pass through the last place. */
static double misses_of_optimal(double c, double ways)
{
    return c <= ways ? 0 : (c - ways) / c;
}

typedef double miss_law(double c, double ways);
static miss_law *const laws[] = {misses_of_lru, misses_of_random, misses_of_optimal};
static const char *const law_names[] = {"LRU", "random", "optimal"};
enum { LAWS = sizeof laws / sizeof *laws };

/* --- points ----------------------------------------------------------------------------------- */

typedef struct points {
    int n;
    srv_turns at[POINTS_MAX];
} points;

/* All numbers of lines up to a little more than twice the ways. */
static points of_law(miss_law *law, int ways)
{
    points list = {0};
    for (int c = 1; c <= 2 * ways + 2; c++)
        list.at[list.n++] = (srv_turns){c, HIT + (MISS - HIT) * law(c, ways), 0};
    return list;
}

/* The sum of three uniform numbers is near enough to a normal one for noise. */
static double noise(uint64_t *random)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += 2 * srv_random_unit(random) - 1;
    return sum;
}

static void add_noise(points *list, double share, uint64_t seed)
{
    for (int i = 0; i < list->n; i++) {
        list->at[i].error = share * list->at[i].ns;
        list->at[i].ns += list->at[i].error * noise(&seed);
    }
}

/* Leaves out all numbers that are not among those probed. */
static points only(const points *all, const int *probed, int count)
{
    points list = {0};
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < count; k++)
            if (all->at[i].lines == probed[k])
                list.at[list.n++] = all->at[i];
    return list;
}

static bool detect(const points *list, srv_ways *ways)
{
    return srv_detect_ways(list->at, list->n, 0, ways);
}

static void finds(const points *list, int expected, const char *what)
{
    srv_ways ways;
    if (!detect(list, &ways))
        fail_msg("%s, %d ways: no end", what, expected);
    if (ways.ways != expected)
        fail_msg("%s: %d ways, not %d", what, ways.ways, expected);
}

/* --- what is right ---------------------------------------------------------------------------- */

TEST(every_number_of_ways_is_found)
{
    for (int law = 0; law < LAWS; law++)
        for (int i = 0; i < BUILT; i++) {
            points list = of_law(laws[law], built[i]);
            finds(&list, built[i], law_names[law]);
        }
}

TEST(hit_and_miss_are_the_times_of_the_levels)
{
    for (int law = 0; law < LAWS; law++) {
        srv_ways ways;
        points list = of_law(laws[law], 8);
        assert_true(detect(&list, &ways));
        assert_int_equal(ways.next, 9);
        assert_true(fabs(ways.hit_ns - HIT) < 0.1 * HIT);
        assert_true(ways.miss_ns > HIT + (MISS - HIT) / 3 && ways.miss_ns < 1.2 * MISS);
    }
}

/* No two levels of a hierarchy are nearer to each other than a factor of 1.6. (Of a policy that
 * misses a third of the numbers probed no more than translation costs.) */
TEST(a_small_step_is_enough)
{
    for (int law = 0; law < 2; law++) {
        points list = of_law(laws[law], 8);
        for (int i = 0; i < list.n; i++)
            list.at[i].ns = HIT + (list.at[i].ns - HIT) * 0.6 * HIT / (MISS - HIT);
        finds(&list, 8, law_names[law]);
    }
}

/* Every clear result (odds of more than e^5) is right. Most results are clear for usual sizes of
 * caches, if times are accurate to a few per cent. */
TEST(noise_makes_the_result_unclear_before_it_is_wrong)
{
    static const double shares[] = {0.01, 0.02, 0.05};
    int all = 0, clear = 0, wrong = 0;
    for (int law = 0; law < LAWS; law++)
        for (int i = 1, ways; (ways = built[i]) <= 16; i++)
            for (int k = 0; k < (int)test_cases(12, 3 * REPEATS); k++) {
                srv_ways found = {0};
                points list = of_law(laws[law], ways);
                add_noise(&list, shares[k % 3], (uint64_t)(1000 * law + 50 * ways + k));
                all++;
                if (!detect(&list, &found) || found.odds < 5)
                    continue;
                clear++;
                wrong += found.ways != ways;
            }
    if (wrong > 0.01 * clear || clear < 0.7 * all)
        fail_msg("of %d %d clear, %d of them wrong", all, clear, wrong);
}

/* A set that is just full has no room for the lines that others use besides. (With the best policy
 * a line too many costs hardly more.) */
TEST(foreign_lines_disturb_the_full_set)
{
    for (int law = 0; law < 2; law++)
        for (int i = 1; built[i] <= 16; i++) {
            points list = of_law(laws[law], built[i]);
            list.at[built[i] - 1].ns += 0.03 * (MISS - HIT);
            finds(&list, built[i], law_names[law]);
        }
}

/* One point that was measured while others were busy, wherever it is; two ways leave too few
 * others. */
TEST(a_single_disturbed_point_does_not_decide)
{
    for (int ways = 4; ways <= 16; ways += 4)
        for (int at = 0; at < 2 * ways; at++) {
            points list = of_law(misses_of_lru, ways);
            list.at[at].ns *= 2.5;
            finds(&list, ways, "one point disturbed");
        }
}

/* At the largest quarter of the numbers, lines miss in the next cache, too. For policies that keep
 * a part, the beginning of the misses may then be unclear. */
TEST(a_further_level_does_not_change_the_result)
{
    for (int law = 0; law < 2; law++)
        for (int ways = 4; ways <= 16; ways++) {
            srv_ways found;
            points list = of_law(laws[law], ways);
            for (int i = list.n - ways / 2; i < list.n; i++)
                list.at[i].ns += 5 * MISS;
            assert_true(detect(&list, &found));
            bool unclear = laws[law] == misses_of_random && found.odds < 5;
            if (found.ways != ways && !unclear)
                fail_msg("%s, %d ways: %d", law_names[law], ways, found.ways);
        }
}

/* --- how sure it is --------------------------------------------------------------------------- */

/* A point that is much slower than expected costs 18 (six errors), one that is much faster 72
 * (twelve); numbers of ways that are never built cost 4. With LRU and times without noise only the
 * points between the true number and another one are off. */
static double cost_of_other(int ways, int true_ways)
{
    double built_cost = 4;
    for (int i = 0; i < BUILT; i++)
        built_cost = built[i] == ways ? 0 : built_cost;
    return built_cost + (ways > true_ways ? 18.0 * (ways - true_ways) : 72.0 * (true_ways - ways));
}

TEST(the_odds_are_those_of_the_points_that_are_off)
{
    for (int ways = 3; ways <= 20; ways++) {
        srv_ways found;
        points list = of_law(misses_of_lru, ways);
        double second = INFINITY;
        for (int other = 1; other <= ways + 2; other++)
            if (other != ways)
                second = fmin(second, cost_of_other(other, ways));
        assert_true(detect(&list, &found));
        assert_int_equal(found.ways, ways);
        assert_float_equal(found.odds, second - cost_of_other(ways, ways), 1e-6);
        assert_float_equal(found.hit_ns, HIT, 1e-9);
        assert_float_equal(found.miss_ns, MISS, 1e-9);
    }
}

/* The point at 9 lines is 30 ns slower than a hit: three errors of 10 ns cost 4.5; of 0.1 ns, as 2
 * % of it is more, 18. */
TEST(errors_that_are_known_count)
{
    srv_ways found;
    points list = of_law(misses_of_lru, 8);
    list.at[8].error = 10;
    assert_true(detect(&list, &found));
    assert_true(found.odds < 4.5 && found.odds > 4.2);
    list.at[8].error = 0.1;
    assert_true(detect(&list, &found));
    assert_float_equal(found.odds, 18, 1e-6);
}

/* Seven of 18 numbers, beyond 11.7, most likely miss; the lower quartile of these counts. */
TEST(the_miss_time_is_the_lower_quartile_of_the_misses)
{
    srv_ways found;
    points list = of_law(misses_of_lru, 8);
    for (int i = 0; i < 7; i++)
        list.at[17 - i].ns = MISS + (i * 3) % 7;
    assert_true(detect(&list, &found));
    assert_int_equal(found.ways, 8);
    assert_float_equal(found.miss_ns, MISS + 1.5, 1e-9);
}

/* Slower by a third of a hit. */
TEST(a_level_takes_a_third_longer)
{
    srv_ways found;
    points list = of_law(misses_of_lru, 8);
    for (int percent = 32; percent <= 34; percent += 2) {
        for (int i = 8; i < list.n; i++)
            list.at[i].ns = HIT * (1 + percent / 100.0);
        assert_int_equal(detect(&list, &found), percent > 33);
    }
}

/* --- what is said ----------------------------------------------------------------------------- */

static servet_findings explained(const points *list)
{
    servet_findings why = SERVET_FINDINGS_INIT;
    srv_explain_ways(list->at, list->n, 0, "cups", 5,
                     &(srv_account){&why, SERVET_TOPIC_STRIDES, "all", 1});
    return why;
}

static const servet_finding *accepted(const servet_findings *why)
{
    const servet_finding *found = NULL;
    for (size_t i = 0; i < why->n; i++)
        if (why->finding[i].rule && why->finding[i].outcome == SERVET_OUTCOME_ACCEPTED) {
            assert_null(found);
            found = &why->finding[i];
        }
    assert_non_null(found);
    return found;
}

static void says(const points *list, const char *text)
{
    servet_findings why = explained(list);
    if (strncmp(accepted(&why)->text, text, strlen(text)))
        fail_msg("said: %s, not: %s", accepted(&why)->text, text);
    servet_findings_free(&why);
}

TEST(the_policy_is_reported)
{
    points list = of_law(misses_of_lru, 8);
    says(&list, "8 ways, LRU, 0 foreign lines between two visits; log-likelihood");
    list = of_law(misses_of_random, 6);
    says(&list, "6 ways, random replacement, 0 foreign");
    list = of_law(misses_of_lru, 8); /* half of the lines miss at first */
    for (int lines = 9; lines <= 12; lines++)
        list.at[lines - 1].ns = (HIT + MISS) / 2;
    says(&list, "8 ways, unknown policy, 0 foreign");
}

/* The probability of more than `free` lines, by Poisson's law. */
static double more_than(double mean, int free)
{
    double sum = 0, term = exp(-mean);
    for (int k = 0; k <= free; k++) {
        sum += term;
        term *= mean / (k + 1);
    }
    return 1 - sum;
}

TEST(lines_of_others_are_reported)
{
    static const struct {
        double mean;
        const char *text;
    } foreign[] = {{0.05, "8 ways, LRU, 0.05 foreign"},
                   {0.2, "8 ways, LRU, 0.2 foreign"},
                   {0.5, "8 ways, LRU, 0.5 foreign"}};
    for (int k = 0; k < 3; k++) {
        points list = of_law(misses_of_lru, 8);
        for (int lines = 1; lines <= 8; lines++)
            list.at[lines - 1].ns += (MISS - HIT) * more_than(foreign[k].mean, 8 - lines);
        says(&list, foreign[k].text);
    }
}

/* The times, and the numbers of ways up to two from the best, with what they cost more. */
TEST(neighbours_of_the_best_number_are_reported)
{
    points list = of_law(misses_of_lru, 8);
    servet_findings why = explained(&list);
    assert_int_equal(why.n, 6);
    const char *times = "mean ns, by number of cups: 1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10, 7: "
                        "10, 8: 10, 9: 40, ";
    if (strncmp(why.finding[0].text, times, strlen(times)))
        fail_msg("said: %s", why.finding[0].text);
    for (int i = 0; i < 5; i++) {
        const servet_finding *finding = &why.finding[1 + i];
        double cost = i == 2 ? 0 : cost_of_other(6 + i, 8);
        assert_int_equal(atoi(finding->text), 6 + i);
        assert_string_equal(finding->rule, "CLEAR");
        assert_float_equal(finding->value, cost, 1e-6);
        assert_float_equal(finding->limit, 5, 0);
        assert_int_equal(finding->outcome,
                         i == 2 ? SERVET_OUTCOME_ACCEPTED : SERVET_OUTCOME_REJECTED);
        assert_null(strstr(finding->text, "all measured"));
    }
    servet_findings_free(&why);
    list.at[8].error = 10; /* 9 are nearly as likely */
    list.n = 10;
    why = explained(&list);
    assert_int_equal(why.n, 6);
    assert_int_equal(why.finding[4].outcome, SERVET_OUTCOME_SEEN);
    assert_non_null(strstr(why.finding[5].text, "(all measured numbers hit)"));
    servet_findings_free(&why);
    list.n = 2;
    why = explained(&list);
    assert_int_equal(why.n, 0);
}

/* --- laws alone ------------------------------------------------------------------------------- */

/* Two lines in two ways: the second evicts the first in half of the sets. In the next round that
 * one misses, and evicts the second in half of these: 3/8 of all. In the end both have a way. */
TEST(random_replacement_begins_with_an_empty_set)
{
    assert_float_equal(srv_miss_laws[1].misses(1, 2, 2), 3 / 8.0, 0.1);
    assert_float_equal(srv_miss_laws[1].misses(40, 2, 2), 0, 0);
    for (int rounds = 1; rounds < 4; rounds++) {
        assert_float_equal(srv_miss_laws[1].misses(rounds, 4, 1), 0, 0);
        assert_float_equal(srv_miss_laws[1].misses(rounds, 1, 2), 1, 0);
        assert_true(srv_miss_laws[1].misses(rounds, 8, 8) >
                    srv_miss_laws[1].misses(rounds + 1, 8, 8));
    }
}

/* --- what there is no answer to --------------------------------------------------------------- */

TEST(lines_that_all_hit_have_no_end)
{
    for (uint64_t seed = 0; seed < REPEATS; seed++) {
        srv_ways ways;
        points list = of_law(misses_of_lru, 8);
        list.n = 8;
        add_noise(&list, 0.02, seed);
        assert_false(detect(&list, &ways));
    }
}

TEST(with_too_few_points_nothing_is_found)
{
    srv_ways ways;
    points list = of_law(misses_of_lru, 1);
    for (int n = 0; n < 3; n++)
        assert_false(srv_detect_ways(list.at, n, 0, &ways));
    assert_true(srv_detect_ways(list.at, 3, 0, &ways));
}

/* Ways between two numbers that were probed lie between the two of the answer. Where a policy
 * hardly misses with one line too many, the ways may be one less. */
TEST(the_ways_lie_between_the_numbers_probed)
{
    static const int probed[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 32, 33};
    enum { PROBED = sizeof probed / sizeof *probed };
    for (int law = 0; law < LAWS; law++)
        for (int i = 1, ways; (ways = built[i]) <= 16; i++) {
            srv_ways found;
            points all = of_law(laws[law], ways), list = only(&all, probed, PROBED);
            int more = laws[law] == misses_of_lru ? 0 : 1;
            if (!detect(&list, &found) || found.ways > ways + more || found.next <= ways)
                fail_msg("%s, %d ways: %d to %d", law_names[law], ways, found.ways, found.next);
        }
}

/* More points than there is room for: the first ones count. */
TEST(many_points_are_accepted)
{
    points list = of_law(misses_of_lru, 70);
    assert_true(list.n > 128);
    finds(&list, 70, "LRU");
}
