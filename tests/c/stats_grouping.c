/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups found by probes of known partitions: all found, with few probes, whatever is
 * guessed. */
#include "test.h"

#include "alloc.h"
#include "stats/grouping.h"

enum { THINGS_MAX = 512 };

typedef struct oracle {
    int count, truth[THINGS_MAX], hint[THINGS_MAX];
    bool sets;
    int couples, sent, probes, lie_at, fail_at; /* sent: couples and sets */
} oracle;

/* Every answer passes here: one may be a lie, one may fail. */
static int next_probe(oracle *on)
{
    return ++on->probes == on->fail_at ? SERVET_EMACHINE : SERVET_OK;
}

static int probe_couples(void *context, const srv_couple *couples, int n, double *odds)
{
    oracle *on = context;
    bool used[THINGS_MAX] = {false};
    on->couples += n;
    on->sent += n;
    for (int i = 0; i < n; i++) {
        int a = couples[i].a, b = couples[i].b;
        assert_true(a != b && !used[a] && !used[b]);
        used[a] = used[b] = true;
        odds[i] = on->truth[a] == on->truth[b] ? 5 : -5;
    }
    return next_probe(on);
}

static int probe_set(void *context, const int *things, int n, double *odds)
{
    oracle *on = context;
    int members[THINGS_MAX] = {0};
    assert_true(on->sets && n > 1);
    on->sent++;
    for (int i = 0; i < n; i++)
        members[on->truth[things[i]]]++;
    for (int i = 0; i < n; i++)
        odds[i] = members[on->truth[things[i]]] > 1 ? 5 : -5;
    int code = next_probe(on);
    if (on->probes == on->lie_at)
        odds[n - 1] = 5;
    return code;
}

static int find(oracle *on, int *group, int *count)
{
    srv_groups_plan plan = {on->count, on->hint, on->sets, probe_couples, probe_set, on};
    return srv_bench_groups(&plan, group, count, NULL);
}

/* The groups found are those that are. Returns how many probes were sent. */
static int finds(oracle *on)
{
    int group[THINGS_MAX], count, groups = 0;
    on->couples = on->sent = on->probes = 0;
    assert_ok(find(on, group, &count));
    for (int i = 0; i < on->count; i++) {
        assert_true(group[i] >= 0 && group[i] <= groups); /* in the order of the things */
        groups += group[i] == groups;
        for (int j = 0; j < i; j++)
            assert_int_equal(group[i] == group[j], on->truth[i] == on->truth[j]);
    }
    assert_int_equal(count, groups);
    return on->sent;
}

/* Things i and i + stride belong together, in groups of `size`, when `stride` things are between.
 */
static void lay(int *number, int count, int size, bool apart)
{
    int groups = count / size;
    for (int i = 0; i < count; i++)
        number[i] = apart ? i % groups : i / size;
}

static const int sizes[] = {1, 2, 4, 8, 16, 64, 256};
enum { SIZES = sizeof sizes / sizeof *sizes, COUNT = 256 };

TEST(good_guesses_cost_one_probe_for_each_member)
{
    for (int i = 0; i < SIZES; i++) {
        oracle on = {.count = COUNT, .sets = true};
        lay(on.truth, COUNT, sizes[i], true);
        lay(on.hint, COUNT, sizes[i], true);
        assert_true(finds(&on) <= COUNT - COUNT / sizes[i] + 2);
        assert_int_equal(on.couples, COUNT - COUNT / sizes[i]);
    }
}

/* Guessed groups of the wrong size, or across the real ones: three probes for each member at most.
 */
TEST(wrong_guesses_do_not_change_the_result)
{
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SIZES; j++)
            for (int apart = 0; apart < 2; apart++) {
                oracle on = {.count = COUNT, .sets = true};
                lay(on.truth, COUNT, sizes[i], false);
                lay(on.hint, COUNT, sizes[j], apart);
                assert_true(finds(&on) <= 3 * COUNT);
            }
}

/* Private caches of 256 cores: no core has a partner, but the guess is that all are partners. */
TEST(one_set_shows_that_all_members_are_alone)
{
    oracle on = {.count = COUNT, .sets = true};
    lay(on.truth, COUNT, 1, false);
    assert_true(finds(&on) <= 3);
}

TEST(groups_are_found_without_sets)
{
    for (int i = 0; i < SIZES; i++) {
        oracle on = {.count = 64};
        int size = sizes[i] < 64 ? sizes[i] : 64;
        lay(on.truth, 64, size, true);
        lay(on.hint, 64, 4, false);
        finds(&on);
        lay(on.hint, 64, size, true); /* representatives with each other, things with theirs */
        finds(&on);
        int groups = 64 / size;
        assert_int_equal(on.couples, groups * (groups - 1) / 2 + 64 - groups);
    }
}

TEST(a_single_member_is_a_group)
{
    oracle on = {.count = 1, .sets = true};
    assert_int_equal(finds(&on), 0);
}

/* A thing that was slow by itself in a set goes the longer way to the same groups. */
TEST(a_disturbed_set_only_costs_probes)
{
    for (int lie = 1; lie <= 4; lie++)
        for (int i = 0; i < SIZES; i++) {
            oracle on = {.count = COUNT, .sets = true, .lie_at = lie};
            lay(on.truth, COUNT, sizes[i], false);
            lay(on.hint, COUNT, 4, false);
            finds(&on);
        }
}

TEST(a_failing_probe_ends_the_search)
{
    int group[THINGS_MAX], count;
    for (int at = 1; at < 20; at++) {
        oracle on = {.count = 16, .sets = true, .fail_at = at};
        lay(on.truth, 16, 4, false);
        lay(on.hint, 16, 2, true);
        assert_code(find(&on, group, &count), SERVET_EMACHINE);
        assert_int_equal(on.probes, at);
    }
}

static int find_any(void *context)
{
    int group[THINGS_MAX], count;
    return find(context, group, &count);
}

TEST(failed_allocations_are_reported)
{
    oracle on = {.count = 16, .sets = true};
    lay(on.truth, 16, 4, false);
    assert_true(alloc_fail_everywhere(find_any, &on) > 0);
}

/* --- checks ----------------------------------------------------------------------------------- */

TEST(checks_are_made_within_and_between_groups)
{
    const int group[] = {0, 1, 0, 2, 0, 1};
    srv_groups_check check[6];
    assert_int_equal(srv_groups_checks(group, 6, 3, 8, check), 4);
    const srv_groups_check expected[] = {
        {{2, 4}, true}, {{1, 5}, true}, {{4, 5}, false}, {{5, 3}, false}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(check[i].couple.a, expected[i].couple.a);
        assert_int_equal(check[i].couple.b, expected[i].couple.b);
        assert_int_equal(check[i].together, expected[i].together);
    }
    assert_int_equal(srv_groups_checks(group, 6, 3, 1, check), 3);
}

TEST(one_member_needs_no_check)
{
    srv_groups_check check[1];
    assert_int_equal(srv_groups_checks((const int[]){0}, 1, 1, 8, check), 0);
}
