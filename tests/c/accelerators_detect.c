/* SPDX-License-Identifier: BSD-3-Clause */
/* Near NUMA nodes from copies whose figures are written by hand. */
#include "test.h"

#include "facts/accelerators/detect.h"

enum { NODES = 4 };

static servet_value around(double value, servet_unit unit)
{
    return (servet_value){value, 0.99 * value, 1.01 * value, 2, unit, SERVET_METHOD_TIMED, true};
}

/* GB/s and us of a node. */
static servet_accelerator_link link_of(double to_device, double to_host, double us)
{
    return (servet_accelerator_link){.to_device =
                                         around(1e9 * to_device, SERVET_UNIT_BYTE_PER_SECOND),
                                     .to_host = around(1e9 * to_host, SERVET_UNIT_BYTE_PER_SECOND),
                                     .to_device_latency = around(1e-6 * us, SERVET_UNIT_SECOND),
                                     .to_host_latency = around(1e-6 * us, SERVET_UNIT_SECOND)};
}

static void near_are(const servet_accelerator_link *links, const bool *counts, const char *expected)
{
    bool near[NODES];
    int wanted = 0;
    for (int i = 0; i < NODES; i++)
        wanted += expected[i] == 'x';
    assert_int_equal(srv_detect_near(links, counts, NODES, near), wanted);
    for (int i = 0; i < NODES; i++)
        assert_int_equal(near[i], expected[i] == 'x');
}

static const bool all[NODES] = {true, true, true, true};

TEST(bandwidth_in_one_direction_decides)
{
    const servet_accelerator_link links[] = {link_of(25, 18, 8), link_of(25, 25, 8),
                                             link_of(20, 25, 8), link_of(24.5, 24.5, 8)};
    near_are(links, all, ".x.x");
}

/* Nodes with the same bandwidth are compared by the time of small copies; a farther node's is
 * not compared. */
TEST(small_copies_decide_where_bandwidths_are_alike)
{
    const servet_accelerator_link links[] = {link_of(25, 25, 8), link_of(25, 25, 11),
                                             link_of(25, 25, 9), link_of(12, 12, 5)};
    near_are(links, all, "x.x.");
}

TEST(no_difference_is_an_answer)
{
    const servet_accelerator_link links[] = {link_of(380, 300, 6), link_of(376, 297, 6.2),
                                             link_of(383, 301, 6.1), link_of(379, 299, 6)};
    near_are(links, all, "xxxx");
}

/* A difference of 8 %, but the intervals have values in common. */
TEST(intervals_that_overlap_are_no_difference)
{
    servet_accelerator_link links[] = {link_of(25, 25, 8), link_of(23, 25, 8), link_of(25, 25, 8),
                                       link_of(25, 25, 8)};
    near_are(links, all, "x.xx");
    links[1].to_device.high = 25e9;
    near_are(links, all, "xxxx");
}

/* The device's own memory is a node without cores: it is faster than any, and no place for
 * threads. */
TEST(nodes_that_do_not_count_are_not_compared)
{
    static const bool counts[NODES] = {true, true, false, false};
    servet_accelerator_link links[] = {
        link_of(25, 25, 8), link_of(18, 18, 9), link_of(900, 900, 4), {0}};
    near_are(links, counts, "x...");
}

TEST(each_may_have_a_better_direction)
{
    const servet_accelerator_link links[] = {link_of(25, 15, 8), link_of(15, 25, 8),
                                             link_of(25, 15, 8), link_of(15, 25, 8)};
    near_are(links, all, "xxxx");
}

TEST(what_is_not_measured_is_not_decided)
{
    servet_accelerator_link links[] = {link_of(25, 25, 8), link_of(25, 25, 8), link_of(25, 25, 8),
                                       link_of(25, 25, 8)};
    bool near[NODES];
    links[2].to_host = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    assert_int_equal(srv_detect_near(links, all, NODES, near), 0);
}
