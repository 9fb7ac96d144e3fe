/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/scope.h"

srv_network_options mpi_scope_network(const mpi_scope *scope)
{
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    options.only = scope->network;
    options.layer_bytes = scope->layer_bytes;
    options.message_bytes = scope->message_bytes;
    options.nodes = scope->first_nodes;
    options.buffers = scope->buffers;
    return options;
}
