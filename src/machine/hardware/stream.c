/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/stream.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/arena.h"
#include "machine/hardware/nodes.h"
#include "machine/hardware/stream_sets.h"

/* A sample goes through so much of each array: some 50 us at today's rates, so that neither the
 * clock nor the last stores on their way matter, and few samples meet an interrupt. */
enum { SAMPLE_DOUBLES = (512 << 10) / sizeof(double), SAMPLES_MIN = 9, SAMPLES_MAX = 1024 };

/* Each set of instructions is tried so often, and the one that is fastest in the median taken: the
 * widest is not always it (of copies that bypass the caches, 16 bytes at a time ran at 25 GB/s on a
 * Sapphire Rapids, and 64 at 20). Then it runs until the core has the frequency that it keeps. */
enum { TRIES = 9, SETS_MAX = 4 };
static const double WARM_NS = 2e6;

#define BYTES_OF(name, text, bytes, streaming) bytes,
static const int bytes_of[] = {SERVET_KERNEL_LIST(BYTES_OF)}; /* of an element of all arrays */
#undef BYTES_OF

enum { ARRAYS_MAX = 3 };

typedef struct streaming {
    srv_topology *topology;
    const srv_clock *clock;
    double memory_bytes;
    const srv_stream *stream;
    srv_spread *rate;
    srv_arena arena;
    double *array[ARRAYS_MAX]; /* the stored one first; a kernel that only loads names it, too */
    size_t length;             /* of each in doubles, a multiple of SAMPLE_DOUBLES */
    size_t at;                 /* where the next sample begins */
    srv_stream_loop *loop;     /* NULL: to be chosen */
} streaming;

/* --- arrays -------------------------------------------------------------------------------------
 */

static int arrays_of(const srv_stream *stream)
{
    return bytes_of[stream->kernel] / (int)sizeof(double);
}

static void lay_out(streaming *on)
{
    int count = arrays_of(on->stream);
    for (int i = 0; i < ARRAYS_MAX; i++)
        on->array[i] = (double *)on->arena.base + on->length * (size_t)(i % count);
    on->at = 0;
}

static int prepare(void *self, servet_error *error)
{
    streaming *on = self;
    const srv_stream *stream = on->stream;
    size_t count = (size_t)arrays_of(stream);
    size_t samples = (size_t)(stream->bytes / (double)(count * SAMPLE_DOUBLES * sizeof(double)));
    on->length = (samples > 0 ? samples : 1) * SAMPLE_DOUBLES;
    size_t bytes = count * on->length * sizeof(double);
    if ((double)bytes > on->memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%zu MiB are more than this job may use (%.0f MiB)",
                        bytes >> 20, on->memory_bytes / (1 << 20));
    int code = srv_arena_init(&on->arena, bytes, stream->pages, error);
    if (code == SERVET_OK)
        code = srv_nodes_place(on->topology, stream->node, on->arena.base, bytes, error);
    if (code == SERVET_OK)
        code = srv_arena_grow(&on->arena, bytes, error);
    if (code == SERVET_OK)
        lay_out(on);
    return code;
}

static void finish(void *self)
{
    srv_arena_finish(&((streaming *)self)->arena);
}

/* --- timing -------------------------------------------------------------------------------------
 */

/* Runs the next sample; its time in ns. */
static double step(streaming *on, srv_stream_loop *loop)
{
    size_t at = on->at;
    on->at = (at + SAMPLE_DOUBLES) % on->length;
    uint64_t start = on->clock->ticks();
    loop(on->array[0] + at, on->array[1] + at, on->array[2] + at, SAMPLE_DOUBLES);
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    return fmax(ns - on->clock->overhead_ns, on->clock->resolution_ns);
}

/* The loops that this processor has for a kernel; returns how many. */
static int loops_of(servet_kernel kernel, srv_stream_loop *loops[SETS_MAX])
{
    int count = 0;
    for (int i = 0; srv_stream_sets[i]; i++)
        if (srv_stream_sets[i]->loop[kernel] && srv_stream_sets[i]->usable())
            loops[count++] = srv_stream_sets[i]->loop[kernel];
    return count;
}

/* Tries them in turn, so that what changes meanwhile changes for all. */
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

static void warm(void *self)
{
    streaming *on = self;
    if (!on->loop)
        on->loop = fastest(on);
    for (double end = srv_clock_raw_ns() + WARM_NS; srv_clock_raw_ns() < end;)
        step(on, on->loop);
}

static void sample(void *self)
{
    streaming *on = self;
    double rates[SAMPLES_MAX], bytes = (double)SAMPLE_DOUBLES * bytes_of[on->stream->kernel];
    double end = srv_clock_raw_ns() + on->stream->seconds * 1e9;
    size_t n = 0;
    while (n < SAMPLES_MIN || (n < SAMPLES_MAX && srv_clock_raw_ns() < end))
        rates[n++] = bytes / step(on, on->loop) * 1e9;
    *on->rate = srv_spread_of(rates, n);
}

static void keep_on(void *self)
{
    streaming *on = self;
    step(on, on->loop);
}

/* --- all at once --------------------------------------------------------------------------------
 */

static int check(const srv_stream *stream, servet_error *error)
{
    if ((unsigned)stream->kernel >= SERVET_KERNEL_COUNT || !(stream->bytes > 0))
        return srv_fail(error, SERVET_EARGUMENT, "this machine has no such stream");
    srv_stream_loop *loops[SETS_MAX];
    if (loops_of(stream->kernel, loops) > 0)
        return SERVET_OK;
    return srv_fail(error, SERVET_EUNSUPPORTED, "this processor has no stores for %s",
                    servet_kernel_name(stream->kernel));
}

static int run(srv_streams *on, const srv_stream *streams, int count, streaming *all,
               srv_spread *rates, srv_duty *duties, servet_error *error)
{
    static const srv_job job = {prepare, warm, sample, keep_on, finish};
    int code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = check(&streams[i], error);
        all[i] = (streaming){.topology = on->topology,
                             .clock = on->clock,
                             .memory_bytes = on->memory_bytes / count,
                             .stream = &streams[i],
                             .rate = &rates[i],
                             .arena = SRV_ARENA_INIT,
                             .loop = code == SERVET_OK ? on->chosen[streams[i].kernel] : NULL};
        duties[i] = (srv_duty){streams[i].core, &all[i]};
    }
    if (code == SERVET_OK)
        code = srv_team_run(on->topology, on->clock, &job, duties, count, error);
    if (code == SERVET_OK && count == 1)
        on->chosen[streams->kernel] = all->loop;
    return code;
}

int srv_streams_run(srv_streams *on, const srv_stream *streams, int count, srv_spread *rates,
                    servet_error *error)
{
    size_t room = (size_t)(count > 0 ? count : 1);
    streaming *all = calloc(room, sizeof *all);
    srv_duty *duties = calloc(room, sizeof *duties);
    int code =
        all && duties ? run(on, streams, count, all, rates, duties, error) : srv_fail_memory(error);
    free(all);
    free(duties);
    return code;
}
