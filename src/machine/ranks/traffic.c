/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/error.h"

/* --- memory -------------------------------------------------------------------------------------
 */

/* Messages begin on pages, as those of applications with large arrays do. */
static const size_t ALIGNMENT = 4096;

static size_t round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* How fast a message is depends on which pages it got, more than on anything else that a program has in its
 * hand; of larger ones all sorts of pages are part, and fresh ones would take longer than the messages. */
static const size_t FRESH_BYTES = (size_t)4 << 20;

static void release(srv_pool *pool)
{
    if (pool->base)
        munmap(pool->base, pool->bytes);
    *pool = (srv_pool){0};
}

static int grow(srv_pool *pool, size_t bytes, servet_error *error)
{
    if (bytes <= pool->bytes)
        return SERVET_OK;
    release(pool);
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return srv_fail(error, SERVET_EMEMORY, "no %zu bytes for messages", bytes);
    memset(base, 1, bytes);
    *pool = (srv_pool){.base = base, .bytes = bytes};
    return SERVET_OK;
}

/* Other memory for each passage. The old one goes afterwards, or its pages would come again. */
static int renew(srv_pool *pool, size_t bytes, servet_error *error)
{
    srv_pool fresh = {0};
    int code = grow(&fresh, bytes, error);
    if (code != SERVET_OK)
        return code;
    release(pool);
    *pool = fresh;
    return SERVET_OK;
}

/* Messages in a row that can differ in where they lie. */
static size_t messages_of(const srv_part *part)
{
    double messages = fmax(part->warm_up, (double)part->samples * part->messages);
    return (size_t)fmax(1, messages);
}

/* Rotated, no message lies where one before it did, until no cache can hold that any more. Where
 * fewer messages go, more memory would only cost the time to touch it: seconds with caches of
 * hundreds of MiB. */
static size_t pool_bytes(const srv_traffic *traffic, const srv_part *part, size_t step)
{
    size_t most = traffic->rotated_bytes / step, places = messages_of(part);
    if (part->buffers != SRV_BUFFERS_ROTATED || most < 1)
        return step;
    return step * (places < most ? places : most);
}

int srv_traffic_prepare(srv_traffic *traffic, const srv_part *part, servet_error *error)
{
    size_t step = round_up(part->bytes ? (size_t)part->bytes : 1);
    size_t all = pool_bytes(traffic, part, step);
    srv_pool *pools[] = {&traffic->out, &traffic->in};
    int used = part->flow == SRV_FLOW_PING_PONG ? 1 : 2, code = SERVET_OK;
    for (int i = 0; i < used && code == SERVET_OK; i++) {
        bool is_fresh = part->samples == 0 && all <= FRESH_BYTES;
        code = is_fresh ? renew(pools[i], all, error) : grow(pools[i], all, error);
        pools[i]->step = step;
        pools[i]->end = all;
        pools[i]->at = 0;
    }
    return code;
}

void srv_traffic_finish(srv_traffic *traffic)
{
    release(&traffic->out);
    release(&traffic->in);
}

/* Where the next message lies. */
static char *take(srv_pool *pool)
{
    char *message = pool->base + pool->at;
    pool->at += pool->step;
    if (pool->at >= pool->end)
        pool->at = 0;
    return message;
}

/* --- messages -----------------------------------------------------------------------------------
 */

/* The sum of what has come, so that nobody can leave reading out. */
static unsigned read_message(const char *message, int bytes)
{
    unsigned sum = 0;
    for (int i = 0; i < bytes; i++)
        sum += (unsigned char)message[i];
    return sum;
}

static void write_touched(const srv_part *part, char *message)
{
    if (part->buffers == SRV_BUFFERS_TOUCHED)
        memset(message, 2, (size_t)part->bytes);
}

static void read_touched(srv_traffic *traffic, const srv_part *part, const char *message)
{
    if (part->buffers == SRV_BUFFERS_TOUCHED)
        traffic->read += read_message(message, part->bytes);
}

/* What is received goes back from where it lies. */
static void ping(srv_traffic *traffic, const srv_part *part, int messages)
{
    for (int i = 0; i < messages; i++) {
        char *message = take(&traffic->out);
        write_touched(part, message);
        srv_talk_send(&traffic->talk, message, part->bytes, part->to, SRV_TAG_MESSAGE);
        srv_talk_receive(&traffic->talk, message, part->bytes, part->to, SRV_TAG_MESSAGE);
        read_touched(traffic, part, message);
    }
}

static void pong(srv_traffic *traffic, const srv_part *part, int messages)
{
    for (int i = 0; i < messages; i++) {
        char *message = take(&traffic->out);
        srv_talk_receive(&traffic->talk, message, part->bytes, part->from, SRV_TAG_MESSAGE);
        read_touched(traffic, part, message);
        write_touched(part, message);
        srv_talk_send(&traffic->talk, message, part->bytes, part->from, SRV_TAG_MESSAGE);
    }
}

static int peer(int rank)
{
    return rank == SRV_NO_RANK ? MPI_PROC_NULL : rank;
}

static void pass_on(srv_traffic *traffic, const srv_part *part, int messages)
{
    int to = peer(part->to), from = peer(part->from);
    for (int i = 0; i < messages; i++) {
        char *out = take(&traffic->out), *in = take(&traffic->in);
        write_touched(part, out);
        srv_talk_exchange(&traffic->talk, out, to, in, from, part->bytes, SRV_TAG_MESSAGE);
        read_touched(traffic, part, in);
    }
}

/* A message is sent when it is stored somewhere on the way; here it must have come. */
static void acknowledge(srv_traffic *traffic, const srv_part *part)
{
    srv_talk_exchange(&traffic->talk, NULL, peer(part->from), NULL, peer(part->to), 0,
                      SRV_TAG_MESSAGE);
}

static void go(srv_traffic *traffic, const srv_part *part, int messages)
{
    if (part->flow == SRV_FLOW_ONE_WAY)
        pass_on(traffic, part, messages);
    else if (part->to != SRV_NO_RANK)
        ping(traffic, part, messages);
    else
        pong(traffic, part, messages);
}

/* --- timing -------------------------------------------------------------------------------------
 */

/* Seconds of a message of `messages` that came between two readings of the clock. */
static double per_message(const srv_traffic *traffic, const srv_part *part, uint64_t ticks,
                          int messages)
{
    double ns = (double)ticks * traffic->clock->ns_per_tick - traffic->clock->overhead_ns;
    int ways = part->flow == SRV_FLOW_PING_PONG ? 2 : 1;
    return 1e-9 * fmax(ns, traffic->clock->resolution_ns) / ways / messages;
}

double srv_traffic_warm_up(srv_traffic *traffic, const srv_part *part)
{
    double seconds[SRV_WARM_UP_MAX];
    for (int i = 0; i < part->warm_up; i++) {
        uint64_t began = traffic->clock->ticks();
        go(traffic, part, 1);
        if (part->flow == SRV_FLOW_ONE_WAY)
            acknowledge(traffic, part);
        seconds[i] = per_message(traffic, part, traffic->clock->ticks() - began, 1);
    }
    return srv_spread_of(seconds, (size_t)part->warm_up).median;
}

static void send_start(const srv_traffic *traffic, int to)
{
    srv_talk_send(&traffic->talk, NULL, 0, peer(to), SRV_TAG_START);
}

static void await_start(const srv_traffic *traffic, int from)
{
    srv_talk_receive(&traffic->talk, NULL, 0, peer(from), SRV_TAG_START);
}

/* A barrier of those who take part: all are there before the news goes down the tree. */
static void start_together(const srv_traffic *traffic, const srv_part *part)
{
    for (int i = 0; i < 2; i++)
        await_start(traffic, part->child[i]);
    send_start(traffic, part->parent);
    await_start(traffic, part->parent);
    for (int i = 0; i < 2; i++)
        send_start(traffic, part->child[i]);
}

double srv_traffic_sample(srv_traffic *traffic, const srv_part *part, double *samples)
{
    double sum = 0;
    start_together(traffic, part);
    uint64_t before = traffic->clock->ticks();
    for (int i = 0; i < part->samples; i++) {
        go(traffic, part, part->messages);
        uint64_t now = traffic->clock->ticks();
        samples[i] = per_message(traffic, part, now - before, part->messages);
        sum += samples[i];
        before = now;
    }
    return sum / part->samples;
}
