/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "core/places.h"

enum { CORES_MAX = 64 };

static void is_written(const srv_core_at *given, int count, const char *expected)
{
    srv_core_at cores[CORES_MAX];
    char *text;
    memcpy(cores, given, (size_t)count * sizeof *cores);
    assert_ok(srv_places_write(cores, count, &text, NULL));
    assert_string_equal(text, expected);
    free(text);
}

TEST(one_core_is_written)
{
    is_written((const srv_core_at[]){{3, 7}}, 1, "3:7");
}

TEST(cores_of_a_node_are_written_as_ranges)
{
    const srv_core_at cores[] = {{0, 14}, {0, 0}, {0, 2}, {0, 12}, {0, 1}, {0, 13}};
    is_written(cores, 6, "0:0-2,0:12-14");
}

TEST(a_core_that_comes_twice_counts_once)
{
    const srv_core_at cores[] = {{0, 1}, {0, 0}, {0, 1}, {0, 0}, {1, 5}, {1, 5}};
    is_written(cores, 6, "0:0-1,1:5");
}

TEST(equal_nodes_are_written_as_a_range)
{
    srv_core_at cores[CORES_MAX];
    int count = 0;
    for (int node = 0; node < 4; node++)
        for (int core = 0; core < 8; core += 1 + (core == 2))
            cores[count++] = (srv_core_at){node, core};
    is_written(cores, count, "0-3:0-2,0-3:4-7");
}

TEST(nodes_that_differ_are_written_apart)
{
    const srv_core_at cores[] = {{0, 0}, {0, 1}, {1, 0}, {2, 0}, {4, 0}, {5, 1}};
    is_written(cores, 6, "0:0-1,1-2:0,4:0,5:1");
}

TEST(written_places_are_read_back)
{
    const srv_places_part expected[] = {{0, 0, 0, 1}, {1, 2, 0, 0}, {4, 4, 10, 12}};
    const char *at = "0:0-1,1-2:0,4:10-12";
    srv_places_part part;
    for (int i = 0; i < 3; i++) {
        assert_true(srv_places_next(&at, &part));
        assert_memory_equal(&part, &expected[i], sizeof part);
    }
    assert_false(srv_places_next(&at, &part));
    assert_int_equal(*at, '\0');
}

TEST(malformed_texts_end_before_their_end)
{
    static const char *const texts[] = {"0",     "0:",   ":1",   "0:1,",         "0:2-1",
                                        "3-2:1", "0:1;", "-1:2", "0:99999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *at = texts[i];
        srv_places_part part;
        while (srv_places_next(&at, &part))
            continue;
        assert_int_not_equal(*at, '\0');
    }
}
