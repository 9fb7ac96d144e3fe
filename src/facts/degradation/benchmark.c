/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/degradation/benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sample/visit.h"

/* Large messages take the least number of samples. */
enum { MESSAGES_MIN = 4 }; /* one to warm up */

static int list_pairs(const srv_ring_shift *shift, srv_rank_pair *pairs)
{
    int count = 0;
    for (int node = 0; node < shift->nodes; node++) {
        const int *from = shift->ranks + node * shift->stride;
        const int *to = shift->ranks + (node + shift->distance) % shift->nodes * shift->stride;
        for (int j = 0; j < shift->processes; j++)
            pairs[count++] = (srv_rank_pair){from[j], to[j]};
    }
    return count;
}

/* Seconds of a message of a node. Its processes share its links, but not evenly while a stream of
 * one overtakes those of others: what counts is what all together get. */
static double node_seconds(const srv_spread *times, int processes)
{
    double rate = 0;
    for (int i = 0; i < processes; i++)
        rate += 1 / times[i].median;
    return processes / rate;
}

static srv_interval bandwidth_of(const srv_ring_shift *shift, const srv_spread *times,
                                 double *nodes)
{
    size_t count = 0;
    for (int i = 0; i < shift->nodes; i++)
        if (!shift->apart || !shift->apart[i])
            nodes[count++] = node_seconds(times + i * shift->processes, shift->processes);
    srv_interval seconds = srv_mean_of(nodes, count);
    double bytes = shift->bytes;
    return (srv_interval){bytes / seconds.value, bytes / seconds.high, bytes / seconds.low};
}

int srv_bench_ring_shift(const srv_messaging *on, const srv_ring_shift *shift, double done,
                         srv_interval *bandwidth, double *cost, servet_error *error)
{
    size_t count = (size_t)shift->nodes * (size_t)shift->processes;
    srv_rank_pair *pairs = calloc(count, sizeof *pairs);
    srv_spread *times = calloc(count, sizeof *times);
    double *nodes = calloc((size_t)shift->nodes, sizeof *nodes);
    int code = pairs && times && nodes ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        srv_exchange exchange = {.pairs = pairs,
                                 .count = list_pairs(shift, pairs),
                                 .bytes = shift->bytes,
                                 .flow = SRV_FLOW_ONE_WAY,
                                 .buffers = SRV_BUFFERS_ROTATED,
                                 .seconds = SRV_SHIFT_SECONDS};
        code = srv_messaging_probe(on, &exchange, done, times, cost, error);
        if (code == SERVET_OK)
            *bandwidth = bandwidth_of(shift, times, nodes);
    }
    free(pairs);
    free(times);
    free(nodes);
    return code;
}

double srv_ring_shift_seconds(const srv_ring_shift *shift, double byte_seconds)
{
    return fmax(SRV_SHIFT_SECONDS, MESSAGES_MIN * shift->bytes * byte_seconds);
}

/* Every number is measured up to here, then each larger by this; the rest is interpolated. */
enum { EACH_UP_TO = 32 };
static const double STEP = 1.19;

int srv_network_next_number(int number, int last)
{
    int next = number < EACH_UP_TO ? number + 1 : (int)ceil(number * STEP);
    return number < last && next > last ? last : next;
}
