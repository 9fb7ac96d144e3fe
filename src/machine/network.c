/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/network.h"

#include <limits.h>

#include "core/error.h"
#include "core/names.h"

SRV_NAMES(srv_buffers_name, srv_buffers, SRV_BUFFERS_LIST)

int srv_group_size(const srv_rank_pair *pairs, int count, int first)
{
    int end = first + 1;
    while (end < count && pairs[end].from == pairs[first].from)
        end++;
    return end - first;
}

static int check_groups(const srv_exchange *exchange, servet_error *error)
{
    for (int i = 0; i < exchange->count; i += srv_group_size(exchange->pairs, exchange->count, i))
        if (exchange->pairs[i].from != exchange->pairs[i].to)
            return srv_fail(error, SERVET_EARGUMENT,
                            "a group of ranks begins with %d, not with its root %d",
                            exchange->pairs[i].to, exchange->pairs[i].from);
    if (fmod(exchange->bytes, sizeof(double)) != 0)
        return srv_fail(error, SERVET_EARGUMENT, "%g bytes are no whole number of doubles",
                        exchange->bytes);
    return SERVET_OK;
}

int srv_exchange_check(const srv_exchange *exchange, servet_error *error)
{
    if (exchange->count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "there must be at least one pair of ranks");
    if (exchange->batch < 0 ||
        exchange->batch > (srv_flow_returns(exchange->flow) ? SRV_BATCH_MAX : 1))
        return srv_fail(error, SERVET_EARGUMENT, "a batch of %d messages is out of range",
                        exchange->batch);
    if (!(exchange->bytes >= 0 && exchange->bytes <= INT_MAX / srv_batch_of(exchange)))
        return srv_fail(error, SERVET_EARGUMENT, "a message of %g bytes is out of range",
                        exchange->bytes);
    if (!(exchange->seconds >= 0))
        return srv_fail(error, SERVET_EARGUMENT, "a time of %g s for messages is out of range",
                        exchange->seconds);
    return srv_flow_is_collective(exchange->flow) ? check_groups(exchange, error) : SERVET_OK;
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
