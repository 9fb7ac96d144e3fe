/* SPDX-License-Identifier: BSD-3-Clause */
#include "test.h"

#include "alloc.h"
#include "core/error.h"
#include "sim/flows.h"

enum { RATES_MAX = 16, HOPS_MAX = 4 };

/* A network in one line: capacities of the links, then the flows. */
typedef struct row {
    double demand;
    int count;
    int links[HOPS_MAX];
    double rate; /* expected */
} row;

static srv_flows *build(const double *capacities, int link_count, const row *rows, int row_count)
{
    srv_flows *flows;
    assert_ok(srv_flows_create(&flows, NULL));
    for (int i = 0, link; i < link_count; i++) {
        assert_ok(srv_flows_add_link(flows, capacities[i], &link, NULL));
        assert_int_equal(link, i);
    }
    for (int i = 0; i < row_count; i++)
        assert_ok(srv_flows_add_flow(flows, rows[i].demand, rows[i].links, rows[i].count, NULL));
    return flows;
}

static void check(const double *capacities, int link_count, const row *rows, int row_count)
{
    double rates[RATES_MAX];
    srv_flows *flows = build(capacities, link_count, rows, row_count);
    assert_ok(srv_flows_solve(flows, rates, NULL));
    for (int i = 0; i < row_count; i++)
        if (isinf(rows[i].rate))
            assert_true(isinf(rates[i]));
        else
            assert_float_equal(rates[i], rows[i].rate, 1e-12);
    srv_flows_destroy(flows);
}

#define CHECK(capacities, rows)                                                                    \
    check(capacities, sizeof(capacities) / sizeof *(capacities), rows,                             \
          sizeof(rows) / sizeof *(rows))

TEST(flows_of_one_link_share_it)
{
    const double capacities[] = {12};
    const row rows[] = {
        {INFINITY, 1, {0}, 4},
        {INFINITY, 1, {0}, 4},
        {INFINITY, 1, {0}, 4},
    };
    CHECK(capacities, rows);
}

TEST(unused_capacity_goes_to_other_flows)
{
    const double capacities[] = {10};
    const row rows[] = {
        {2, 1, {0}, 2},
        {2.6, 1, {0}, 2.6},
        {4, 1, {0}, 2.7},
        {5, 1, {0}, 2.7},
    }; /* Keshav, An Engineering Approach to Computer Networking, 9.4.2 */
    CHECK(capacities, rows);
}

TEST(the_textbooks_chain_of_links_is_shared)
{
    /* Three links of 1 in a row, one flow over all of them and one over each, two over the second:
       the second gives 1/3 to each of its three, the others have 2/3 left. */
    const double capacities[] = {1, 1, 1};
    const row rows[] = {
        {INFINITY, 3, {0, 1, 2}, 1. / 3}, {INFINITY, 1, {0}, 2. / 3}, {INFINITY, 1, {1}, 1. / 3},
        {INFINITY, 1, {1}, 1. / 3},       {INFINITY, 1, {2}, 2. / 3},
    };
    CHECK(capacities, rows);
}

TEST(bottlenecks_limit_flows_one_after_another)
{
    /* Link 0 fills first (2 each), then link 1 (10 - 2 = 8 for two), then link 2 (20 - 4). */
    const double capacities[] = {4, 10, 20};
    const row rows[] = {
        {INFINITY, 1, {0}, 2},    {INFINITY, 2, {0, 1}, 2}, {INFINITY, 1, {1}, 4},
        {INFINITY, 2, {1, 2}, 4}, {INFINITY, 1, {2}, 16},
    };
    CHECK(capacities, rows);
}

TEST(a_link_taken_twice_carries_twice)
{
    const double capacities[] = {9};
    const row rows[] = {
        {INFINITY, 2, {0, 0}, 3},
        {INFINITY, 1, {0}, 3},
    };
    CHECK(capacities, rows);
}

TEST(a_shared_bus_loses_capacity)
{
    double rates[4];
    int bus, behind;
    srv_flows *flows = build(NULL, 0, NULL, 0);
    assert_ok(srv_flows_add_bus(flows, 22, 18, &bus, NULL));
    assert_ok(srv_flows_add_bus(flows, 10, 8, &behind, NULL));
    const int both[] = {bus, behind};
    assert_ok(srv_flows_add_flow(flows, INFINITY, &bus, 1, NULL));
    assert_ok(srv_flows_solve(flows, rates, NULL));
    assert_float_equal(rates[0], 22, 1e-12);
    assert_ok(srv_flows_add_flow(flows, INFINITY, both, 2, NULL));
    assert_ok(srv_flows_solve(flows, rates, NULL));
    assert_float_equal(rates[0], 9, 1e-12); /* the second is alone behind the bus */
    assert_float_equal(rates[1], 9, 1e-12);
    assert_ok(srv_flows_add_flow(flows, INFINITY, both, 2, NULL));
    assert_ok(srv_flows_solve(flows, rates, NULL));
    assert_float_equal(rates[0], 10, 1e-12); /* 18 less the 8 of the two behind */
    assert_float_equal(rates[1], 4, 1e-12);
    assert_float_equal(rates[2], 4, 1e-12);
    srv_flows_destroy(flows);
}

TEST(flows_without_links_are_not_limited)
{
    const double capacities[] = {1};
    const row rows[] = {
        {INFINITY, 0, {0}, INFINITY},
        {7, 0, {0}, 7},
        {0, 1, {0}, 0},
        {INFINITY, 1, {0}, 1},
    };
    CHECK(capacities, rows);
}

TEST(an_empty_list_of_flows_is_valid)
{
    const double capacities[] = {1};
    double none = -1;
    srv_flows *flows = build(capacities, 1, NULL, 0);
    assert_ok(srv_flows_solve(flows, &none, NULL));
    assert_true(none == -1);
    srv_flows_destroy(flows);
    srv_flows_destroy(NULL);
}

/* Max-min fairness by its definition: no link carries more than it can, and each flow has a link
 * that is full and on which no flow is faster. */
TEST(random_networks_are_max_min_fair)
{
    enum { LINKS = 20, FLOWS = 60, HOPS = 3 };
    unsigned random = 1;
    for (int round = 0; round < 50; round++) {
        double capacity[LINKS], load[LINKS] = {0}, fastest[LINKS] = {0}, rates[FLOWS];
        int links[FLOWS][HOPS], link;
        srv_flows *flows = build(NULL, 0, NULL, 0);
        for (int i = 0; i < LINKS; i++) {
            capacity[i] = 1 + (random = random * 1664525 + 1013904223) % 1000 / 100.;
            srv_flows_add_link(flows, capacity[i], &link, NULL);
        }
        for (int i = 0; i < FLOWS; i++) {
            for (int hop = 0; hop < HOPS; hop++)
                links[i][hop] = (int)((random = random * 1664525 + 1013904223) >> 16) % LINKS;
            srv_flows_add_flow(flows, INFINITY, links[i], HOPS, NULL);
        }
        assert_ok(srv_flows_solve(flows, rates, NULL));
        for (int i = 0; i < FLOWS; i++)
            for (int hop = 0; hop < HOPS; hop++) {
                load[links[i][hop]] += rates[i];
                fastest[links[i][hop]] = fmax(fastest[links[i][hop]], rates[i]);
            }
        for (int i = 0; i < LINKS; i++)
            assert_true(load[i] <= capacity[i] * (1 + 1e-9));
        for (int i = 0; i < FLOWS; i++) {
            bool limited = false;
            for (int hop = 0; hop < HOPS; hop++) {
                int at = links[i][hop];
                limited = limited || (load[at] >= capacity[at] * (1 - 1e-9) &&
                                      rates[i] >= fastest[at] * (1 - 1e-9));
            }
            assert_true(limited);
        }
        srv_flows_destroy(flows);
    }
}

static int build_and_solve(void *context)
{
    const int both[] = {0, 1};
    double *rates = context;
    int link, code;
    srv_flows *flows = NULL;
    servet_error error = SERVET_ERROR_INIT;
    code = srv_flows_create(&flows, &error);
    for (int i = 0; i < 2 && code == SERVET_OK; i++)
        code = srv_flows_add_link(flows, 6, &link, &error);
    for (int i = 0; i < 3 && code == SERVET_OK; i++)
        code = srv_flows_add_flow(flows, 100, both, 2, &error);
    if (code == SERVET_OK)
        code = srv_flows_solve(flows, rates, &error);
    srv_flows_destroy(flows);
    assert_int_equal(code, error.code);
    return code;
}

TEST(each_failed_allocation_is_reported)
{
    double rates[3];
    assert_true(alloc_fail_everywhere(build_and_solve, rates) >= 7);
    assert_float_equal(rates[2], 2, 1e-12);
}
