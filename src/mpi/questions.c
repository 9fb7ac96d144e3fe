/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/questions.h"

srv_network_options mpi_questions_network(const mpi_questions *asked)
{
    srv_network_options options = SRV_NETWORK_OPTIONS_INIT;
    options.only = asked->network;
    options.layer_bytes = asked->layer_bytes;
    options.message_bytes = asked->message_bytes;
    options.nodes = asked->first_nodes;
    options.buffers = asked->buffers;
    return options;
}
