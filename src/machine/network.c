/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/network.h"

void srv_network_destroy(srv_network *network)
{
    if (network)
        network->ops->destroy(network);
}
