/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/line_transfer.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/arena.h"
#include "machine/hardware/chase.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/spin.h"
#include "machine/order.h"
#include "stats/interval.h"

/* A sample is one round of the set. The first rounds fault in pages, translations and branches. */
enum { WARM_ROUNDS = 4, SAMPLES_MIN = 9, SAMPLES_MAX = 1024 };

/* A core that has loaded a line keeps a copy until the other one stores to it. Sets that the owner
 * merely loads take turns, so that each has left a cache of about its size when it is used again.
 * */
enum { TURNS = 4 };

/* A place in memory that takes a pointer, and so starts a line. */
static const double LINE_LEAST = sizeof(void *);

typedef struct pair {
    srv_flag owned, taken, left; /* rounds that the owner, the reader has done; one is gone */
    const srv_line_transfer *transfer;
    srv_timing *timing;
    const srv_clock *clock;
    srv_arena arena; /* the sets, one behind the other */
    size_t bytes, lines, sets;
    srv_chase chase[TURNS];
} pair;

/* One of the two; each thread writes to its own only, which shares no line with the other's. */
typedef struct side {
    pair *of;
    bool owns;
    unsigned round;
    char apart[SRV_FLAG_BYTES];
} side;

/* --- the owner -------------------------------------------------------------------------------- */

static size_t set_bytes(const pair *on)
{
    return on->lines * (size_t)on->transfer->line_bytes;
}

static srv_slots slots_of(const pair *on, size_t set)
{
    size_t line = (size_t)on->transfer->line_bytes;
    return (srv_slots){.base = on->arena.base + set * set_bytes(on),
                       .count = on->lines,
                       .stride = line,
                       .line = line,
                       .lines = 1};
}

/* Fresh pages, which the chains are the first to touch. Reading the kind of pages takes longer than
 * most transfers. */
static int prepare(void *self, servet_error *error)
{
    const side *mine = self;
    pair *on = mine->of;
    if (!mine->owns)
        return SERVET_OK;
    int code = srv_arena_init(&on->arena, on->bytes, on->transfer->pages, error);
    if (code != SERVET_OK)
        return code;
    for (size_t set = 0; set < on->sets; set++) {
        srv_slots slots = slots_of(on, set);
        srv_chase_build(&on->chase[set], &slots, on->transfer->seed + set);
    }
    return SERVET_OK;
}

/* Stores the present values: that takes the lines from all other caches. */
static void modify(const srv_slots *slots)
{
    for (size_t slot = 0; slot < slots->count; slot++) {
        void *volatile *line = (void *volatile *)(void *)(slots->base + slot * slots->stride);
        *line = *line;
    }
}

static void own(side *mine)
{
    pair *on = mine->of;
    srv_slots slots = slots_of(on, mine->round % on->sets);
    if (on->transfer->modified)
        modify(&slots);
    else
        srv_chase_sweep(&slots);
    srv_flag_raise(&on->owned, ++mine->round);
    srv_flag_wait(&on->taken, mine->round, &on->left);
}

/* --- the reader ------------------------------------------------------------------------------- */

/* Follows the chain once; ns per load. */
static double follow(const pair *on, const srv_chase *chase)
{
    void *at = chase->start[0];
    uint64_t start = on->clock->ticks();
    for (size_t i = 0; i < chase->count; i++)
        at = *(void *volatile *)at;
    double ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick;
    return fmax(0, ns - on->clock->overhead_ns) / (double)chase->count;
}

/* A round; NaN where the owner is gone. */
static double take(side *mine)
{
    pair *on = mine->of;
    if (!srv_flag_wait(&on->owned, mine->round + 1, &on->left))
        return NAN;
    double ns = follow(on, &on->chase[mine->round % on->sets]);
    srv_flag_raise(&on->taken, ++mine->round);
    return ns;
}

/* --- together --------------------------------------------------------------------------------- */

static void keep_on(void *self)
{
    side *mine = self;
    if (mine->owns)
        own(mine);
    else
        take(mine);
}

static void warm(void *self)
{
    for (int round = 0; round < WARM_ROUNDS; round++)
        keep_on(self);
}

/* The middle half of the samples: a coarse clock steps over many of them alike. */
static double middle_mean(const double *sorted, size_t n)
{
    return srv_mean_of(sorted + n / 4, n - n / 4 * 2).value;
}

static void sample(void *self)
{
    side *mine = self;
    pair *on = mine->of;
    double samples[SAMPLES_MAX];
    size_t n = 0;
    if (mine->owns)
        return; /* keeps on for as long as the reader samples */
    double end = srv_clock_raw_ns() + on->transfer->seconds * 1e9;
    while (n < SAMPLES_MIN || (n < SAMPLES_MAX && srv_clock_raw_ns() < end))
        samples[n++] = take(mine);
    on->timing->spread = srv_spread_of(samples, n);
    on->timing->mean = middle_mean(samples, n);
    on->timing->huge_share = NAN;
    on->timing->error = NAN;
    on->timing->busy = NAN;
    on->timing->ghz = srv_spin_frequency(on->clock);
}

/* The memory stays until both are gone. */
static void finish(void *self)
{
    srv_flag_raise(&((side *)self)->of->left, 1);
}

static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};

/* --- all pairs -------------------------------------------------------------------------------- */

static int check(const srv_line_transfer *transfers, int count, servet_error *error)
{
    for (int i = 0; i < count; i++) {
        const srv_line_transfer *one = &transfers[i];
        if (one->line_bytes < LINE_LEAST || fmod(one->line_bytes, LINE_LEAST) != 0 ||
            one->bytes < one->line_bytes)
            return srv_fail(error, SERVET_EARGUMENT, "unknown set of lines");
    }
    return SERVET_OK;
}

static void set_up(pair *on, const srv_line_transfer *transfer, const srv_clock *clock,
                   srv_timing *timing)
{
    on->transfer = transfer;
    on->timing = timing;
    on->clock = clock;
    on->sets = transfer->modified ? 1 : TURNS;
    on->lines = (size_t)(transfer->bytes / transfer->line_bytes);
    on->bytes = on->sets * set_bytes(on);
}

static void release(pair *pairs, int count)
{
    for (int i = 0; pairs && i < count; i++)
        srv_arena_finish(&pairs[i].arena);
    free(pairs);
}

int srv_line_transfer_run(srv_topology *topology, const srv_clock *clock,
                          const srv_line_transfer *transfers, int count, srv_timing *timings,
                          servet_error *error)
{
    int code = check(transfers, count, error);
    if (code != SERVET_OK)
        return code;
    size_t room = (size_t)(count > 0 ? count : 1);
    pair *pairs = calloc(room, sizeof *pairs);
    side *sides = calloc(2 * room, sizeof *sides);
    srv_thread_task *tasks = calloc(2 * room, sizeof *tasks);
    code = pairs && sides && tasks ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < 2 * count && code == SERVET_OK; i++) {
        const srv_line_transfer *transfer = &transfers[i / 2];
        sides[i] = (side){.of = &pairs[i / 2], .owns = i % 2 == 0};
        tasks[i] = (srv_thread_task){sides[i].owns ? transfer->owner : transfer->reader, &sides[i]};
        set_up(&pairs[i / 2], transfer, clock, &timings[i / 2]);
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(topology, clock, &job, tasks, 2 * count, error);
    release(pairs, count);
    free(sides);
    free(tasks);
    return code;
}
