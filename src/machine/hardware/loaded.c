/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/loaded.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* A line of any cache is a multiple of this. */
enum { STEP_BYTES = 32 };

/* A sample of a generator lasts about this long, as that of a stream. */
static const double SAMPLE_NS = 50e3;

/* Each generator runs for this long before it is timed: its core reaches its frequency (as in
 * stream.c), and the queues of the memory their length. */
static const double WARM_NS = 2e6;

/* Time of a load that sets how many of them make a sample: that of most memories. The cycle is far
 * longer than any cache, so that the chase needs no round to warm up. */
static const double LOAD_NS = 100;

enum { SAMPLES_MIN = 9, SAMPLES_MAX = 1024, TRIES = 5 };

/* Additions by which the time of one is measured: some 30 us. */
enum { ADDITIONS = 100000 };

typedef struct loading {
    const srv_load_request *request;
    srv_load_answer *answer; /* of the chase */
    srv_topology *topology;
    const srv_clock *clock;
    srv_hardware_traversal *chase; /* NULL: it is a generator */
    srv_traversal *built;
    srv_stream_memory *memory;
    srv_stream stream; /* what its memory is for */
    size_t at;         /* where the next burst begins, in bytes */
    size_t additions;  /* in a pause */
    size_t bursts;     /* in a sample */
    srv_spread rate;   /* of the generator */
} loading;

/* --- a generator ------------------------------------------------------------------------------ */

/* Dependent additions, a cycle or two each: a function of its own, so that pauses are the loop that
 * was timed. */
__attribute__((noinline)) static void add(size_t count)
{
    for (size_t i = 0; i < count; i++)
        __asm__ volatile("" : "+r"(i));
}

static void load_line(char *line, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += STEP_BYTES)
        (void)*(volatile char *)(line + i);
}

static void modify_line(char *line, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += STEP_BYTES)
        ++*(volatile char *)(line + i);
}

static void burst(loading *on)
{
    size_t line = (size_t)on->request->chase.line_bytes, bytes = SRV_BURST_LINES * line;
    char *from = on->memory->arena.base + on->at;
    int modified = on->request->modified;
    for (int i = 0; i < SRV_BURST_LINES; i++)
        if (modified > 0 && i % modified == 0)
            modify_line(from + (size_t)i * line, line);
        else
            load_line(from + (size_t)i * line, line);
    on->at += bytes;
    if (on->at + bytes > (size_t)on->request->bytes)
        on->at = 0;
}

/* The time of some bursts with their pauses, in ns. */
static double time_bursts(loading *on, size_t count)
{
    uint64_t start = on->clock->ticks();
    for (size_t i = 0; i < count; i++) {
        burst(on);
        add(on->additions);
    }
    return fmax((double)(on->clock->ticks() - start) * on->clock->ns_per_tick,
                on->clock->resolution_ns);
}

/* ns of an addition: the fastest of some tries. */
static double addition_ns(const loading *on)
{
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        uint64_t start = on->clock->ticks();
        add(ADDITIONS);
        least = fmin(least, (double)(on->clock->ticks() - start) * on->clock->ns_per_tick);
    }
    return least / ADDITIONS;
}

/* The fastest burst counts: this thread may lose its core meanwhile. */
static void warm_generator(loading *on)
{
    double end = srv_clock_raw_ns() + WARM_NS, least = INFINITY;
    size_t count = 1;
    on->additions = (size_t)(on->request->pause_ns / addition_ns(on));
    do {
        double ns = time_bursts(on, count);
        least = fmin(least, ns / (double)count);
        count = ns < SAMPLE_NS ? 2 * count : count;
    } while (srv_clock_raw_ns() < end);
    on->bursts = (size_t)fmax(1, SAMPLE_NS / least);
}

static void sample_generator(loading *on)
{
    double rates[SAMPLES_MAX], end = srv_clock_raw_ns() + on->request->chase.seconds * 1e9;
    double moved = srv_load_moved(on->request) * (double)on->bursts * SRV_BURST_LINES *
                   on->request->chase.line_bytes;
    size_t n = 0;
    while (n < SAMPLES_MIN || (n < SAMPLES_MAX && srv_clock_raw_ns() < end))
        rates[n++] = moved / time_bursts(on, on->bursts) * 1e9;
    on->rate = srv_spread_of(rates, n);
}

/* --- the chase -------------------------------------------------------------------------------- */

static bool is_built(const srv_traversal *built, const srv_traversal *wanted)
{
    return built->core == wanted->core && built->node == wanted->node &&
           built->bytes == wanted->bytes && built->line_bytes == wanted->line_bytes &&
           built->pages == wanted->pages && built->seed == wanted->seed;
}

/* A cycle that is there goes on where it was left, on lines that no cache has. */
static int prepare_chase(loading *on, servet_error *error)
{
    if (is_built(on->built, &on->request->chase))
        return SERVET_OK;
    *on->built = (srv_traversal){.bytes = 0};
    int code = srv_hardware_traversal_prepare(on->chase, &on->request->chase, error);
    if (code == SERVET_OK)
        *on->built = on->request->chase;
    return code;
}

/* --- all at once ------------------------------------------------------------------------------ */

static int prepare(void *self, servet_error *error)
{
    loading *on = self;
    return on->chase ? prepare_chase(on, error)
                     : srv_stream_memory_touch(on->memory, on->topology, &on->stream,
                                               (size_t)on->request->bytes, error);
}

static void warm(void *self)
{
    loading *on = self;
    if (on->chase)
        srv_hardware_traversal_keep_on(on->chase, LOAD_NS);
    else
        warm_generator(on);
}

static void sample(void *self)
{
    loading *on = self;
    if (on->chase)
        srv_hardware_traversal_sample(on->chase, on->request->chase.seconds, LOAD_NS,
                                      &on->answer->chase);
    else
        sample_generator(on);
}

static void keep_on(void *self)
{
    loading *on = self;
    if (on->chase)
        srv_hardware_traversal_keep_on(on->chase, LOAD_NS);
    else
        time_bursts(on, on->bursts);
}

/* The next sample begins where this one ended, where no line is in a cache. */
static void finish(void *self)
{
    loading *on = self;
    if (!on->chase && on->memory->arena.base)
        on->memory->reached = (double)on->at / on->request->bytes;
}

static int check(const srv_loaded_memory *on, const srv_load_request *request, servet_error *error)
{
    double burst = SRV_BURST_LINES * request->chase.line_bytes;
    double all = request->chase.bytes + request->count * request->bytes;
    if (request->chase.pattern != SRV_PATTERN_LINES || request->chase.chains != 1 ||
        fmod(request->chase.line_bytes, STEP_BYTES) != 0 || request->count < 0 ||
        (request->count > 0 && request->bytes < burst) || request->modified < 0 ||
        (request->modified > 0 && SRV_BURST_LINES % request->modified != 0) ||
        !(request->pause_ns >= 0))
        return srv_fail(error, SERVET_EARGUMENT, "this load of memory is not supported");
    if (all > on->chase.memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%.0f MiB are more than this job may use (%.0f MiB)",
                        all / (1 << 20), on->chase.memory_bytes / (1 << 20));
    return SERVET_OK;
}

/* Room for the memory of `count` generators, those of earlier probes included. */
static int make_room(srv_loaded_memory *on, int count, servet_error *error)
{
    if (count <= on->count)
        return SERVET_OK;
    srv_stream_memory *grown = realloc(on->generator, (size_t)count * sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    on->generator = grown;
    while (on->count < count)
        on->generator[on->count++] = (srv_stream_memory){.arena = SRV_ARENA_INIT};
    return SERVET_OK;
}

static loading member_of(srv_loaded_memory *on, const srv_load_request *request, int number,
                         srv_load_answer *answer)
{
    loading made = {.request = request,
                    .answer = answer,
                    .topology = on->chase.topology,
                    .clock = on->chase.clock,
                    .chase = number == 0 ? &on->chase : NULL,
                    .built = &on->built};
    if (number == 0)
        return made;
    made.memory = &on->generator[number - 1];
    made.stream = (srv_stream){.core = request->cores[number - 1],
                               .node = request->chase.node,
                               .pages = request->chase.pages};
    double burst = SRV_BURST_LINES * request->chase.line_bytes;
    made.at = (size_t)(floor(made.memory->reached * request->bytes / burst) * burst);
    return made;
}

static void add_rate(srv_spread *all, const srv_spread *one)
{
    all->median += one->median;
    all->minimum += one->minimum;
    all->low += one->low;
    all->high += one->high;
    all->n = all->n == 0 || one->n < all->n ? one->n : all->n;
}

int srv_loaded_run(srv_loaded_memory *on, const srv_load_request *request, srv_load_answer *answer,
                   servet_error *error)
{
    static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};
    int code = check(on, request, error);
    if (code == SERVET_OK)
        code = make_room(on, request->count, error);
    if (code != SERVET_OK)
        return code;
    size_t members = (size_t)request->count + 1;
    loading *all = calloc(members, sizeof *all);
    srv_thread_task *tasks = calloc(members, sizeof *tasks);
    code = all && tasks ? SERVET_OK : srv_fail_memory(error);
    for (size_t i = 0; i < members && code == SERVET_OK; i++) {
        all[i] = member_of(on, request, (int)i, answer);
        tasks[i] = (srv_thread_task){i ? request->cores[i - 1] : request->chase.core, &all[i]};
    }
    on->bytes = request->chase.bytes + on->count * request->bytes;
    *answer = (srv_load_answer){0};
    if (code == SERVET_OK)
        code = srv_thread_team_run(on->chase.topology, on->chase.clock, &job, tasks, (int)members,
                                   error);
    for (size_t i = 1; i < members && code == SERVET_OK; i++)
        add_rate(&answer->rate, &all[i].rate);
    free(all);
    free(tasks);
    return code;
}

void srv_loaded_init(srv_loaded_memory *on, srv_topology *topology, const srv_clock *clock,
                     double memory_bytes, double page_bytes)
{
    *on = (srv_loaded_memory){.generator = NULL};
    srv_hardware_traversal_init(&on->chase, topology, clock, memory_bytes, page_bytes);
}

void srv_loaded_release(srv_loaded_memory *on)
{
    srv_hardware_traversal_finish(&on->chase);
    on->built = (srv_traversal){.bytes = 0};
    for (int i = 0; i < on->count; i++)
        srv_arena_finish(&on->generator[i].arena);
    free(on->generator);
    on->generator = NULL;
    on->count = 0;
    on->bytes = 0;
}
