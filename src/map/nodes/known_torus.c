/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/nodes/known_torus.h"

int srv_layers_between(const servet_profile *profile, servet_network_layer *layer, int *number)
{
    servet_network_layer each;
    int layers = 0, found = 0;
    (void)servet_network_layer_count(profile, &layers);
    for (int i = 1; i <= layers; i++)
        if (servet_network_layer_get(profile, i, &each) == SERVET_OK && each.between_nodes) {
            *layer = each;
            *number = i;
            found++;
        }
    return found;
}

void srv_torus_get(const servet_profile *profile, srv_known_torus *known)
{
    servet_network network = {.nodes = 0};
    servet_network_layer layer;
    servet_dimension dimension;
    srv_known_torus found = {.torus = {.count = 0}};
    srv_torus *torus = &found.torus;
    int nodes = 1;
    *known = (srv_known_torus){.torus = {.count = 0}};
    (void)servet_network_get(profile, &network);
    while (torus->count < SRV_TORUS_DIMENSIONS_MAX &&
           SERVET_ITEM(profile, "network.torus", &dimension, torus->count + 1) == SERVET_OK &&
           servet_value_known(&dimension.step)) {
        if (dimension.nodes > network.nodes / nodes)
            return;
        nodes *= dimension.nodes;
        torus->extent[torus->count++] = dimension.nodes;
        found.step = dimension.step.value;
    }
    if (torus->count == 0 || nodes != network.nodes ||
        srv_layers_between(profile, &layer, &found.layer) != 1)
        return;
    found.usual = srv_torus_hops(torus, layer.from.node, layer.to.node);
    *known = found;
}
