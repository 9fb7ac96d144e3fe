/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/sizes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/error.h"

/* Time on samples of a size: some thousand of small messages. */
static const double VISIT_SECONDS = 10e-3;

/* The next size, half as large again, may take longer by so much. */
static const double GROWTH = 1.6;

/* A size is asked again where its quartiles are further apart than this, relative to the median, or
 * where a larger one was faster by this factor. */
static const double LOOSE = 0.2, SLOWER = 1.1;
enum { RETRIES = 3, RETRY_MESSAGES = 8 };

static int ask(const srv_sizes_plan *plan, double bytes, double done, srv_spread *time,
               double *cost, servet_error *error)
{
    srv_passage passage = {.pairs = &plan->pair,
                           .count = 1,
                           .bytes = bytes,
                           .flow = SRV_FLOW_PING_PONG,
                           .buffers = SRV_BUFFERS_WARM,
                           .seconds = VISIT_SECONDS};
    return srv_messaging_ask(&plan->messaging, &passage, done, time, cost, error);
}

/* 1, 2, 3, 4, 6, 8, 12, ..; the last one is the largest. */
static double next_size(double bytes, double largest)
{
    double power = exp2(floor(log2(bytes)));
    double next = bytes < 2 ? 2 : bytes == power ? 1.5 * power : 2 * power;
    return bytes < largest ? fmin(next, largest) : INFINITY;
}

/* Whether a size scatters, or is slower than a larger one that was asked. */
static bool is_disturbed(const srv_sizes *sizes, int at)
{
    const srv_spread *own = &sizes->time[at];
    if (own->high - own->low > LOOSE * own->median)
        return true;
    for (int i = at + 1; i < sizes->count; i++)
        if (SLOWER * sizes->time[i].median < own->median)
            return true;
    return false;
}

/* Asks a size again; disturbances only slow down, so the faster answer counts. */
static int ask_again(const srv_sizes_plan *plan, srv_sizes *sizes, int at, servet_error *error)
{
    srv_spread time;
    int code = ask(plan, sizes->bytes[at], 1, &time, NULL, error);
    if (code == SERVET_OK && time.median < sizes->time[at].median)
        sizes->time[at] = time;
    return code;
}

static int settle(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error)
{
    int code = SERVET_OK;
    for (int retry = 0; retry < RETRIES; retry++)
        for (int i = sizes->count - 1; i >= 0 && code == SERVET_OK; i--) {
            double again = 2 * sizes->time[i].median * RETRY_MESSAGES;
            if (is_disturbed(sizes, i) && again < srv_messaging_left(&plan->messaging))
                code = ask_again(plan, sizes, i, error);
        }
    return code;
}

int srv_bench_sizes(const srv_sizes_plan *plan, srv_sizes *sizes, servet_error *error)
{
    double cost = 0, largest = floor(plan->largest);
    int code = SERVET_OK;
    sizes->count = 0;
    for (double bytes = 1; bytes <= largest && sizes->count < SRV_SIZES_MAX && code == SERVET_OK;
         bytes = next_size(bytes, largest)) {
        if (GROWTH * cost > srv_messaging_left(&plan->messaging))
            break;
        sizes->bytes[sizes->count] = bytes;
        code = ask(plan, bytes, log(bytes) / log(largest + 1), &sizes->time[sizes->count], &cost,
                   error);
        sizes->count += code == SERVET_OK;
    }
    return code == SERVET_OK ? settle(plan, sizes, error) : code;
}

int srv_bench_sizes_add(const srv_sizes_plan *plan, double bytes, srv_sizes *sizes, int *place,
                        servet_error *error)
{
    int at = 0;
    *place = -1;
    while (at < sizes->count && sizes->bytes[at] < bytes)
        at++;
    bool is_there = at < sizes->count && sizes->bytes[at] == bytes;
    if (is_there || sizes->count == SRV_SIZES_MAX || srv_messaging_left(&plan->messaging) <= 0)
        return SERVET_OK;
    srv_spread time;
    int code = ask(plan, bytes, 1, &time, NULL, error);
    if (code != SERVET_OK)
        return code;
    size_t behind = (size_t)(sizes->count++ - at);
    memmove(sizes->bytes + at + 1, sizes->bytes + at, behind * sizeof *sizes->bytes);
    memmove(sizes->time + at + 1, sizes->time + at, behind * sizeof *sizes->time);
    sizes->bytes[at] = bytes;
    sizes->time[at] = time;
    *place = at;
    return is_disturbed(sizes, at) ? ask_again(plan, sizes, at, error) : SERVET_OK;
}
