/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/company.h"
#include "machine/hardware/probes.h"
#include "machine/hardware/stream_sets.h"
#include "machine/samples.h"

#define BYTES_OF(name, text, bytes, streaming) bytes,
static const int bytes_of[] = {SERVET_KERNEL_LIST(BYTES_OF)}; /* of an element of all arrays */
#undef BYTES_OF

enum { ARRAYS_MAX = 3 };

typedef struct streaming {
    int core;
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
    srv_stream_loop *loop[SRV_LOOPS_MAX]; /* that this processor has for the kernel */
    int loops;
    srv_choice choice;
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

/* Whole passes, several in a sample where the array is short, into on->length; returns bytes of all
 * arrays. */
static size_t size_up(streaming *on)
{
    size_t count = (size_t)arrays_of(on->stream);
    double length = on->stream->bytes / (double)(count * sizeof(double));
    double blocks = fmax(1, floor(length / SRV_STREAM_BLOCK));
    on->pass = (size_t)fmin(blocks * SRV_STREAM_BLOCK, SRV_LOOP_SAMPLE_DOUBLES);
    on->passes = SRV_LOOP_SAMPLE_DOUBLES / on->pass;
    on->length = (size_t)fmax(1, length / (double)on->pass) * on->pass;
    return count * on->length * sizeof(double);
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
    int code = srv_arena_pool_fill(on->pool, &request, (double)bytes, &on->arena, error);
    if (code == SERVET_OK)
        lay_out(on);
    return code;
}

static void give_memory(streaming *on)
{
    if (on->arena)
        on->arena->reached = (double)on->at / (double)on->length;
    srv_arena_pool_give(on->pool, &on->arena);
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Runs the next sample; its time in ns. */
static double step(void *self, int loop)
{
    streaming *on = self;
    size_t at = on->at;
    on->at = (at + on->pass) % on->length;
    uint64_t start = on->clock->ticks();
    on->loop[loop - 1](on->array[0] + at, on->array[1] + at, on->array[2] + at, on->pass,
                       on->passes);
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    return fmax(ns - on->clock->overhead_ns, on->clock->resolution_ns);
}

static void warm(void *self)
{
    streaming *on = self;
    srv_choice_warm(&on->choice, on->loops, step, on);
}

static void sample_step(void *self)
{
    streaming *on = self;
    double bytes = (double)(on->pass * on->passes) * bytes_of[on->stream->kernel];
    srv_step_log_add(on->log, bytes / step(on, on->choice.loop) * 1e9);
}

static void sample(void *self)
{
    streaming *on = self;
    srv_step_log_begin(on->log);
    while (!srv_step_log_suffices(on->log, on->stream->seconds))
        sample_step(on);
}

/* --- all at once ------------------------------------------------------------------------------ */

static int begin(streaming *on, srv_hardware *hw, const srv_stream *stream, int count,
                 servet_error *error)
{
    const srv_choice *known = &hw->streams[stream->kernel];
    *on = (streaming){.core = stream->core,
                      .pool = &hw->arenas,
                      .clock = &hw->clock,
                      .memory_bytes = hw->memory_bytes / count,
                      .stream = stream,
                      .choice = srv_choice_of(known, stream->core, stream->bytes, count)};
    for (int i = 0; srv_stream_sets[i]; i++)
        if (srv_stream_sets[i]->loop[stream->kernel] && srv_stream_sets[i]->usable())
            on->loop[on->loops++] = srv_stream_sets[i]->loop[stream->kernel];
    return on->loops > 0
               ? SERVET_OK
               : srv_fail(error, SERVET_EUNSUPPORTED, "this processor has no stores for %s",
                          servet_kernel_name(stream->kernel));
}

static void read_rates(srv_company *company, srv_spread *rates, srv_absences *absences)
{
    double samples[SRV_SAMPLES_MAX];
    for (int i = 0; i < company->count; i++)
        rates[i] = srv_spread_of(samples, srv_company_samples(company, i, samples));
    srv_company_note(company, absences);
}

int srv_hardware_stream(srv_hardware *hw, const srv_stream *streams, int count, srv_spread *rates,
                        servet_error *error)
{
    static const srv_thread_team_job job = {prepare, warm, sample, sample_step, NULL};
    double bytes = 0;
    srv_company company;
    streaming *all = calloc((size_t)count, sizeof *all);
    int code = srv_company_init(&company, count, error);
    if (code == SERVET_OK && !all)
        code = srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = begin(&all[i], hw, &streams[i], count, error);
        all[i].log = &company.log[i];
        bytes += streams[i].bytes;
    }
    if (code == SERVET_OK) {
        srv_hardware_leave_room(hw, bytes);
        srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
        code = srv_company_run(&company, &hw->topology, &hw->clock, &job, all, sizeof *all, error);
    }
    if (code == SERVET_OK)
        read_rates(&company, rates, &hw->topology.absences);
    if (code == SERVET_OK && count == 1)
        hw->streams[streams->kernel] = all->choice;
    for (int i = 0; all && i < count; i++)
        give_memory(&all[i]);
    srv_company_finish(&company);
    free(all);
    return code;
}
