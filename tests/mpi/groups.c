/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups and orders of ranks on a machine of four nodes with four cores: two cores share a cache,
   two nodes a switch. */
#include "../c/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/groups.h"
#include "comm/order.h"
#include "comm_profile.h"
#include "servet/record.h"

static const char *const nodes[] = {"n0", "n1", "n2", "n3"};
static const comm_layer layers[] = {
    {false, {"0:0-1", "0:2-3", "1:0-1", "1:2-3", "2:0-1", "2:2-3", "3:0-1", "3:2-3"}},
    {false, {"0:0-3", "1:0-3", "2:0-3", "3:0-3"}},
    {true, {"0-1:0-3", "2-3:0-3"}},
    {true, {"0-3:0-3"}},
};

/* A network that is faster than the memory between the halves of a node. */
static const comm_layer fast_network[] = {
    {false, {"0:0-1", "0:2-3", "1:0-1", "1:2-3"}},
    {true, {"0-1:0-3"}},
    {false, {"0:0-3", "1:0-3"}},
};

enum { PEERS_MAX = 16 };

/* The place of a rank: "n0 3". */
typedef struct scene {
    servet_profile *profile;
    srv_peers peers;
    srv_peer peer[PEERS_MAX];
    srv_host host[PEERS_MAX];
    char name[PEERS_MAX][16];
    int answer[PEERS_MAX];
    servet_error error;
} scene;

static int host_of(scene *on, const char *host, int rank)
{
    int number = 0;
    while (number < on->peers.host_count && strcmp(on->name[number], host) != 0)
        number++;
    if (number == on->peers.host_count) {
        strcpy(on->name[number], host);
        on->host[on->peers.host_count++] = (srv_host){on->name[number], rank, -1, -1};
    }
    return number;
}

/* Places: "HOST CORES", one for each rank, NULL behind the last. */
static void set_scene(scene *on, servet_profile *profile, const char *const *places)
{
    static char fingerprint[SERVET_TEXT_MAX]; /* as comm_profile() has it */
    assert_int_equal(servet_node_fingerprint(fingerprint, sizeof fingerprint), SERVET_OK);
    assert_non_null(profile);
    *on = (scene){.profile = profile, .error = SERVET_ERROR_INIT};
    on->peers.peer = on->peer;
    on->peers.host = on->host;
    for (int rank = 0; places[rank]; rank++) {
        char host[16];
        size_t length = strcspn(places[rank], " ");
        memcpy(host, places[rank], length);
        host[length] = '\0';
        on->peer[on->peers.count++] =
            (srv_peer){places[rank] + length + 1, host_of(on, host, rank), fingerprint};
    }
    assert_int_equal(srv_peers_find(&on->peers, profile, NULL), SERVET_OK);
}

static servet_profile *two_levels(void)
{
    return comm_profile(nodes, 4, 4, layers, 4);
}

static void expect_groups(int layer, const char *const *places, const int *expected)
{
    scene on;
    set_scene(&on, two_levels(), places);
    assert_int_equal(srv_groups_find(&on.peers, on.profile, layer, true, on.answer, &on.error),
                     SERVET_OK);
    for (int i = 0; i < on.peers.count; i++)
        assert_int_equal(on.answer[i], expected[i]);
    servet_profile_close(on.profile);
}

static void expect_no_groups(int layer, const char *const *places, int code, const char *text)
{
    scene on;
    set_scene(&on, two_levels(), places);
    assert_int_equal(srv_groups_find(&on.peers, on.profile, layer, true, on.answer, &on.error),
                     code);
    assert_non_null(strstr(on.error.text, text));
    servet_profile_close(on.profile);
}

static void expect_order(servet_profile *profile, const char *const *places, const int *expected)
{
    scene on;
    set_scene(&on, profile, places);
    assert_int_equal(srv_order_find(&on.peers, on.profile, on.answer, &on.error), SERVET_OK);
    for (int i = 0; i < on.peers.count; i++)
        assert_int_equal(on.answer[i], expected[i]);
    servet_profile_close(on.profile);
}

#define PLACES(...)                                                                                \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define NUMBERS(...)                                                                               \
    (const int[])                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* --- groups ----------------------------------------------------------------------------------- */

TEST(test_each_layer)
{
    const char *const *places = PLACES("n2 0", "n0 0", "n0 2", "n0 1", "n1 3", "n2 1");
    expect_groups(1, places, NUMBERS(0, 1, 2, 1, 4, 0));
    expect_groups(2, places, NUMBERS(0, 1, 1, 1, 4, 0));
    expect_groups(3, places, NUMBERS(0, 1, 1, 1, 1, 0));
    expect_groups(4, places, NUMBERS(0, 0, 0, 0, 0, 0));
}

TEST(test_shared_and_several_cores)
{
    expect_groups(1, PLACES("n0 0", "n0 0", "n0 0-1", "n0 1,7"), NUMBERS(0, 0, 0, 0));
    expect_groups(2, PLACES("n0 0-3", "n0 1-2"), NUMBERS(0, 0));
    expect_groups(3, PLACES("n0 0-3", "n1 9", "n3 "), NUMBERS(0, 0, 2));
}

/* In a class with equal nodes, the domain does not matter. */
TEST(test_other_nodes)
{
    expect_groups(1, PLACES("n9 0", "n8 1", "n9 1", "n9 2"), NUMBERS(0, 1, 0, 3));
    expect_groups(4, PLACES("n9 0", "n8 1", "n0 0"), NUMBERS(0, 0, 0));
    expect_groups(3, PLACES("n1.cluster.org 0", "n0 1"), NUMBERS(0, 0));
    expect_no_groups(3, PLACES("n0 0", "n9 1"), SERVET_ENOTFOUND,
                     "rank 1 is on n9, for which the profile has no group of layer 3");
}

/* Neither groups nor an order of ranks come from layers that are not trusted, where only trusted
 * answers are wanted; without that wish they do. */
TEST(test_not_trusted)
{
    for (int only = 0; only < 2; only++)
        for (int layer = 2; layer <= 4; layer++) {
            char doubt[64];
            scene on;
            int code = only ? SERVET_EUNTRUSTED : SERVET_OK;
            servet_profile *profile = two_levels();
            snprintf(doubt, sizeof doubt, "network.layers.%d.groups", layer);
            assert_int_equal(servet_profile_distrust(profile, 0, doubt, "noise", NULL), SERVET_OK);
            servet_profile_trusted_only(profile, only);
            set_scene(&on, profile, PLACES("n2 0", "n0 0", "n2 2", "n0 1"));
            assert_int_equal(srv_groups_find(&on.peers, profile, 1, true, on.answer, NULL),
                             SERVET_OK);
            assert_int_equal(srv_groups_find(&on.peers, profile, layer, true, on.answer, &on.error),
                             code);
            if (only)
                assert_non_null(strstr(on.error.text, "not trusted"));
            assert_int_equal(srv_order_find(&on.peers, profile, on.answer, &on.error), code);
            servet_profile_close(profile);
        }
}

TEST(test_refused)
{
    expect_no_groups(0, PLACES("n0 0"), SERVET_ERANGE, "the profile has no layer 0");
    expect_no_groups(5, PLACES("n0 0"), SERVET_ERANGE, "the profile has no layer 5");
    expect_no_groups(1, PLACES("n0 0", "n1 0-3"), SERVET_EARGUMENT,
                     "rank 1 may run on cores 0-3 of n1, which are in several groups of layer 1");
    expect_no_groups(2, PLACES("n0 4"), SERVET_ENOTFOUND,
                     "rank 0 may run on cores 4 of n0, none of which was measured");
    expect_no_groups(1, PLACES("n0 "), SERVET_ENOTFOUND, "cores ? of n0");
}

TEST(test_no_layers)
{
    scene on;
    set_scene(&on, comm_profile(nodes, 4, 4, NULL, 0), PLACES("n0 0"));
    assert_int_equal(srv_groups_find(&on.peers, on.profile, 1, true, on.answer, &on.error),
                     SERVET_ERANGE);
    servet_profile_close(on.profile);
}

/* --- orders ----------------------------------------------------------------------------------- */

TEST(test_cyclic_becomes_block)
{
    expect_order(two_levels(),
                 PLACES("n0 0", "n1 0", "n2 0", "n3 0", "n0 2", "n1 2", "n2 2", "n3 2", "n0 1",
                        "n1 1", "n2 1", "n3 1"),
                 NUMBERS(0, 8, 4, 1, 9, 5, 2, 10, 6, 3, 11, 7));
}

TEST(test_near_switches_follow_each_other)
{
    expect_order(two_levels(), PLACES("n3 0", "n0 0", "n2 0", "n1 0"), NUMBERS(0, 2, 1, 3));
}

TEST(test_good_order_stays)
{
    expect_order(two_levels(), PLACES("n1 3", "n1 2", "n1 0", "n0 0", "n0 1", "n2 2"),
                 NUMBERS(0, 1, 2, 3, 4, 5));
}

TEST(test_unknown_hosts_keep_together)
{
    expect_order(two_levels(), PLACES("n0 0", "n8 0", "n9 0", "n0 1", "n9 7", "n8 1", "n9 1"),
                 NUMBERS(0, 3, 1, 5, 2, 6, 4));
}

TEST(test_network_faster_than_memory)
{
    expect_order(comm_profile(nodes, 2, 4, fast_network, 3),
                 PLACES("n0 0", "n1 0", "n0 2", "n1 2", "n0 1", "n1 1"), NUMBERS(0, 4, 2, 1, 5, 3));
}
