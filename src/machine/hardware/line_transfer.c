/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of lines that one core transfers to another one (P-Ray, LCPC'08, 3.3). Owner and reader meet
 * at flags between rounds, so that all stores of the owner are done when the reader begins, and
 * only the reader's loads are timed: a chain in which each load needs the answer of the one before,
 * as long as the set. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/probes.h"
#include "machine/order.h"
#include "machine/samples.h"
#include "stats/interval.h"

/* A core that has loaded a line keeps a copy until the other one stores to it. Sets that the owner
 * merely loads take turns, so that each has left a cache of about its size when it is used again.
 * */
enum { TURNS = 4 };

typedef struct pair {
    srv_flag owned, taken, left; /* rounds that the owner, the reader has done; one is gone */
    const srv_line_transfer *transfer;
    srv_timing *timing;
    const srv_clock *clock;
    srv_arena arena; /* the sets, one behind the other */
    size_t lines, sets;
    srv_chase chase[TURNS];
} pair;

/* One of the two; each thread writes to its own only, which shares no line with the other's. */
typedef struct side {
    int core;
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
    int code = srv_arena_init(&on->arena, on->sets * set_bytes(on), on->transfer->pages, error);
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

/* A sample is one round of the set. The first rounds fault in pages, translations and branches. */
static void warm(void *self)
{
    for (int round = 0; round < SRV_TRANSFER_WARM_ROUNDS; round++)
        keep_on(self);
}

static void sample(void *self)
{
    side *mine = self;
    pair *on = mine->of;
    double samples[SRV_SAMPLES_MAX];
    size_t n = 0;
    if (mine->owns)
        return; /* keeps on for as long as the reader samples */
    double end = srv_clock_raw_ns() + on->transfer->seconds * 1e9;
    while (n < SRV_SAMPLES_MIN || (n < SRV_SAMPLES_MAX && srv_clock_raw_ns() < end))
        samples[n++] = take(mine);
    on->timing->spread = srv_spread_of(samples, n);
    /* of the middle half of the samples: a coarse clock steps over many of them alike */
    on->timing->mean = srv_mean_of(samples + n / 4, n - n / 4 * 2).value;
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

/* --- all pairs -------------------------------------------------------------------------------- */

int srv_hardware_transfer_lines(srv_hardware *hw, const srv_line_transfer *transfers, int count,
                                srv_timing *timings, servet_error *error)
{
    static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};
    pair *pairs = calloc((size_t)count, sizeof *pairs);
    side *sides = calloc(2 * (size_t)count, sizeof *sides);
    int code = pairs && sides ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        sides[2 * i] = (side){.core = transfers[i].owner, .of = &pairs[i], .owns = true};
        sides[2 * i + 1] = (side){.core = transfers[i].reader, .of = &pairs[i]};
        pairs[i] = (pair){.transfer = &transfers[i],
                          .timing = &timings[i],
                          .clock = &hw->clock,
                          .sets = transfers[i].modified ? 1 : TURNS,
                          .lines = (size_t)(transfers[i].bytes / transfers[i].line_bytes)};
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(&hw->topology, &hw->clock, &job, sides, sizeof *sides, 2 * count,
                                   error);
    for (int i = 0; pairs && i < count; i++)
        srv_arena_finish(&pairs[i].arena);
    free(pairs);
    free(sides);
    return code;
}
