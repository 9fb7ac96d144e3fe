/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/ranks/message_timer.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "machine/ranks/transport.h"
#include "machine/ranks/message_memory.h"

/* --- memory ----------------------------------------------------------------------------------- */

/* Messages begin on pages, as those of applications with large arrays do. */
static const size_t ALIGNMENT = 4096;

/* How fast a message is depends on which pages it got, more than on anything else that a program
 * has in its hand; of larger ones all sorts of pages are part, and fresh ones would take longer
 * than the messages. */
static const size_t FRESH_BYTES = (size_t)4 << 20;

static void release(srv_message_pool *pool)
{
    if (pool->base)
        srv_message_memory_release(pool->base, pool->bytes);
    *pool = (srv_message_pool){0};
}

static int grow(srv_message_pool *pool, size_t bytes, servet_error *error)
{
    if (bytes <= pool->bytes)
        return SERVET_OK;
    release(pool);
    void *base = srv_message_memory_take(bytes);
    if (!base)
        return srv_fail(error, SERVET_EMEMORY, "cannot allocate %zu bytes for messages", bytes);
    *pool = (srv_message_pool){.base = base, .bytes = bytes};
    return SERVET_OK;
}

/* Other memory for each exchange. The old one goes afterwards, or its pages would come again. */
static int renew(srv_message_pool *pool, size_t bytes, servet_error *error)
{
    srv_message_pool fresh = {0};
    int code = grow(&fresh, bytes, error);
    if (code != SERVET_OK)
        return code;
    release(pool);
    *pool = fresh;
    return SERVET_OK;
}

/* Messages of a batch lie side by side, each in lines of its own. */
static const size_t LINE = 64;

static size_t message_step(const srv_exchange_part *part)
{
    return part->batch > 1 ? ((size_t)part->bytes + LINE - 1) / LINE * LINE : (size_t)part->bytes;
}

static size_t batch_bytes(const srv_exchange_part *part)
{
    return (size_t)part->batch * (size_t)part->blocks * message_step(part);
}

/* With rotation, a message uses memory again only when no cache can hold it any more. For fewer
 * messages, more memory would only cost the time to touch it: seconds with caches of hundreds of
 * MiB. */
static size_t pool_bytes(const srv_message_timer *timer, const srv_exchange_part *part, size_t step)
{
    size_t most = timer->rotated_bytes / step, places;
    /* messages in a row that can differ in where they lie */
    places = (size_t)fmax(1, fmax(part->warm_up, (double)part->samples * part->messages));
    if (part->buffers != SRV_BUFFERS_ROTATED || most < 1)
        return step;
    return step * (places < most ? places : most);
}

int srv_message_timer_prepare(srv_message_timer *timer, const srv_exchange_part *part,
                              servet_error *error)
{
    size_t bytes = part->bytes ? batch_bytes(part) : 1;
    size_t step = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t all = pool_bytes(timer, part, step);
    srv_message_pool *pools[] = {&timer->out, &timer->in};
    int used = srv_flow_returns(part->flow) ? 1 : 2, code = SERVET_OK;
    for (int i = 0; i < used && code == SERVET_OK; i++) {
        bool is_fresh = part->samples == 0 && all <= FRESH_BYTES;
        code = is_fresh ? renew(pools[i], all, error) : grow(pools[i], all, error);
        pools[i]->step = step;
        pools[i]->end = all;
        pools[i]->at = 0;
    }
    return code;
}

void srv_message_timer_finish(srv_message_timer *timer)
{
    release(&timer->out);
    release(&timer->in);
}

/* The memory of the next message, or batch. */
static char *take(srv_message_pool *pool)
{
    char *message = pool->base + pool->at;
    pool->at += pool->step;
    if (pool->at >= pool->end)
        pool->at = 0;
    return message;
}

/* --- messages --------------------------------------------------------------------------------- */

/* The sum of all words, so that the compiler cannot omit the reads, as fast as a copy reads them.
 */
static unsigned read_message(const char *message, size_t bytes)
{
    uint64_t sum = 0, word;
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, message + i, sizeof word);
        sum += word;
    }
    for (; i < bytes; i++)
        sum += (unsigned char)message[i];
    return (unsigned)(sum ^ sum >> 32);
}

static void write_touched(const srv_exchange_part *part, char *message)
{
    if (part->buffers == SRV_BUFFERS_TOUCHED)
        memset(message, 2, batch_bytes(part));
}

static void read_touched(srv_message_timer *timer, const srv_exchange_part *part,
                         const char *message)
{
    if (part->buffers == SRV_BUFFERS_TOUCHED)
        timer->read += read_message(message, batch_bytes(part));
}

static void send_batch(const srv_message_timer *timer, const srv_exchange_part *part,
                       const char *batch, int to)
{
    if (part->flow == SRV_FLOW_AT_ONCE) {
        srv_transport_send_all(&timer->transport, batch, message_step(part), part->bytes,
                               part->batch, to, SRV_TAG_MESSAGE);
        return;
    }
    for (int i = 0; i < part->batch; i++)
        srv_transport_send(&timer->transport, batch + (size_t)i * message_step(part), part->bytes,
                           to, SRV_TAG_MESSAGE);
}

static void receive_batch(const srv_message_timer *timer, const srv_exchange_part *part,
                          char *batch, int from)
{
    if (part->flow == SRV_FLOW_AT_ONCE) {
        srv_transport_receive_all(&timer->transport, batch, message_step(part), part->bytes,
                                  part->batch, from, SRV_TAG_MESSAGE);
        return;
    }
    for (int i = 0; i < part->batch; i++)
        srv_transport_receive(&timer->transport, batch + (size_t)i * message_step(part),
                              part->bytes, from, SRV_TAG_MESSAGE);
}

/* Sends received messages back from the same memory. */
static void ping(srv_message_timer *timer, const srv_exchange_part *part, int messages)
{
    for (int i = 0; i < messages; i++) {
        char *message = take(&timer->out);
        write_touched(part, message);
        send_batch(timer, part, message, part->to);
        receive_batch(timer, part, message, part->to);
        read_touched(timer, part, message);
    }
}

static void pong(srv_message_timer *timer, const srv_exchange_part *part, int messages)
{
    for (int i = 0; i < messages; i++) {
        char *message = take(&timer->out);
        receive_batch(timer, part, message, part->from);
        read_touched(timer, part, message);
        write_touched(part, message);
        send_batch(timer, part, message, part->from);
    }
}

static int peer(int rank)
{
    return rank == SRV_NO_RANK ? MPI_PROC_NULL : rank;
}

static void pass_on(srv_message_timer *timer, const srv_exchange_part *part, int messages)
{
    int to = peer(part->to), from = peer(part->from);
    for (int i = 0; i < messages; i++) {
        char *out = take(&timer->out), *in = take(&timer->in);
        write_touched(part, out);
        srv_transport_exchange(&timer->transport, out, to, in, from, part->bytes, SRV_TAG_MESSAGE);
        read_touched(timer, part, in);
    }
}

/* A message is sent when it is stored somewhere on the way; here it must have come. */
static void acknowledge(srv_message_timer *timer, const srv_exchange_part *part)
{
    srv_transport_exchange(&timer->transport, NULL, peer(part->from), NULL, peer(part->to), 0,
                           SRV_TAG_MESSAGE);
}

static void go(srv_message_timer *timer, const srv_exchange_part *part, int messages)
{
    if (part->flow == SRV_FLOW_ONE_WAY)
        pass_on(timer, part, messages);
    else if (part->to != SRV_NO_RANK)
        ping(timer, part, messages);
    else
        pong(timer, part, messages);
}

static void operate(srv_message_timer *timer, const srv_exchange_part *part, MPI_Comm group)
{
    char *out = take(&timer->out), *in = take(&timer->in);
    write_touched(part, out);
    srv_collective_run(&timer->transport, group, srv_flow_op(part->flow), out, in, part->bytes);
    read_touched(timer, part, in);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Seconds of a message of `messages` that came between two readings of the clock. */
static double per_message(const srv_message_timer *timer, const srv_exchange_part *part,
                          uint64_t ticks, int messages)
{
    double ns = (double)ticks * timer->clock->ns_per_tick - timer->clock->overhead_ns;
    int ways = srv_flow_returns(part->flow) ? 2 : 1;
    return 1e-9 * fmax(ns, timer->clock->resolution_ns) / ways / messages;
}

/* Seconds of an operation from the moment when all are ready: of `count` of them the mean. */
static double time_operations(srv_message_timer *timer, const srv_exchange_part *part,
                              MPI_Comm group, int count)
{
    uint64_t ticks = 0;
    for (int i = 0; i < count; i++) {
        srv_collective_run(&timer->transport, group, SERVET_COLLECTIVE_BARRIER, NULL, NULL, 0);
        uint64_t before = timer->clock->ticks();
        operate(timer, part, group);
        ticks += timer->clock->ticks() - before;
    }
    double ns = (double)ticks * timer->clock->ns_per_tick / count - timer->clock->overhead_ns;
    return 1e-9 * fmax(ns, timer->clock->resolution_ns);
}

/* Libraries prepare a communicator when it is first used, so the first operation is not timed. */
static double sample_operations(srv_message_timer *timer, const srv_exchange_part *part,
                                int samples, int messages, double *seconds)
{
    double sum = 0;
    MPI_Comm group = srv_collective_join(&timer->transport, timer->member, part->members);
    operate(timer, part, group);
    for (int i = 0; i < samples; i++) {
        seconds[i] = time_operations(timer, part, group, messages);
        sum += seconds[i];
    }
    MPI_Comm_free(&group);
    return sum / samples;
}

double srv_message_timer_warm_up(srv_message_timer *timer, const srv_exchange_part *part)
{
    double seconds[SRV_WARM_UP_MAX];
    if (srv_flow_is_collective(part->flow)) {
        (void)sample_operations(timer, part, part->warm_up, 1, seconds);
        return srv_spread_of(seconds, (size_t)part->warm_up).median;
    }
    for (int i = 0; i < part->warm_up; i++) {
        uint64_t began = timer->clock->ticks();
        go(timer, part, 1);
        if (part->flow == SRV_FLOW_ONE_WAY)
            acknowledge(timer, part);
        seconds[i] = per_message(timer, part, timer->clock->ticks() - began, 1);
    }
    return srv_spread_of(seconds, (size_t)part->warm_up).median;
}

static void send_start(const srv_message_timer *timer, int to)
{
    srv_transport_send(&timer->transport, NULL, 0, peer(to), SRV_TAG_START);
}

static void await_start(const srv_message_timer *timer, int from)
{
    srv_transport_receive(&timer->transport, NULL, 0, peer(from), SRV_TAG_START);
}

/* A barrier of those who take part: all are there before the news goes down the tree. */
static void start_together(const srv_message_timer *timer, const srv_exchange_part *part)
{
    for (int i = 0; i < 2; i++)
        await_start(timer, part->child[i]);
    send_start(timer, part->parent);
    await_start(timer, part->parent);
    for (int i = 0; i < 2; i++)
        send_start(timer, part->child[i]);
}

/* --- two streams ------------------------------------------------------------------------------ */

/* A rank of a ring that received before it sent on would go at the pace of the slowest of all.
 * Therefore sending and receiving are separate streams, each message after the one before. With
 * messages that the library may buffer, the receiver does not hold back a sender; there it is at
 * most BUFFERED_AHEAD bytes ahead of what it receives. */
static const int BUFFERED_MAX = 1 << 20, AHEAD_BYTES = 16 << 20;

enum { OUT, IN, STREAMS };

typedef struct streams {
    srv_message_timer *timer;
    const srv_exchange_part *part;
    int all, begun, done[STREAMS]; /* messages; begun: to send */
    char *into;                    /* the next message */
    MPI_Request request[STREAMS];
} streams;

static void begin_send(streams *on)
{
    const srv_exchange_part *part = on->part;
    int ahead = part->bytes > BUFFERED_MAX ? INT_MAX : AHEAD_BYTES / (part->bytes + 1) + 1;
    bool waits = part->from != SRV_NO_RANK && on->begun - on->done[IN] >= ahead;
    if (on->request[OUT] != MPI_REQUEST_NULL || on->begun == on->all || waits)
        return;
    char *message = take(&on->timer->out);
    write_touched(part, message);
    MPI_Isend(message, part->bytes, MPI_BYTE, part->to, SRV_TAG_MESSAGE, on->timer->transport.comm,
              &on->request[OUT]);
    on->begun++;
}

static void begin_receive(streams *on)
{
    if (on->done[IN] == on->all)
        return;
    on->into = take(&on->timer->in);
    MPI_Irecv(on->into, on->part->bytes, MPI_BYTE, on->part->from, SRV_TAG_MESSAGE,
              on->timer->transport.comm, &on->request[IN]);
}

static streams begin_streams(srv_message_timer *timer, const srv_exchange_part *part)
{
    streams on = {.timer = timer, .part = part, .all = part->samples * part->messages};
    on.request[OUT] = on.request[IN] = MPI_REQUEST_NULL;
    if (part->to == SRV_NO_RANK)
        on.begun = on.done[OUT] = on.all;
    if (part->from == SRV_NO_RANK)
        on.done[IN] = on.all;
    begin_send(&on);
    begin_receive(&on);
    return on;
}

/* Continues until one more message is sent or received; returns which. */
static int advance(streams *on)
{
    int which = srv_transport_await_any(&on->timer->transport, on->request, STREAMS);
    on->done[which]++;
    if (which == IN) {
        read_touched(on->timer, on->part, on->into);
        begin_receive(on);
    }
    begin_send(on);
    return which;
}

/* Samples are taken of received messages, or of sent ones if nothing is received. */
static double sample_streams(srv_message_timer *timer, const srv_exchange_part *part,
                             double *samples)
{
    int timed = part->from == SRV_NO_RANK ? OUT : IN, taken = 0;
    double sum = 0;
    uint64_t before = timer->clock->ticks();
    streams on = begin_streams(timer, part);
    while (on.done[OUT] < on.all || on.done[IN] < on.all) {
        if (advance(&on) != timed || on.done[timed] % part->messages != 0)
            continue;
        uint64_t now = timer->clock->ticks();
        samples[taken] = per_message(timer, part, now - before, part->messages);
        sum += samples[taken++];
        before = now;
    }
    return sum / part->samples;
}

double srv_message_timer_sample(srv_message_timer *timer, const srv_exchange_part *part,
                                double *samples)
{
    double sum = 0;
    start_together(timer, part);
    if (srv_flow_is_collective(part->flow))
        return sample_operations(timer, part, part->samples, part->messages, samples);
    /* two ranks that send to each other wait for each other, like programs that do so */
    if (part->flow == SRV_FLOW_ONE_WAY && part->to != part->from)
        return sample_streams(timer, part, samples);
    uint64_t before = timer->clock->ticks();
    for (int i = 0; i < part->samples; i++) {
        go(timer, part, part->messages);
        uint64_t now = timer->clock->ticks();
        samples[i] = per_message(timer, part, now - before, part->messages);
        sum += samples[i];
        before = now;
    }
    return sum / part->samples;
}
