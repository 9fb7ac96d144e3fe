/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares predicted costs of placements with times added up by hand. */
#include "test.h"
#include "map_machine.h"

#include "servet/map.h"

/* Messages as long as those that told the layers apart take what the layer's latency says. */
enum { BYTES = MAP_MESSAGE_BYTES };

static servet_map_cost cost_of(const map_machine *machine, servet_map_request request,
                               const servet_traffic *traffic)
{
    servet_map_cost cost = {0};
    servet_error error = SERVET_ERROR_INIT;
    servet_map *map = map_placed(machine, machine->nodes, request);
    if (servet_map_predict(map, map_profile(machine, machine->nodes), traffic, &cost, &error) !=
        SERVET_OK)
        fail_msg("%s", error.text);
    return cost;
}

static void expect_us(double seconds, double us)
{
    if (!(fabs(seconds * 1e6 - us) <= 1e-6)) /* NAN is none */
        fail_msg("%g us, not %g", seconds * 1e6, us);
}

static const servet_map_request block_of_8 = {.processes = 8, .order = SERVET_ORDER_BLOCK};
static const servet_map_request cyclic_of_8 = {.processes = 8, .order = SERVET_ORDER_CYCLIC};

/* --- messages --------------------------------------------------------------------------------- */

static servet_map_cost one_message(double bytes, int to)
{
    servet_traffic *traffic = map_no_messages(8);
    map_send(traffic, 0, to, bytes);
    servet_map_cost cost = cost_of(&map_flat, block_of_8, traffic);
    return cost;
}

TEST(a_message_alone_has_its_latency)
{
    servet_map_cost cost = one_message(BYTES, 1);
    expect_us(cost.seconds, 1);
    expect_us(cost.work, 1);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
    assert_int_equal(cost.limit_at, 0);
    expect_us(one_message(2 * BYTES, 1).seconds, 2);
    expect_us(one_message(1, 1).seconds, 1);
    expect_us(one_message(BYTES, 7).seconds, 3);
    servet_map_cost none = one_message(0, 1);
    assert_true(none.seconds == 0);
    assert_int_equal(none.limit, SERVET_LIMIT_NONE);
}

/* Messages of 1, 1 and 3 us between six processes: at once, they take the time of the longest; one
 * phase after the other, that of all. */
TEST(a_phase_waits_for_the_phase_before)
{
    const int pairs[][2] = {{0, 1}, {2, 3}, {4, 7}};
    servet_traffic *once = map_no_messages(8), *phases = map_no_messages(8);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        map_send(once, pairs[i][0], pairs[i][1], BYTES);
        map_send(phases, pairs[i][0], pairs[i][1], BYTES);
        servet_traffic_next_phase(phases);
    }
    expect_us(cost_of(&map_flat, block_of_8, once).seconds, 3);
    servet_map_cost cost = cost_of(&map_flat, block_of_8, phases);
    expect_us(cost.seconds, 1 + 1 + 3);
    expect_us(cost.work, 1 + 1 + 3);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
    assert_int_equal(cost.limit_at, 4);
}

/* Ranks 0, 6 and 7 have a neighbour on the other node: 1 us and 3 us. What is not known to slow
 * messages down does not. */
TEST(without_contention_messages_do_not_slow_each_other)
{
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 8);
    servet_map_cost cost = cost_of(&map_flat, block_of_8, ring);
    expect_us(cost.work, 12 * 1 + 4 * 3);
    expect_us(cost.seconds, 2 * 3);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
    assert_int_equal(cost.limit_at, 7);
    assert_int_equal(cost.nodes, 2);
    assert_int_equal(cost.per_node, 7);
}

/* Four processes of node 0 each send one message of 4 us, and together take ratNC[4] = 1.9 times as
 * long. */
TEST(messages_share_the_access_of_a_node)
{
    servet_traffic *traffic = map_no_messages(64);
    for (int i = 0; i < 4; i++)
        map_send(traffic, 32 + i, i, BYTES);
    servet_map_cost cost = cost_of(
        &map_hector, (servet_map_request){.processes = 64, .order = SERVET_ORDER_BLOCK}, traffic);
    expect_us(cost.work, 4 * 4);
    expect_us(cost.seconds, 4 * 1.9);
    assert_int_equal(cost.limit, SERVET_LIMIT_NODE);
    assert_int_equal(cost.limit_at, 0); /* receives; node 1, which sends, takes as long */
    assert_true(cost.access_ratio == 14);
}

/* Two messages at once that a disturbed process held up are believed to go one after the other. */
TEST(a_doubtful_slowdown_is_believed_up_to_one_after_the_other)
{
    map_machine machine = {
        .nodes = 1, .cores = "0-3", .inside = 1e-6, .between = 4e-6, .slowdown = {{3000, 6000}}};
    const servet_map_request request = {.processes = 4, .order = SERVET_ORDER_BLOCK};
    servet_traffic *traffic = map_no_messages(4);
    map_send(traffic, 0, 1, BYTES);
    map_send(traffic, 2, 3, BYTES);
    expect_us(cost_of(&machine, request, traffic).seconds, 3000);
    machine.doubtful = true;
    expect_us(cost_of(&machine, request, traffic).seconds, 2);
}

/* Processes of a node slow each other down, but not what they send to others. */
TEST(contention_inside_a_node_does_not_slow_messages_to_others)
{
    static const map_machine slow_inside = {.nodes = 2,
                                            .cores = "0-3",
                                            .inside = 1e-6,
                                            .between = 4e-6,
                                            .slowdown = {{2, 4}, {1, 1, 1}}};
    const servet_map_request request = {.processes = 8, .order = SERVET_ORDER_BLOCK};
    servet_traffic *out = map_no_messages(8);
    servet_traffic *in = map_no_messages(8);
    for (int i = 0; i < 4; i++) {
        map_send(out, i, 4 + i, BYTES);
        map_send(in, i, (i + 1) % 4, BYTES);
    }
    expect_us(cost_of(&slow_inside, request, out).seconds, 4);
    servet_map_cost inside = cost_of(&slow_inside, request, in);
    expect_us(inside.seconds, 4 * 1);
    assert_int_equal(inside.limit, SERVET_LIMIT_LAYER);
    assert_int_equal(inside.limit_at, 1);
}

/* Each of the eight processes on one switch sends to one on the other, over a link that carries one
 * message at a time; each node's interface takes half of them. */
TEST(messages_share_an_uplink)
{
    servet_traffic *traffic = map_no_messages(16);
    for (int i = 0; i < 8; i++)
        map_send(traffic, i, 8 + i, BYTES);
    servet_map_cost cost = cost_of(
        &map_uplinks, (servet_map_request){.processes = 16, .order = SERVET_ORDER_BLOCK}, traffic);
    expect_us(cost.seconds, 8 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_GROUP);
    assert_int_equal(cost.limit_at, 3);
}

/* The link carries what two nodes send, and one process of each has it to itself, although four of
 * a node, the first ones that were measured together, got no more through their interface. */
TEST(one_process_of_each_node_has_the_link_alone)
{
    static const map_machine wide = {.nodes = 4,
                                     .cores = "0-3",
                                     .inside = 1e-6,
                                     .close_nodes = 2,
                                     .close = 4e-6,
                                     .between = 4e-6,
                                     .slowdown = {{1}, {1, 2, 4, 4}, {1, 2, 4, 4}}};
    servet_traffic *traffic = map_no_messages(16);
    map_send(traffic, 0, 8, BYTES);
    map_send(traffic, 4, 12, BYTES);
    servet_map_cost cost =
        cost_of(&wide, (servet_map_request){.processes = 16, .order = SERVET_ORDER_BLOCK}, traffic);
    expect_us(cost.seconds, 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
}

/* In blocks two edges of a ring cross the link, in turn all that join ranks 2 i - 1 and 2 i do. */
TEST(less_traffic_over_the_uplink_is_faster)
{
    servet_traffic *ring = map_pattern(SERVET_PATTERN_RING, 16);
    servet_map_request request = {.processes = 16, .order = SERVET_ORDER_BLOCK};
    servet_map_cost block = cost_of(&map_uplinks, request, ring);
    request.order = SERVET_ORDER_CYCLIC;
    servet_map_cost cyclic = cost_of(&map_uplinks, request, ring);
    expect_us(block.seconds, 2 * 4); /* of either node at the border, and over the link */
    expect_us(cyclic.seconds, 8 * 4);
}

/* Eight hosts in a ring, in the order of the job: a message i steps further passes i cables, so i
 * messages share each of them if all hosts send one. */
static const map_machine ring_of_hosts = {.nodes = 8,
                                          .cores = "0",
                                          .between = 4e-6,
                                          .inside = 1e-6,
                                          .distance = {1, 2, 3, 4},
                                          .torus = {8}};

/* Each of the first `senders` ranks sends to the rank `steps` further. */
static servet_map_cost shifted(const map_machine *machine, int senders, int steps)
{
    servet_traffic *traffic = map_no_messages(8);
    for (int i = 0; i < senders; i++)
        map_send(traffic, i, (i + steps) % 8, BYTES);
    servet_map_cost cost = cost_of(machine, block_of_8, traffic);
    return cost;
}

TEST(far_messages_share_the_links_on_their_way)
{
    servet_map_cost cost = shifted(&ring_of_hosts, 8, 3);
    expect_us(cost.seconds, 3 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_DISTANCE);
    assert_int_equal(cost.limit_at, 2);
    assert_string_equal(servet_limit_name(cost.limit), "distance");
    expect_us(shifted(&ring_of_hosts, 8, 6).seconds, 2 * 4); /* the shorter way is two steps */
    cost = shifted(&ring_of_hosts, 8, 1);
    expect_us(cost.seconds, 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_DISTANCE); /* a message fills a cable */
    expect_us(shifted(&ring_of_hosts, 1, 3).seconds, 4); /* has its way alone */
    /* To each other host: 1 + 2 + 3 + 4 cables forward for each of the eight, which have a cable
     * each. */
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 8);
    expect_us(cost_of(&ring_of_hosts, block_of_8, all).seconds, 10 * 4);
}

/* A network that all senders together overload: they take three times as long, however near. */
TEST(the_loss_of_all_senders_counts_at_every_distance)
{
    map_machine weak = ring_of_hosts;
    weak.torus[0] = 0;
    for (int i = 0; i < 4; i++)
        weak.distance[i] = 3;
    servet_map_cost cost = shifted(&weak, 8, 1);
    expect_us(cost.seconds, 3 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_DISTANCE);
}

/* If four messages on a cable take twice as long as one, a message alone fills half of it. */
TEST(far_messages_show_the_bandwidth_of_a_link)
{
    map_machine wide = ring_of_hosts;
    for (int i = 0; i < 4; i++)
        wide.distance[i] = i < 2 ? 1 : (i + 1) / 2.;
    expect_us(shifted(&wide, 8, 4).seconds, 2 * 4);
    expect_us(shifted(&wide, 8, 2).seconds, 4);
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 8);
    expect_us(cost_of(&wide, block_of_8, all).seconds, 7 * 4);
}

/* Four messages on a cable take no longer than one: they do not fill it. */
TEST(wide_links_slow_no_messages_down)
{
    map_machine wide = ring_of_hosts;
    for (int i = 0; i < 4; i++)
        wide.distance[i] = 1;
    expect_us(shifted(&wide, 8, 4).seconds, 4);
    expect_us(shifted(&wide, 8, 3).seconds, 4);
}

/* 4 x 4 x 4 hosts, one process each. The curve is that of nodes 0 and 63, which
 * are three links apart. Two messages on a link take twice as long as one. */
static const map_machine cube = {.nodes = 64,
                                 .cores = "0",
                                 .between = 4e-6,
                                 .further = 3e-6,
                                 .torus = {4, 4, 4},
                                 .distance = {1, 2},
                                 .step = 0.5e-6};

static servet_map_cost in_cube(int count, int pairs[][2])
{
    servet_traffic *traffic = map_no_messages(64);
    for (int i = 0; i < count; i++)
        map_send(traffic, pairs[i][0], pairs[i][1], BYTES);
    return cost_of(&cube, (servet_map_request){.processes = 64, .order = SERVET_ORDER_BLOCK},
                   traffic);
}

/* Each link more or less than three changes the time of a message. */
TEST(messages_wait_at_each_link_of_a_torus)
{
    expect_us(in_cube(1, (int[][2]){{0, 48}}).seconds, 4 - 2 * 0.5); /* around the last dimension */
    expect_us(in_cube(1, (int[][2]){{0, 2}}).seconds, 4 - 0.5);
    expect_us(in_cube(1, (int[][2]){{0, 42}}).seconds, 4 + 3 * 0.5);
}

/* The message from 1 to 6 takes the link from 1 to 2 first, which that from 0 to 2 takes, too; the
 * one from 5 takes another to 6. A process that sends to three sides sends all at once. */
TEST(messages_share_a_link_of_a_torus)
{
    servet_map_cost cost = in_cube(2, (int[][2]){{0, 2}, {1, 6}});
    expect_us(cost.seconds, 2 * 3 + 1 - 0.5);
    assert_int_equal(cost.limit, SERVET_LIMIT_DISTANCE);
    cost = in_cube(2, (int[][2]){{0, 2}, {5, 6}});
    expect_us(cost.seconds, 4 - 0.5);
    cost = in_cube(3, (int[][2]){{0, 1}, {0, 4}, {0, 16}});
    expect_us(cost.seconds, 4 - 2 * 0.5);
}

/* A message over six links, beside one over each of these, which comes first: as if the long one
 * were alone. */
TEST(no_step_is_shorter_than_one_of_its_messages)
{
    static const int pairs[][2] = {{0, 42}, {0, 1}, {1, 2}, {2, 6}, {6, 10}, {10, 26}, {26, 42}};
    map_machine slow = cube;
    servet_traffic *traffic = map_no_messages(64);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        map_send(traffic, pairs[i][0], pairs[i][1], BYTES);
    slow.step = 1e-6;
    servet_map_cost cost =
        cost_of(&slow, (servet_map_request){.processes = 64, .order = SERVET_ORDER_BLOCK}, traffic);
    expect_us(cost.seconds, 4 + 3 * 1);
}

/* All to all on one of four planes. On a ring of four, each of four hosts sends to four hosts in
 * each column: over one link to the next, and over two links to the one after it, upwards. A link
 * carries four times (1 + 2) messages of 3 us; those to the next host come without a wait. */
TEST(uniform_traffic_takes_the_links_of_the_nodes_that_are_used)
{
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 16);
    servet_map_request request = {.processes = 16, .order = SERVET_ORDER_BLOCK};
    servet_map_cost cost = cost_of(&cube, request, all);
    assert_int_equal(cost.limit, SERVET_LIMIT_DISTANCE);
    expect_us(cost.seconds, 4 * (1 + 2) * 3 + 1 - 2 * 0.5);
}

/* Ranks that are far apart in the scheduler's order exchange messages. In block order four go
 * through one link; each pair fits on two neighbours, which have a link in each direction. */
TEST(partners_become_neighbours_in_a_torus)
{
    servet_traffic *traffic = map_no_messages(64);
    for (int i = 0; i < 64; i++)
        map_send(traffic, i, i % 8 * 8 + i / 8, i % 9 ? BYTES : 0);
    servet_map_request request = {.processes = 64, .order = SERVET_ORDER_BLOCK};
    assert_true(cost_of(&cube, request, traffic).seconds > 4 * 3e-6);
    request = (servet_map_request){
        .processes = 64, .code = SERVET_CODE_COMMUNICATION, .traffic = traffic};
    servet_map_cost cost = cost_of(&cube, request, traffic);
    expect_us(cost.seconds, 4 - 2 * 0.5);
}

/* On two switches with four nodes each, the layers give the slow pairs: links of a torus would
 * count them twice. */
TEST(several_layers_between_nodes_replace_a_torus)
{
    map_machine layered = ring_of_hosts;
    layered.close_nodes = 4;
    layered.close = 2e-6;
    servet_map_cost cost = shifted(&layered, 8, 4);
    expect_us(cost.seconds, 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
}

/* Two processes of node 0 each send a message to node 1. */
static servet_traffic *two_messages(double bytes)
{
    servet_traffic *traffic = map_no_messages(8);
    for (int i = 0; i < 2; i++)
        map_send(traffic, i, 2 + i, bytes);
    return traffic;
}

/* With one process on each of four nodes, an uplink was as slow as the interfaces of two nodes with
 * two processes each: a ratNC of 1, although an interface carries one message at a time. */
TEST(an_access_ratio_of_other_nodes_is_not_enough)
{
    map_machine machine = {.nodes = 4,
                           .cores = "0-1",
                           .inside = 1e-6,
                           .between = 4e-6,
                           .slowdown = {{1}, {1, 2, 4}},
                           .access = {1, 1}};
    servet_traffic *traffic = two_messages(BYTES);
    expect_us(cost_of(&machine, block_of_8, traffic).seconds, 4);
    machine.access_in_half = true;
    servet_map_cost cost = cost_of(&machine, block_of_8, traffic);
    expect_us(cost.seconds, 2 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_NODE);
    machine.access[1] = 2.5;
    expect_us(cost_of(&machine, block_of_8, traffic).seconds, 2.5 * 4);
}

/* A message takes 4 us, each further one of a batch 1 us. Process 0 sends two, so that the second
 * one comes after 5 us. Two processes of a node that share its access, where two take 1.25 times as
 * long as one, add 1 us, too. */
TEST(messages_wait_for_their_latency_together)
{
    map_machine machine = {
        .nodes = 4, .cores = "0-1", .inside = 1e-6, .between = 4e-6, .further = 1e-6};
    servet_traffic *one = two_messages(0), *two = two_messages(BYTES);
    for (int i = 0; i < 2; i++)
        map_send(one, 0, 2 + 2 * i, BYTES);
    servet_map_cost cost = cost_of(&machine, block_of_8, one);
    expect_us(cost.seconds, 4 + 1);
    expect_us(cost.work, 2 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_PROCESS);
    expect_us(cost_of(&machine, block_of_8, two).seconds, 4);
    machine.slowdown[1][0] = 1;
    machine.slowdown[1][1] = 1.25;
    cost = cost_of(&machine, block_of_8, two);
    expect_us(cost.seconds, 4 + 1);
    assert_int_equal(cost.limit, SERVET_LIMIT_NODE);
}

/* 8 processes on nodes of 7 and 1 have 21 pairs within a node, and 7 between. */
TEST(all_to_all_costs_the_sum_of_its_messages)
{
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 8);
    servet_traffic *pairs = map_no_messages(8);
    for (int i = 0; i < 64; i++)
        map_send(pairs, i / 8, i % 8, BYTES);
    servet_map_cost cost = cost_of(&map_flat, block_of_8, all);
    expect_us(cost.work, 2 * (21 * 1 + 7 * 3));
    expect_us(cost.seconds, 7 * 3);
    expect_us(cost.latency, (21 * 1 + 7 * 3) / 28.);
    expect_us(cost_of(&map_flat, block_of_8, NULL).seconds, 7 * 3);
    const map_machine *machines[] = {&map_flat, &map_hector, &map_uplinks, &map_switches,
                                     &ring_of_hosts};
    for (int i = 0; i < 5; i++) {
        servet_map_cost implicit = cost_of(machines[i], cyclic_of_8, all);
        servet_map_cost explicit = cost_of(machines[i], cyclic_of_8, pairs);
        expect_us(implicit.seconds, explicit.seconds * 1e6);
        expect_us(implicit.work, explicit.work * 1e6);
        assert_int_equal(implicit.limit, explicit.limit);
        assert_int_equal(implicit.limit_at, explicit.limit_at);
    }
}

/* Four nodes each on two switches. Messages from each node of a switch to one of the other switch
 * meet on one of two links between them, and take four times as long. */
static const map_machine two_links = {.nodes = 8,
                                      .cores = "0",
                                      .inside = 1e-6,
                                      .close_nodes = 4,
                                      .close = 2e-6,
                                      .between = 4e-6,
                                      .slowdown = {{0}, {1, 1}, {1, 2, 4}}};

/* The all-to-all uses both links: each of the four nodes sends a message to four others, so that
 * eight of them follow each other on a link. */
TEST(an_all_to_all_shows_that_there_are_more_routes)
{
    map_machine measured = two_links;
    servet_traffic *all = map_pattern(SERVET_PATTERN_ALL_TO_ALL, 8);
    expect_us(cost_of(&two_links, block_of_8, all).seconds, 16 * 4);
    measured.all_to_all = 8 * 4e-6;
    servet_map_cost cost = cost_of(&measured, block_of_8, all);
    expect_us(cost.seconds, 8 * 4);
    assert_int_equal(cost.limit, SERVET_LIMIT_GROUP);
    /* Messages to one partner may still meet on one link. */
    expect_us(shifted(&measured, 8, 4).seconds, 4 * 4);
    /* A library that loses time says nothing about the network. */
    measured.all_to_all = 100e-6;
    expect_us(cost_of(&measured, block_of_8, all).seconds, 16 * 4);
}

/* --- rules and memory ------------------------------------------------------------------------- */

TEST(pairs_that_share_a_resource_are_counted)
{
    servet_map_request request = {.processes = 24, .order = SERVET_ORDER_BLOCK};
    servet_map_cost all = cost_of(&map_dunnington, request, NULL);
    assert_true(all.cache_pairs == 12 + 4 * 15); /* of level 2, and of level 3 */
    assert_true(all.memory_pairs == 276);
    assert_true(isnan(all.seconds) && isnan(all.latency) && isnan(all.access_ratio));
    request = (servet_map_request){.processes = 4, .code = SERVET_CODE_MEMORY};
    assert_true(cost_of(&map_dunnington, request, NULL).cache_pairs == 0);
}

/* The cost of `processes` processes on Dunnington, where some facts are not trusted. */
static servet_map_cost doubted_cost(int processes, const char *facts)
{
    servet_map_cost cost = {0};
    servet_profile *profile = map_profile(&map_dunnington, 1);
    const servet_map_request request = {.processes = processes, .order = SERVET_ORDER_BLOCK};
    assert_ok(servet_profile_distrust(profile, 0, facts, "noise", NULL));
    servet_map *map = map_placed_by(profile, request);
    assert_ok(servet_map_predict(map, profile, NULL, &cost, NULL));
    return cost;
}

TEST(pairs_in_doubtful_groups_are_not_trusted)
{
    static const char *const doubts[] = {"kinds.caches.groups", "kinds.caches.count",
                                         "memory.levels.groups", "memory.levels.count"};
    for (size_t i = 0; i < sizeof doubts / sizeof *doubts; i++) {
        servet_map_cost all = doubted_cost(24, doubts[i]);
        assert_true(all.cache_pairs == 12 + 4 * 15 && all.memory_pairs == 276);
        assert_false(all.trusted);
        assert_true(doubted_cost(1, doubts[i]).trusted); /* alone it shares nothing */
    }
    assert_true(doubted_cost(24, "memory.saturation").trusted);
}

TEST(the_least_bandwidth_of_a_process_is_predicted)
{
    servet_map_request request = {.processes = 5, .order = SERVET_ORDER_BLOCK};
    assert_true(cost_of(&map_uplinks, request, NULL).memory == 5e9);
    request.order = SERVET_ORDER_CYCLIC;
    assert_true(cost_of(&map_uplinks, request, NULL).memory == 9e9);
    /* A pair alone: the cores of one bus get 1e9 each, those of two cells lose nothing known. */
    request = (servet_map_request){.processes = 2, .nodes = "n0", .order = SERVET_ORDER_BLOCK};
    assert_true(cost_of(&map_finis_terrae, request, NULL).memory == 1e9);
    request.order = SERVET_ORDER_SERVET;
    assert_true(isnan(cost_of(&map_finis_terrae, request, NULL).memory));
}

static servet_map_idle idle_of(const map_machine *machine, int processes, servet_resource resource)
{
    servet_map_idle idle;
    servet_profile *profile = map_profile(machine, machine->nodes);
    servet_map_request request = {.processes = processes};
    servet_map *map = map_placed_by(profile, request);
    assert_ok(servet_map_idle_get(map, profile, resource, &idle));
    return idle;
}

static void expect_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9 * b);
}

/* 10, 18, 19.5 and 20 GB/s together; 1, 1.98, 2.11, 2.22, 2.29, 2.29 messages at once. */
TEST(the_useful_number_of_cores_is_predicted)
{
    servet_map_idle memory = idle_of(&map_uplinks, 16, SERVET_RESOURCE_MEMORY);
    assert_int_equal(memory.per_node, 3);
    expect_near(memory.gain, 19.5 / 20);
    expect_near(memory.each, 6.5 / 5);
    servet_map_idle network = idle_of(&map_hector, 4096, SERVET_RESOURCE_NETWORK);
    assert_int_equal(network.per_node, 6); /* ratio 2.75 between 1.9 of 4 and 3.6 of 8 */
    expect_near(network.gain, 6 / 2.75 / (32 / 14.));
    expect_near(network.each, 14 / 2.75);
    assert_int_equal(idle_of(&map_hector, 128, SERVET_RESOURCE_NETWORK).per_node, 1);
}

TEST(invalid_arguments_are_refused)
{
    servet_map_cost cost;
    servet_map_idle idle;
    servet_profile *profile = map_profile(&map_flat, 2);
    servet_traffic *three = map_pattern(SERVET_PATTERN_RING, 3);
    servet_map *map = map_placed_by(profile, block_of_8);
    assert_code(servet_map_predict(map, profile, three, &cost, NULL), SERVET_EARGUMENT);
    assert_code(servet_map_idle_get(map, profile, SERVET_RESOURCE_NETWORK, &idle),
                SERVET_EUNMEASURED);
    assert_code(servet_map_idle_get(map, profile, SERVET_RESOURCE_MEMORY, &idle),
                SERVET_EUNMEASURED);
    assert_code(servet_map_idle_get(map, profile, SERVET_RESOURCE_COUNT, &idle), SERVET_EARGUMENT);
    assert_string_equal(servet_limit_name(SERVET_LIMIT_GROUP), "group");
    assert_string_equal(servet_resource_name(SERVET_RESOURCE_MEMORY), "memory");
}
