/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/network.h"

#include "core/error.h"

const char *srv_buffers_name(srv_buffers buffers)
{
#define TEXT(name, text) text,
    static const char *const names[] = {SRV_BUFFERS_LIST(TEXT)};
#undef TEXT
    return (unsigned)buffers < SRV_BUFFERS_COUNT ? names[buffers] : "?";
}

int srv_network_measure_nodes(srv_network *network, const srv_survey *survey, servet_error *errors,
                              servet_error *error)
{
    if (network->ops->measure_nodes)
        return network->ops->measure_nodes(network, survey, errors, error);
    return srv_fail(error, SERVET_EUNSUPPORTED,
                    "the nodes of a recorded network cannot be measured");
}

int srv_network_part(srv_network *network, const char *name, servet_error *error)
{
    return network->ops->part ? network->ops->part(network, name, error) : SERVET_OK;
}

void srv_network_destroy(srv_network *network)
{
    if (network)
        network->ops->destroy(network);
}
