/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/false_sharing.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/spin.h"
#include "stats/robust.h"

/* A sample of four bursts lasts 10 us without contention, and up to 100 us if both need the same
 * line: shorter than the time for which a core is taken away. */
enum { INCREMENTS = 256, BURSTS = 4, SAMPLES_MIN = 9, SAMPLES_MAX = 1024 };

/* Bursts of the other core within a sample: with fewer it rested, with many more this core did,
 * because no two cores are served so differently. */
enum { OTHERS_LEAST = BURSTS / 2, OTHERS_MOST = 4 * BURSTS };

/* The bytes begin where no line, nor any pair of lines, does not. */
enum { ALIGNMENT = 4096 };

/* Two threads that wait for cores of a busy machine meet sooner or later, but in how long? */
static const double PATIENCE_SECONDS = 5;

typedef struct side {
    atomic_uchar *byte;
    srv_flag *done;  /* bursts that this side did */
    srv_flag *other; /* and the other one */
    const srv_clock *clock;
    double seconds;
    srv_timing *timing; /* NULL: the other side is timed */
} side;

static int prepare(void *self, servet_error *error)
{
    (void)self, (void)error;
    return SERVET_OK;
}

static void burst(side *mine)
{
    for (int i = 0; i < INCREMENTS; i++) {
        unsigned char value = atomic_load_explicit(mine->byte, memory_order_relaxed);
        atomic_store_explicit(mine->byte, (unsigned char)(value + 1), memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    }
    srv_flag_raise(mine->done, srv_flag_see(mine->done) + 1);
}

static void warm(void *self)
{
    for (int i = 0; i < BURSTS; i++)
        burst(self);
}

/* ns per increment; NaN if one of the two rested. */
static double contend(side *mine)
{
    unsigned before = srv_flag_see(mine->other);
    uint64_t start = mine->clock->ticks();
    for (int i = 0; i < BURSTS; i++)
        burst(mine);
    double ns = (double)(mine->clock->ticks() - start) * mine->clock->ns_per_tick;
    unsigned others = srv_flag_see(mine->other) - before;
    bool both = others >= OTHERS_LEAST && others <= OTHERS_MOST;
    return both ? fmax(0, ns - mine->clock->overhead_ns) / (INCREMENTS * BURSTS) : NAN;
}

static void sample(void *self)
{
    side *mine = self;
    double samples[SAMPLES_MAX], start = srv_clock_raw_ns(), now = start;
    size_t n = 0;
    if (!mine->timing)
        return; /* keeps on for as long as the other one samples */
    while (n < SAMPLES_MAX && now < start + PATIENCE_SECONDS * 1e9 &&
           (n < SAMPLES_MIN || now < start + mine->seconds * 1e9)) {
        samples[n] = contend(mine);
        n += !isnan(samples[n]);
        now = srv_clock_raw_ns();
    }
    mine->timing->spread = n > 0 ? srv_spread_of(samples, n) : (srv_spread){NAN, NAN, NAN, NAN, 0};
    mine->timing->mean = mine->timing->spread.median;
    mine->timing->huge_share = NAN;
    mine->timing->error = NAN;
    mine->timing->busy = NAN;
    mine->timing->ghz = srv_spin_frequency(mine->clock);
}

static void keep_on(void *self)
{
    burst(self);
}

static void finish(void *self)
{
    (void)self;
}

static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};

int srv_false_sharing_run(srv_topology *topology, const srv_clock *clock,
                          const srv_false_sharing *pair, srv_timing *timing, servet_error *error)
{
    if (!(pair->apart >= 1 && pair->apart < ALIGNMENT))
        return srv_fail(error, SERVET_EARGUMENT, "the distance of %g bytes is out of range",
                        pair->apart);
    atomic_uchar *bytes = aligned_alloc(ALIGNMENT, ALIGNMENT);
    srv_flag *done = calloc(2, sizeof *done);
    int code = bytes && done ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        side first = {bytes, &done[0], &done[1], clock, pair->seconds, timing};
        side second = {bytes + (size_t)pair->apart, &done[1], &done[0], clock, 0, NULL};
        const srv_thread_task tasks[] = {{pair->core, &first}, {pair->other, &second}};
        atomic_init(first.byte, 0);
        atomic_init(second.byte, 0);
        code = srv_thread_team_run(topology, clock, &job, tasks, 2, error);
    }
    free(bytes);
    free(done);
    return code;
}
