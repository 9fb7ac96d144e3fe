/* SPDX-License-Identifier: BSD-3-Clause */
/* The set that holds a core, by search: the same as by looking into each set. */
#include "test.h"

#include "core/ranges.h"
#include "profile/spans.h"

enum { SETS_MAX = 4 };

static const char *const lists[][SETS_MAX] = {
    {"0-3", "4-7"},
    {"0,2,4", "1", "3,5"},
    {"2-3", "8", "6,10-11"},
    {"0-1000", "1002,5000-2000000000", "1001"},
    {"7"},
    {"5-90000", "90001-90002"},
};

static const int cores[] = {0,          1,          2,    3,    4,         5,     6,     7,
                            8,          9,          10,   11,   12,        999,   1000,  1001,
                            1002,       1003,       4999, 5000, 90000,     90001, 90002, 90003,
                            2000000000, 2000000001, -1,   -7,   2147483647};

static int holder(const char *const *sets, int count, int core)
{
    for (int i = 0; i < count; i++)
        if (core >= 0 && srv_ranges_contain(sets[i], core))
            return i;
    return -1;
}

TEST(the_set_of_each_core)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const char *sets[SETS_MAX];
        srv_list list = {.items = sets, .known = true};
        while (list.count < SETS_MAX && lists[i][list.count]) {
            sets[list.count] = lists[i][list.count];
            list.count++;
        }
        assert_ok(srv_spans_note(&list, sizeof *sets, 0));
        for (size_t j = 0; j < sizeof cores / sizeof *cores; j++) {
            int found = srv_spans_find(&list, (servet_place){0, cores[j]});
            if (found != holder(sets, list.count, cores[j]))
                fail_msg("list %zu: core %d is in set %d", i, cores[j], found);
        }
        free(list.spans);
    }
}

/* Nodes 1 and 4 have none. */
TEST(cores_of_nodes)
{
    const char *sets[] = {"0:0-3,2-3:4", "2:0-3", "0:4,5:1-1000000"};
    srv_list list = {.items = sets, .count = 3, .known = true};
    static const struct {
        servet_place place;
        int set;
    } places[] = {
        {{0, 0}, 0},  {{0, 3}, 0},       {{0, 4}, 2},        {{0, 5}, -1}, {{1, 0}, -1},
        {{2, 4}, 0},  {{2, 3}, 1},       {{3, 4}, 0},        {{3, 3}, -1}, {{4, 1}, -1},
        {{5, 0}, -1}, {{5, 1000000}, 2}, {{5, 1000001}, -1}, {{6, 1}, -1}, {{-1, 1}, -1},
    };
    assert_ok(srv_spans_note(&list, sizeof *sets, 0));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        assert_int_equal(srv_spans_find(&list, places[i].place), places[i].set);
    assert_int_equal(srv_spans_first(&list, 2), 1);
    assert_int_equal(srv_spans_first(&list, 5), 2);
    assert_int_equal(srv_spans_first(&list, 4), -1);
    assert_int_equal(srv_spans_first(&list, 6), -1);
    free(list.spans);
}
