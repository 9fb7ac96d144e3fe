/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences between two profiles: by which tolerance, and the report of facts that one of them
 * lacks. */
#include "test.h"
#include "profile_sample.h"

#include <math.h>

#include "profile/diff/groups.h"
#include "profile/spans.h"
#include "servet/diff.h"
#include "../record.h"

static servet_profile *before, *after;
static servet_diff *diff;

static int setup(void **state)
{
    (void)state;
    diff = NULL;
    int code = sample_profile(&before, NULL);
    return code == SERVET_OK ? sample_profile(&after, NULL) : code;
}

static int teardown(void **state)
{
    (void)state;
    servet_diff_destroy(diff);
    servet_profile_close(before);
    servet_profile_close(after);
    return 0;
}

static void compare(const double *tolerance)
{
    servet_diff_destroy(diff);
    assert_int_equal(
        servet_diff_create(&diff, before, after, tolerance, SERVET_QUANTITY_COUNT, NULL),
        SERVET_OK);
}

static int differences(void)
{
    return servet_diff_count(diff) - servet_diff_count_of(diff, SERVET_COMPARISON_SAME);
}

/* The fact of that key that is not the same; there is one. */
static servet_diff_fact other(const char *key)
{
    servet_diff_fact fact, found = {0};
    int count = 0;
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++)
        if (strcmp(fact.key, key) == 0 && fact.comparison != SERVET_COMPARISON_SAME) {
            found = fact;
            count++;
        }
    assert_int_equal(count, 1);
    return found;
}

static void set_memory_latency(servet_profile *profile, double value, double low, double high,
                               bool trusted)
{
    servet_cache caches[3] = {sample_cache(1), sample_cache(2), sample_cache(3)};
    servet_value memory = srv_value_in_seconds(
        (servet_value){value, low, high, 9, SRV_UNIT_NANOSECOND, SERVET_METHOD_TIMED, trusted});
    assert_int_equal(record_caches(profile, 0, 0, caches, 3, &memory, NULL), SERVET_OK);
}

static void memory_latencies(double a_low, double a, double a_high, double b_low, double b,
                             double b_high)
{
    set_memory_latency(before, a, a_low, a_high, true);
    set_memory_latency(after, b, b_low, b_high, true);
}

/* --- values ----------------------------------------------------------------------------------- */

static void a_profile_is_the_same_as_itself(void **state)
{
    (void)state;
    servet_diff_fact fact;
    compare(NULL);
    assert_int_equal(differences(), 0);
    assert_true(servet_diff_count(diff) > 100);
    assert_int_equal(servet_diff_get(diff, servet_diff_count(diff), &fact), SERVET_ERANGE);
    assert_int_equal(servet_diff_get(diff, -1, &fact), SERVET_ERANGE);
}

static void intervals_that_touch_are_the_same(void **state)
{
    (void)state;
    static const double none[SERVET_QUANTITY_COUNT] = {0};
    memory_latencies(100, 110, 120, 120, 130, 140);
    compare(none);
    assert_int_equal(differences(), 0);
    memory_latencies(100, 110, 120, 120.5, 130, 140);
    compare(none);
    const servet_diff_fact fact = other("memory.latency_ns");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_CHANGED);
    assert_int_equal(fact.quantity, SERVET_QUANTITY_LATENCY);
    assert_string_equal(fact.node_class, "fat");
    assert_string_equal(fact.kind, "big");
    assert_null(fact.host);
    assert_string_equal(fact.first, "110");
    assert_string_equal(fact.second, "130");
    assert_true(fabs(fact.change - 20.0 / 110) < 1e-12);
}

/* 20 ns from interval to interval, of 200: a tenth. */
static void the_tolerance_is_a_share_of_the_larger(void **state)
{
    (void)state;
    double tolerance[SERVET_QUANTITY_COUNT] = {0};
    memory_latencies(150, 160, 170, 190, 200, 210);
    tolerance[SERVET_QUANTITY_LATENCY] = 0.0999;
    compare(tolerance);
    assert_int_equal(differences(), 1);
    tolerance[SERVET_QUANTITY_LATENCY] = 0.1001;
    compare(tolerance);
    assert_int_equal(differences(), 0);
    memory_latencies(190, 200, 210, 150, 160, 170);
    compare(tolerance);
    assert_int_equal(differences(), 0);
    tolerance[SERVET_QUANTITY_LATENCY] = 0;
    tolerance[SERVET_QUANTITY_BANDWIDTH] = 10;
    compare(tolerance);
    assert_int_equal(differences(), 1);
}

static void an_untrusted_difference_is_doubtful(void **state)
{
    (void)state;
    set_memory_latency(before, 100, 99, 101, true);
    set_memory_latency(after, 300, 290, 310, false);
    compare(NULL);
    const servet_diff_fact fact = other("memory.latency_ns");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_DOUBTFUL);
    assert_true(fact.first_trusted);
    assert_false(fact.second_trusted);
}

static void values_reported_by_the_os_are_compared_as_trusted(void **state)
{
    (void)state;
    servet_coherence coherence = sample_coherence();
    coherence.reported = (servet_value){32, 32, 32, 1, SERVET_UNIT_BYTE, SERVET_METHOD_OS, false};
    assert_int_equal(record_coherence(after, 0, &coherence, NULL), SERVET_OK);
    compare(NULL);
    assert_int_equal(other("coherence_reported").comparison, SERVET_COMPARISON_CHANGED);
}

static void facts_of_only_the_first_profile_are_gone(void **state)
{
    (void)state;
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    servet_cache caches[2] = {sample_cache(1), sample_cache(2)};
    assert_int_equal(record_caches(after, 0, 0, caches, 2, &unknown, NULL), SERVET_OK);
    set_memory_latency(before, 100, 99, 101, true);
    compare(NULL);
    servet_diff_fact fact = other("memory.latency_ns");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_GONE);
    assert_string_equal(fact.first, "100");
    assert_null(fact.second);
    assert_true(isnan(fact.change));
    fact = other("caches.count");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_CHANGED);
    assert_int_equal(fact.quantity, SERVET_QUANTITY_NUMBER);
    assert_int_equal(differences(), 2); /* nothing is said of each fact of the third cache */
}

static void facts_of_only_the_second_profile_are_new(void **state)
{
    (void)state;
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_SECOND);
    const servet_cache caches[3] = {sample_cache(1), sample_cache(2), sample_cache(3)};
    assert_int_equal(record_caches(before, 0, 0, caches, 3, &unknown, NULL), SERVET_OK);
    set_memory_latency(after, 100, 99, 101, true);
    compare(NULL);
    servet_diff_fact fact = other("memory.latency_ns");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_NEW);
    assert_null(fact.first);
    assert_string_equal(fact.second, "100");
    assert_true(isnan(fact.change));
    assert_int_equal(differences(), 1);
}

/* Counted, not measured: they are compared as numbers nevertheless. */
static void integers_have_a_tolerance(void **state)
{
    (void)state;
    double tolerance[SERVET_QUANTITY_COUNT] = {0};
    servet_network about = network_job;
    about.ranks *= 2;
    assert_int_equal(servet_profile_set_network(after, &about, network_nodes, NULL), SERVET_OK);
    compare(tolerance);
    const servet_diff_fact fact = other("network.ranks");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_CHANGED);
    assert_int_equal(fact.quantity, SERVET_QUANTITY_NUMBER);
    assert_true(fact.change == 1);
    tolerance[SERVET_QUANTITY_NUMBER] = 0.5;
    compare(tolerance);
    servet_diff_fact same;
    int found = 0;
    for (int i = 0; servet_diff_get(diff, i, &same) == SERVET_OK; i++)
        found +=
            strcmp(same.key, "network.ranks") == 0 && same.comparison == SERVET_COMPARISON_SAME;
    assert_int_equal(found, 1);
}

/* --- classes, kinds, nodes -------------------------------------------------------------------- */

static void add_class(servet_profile *profile, const char *name, const char *host)
{
    int index;
    servet_machine machine = sample_machine(host);
    assert_int_equal(servet_profile_add_class(profile, name, &machine, &index, NULL), SERVET_OK);
}

static void classes_and_nodes_of_only_one(void **state)
{
    (void)state;
    add_class(before, "old", "node03");
    add_class(after, "young", "node04");
    assert_int_equal(servet_profile_add_node(after, 1, "node03", NULL), SERVET_OK);
    compare(NULL);
    servet_diff_fact fact;
    int seen = 0;
    for (int i = 0; servet_diff_get(diff, i, &fact) == SERVET_OK; i++) {
        if (fact.comparison == SERVET_COMPARISON_SAME)
            continue;
        assert_string_equal(fact.key, "class.name");
        if (!fact.host && strcmp(fact.node_class, "old") == 0)
            seen += fact.comparison == SERVET_COMPARISON_GONE;
        else if (!fact.host && strcmp(fact.node_class, "young") == 0)
            seen += 10 * (fact.comparison == SERVET_COMPARISON_NEW);
        else if (strcmp(fact.host, "node04") == 0)
            seen += 100 * (fact.comparison == SERVET_COMPARISON_NEW);
        else if (strcmp(fact.host, "node03") == 0 && strcmp(fact.first, "old") == 0 &&
                 strcmp(fact.second, "thin") == 0)
            seen += 1000 * (fact.comparison == SERVET_COMPARISON_CHANGED);
    }
    assert_int_equal(seen, 1111);
    assert_int_equal(differences(), 4);
}

static void only_classes_belong_together_whatever_their_names(void **state)
{
    (void)state;
    servet_profile_close(before);
    servet_profile_close(after);
    assert_int_equal(servet_profile_create(&before, NULL), SERVET_OK);
    assert_int_equal(servet_profile_create(&after, NULL), SERVET_OK);
    add_class(before, "default", "node01");
    add_class(after, "gpu", "node01");
    compare(NULL);
    assert_int_equal(differences(), 0);
    assert_true(servet_diff_count(diff) > 0);
}

/* --- sets of cores ---------------------------------------------------------------------------- */

static double share(const char **a, int a_count, const char **b, int b_count)
{
    srv_list first = {.items = (void *)a, .count = a_count, .known = true};
    srv_list second = {.items = (void *)b, .count = b_count, .known = true};
    double there = NAN, back = NAN;
    assert_int_equal(srv_spans_note(&first, sizeof *a, 0), SERVET_OK);
    assert_int_equal(srv_spans_note(&second, sizeof *b, 0), SERVET_OK);
    assert_int_equal(srv_groups_difference(&first, &second, &there), SERVET_OK);
    assert_int_equal(srv_groups_difference(&second, &first, &back), SERVET_OK);
    assert_true(there == back);
    free(first.spans);
    free(second.spans);
    return there;
}

#define SETS(...)                                                                                  \
    (const char *[]){__VA_ARGS__}, (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))

static void sets_of_cores(void **state)
{
    (void)state;
    assert_true(share(SETS("0-3", "4-7"), SETS("4-7", "0-3")) == 0);
    assert_true(share(SETS("0", "1"), SETS("2", "3")) == 1);
    /* Pairs, each core with itself and both ways: 8 in {0,1},{2,3}; 16 in {0,1,2,3}. */
    assert_true(share(SETS("0-1", "2-3"), SETS("0-3")) == 0.5);
    /* Core 3 has left: of 16 pairs 9 stay, and no new one has come. */
    assert_true(fabs(share(SETS("0-3"), SETS("0-2")) - 7.0 / 16) < 1e-15);
    assert_true(fabs(share(SETS("0-3"), SETS("0-2", "3")) - 6.0 / 16) < 1e-15);
    /* However many cores there are. */
    assert_true(share(SETS("0-1048575"), SETS("0-1048575")) == 0);
    /* The same cores of another node are other cores. */
    assert_true(share(SETS("0-3:0-7"), SETS("0-1:0-7,2-3:0-7")) == 0);
    assert_true(share(SETS("0:0-1"), SETS("1:0-1")) == 1);
    assert_true(share(SETS("0-1:0-1"), SETS("0:0-1", "1:0-1")) == 0.5);
}

static void groups_have_a_tolerance(void **state)
{
    (void)state;
    double tolerance[SERVET_QUANTITY_COUNT] = {0};
    const char *const split[] = {"0", "2", "1", "3"}; /* instead of 0,2 together: 4 of 6 pairs */
    assert_int_equal(record_cache_groups(after, 0, 0, 1, split, 4, &sample_sharing, NULL),
                     SERVET_OK);
    compare(tolerance);
    assert_true(fabs(other("caches.1.groups").change - 1.0 / 3) < 1e-15);
    assert_int_equal(other("caches.1.groups").quantity, SERVET_QUANTITY_GROUPS);
    tolerance[SERVET_QUANTITY_GROUPS] = 0.34;
    compare(tolerance);
    assert_int_equal(differences(), 0);
}

/* --- curves ----------------------------------------------------------------------------------- */

/* Other points on the same lines are the same curve. */
static void a_curve_is_no_list_of_points(void **state)
{
    (void)state;
    servet_message points[4] = {{0}};
    servet_protocol protocols[2];
    network_curve(points);
    network_protocols(protocols);
    points[3] = points[2];
    points[2] = (servet_message){4608, network_value(3e-6, SERVET_UNIT_SECOND)};
    assert_int_equal(record_network_curve(after, 1, points, 4, protocols, 2, NULL), SERVET_OK);
    compare(NULL);
    assert_int_equal(differences(), 0);
    points[2].time = network_value(3e-5, SERVET_UNIT_SECOND);
    assert_int_equal(record_network_curve(after, 1, points, 4, protocols, 2, NULL), SERVET_OK);
    compare(NULL);
    assert_int_equal(differences(), 1);
    /* In the other profile, this size lies between a trusted point and one that is not trusted. */
    const servet_diff_fact fact = other("layers.1.time_us.4608");
    assert_int_equal(fact.comparison, SERVET_COMPARISON_DOUBTFUL);
    assert_string_equal(fact.first, "3");
    assert_string_equal(fact.second, "30");
}

/* --- the rest --------------------------------------------------------------------------------- */

static void tolerances_are_shares(void **state)
{
    (void)state;
    double tolerance[SERVET_QUANTITY_COUNT] = {0};
    servet_error error = SERVET_ERROR_INIT;
    tolerance[SERVET_QUANTITY_RATIO] = NAN;
    assert_int_equal(
        servet_diff_create(&diff, before, after, tolerance, SERVET_QUANTITY_COUNT, &error),
        SERVET_EARGUMENT);
    assert_non_null(strstr(error.text, "ratio"));
    tolerance[SERVET_QUANTITY_RATIO] = -0.1;
    assert_int_equal(
        servet_diff_create(&diff, before, after, tolerance, SERVET_QUANTITY_COUNT, NULL),
        SERVET_EARGUMENT);
    assert_int_equal(
        servet_diff_create(&diff, before, after, tolerance, SERVET_QUANTITY_COUNT + 1, NULL),
        SERVET_EARGUMENT);
    assert_int_equal(servet_diff_create(&diff, before, after, tolerance, -1, NULL),
                     SERVET_EARGUMENT);
    assert_null(diff);
    servet_diff_destroy(NULL);
}

/* 11 ns from interval to interval, of 200: within a tenth, the default. */
static void the_others_have_the_default(void **state)
{
    (void)state;
    static const double of_sizes[] = {0.5}, of_latencies[] = {0.5, 0};
    memory_latencies(170, 179, 180, 191, 192, 200);
    assert_int_equal(servet_diff_create(&diff, before, after, of_sizes, 1, NULL), SERVET_OK);
    assert_int_equal(differences(), 0);
    servet_diff_destroy(diff);
    assert_int_equal(servet_diff_create(&diff, before, after, of_latencies, 2, NULL), SERVET_OK);
    assert_int_equal(differences(), 1);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(servet_quantity_name(SERVET_QUANTITY_BANDWIDTH), "bandwidth");
    assert_string_equal(servet_quantity_name(SERVET_QUANTITY_COUNT), "?");
    assert_string_equal(servet_comparison_name(SERVET_COMPARISON_GONE), "gone");
    assert_string_equal(servet_comparison_name((servet_comparison)-1), "?");
    assert_true(servet_quantity_tolerance(SERVET_QUANTITY_GROUPS) == 0);
    assert_true(isnan(servet_quantity_tolerance(SERVET_QUANTITY_COUNT)));
    compare(NULL);
    assert_int_equal(servet_diff_count_of(diff, SERVET_COMPARISON_COUNT), 0);
}

int main(void)
{
#undef TEST
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_profile_is_the_same_as_itself),
        TEST(intervals_that_touch_are_the_same),
        TEST(the_tolerance_is_a_share_of_the_larger),
        TEST(an_untrusted_difference_is_doubtful),
        TEST(values_reported_by_the_os_are_compared_as_trusted),
        TEST(facts_of_only_the_first_profile_are_gone),
        TEST(facts_of_only_the_second_profile_are_new),
        TEST(integers_have_a_tolerance),
        TEST(classes_and_nodes_of_only_one),
        TEST(only_classes_belong_together_whatever_their_names),
        TEST(sets_of_cores),
        TEST(groups_have_a_tolerance),
        TEST(a_curve_is_no_list_of_points),
        TEST(tolerances_are_shares),
        TEST(the_others_have_the_default),
        TEST(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
