/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/messaging.h"

#include "core/error.h"

int srv_messaging_ask(const srv_messaging *on, const srv_exchange *exchange, double done,
                      srv_spread *times, double *cost, servet_error *error)
{
    double before = on->network->ops->elapsed(on->network);
    if (on->progress && on->progress(on->context, done))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    srv_exchange request = *exchange;
    if (on->buffers)
        request.buffers = *on->buffers;
    int code = on->network->ops->exchange(on->network, &request, times, error);
    if (cost)
        *cost = on->network->ops->elapsed(on->network) - before;
    return code;
}

double srv_messaging_left(const srv_messaging *on)
{
    return on->deadline - on->network->ops->elapsed(on->network);
}
