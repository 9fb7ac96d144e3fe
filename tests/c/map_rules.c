/* SPDX-License-Identifier: BSD-3-Clause */
/* Rule 3 if a network is faster than messages between sockets. */
#include "test.h"

#include "map/nodes/rules.h"
#include "servet/record.h"
#include "../record.h"

static servet_network_layer layer(bool between_nodes, double seconds)
{
    servet_value latency = {seconds, seconds, seconds, 9, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED,
                            true};
    return (servet_network_layer){.between_nodes = between_nodes,
                                  .latency = latency,
                                  .bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND),
                                  .confidence = 1,
                                  .to = {between_nodes, 1}};
}

/* Two cores of a socket are in the groups of all three layers, two sockets in those of their own
 * and of the nodes, two nodes in those of the nodes only. Each pair is worth what its own latency
 * says: 0.75, 0 and half of a unit. */
TEST(each_pair_counts_with_its_own_latency)
{
    const servet_network job = {"layers", 2, 8, 2, 32768};
    const char *const nodes[] = {"n0", "n1"};
    const servet_network_layer layers[] = {layer(false, 1e-6), layer(true, 2e-6),
                                           layer(false, 4e-6)};
    enum { SOCKET, NODES, SOCKETS };
    servet_profile *profile;
    srv_weight *steps;
    int count;
    assert_ok(servet_profile_create(&profile, NULL));
    assert_ok(servet_profile_set_network(profile, &job, nodes, NULL));
    assert_ok(record_network_layers(profile, layers, 3, NULL));
    assert_ok(srv_rules_layers(profile, SERVET_CODE_MEMORY, &steps, &count, NULL));
    assert_int_equal(count, 3);
    assert_int_equal(steps[SOCKET] + steps[SOCKETS] + steps[NODES], -SRV_WEIGHT_UNIT * 3 / 4);
    assert_int_equal(steps[SOCKETS] + steps[NODES], 0);
    assert_int_equal(steps[NODES], -SRV_WEIGHT_UNIT / 2);
    free(steps);
    servet_profile_close(profile);
}

TEST_MAIN()
