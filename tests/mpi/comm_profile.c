/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm_profile.h"

#include "servet/identity.h"

#include <stdio.h>

#include "servet/record.h"
#include "../record.h"

static servet_value known(double value, servet_unit unit)
{
    return (servet_value){value, value, value, 9, unit, SERVET_METHOD_TIMED, true};
}

static int add_nodes(servet_profile *profile, const char *const *nodes, int node_count, int cores)
{
    int index;
    servet_machine machine = {.pu_count = cores,
                              .core_count = cores,
                              .package_count = 1,
                              .numa_count = 1,
                              .memory_bytes = 1e9,
                              .page_bytes = 4096};
    snprintf(machine.hostname, sizeof machine.hostname, "%s", nodes[0]);
    snprintf(machine.cores, sizeof machine.cores, "0-%d", cores - 1);
    /* other hosts are alike */
    (void)servet_node_fingerprint(machine.fingerprint, sizeof machine.fingerprint);
    int code = servet_profile_add_class(profile, "node", &machine, &index, NULL);
    for (int i = 0; i < node_count && code == SERVET_OK; i++)
        code = servet_profile_add_node(profile, index, nodes[i], NULL);
    return code;
}

static int add_layer(servet_profile *profile, const comm_layer *layers, int layer)
{
    int count = 0, cost = layer + 1;
    servet_message curve[] = {{1, known(1e-6 * cost, SERVET_UNIT_SECOND)},
                              {1e6, known(1e-3 * cost, SERVET_UNIT_SECOND)}};
    while (count < COMM_GROUPS_MAX && layers[layer].groups[count])
        count++;
    int code = record_network_groups(profile, layer + 1, layers[layer].groups, count, NULL);
    if (code == SERVET_OK)
        code = record_network_curve(profile, layer + 1, curve, 2, NULL, 0, NULL);
    return code;
}

static int add_layers(servet_profile *profile, const comm_layer *layers, int layer_count)
{
    servet_network_layer fact[COMM_GROUPS_MAX] = {{.between_nodes = false}};
    for (int i = 0; i < layer_count; i++) {
        servet_place to = {layers[i].between_nodes, !layers[i].between_nodes};
        fact[i] = (servet_network_layer){layers[i].between_nodes,
                                         known(1e-6 * (i + 1), SERVET_UNIT_SECOND),
                                         known(1e9 / (i + 1), SERVET_UNIT_BYTE_PER_SECOND),
                                         1,
                                         {0, 0},
                                         to,
                                         true};
    }
    int code = record_network_layers(profile, fact, layer_count, NULL);
    for (int i = 0; i < layer_count && code == SERVET_OK; i++)
        code = add_layer(profile, layers, i);
    return code;
}

servet_profile *comm_profile(const char *const *nodes, int node_count, int cores,
                             const comm_layer *layers, int layer_count)
{
    servet_profile *profile;
    servet_network network = {"layers", node_count, node_count * cores, node_count, 32768};
    if (servet_profile_create(&profile, NULL) != SERVET_OK)
        return NULL;
    int code = add_nodes(profile, nodes, node_count, cores);
    if (code == SERVET_OK)
        code = servet_profile_set_network(profile, &network, nodes, NULL);
    if (code == SERVET_OK)
        code = add_layers(profile, layers, layer_count);
    if (code == SERVET_OK)
        return profile;
    servet_profile_close(profile);
    return NULL;
}

servet_profile *comm_three_hosts(const char *const names[COMM_HOSTS])
{
    enum { CORES = 1024 }; /* wherever the ranks are */
    static const comm_layer layers[] = {
        {false, {"0:0-1023", "1:0-1023", "2:0-1023"}},
        {true, {"0:0-1023,2:0-1023", "1:0-1023"}},
        {true, {"0-2:0-1023"}},
    };
    return comm_profile(names, COMM_HOSTS, CORES, layers, 3);
}
