/* SPDX-License-Identifier: BSD-3-Clause */
/* A chase beside generators of load (the method of Intel MLC's loaded latency). Generators load
 * lines in the order of addresses, each of them in steps of 32 B, and add 1 to every step of a line
 * that is to be written back; pauses are loops of additions. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/company.h"
#include "machine/hardware/probes.h"
#include "machine/samples.h"

/* A line of any cache is a multiple of this. */
enum { STEP_BYTES = 32 };

/* Time of a load that sets how many of them make a sample: that of most memories. The cycle is far
 * longer than any cache, so that the chase needs no round to warm up. */
static const double LOAD_NS = 100;

enum { TRIES = 5 };

/* Additions by which the time of one is measured: some 30 us. */
enum { ADDITIONS = 100000 };

typedef struct loading {
    int core;
    const srv_load_request *request;
    srv_hardware *hw;
    bool chases; /* else it is a generator */
    const srv_clock *clock;
    srv_step_log *log;
    srv_arena *arena; /* of the generator */
    size_t at;        /* where the next burst begins, in bytes */
    size_t additions; /* in a pause */
    size_t bursts;    /* in a sample */
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

static void burst(char *from, size_t line, int modified)
{
    for (int i = 0; i < SRV_BURST_LINES; i++)
        if (modified > 0 && i % modified == 0)
            modify_line(from + (size_t)i * line, line);
        else
            load_line(from + (size_t)i * line, line);
}

/* The time of some bursts with their pauses, in ns. Generators lie side by side in memory: nothing
 * of them is read or written between bursts. */
static double time_bursts(loading *on, size_t count)
{
    char *base = on->arena->base;
    int modified = on->request->modified;
    size_t line = (size_t)on->request->chase.line_bytes, bytes = SRV_BURST_LINES * line;
    size_t at = on->at, last = (size_t)on->request->bytes - bytes, additions = on->additions;
    uint64_t start = on->clock->ticks();
    for (size_t i = 0; i < count; i++) {
        burst(base + at, line, modified);
        add(additions);
        at = at + bytes <= last ? at + bytes : 0;
    }
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    on->at = at;
    return fmax(ns, on->clock->resolution_ns);
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
    return fmax(least, on->clock->resolution_ns) / ADDITIONS;
}

/* The core reaches its frequency, and the queues of the memory their length. The fastest burst
 * counts: this thread may lose its core meanwhile. */
static void warm_generator(loading *on)
{
    double end = srv_clock_raw_ns() + SRV_LOOP_WARM_NS, least = INFINITY;
    size_t count = 1;
    on->additions = (size_t)(on->request->pause_ns / addition_ns(on));
    do {
        double ns = time_bursts(on, count);
        least = fmin(least, ns / (double)count);
        count = ns < SRV_LOOP_SAMPLE_NS ? 2 * count : count;
    } while (srv_clock_raw_ns() < end);
    on->bursts = (size_t)fmax(1, SRV_LOOP_SAMPLE_NS / least);
}

/* The rate of one sample, B/s. */
static double step_generator(loading *on)
{
    double moved = srv_load_moved(on->request) * (double)on->bursts * SRV_BURST_LINES *
                   on->request->chase.line_bytes;
    return moved / time_bursts(on, on->bursts) * 1e9;
}

/* The array of a generator, touched on its node. It begins where an earlier one ended, where no
 * line is in a cache. */
static int prepare_generator(loading *on, servet_error *error)
{
    double burst_bytes = SRV_BURST_LINES * on->request->chase.line_bytes;
    const srv_arena_request request = {.core = on->core,
                                       .node = on->request->chase.node,
                                       .pages = on->request->chase.pages,
                                       .room = (size_t)on->request->bytes,
                                       .most = on->hw->memory_bytes};
    int code =
        srv_arena_pool_fill(&on->hw->arenas, &request, on->request->bytes, &on->arena, error);
    if (code == SERVET_OK)
        on->at = (size_t)(floor(on->arena->reached * (on->request->bytes / burst_bytes - 1)) *
                          burst_bytes);
    return code;
}

static void give_memory(loading *on)
{
    if (on->arena)
        on->arena->reached = (double)on->at / on->request->bytes;
    srv_arena_pool_give(&on->hw->arenas, &on->arena);
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
    srv_hardware *hw = on->hw;
    if (is_built(&hw->chased, &on->request->chase))
        return SERVET_OK;
    hw->chased = (srv_traversal){.bytes = 0};
    int code = srv_hardware_traversal_prepare(&hw->chase, &on->request->chase, error);
    if (code == SERVET_OK)
        hw->chased = on->request->chase;
    else
        srv_hardware_traversal_finish(&hw->chase);
    return code;
}

/* --- all at once ------------------------------------------------------------------------------ */

static int prepare(void *self, servet_error *error)
{
    loading *on = self;
    return on->chases ? prepare_chase(on, error) : prepare_generator(on, error);
}

static double take_sample(loading *on)
{
    return on->chases ? srv_hardware_traversal_step(&on->hw->chase, LOAD_NS) : step_generator(on);
}

static void warm(void *self)
{
    loading *on = self;
    if (on->chases)
        (void)take_sample(on);
    else
        warm_generator(on);
}

static void step(void *self)
{
    loading *on = self;
    srv_step_log_add(on->log, take_sample(on));
}

static void sample(void *self)
{
    loading *on = self;
    srv_step_log_begin(on->log);
    while (!srv_step_log_suffices(on->log, on->request->chase.seconds))
        step(on);
}

static int check(const srv_hardware *hw, const srv_load_request *request, servet_error *error)
{
    double all = request->chase.bytes + request->count * request->bytes;
    if (request->chase.line_bytes < STEP_BYTES || fmod(request->chase.line_bytes, STEP_BYTES) != 0)
        return srv_fail(error, SERVET_EARGUMENT, "this load of memory is not supported");
    if (all > hw->memory_bytes)
        return srv_fail(error, SERVET_EMEMORY, "%.0f MiB are more than this job may use (%.0f MiB)",
                        all / (1 << 20), hw->memory_bytes / (1 << 20));
    return SERVET_OK;
}

static void add_rate(srv_spread *all, const srv_spread *one)
{
    all->median += one->median;
    all->minimum += one->minimum;
    all->low += one->low;
    all->high += one->high;
    all->n = all->n == 0 || one->n < all->n ? one->n : all->n;
}

static void read_answer(srv_hardware *hw, srv_company *company, srv_load_answer *answer)
{
    double samples[SRV_SAMPLES_MAX];
    for (int i = 0; i < company->count; i++) {
        size_t n = srv_company_samples(company, i, samples);
        srv_spread rate = srv_spread_of(samples, n);
        if (i == 0)
            answer->chase = srv_hardware_traversal_timing(&hw->chase, LOAD_NS, samples, n);
        else
            add_rate(&answer->rate, &rate);
    }
    srv_company_note(company, &hw->topology.absences);
}

/* Member 0 chases, the others are generators. */
int srv_hardware_load(srv_hardware *hw, const srv_load_request *request, srv_load_answer *answer,
                      servet_error *error)
{
    static const srv_thread_team_job job = {prepare, warm, sample, step, NULL};
    int code = check(hw, request, error), members = request->count + 1;
    if (code != SERVET_OK)
        return code;
    srv_hardware_traversal_finish(&hw->traversal); /* its memory belongs to all now */
    srv_company company;
    loading *all = calloc((size_t)members, sizeof *all);
    code = srv_company_init(&company, members, error);
    if (code == SERVET_OK && !all)
        code = srv_fail_memory(error);
    for (int i = 0; i < members && code == SERVET_OK; i++)
        all[i] = (loading){.core = i == 0 ? request->chase.core : request->cores[i - 1],
                           .request = request,
                           .hw = hw,
                           .chases = i == 0,
                           .clock = &hw->clock,
                           .log = &company.log[i]};
    *answer = (srv_load_answer){0};
    if (code == SERVET_OK)
        code = srv_company_run(&company, &hw->topology, &hw->clock, &job, all, sizeof *all, error);
    if (code == SERVET_OK)
        read_answer(hw, &company, answer);
    for (int i = 1; all && i < members; i++)
        give_memory(&all[i]);
    srv_company_finish(&company);
    free(all);
    return code;
}
