/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of a job, and the part of a budget for its nodes. */
#include "../c/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../c/sample_cluster.h"
#include "sim/messages.h"
#include "mpi/costs.h"

static const mpi_scope all = {
    .nodes = true,
    .messages = true,
    .network = {.only = 31, .layer_bytes = 32768, .message_bytes = 32 << 20}};

static mpi_costs costs_of(srv_model *model, int ranks, const mpi_scope *scope)
{
    srv_network *network;
    mpi_costs costs;
    assert_int_equal(srv_messages_from(&network, model, NULL, ranks, NULL), SERVET_OK);
    assert_int_equal(mpi_costs_find(network, scope, NULL, scope->nodes, &costs, NULL), SERVET_OK);
    srv_network_destroy(network);
    return costs;
}

/* A node of two cores takes a minute; the largest messages over 100 Mbit/s take many. */
TEST(the_longer_part_gets_more_time)
{
    mpi_costs slow = costs_of(sample_ring(8, 4), 32, &all);
    mpi_costs fast = costs_of(sample_cluster(1, 2), 2, &all);
    assert_true(slow.network.all > slow.nodes && fast.network.all < fast.nodes);
    assert_true(mpi_costs_of_nodes(&slow, 60) < 30);
    assert_true(mpi_costs_of_nodes(&fast, 20) > 10);
    double share = mpi_costs_of_nodes(&slow, 60) / 60;
    assert_true(fabs(share - slow.nodes / slow.all) < 1e-9);
}

TEST(enough_time_is_not_cut)
{
    mpi_costs costs = costs_of(sample_cluster(2, 2), 4, &all);
    assert_true(mpi_costs_of_nodes(&costs, 0) == 0);
    assert_float_equal(mpi_costs_of_nodes(&costs, costs.all + 1), costs.nodes + 1, 1e-9);
}

TEST(nodes_alone_get_the_whole_budget)
{
    mpi_scope scope = all;
    scope.messages = false;
    mpi_costs costs = costs_of(sample_cluster(2, 2), 4, &scope);
    assert_true(costs.network.all == 0);
    assert_true(mpi_costs_of_nodes(&costs, 10) == 10);
}

TEST(the_network_alone_gets_the_whole_budget)
{
    mpi_scope scope = all;
    scope.nodes = false;
    mpi_costs costs = costs_of(sample_cluster(2, 2), 4, &scope);
    assert_true(costs.nodes == 0 && costs.all == costs.network.all);
    assert_true(mpi_costs_of_nodes(&costs, 10) == 0);
}

TEST(the_cost_is_printed_on_one_line)
{
    char *text;
    size_t size;
    mpi_costs costs = {
        .nodes = 46, .quiet = 20, .network = {.seconds = {1, 6, 0, 0, 40.2}, .all = 54}, 100};
    FILE *stream = open_memstream(&text, &size);
    mpi_costs_print(&costs, 50, stream);
    fclose(stream);
    assert_string_equal(
        text, "takes about 74 s: node 20 s, layers 1 s, curves 6 s, access 41 s; budget 50 s, "
              "shared as if nodes were busy: nodes 23 s, network 27 s\n");
    free(text);
}
