/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample/messaging.h"

#include <math.h>

/* Longest time for warming up on slow links, which have no window to open. */
static const double WARM_UP_SECONDS = 0.1;

/* Messages go up to this size. On links that take longer than a second for it, larger ones than
 * those of a second show nothing new, and a curve up to them takes half a minute for each second.
 */
static const double LARGEST = 32 << 20, LARGEST_SLOW = 64 << 10, LONG_SECONDS = 1;

/* Samples at least. */
enum { SAMPLES = 3, SAMPLES_ONE_WAY = 5 };

static double warm_bytes(const srv_messaging *on)
{
    double worth = on->byte_seconds > 0 ? WARM_UP_SECONDS / on->byte_seconds : INFINITY;
    return fmin(SRV_WARM_UP_BYTES, ceil(worth));
}

double srv_messaging_largest(double byte_seconds, double wanted)
{
    double worth = byte_seconds > 0 ? LONG_SECONDS / byte_seconds : INFINITY;
    if (worth >= LARGEST)
        return LARGEST;
    return fmin(LARGEST, fmax(wanted, fmax(LARGEST_SLOW, exp2(floor(log2(worth))))));
}

double srv_messaging_foresee(const srv_messaging *on, const srv_exchange *exchange)
{
    bool returns = srv_flow_returns(exchange->flow);
    double bytes = srv_batch_of(exchange) * exchange->bytes;
    double way = (returns ? 2 : 1) * on->byte_seconds;
    return fmax(warm_bytes(on), bytes) * way +
           fmax(exchange->seconds, (returns ? SAMPLES : SAMPLES_ONE_WAY) * bytes * way);
}

int srv_messaging_probe(const srv_messaging *on, const srv_exchange *exchange, double done,
                        srv_spread *times, double *cost, servet_error *error)
{
    srv_network *network = on->sampler.network;
    double before = srv_sampler_now(&on->sampler);
    int code = srv_sampler_tell(&on->sampler, "", done, error);
    if (code != SERVET_OK)
        return code;
    srv_exchange request = *exchange;
    request.warm_bytes = warm_bytes(on);
    if (on->buffers)
        request.buffers = *on->buffers;
    code = network->ops->exchange(network, &request, times, error);
    if (cost)
        *cost = srv_sampler_now(&on->sampler) - before;
    return code;
}
