/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/traffic/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/units.h"

int servet_traffic_create(servet_traffic **traffic, int processes, servet_error *error)
{
    if (processes < 1 || processes > SERVET_PROCESSES_MAX)
        return srv_fail(error, SERVET_EARGUMENT,
                        "the number of processes must be between 1 and %d, not %d",
                        SERVET_PROCESSES_MAX, processes);
    servet_traffic *made = calloc(1, sizeof *made);
    if (!made)
        return srv_fail_memory(error);
    made->processes = processes;
    *traffic = made;
    return SERVET_OK;
}

void servet_traffic_destroy(servet_traffic *traffic)
{
    if (!traffic)
        return;
    free(traffic->items);
    free(traffic);
}

static int append(servet_traffic *traffic, srv_dispatch item, servet_error *error)
{
    srv_dispatch *items = srv_grow(traffic->items, traffic->count, sizeof *items);
    if (!items)
        return srv_fail_memory(error);
    traffic->items = items;
    traffic->items[traffic->count++] = item;
    return SERVET_OK;
}

int servet_traffic_add(servet_traffic *traffic, int from, int to, double bytes, servet_error *error)
{
    int wrong = from < 0 || from >= traffic->processes ? from : to;
    if (wrong < 0 || wrong >= traffic->processes)
        return srv_fail(error, SERVET_ERANGE, "there is no rank %d, only 0 to %d", wrong,
                        traffic->processes - 1);
    if (!(bytes >= 0 && srv_is_bounded(bytes)))
        return srv_fail(error, SERVET_EARGUMENT, "a message of %g bytes is out of range", bytes);
    if (traffic->uniform)
        return srv_fail(error, SERVET_EARGUMENT,
                        "an all-to-all pattern accepts no further messages");
    if (from == to || bytes == 0)
        return SERVET_OK;
    return append(traffic, (srv_dispatch){from, to, bytes, traffic->phase}, error);
}

void servet_traffic_next_phase(servet_traffic *traffic)
{
    if (traffic->count > 0)
        traffic->phase = traffic->items[traffic->count - 1].phase + 1;
}

int servet_traffic_processes(const servet_traffic *traffic)
{
    return traffic->processes;
}

double servet_traffic_bytes(const servet_traffic *traffic)
{
    double n = traffic->processes, sum = traffic->uniform ? n * (n - 1) * traffic->each : 0;
    for (size_t i = 0; i < traffic->count; i++)
        sum += traffic->items[i].bytes;
    return sum;
}
