/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/stream.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/company.h"
#include "machine/hardware/nodes.h"
#include "machine/hardware/stream_sets.h"

/* Bytes of each array in a sample, in several passes where the array is shorter: some 50 us at
 * today's rates, so that the clock and stores still in flight do not matter, and few samples meet
 * an interrupt. */
enum { SAMPLE_DOUBLES = (512 << 10) / sizeof(double) };

/* Each set of instructions is tried so often, and the one that is fastest in the median taken: the
 * widest is not always it (of copies that bypass the caches, 16 bytes at a time ran at 25 GB/s on a
 * Sapphire Rapids, and 64 at 20). All of them run for this long before: a core needs some 20 us
 * until its widest units have power. Then the chosen one runs until the core has the frequency that
 * it keeps. */
enum { TRIES = 9, SETS_MAX = 4 };
static const double WARM_NS = 2e6;

#define BYTES_OF(name, text, bytes, streaming) bytes,
static const int bytes_of[] = {SERVET_KERNEL_LIST(BYTES_OF)}; /* of an element of all arrays */
#undef BYTES_OF

enum { ARRAYS_MAX = 3 };

typedef struct streaming {
    srv_arena_pool *pool;
    const srv_clock *clock;
    double memory_bytes;
    const srv_stream *stream;
    srv_step_log *log;
    srv_arena *arena;          /* NULL: none yet */
    double *array[ARRAYS_MAX]; /* the stored one first; a kernel that only loads names it, too */
    size_t length;             /* of each in doubles, a multiple of `pass` */
    size_t pass, passes;       /* doubles of a pass, and passes of a sample */
    size_t at;                 /* where the next sample begins */
    srv_stream_loop *loop;     /* NULL: to be chosen */
} streaming;

/* --- arrays ----------------------------------------------------------------------------------- */

static int arrays_of(const srv_stream *stream)
{
    return bytes_of[stream->kernel] / (int)sizeof(double);
}

/* Lays out a stream from the end of the last one in this memory, where no line is in a cache. */
static void lay_out(streaming *on)
{
    int count = arrays_of(on->stream);
    double samples = floor(on->arena->reached * (double)(on->length / on->pass));
    for (int i = 0; i < ARRAYS_MAX; i++)
        on->array[i] = (double *)(void *)on->arena->base + on->length * (size_t)(i % count);
    on->at = (size_t)samples * on->pass % on->length;
}

/* Whole passes, into on->length; returns bytes of all arrays. */
static size_t size_up(streaming *on)
{
    size_t count = (size_t)arrays_of(on->stream);
    double length = on->stream->bytes / (double)(count * sizeof(double));
    double blocks = fmax(1, floor(length / SRV_STREAM_BLOCK));
    on->pass = (size_t)fmin(blocks * SRV_STREAM_BLOCK, SAMPLE_DOUBLES);
    on->passes = SAMPLE_DOUBLES / on->pass;
    on->length = (size_t)fmax(1, length / (double)on->pass) * on->pass;
    return count * on->length * sizeof(double);
}

static double sample_bytes(const streaming *on)
{
    return (double)(on->pass * on->passes) * bytes_of[on->stream->kernel];
}

static int prepare(void *self, servet_error *error)
{
    streaming *on = self;
    const srv_stream *stream = on->stream;
    size_t bytes = size_up(on);
    const srv_arena_request request = {.core = stream->core,
                                       .node = stream->node,
                                       .pages = stream->pages,
                                       .room = bytes,
                                       .most = on->memory_bytes};
    if ((double)bytes > on->memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%zu MiB are more than this job may use (%.0f MiB)",
                        bytes >> 20, on->memory_bytes / (1 << 20));
    int code = srv_arena_pool_take(on->pool, &request, &on->arena, error);
    if (code == SERVET_OK)
        code = srv_arena_grow(on->arena, bytes, error);
    if (code == SERVET_OK)
        code = srv_nodes_check(on->pool->topology, stream->node, on->arena->base, bytes, error);
    if (code == SERVET_OK)
        lay_out(on);
    return code;
}

/* The memory stays until all samples are compared. */
static void finish(void *self)
{
    (void)self;
}

static void give_memory(streaming *on)
{
    if (on->arena)
        on->arena->reached = (double)on->at / (double)on->length;
    srv_arena_pool_give(on->pool, &on->arena);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Runs the next sample; its time in ns. */
static double step(streaming *on, srv_stream_loop *loop)
{
    size_t at = on->at;
    on->at = (at + on->pass) % on->length;
    uint64_t start = on->clock->ticks();
    loop(on->array[0] + at, on->array[1] + at, on->array[2] + at, on->pass, on->passes);
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    return fmax(ns - on->clock->overhead_ns, on->clock->resolution_ns);
}

/* The loops that this processor has for a kernel; returns their number. */
static int loops_of(servet_kernel kernel, srv_stream_loop *loops[SETS_MAX])
{
    int count = 0;
    for (int i = 0; srv_stream_sets[i]; i++)
        if (srv_stream_sets[i]->loop[kernel] && srv_stream_sets[i]->usable())
            loops[count++] = srv_stream_sets[i]->loop[kernel];
    return count;
}

/* Tries them alternately, so that drift affects all alike. */
static srv_stream_loop *fastest(streaming *on)
{
    srv_stream_loop *loops[SETS_MAX], *best = NULL;
    double tries[SETS_MAX][TRIES], least = INFINITY;
    int count = loops_of(on->stream->kernel, loops);
    for (int k = 0; k < TRIES; k++)
        for (int i = 0; i < count; i++)
            tries[i][k] = step(on, loops[i]);
    for (int i = 0; i < count; i++) {
        double ns = srv_spread_of(tries[i], TRIES).median;
        if (ns < least) {
            least = ns;
            best = loops[i];
        }
    }
    return best;
}

static void warm_up(streaming *on, srv_stream_loop *const loops[], int count)
{
    for (double end = srv_clock_raw_ns() + WARM_NS; srv_clock_raw_ns() < end;)
        for (int i = 0; i < count; i++)
            step(on, loops[i]);
}

static void warm(void *self)
{
    streaming *on = self;
    srv_stream_loop *loops[SETS_MAX];
    if (!on->loop) {
        warm_up(on, loops, loops_of(on->stream->kernel, loops));
        on->loop = fastest(on);
    }
    warm_up(on, &on->loop, 1);
}

static void sample_step(void *self)
{
    streaming *on = self;
    srv_step_log_add(on->log, sample_bytes(on) / step(on, on->loop) * 1e9);
}

static void sample(void *self)
{
    streaming *on = self;
    srv_step_log_begin(on->log);
    while (!srv_step_log_suffices(on->log, on->stream->seconds))
        sample_step(on);
}

/* --- all at once ------------------------------------------------------------------------------ */

static const srv_thread_team_job job = {prepare, warm, sample, sample_step, finish};

static int check(const srv_stream *stream, servet_error *error)
{
    if ((unsigned)stream->kernel >= SERVET_KERNEL_COUNT || !(stream->bytes > 0))
        return srv_fail(error, SERVET_EARGUMENT, "this memory kernel is not supported");
    srv_stream_loop *loops[SETS_MAX];
    if (loops_of(stream->kernel, loops) > 0)
        return SERVET_OK;
    return srv_fail(error, SERVET_EUNSUPPORTED, "this processor has no stores for %s",
                    servet_kernel_name(stream->kernel));
}

/* A core alone chooses the loops of its kernel, also for those that run together later. */
static streaming member_of(const srv_streams *on, const srv_stream *stream, int count,
                           srv_step_log *log)
{
    return (streaming){.pool = on->pool,
                       .clock = on->clock,
                       .memory_bytes = on->memory_bytes / count,
                       .stream = stream,
                       .log = log,
                       .loop = count > 1 ? on->chosen[stream->kernel] : NULL};
}

static int read_rates(srv_company *company, srv_spread *rates, servet_error *error)
{
    double samples[SRV_COMPANY_STEPS];
    int code = srv_company_compare(company, error);
    for (int i = 0; i < company->count && code == SERVET_OK; i++)
        rates[i] = srv_spread_of(samples, srv_company_samples(company, i, samples));
    return code;
}

static int run(srv_streams *on, const srv_stream *streams, int count, srv_spread *rates,
               servet_error *error)
{
    srv_topology *topology = on->pool->topology;
    size_t room = (size_t)(count > 0 ? count : 1);
    srv_company company;
    streaming *all = calloc(room, sizeof *all);
    srv_thread_task *tasks = calloc(room, sizeof *tasks);
    int code = srv_company_init(&company, count, error);
    if (code == SERVET_OK && !(all && tasks))
        code = srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        all[i] = member_of(on, &streams[i], count, &company.log[i]);
        tasks[i] = (srv_thread_task){streams[i].core, &all[i]};
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(topology, on->clock, &job, tasks, count, error);
    if (code == SERVET_OK)
        code = read_rates(&company, rates, error);
    if (code == SERVET_OK)
        srv_company_note(&company, &topology->absences);
    if (code == SERVET_OK && count == 1)
        on->chosen[streams->kernel] = all->loop;
    for (int i = 0; all && i < count; i++)
        give_memory(&all[i]);
    srv_company_finish(&company);
    free(all);
    free(tasks);
    return code;
}

void srv_streams_init(srv_streams *on, srv_arena_pool *pool, const srv_clock *clock,
                      double memory_bytes)
{
    *on = (srv_streams){.pool = pool, .clock = clock, .memory_bytes = memory_bytes};
}

int srv_streams_run(srv_streams *on, const srv_stream *streams, int count, srv_spread *rates,
                    servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = check(&streams[i], error);
    if (code != SERVET_OK)
        return code;
    return run(on, streams, count, rates, error);
}
