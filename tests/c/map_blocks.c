/* SPDX-License-Identifier: BSD-3-Clause */
/* Even parts of a node with known groups of cores: the cores of a part share the most resources. */
#include "test.h"

#include "map/nodes/blocks.h"

enum { CORES = 8 };

static srv_map_class class;

static int prepare(void **state)
{
    (void)state;
    class = (srv_map_class){0};
    return srv_map_class_begin(&class, "0-7", NULL);
}

static int clear(void **state)
{
    (void)state;
    srv_map_class_finish(&class);
    return 0;
}

/* A grouping in which core c is in group `groups[c]`. */
static void share(const int groups[CORES])
{
    srv_grouping *grouping = srv_map_class_add(&class, SERVET_RULE_MEMORY, 1);
    assert_non_null(grouping);
    for (int c = 0; c < CORES; c++) {
        grouping->group[c] = groups[c];
        if (groups[c] >= grouping->group_count)
            grouping->group_count = groups[c] + 1;
    }
}

static void parts_are(int count, const int expected[CORES])
{
    assert_ok(srv_blocks_add(&class, count, 1));
    const srv_grouping *made = &class.groupings[class.grouping_count - 1];
    assert_int_equal(made->group_count, count);
    for (int c = 0; c < CORES; c++)
        assert_int_equal(made->group[c], expected[c]);
}

/* Odd and even cores have a cache each, and in it each two that are four apart one more. */
static const int halves[CORES] = {0, 1, 0, 1, 0, 1, 0, 1};
static const int pairs[CORES] = {0, 2, 1, 3, 0, 2, 1, 3};

TEST(parts_keep_nested_groups_whole)
{
    share(halves);
    share(pairs);
    parts_are(4, pairs);
}

TEST(the_order_of_the_groups_does_not_matter)
{
    share(pairs);
    share(halves);
    parts_are(2, halves);
}

/* Halves that cross: four parts are the cores that both have in common, whichever counts first. */
TEST(groups_of_one_width_count_both)
{
    const int crossing[CORES] = {0, 0, 1, 1, 0, 0, 1, 1};
    share(halves);
    share(crossing);
    assert_ok(srv_blocks_add(&class, 4, 1));
    const int *part = class.groupings[2].group;
    for (int a = 0; a < CORES; a++)
        for (int b = 0; b < CORES; b++)
            assert_int_equal(part[a] == part[b],
                             halves[a] == halves[b] && crossing[a] == crossing[b]);
}

TEST(cores_of_no_group_make_the_last_part)
{
    share((const int[CORES]){-1, 0, -1, 1, 0, 1, 2, 2});
    parts_are(4, (const int[CORES]){3, 0, 3, 1, 0, 1, 2, 2});
}

TEST(without_groups_parts_are_ranges)
{
    parts_are(2, (const int[CORES]){0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_MAIN_EACH(prepare, clear)
