/* SPDX-License-Identifier: BSD-3-Clause */
/* Two cores that modify bytes near to each other (P-Ray, LCPC'08, 3.1). An increment is a load, a
 * store and a fence that lets the store reach the cache before the next load: without it a core
 * adds to the store that it still holds back, and hardly notices that the line is gone. A sample
 * counts only if the other core got on meanwhile. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/probes.h"
#include "machine/samples.h"

/* A sample of four bursts lasts 10 us without contention, and up to 100 us if both need the same
 * line: shorter than the time for which a core is taken away. */
enum { INCREMENTS = 256, BURSTS = 4 };

/* Bursts of the other core within a sample: with fewer it rested, with many more this core did,
 * because no two cores are served so differently. */
enum { OTHERS_LEAST = BURSTS / 2, OTHERS_MOST = 4 * BURSTS };

/* Two threads that wait for cores of a busy machine meet sooner or later, but in how long? */
static const double PATIENCE_SECONDS = 5;

typedef struct side {
    int core;
    atomic_uchar *byte;
    srv_flag *done;  /* bursts that this side did */
    srv_flag *other; /* and the other one */
    const srv_clock *clock;
    double seconds;
    srv_timing *timing; /* NULL: the other side is timed */
} side;

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
    double samples[SRV_SAMPLES_MAX], start = srv_clock_raw_ns(), now = start;
    size_t n = 0;
    if (!mine->timing)
        return; /* keeps on for as long as the other one samples */
    while (n < SRV_SAMPLES_MAX && now < start + PATIENCE_SECONDS * 1e9 &&
           (n < SRV_SAMPLES_MIN || now < start + mine->seconds * 1e9)) {
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

int srv_hardware_false_sharing(srv_hardware *hw, const srv_false_sharing *pair, srv_timing *timing,
                               servet_error *error)
{
    static const srv_thread_team_job job = {.warm = warm, .sample = sample, .keep_on = keep_on};
    atomic_uchar *bytes = aligned_alloc(SRV_SHARED_ALIGNMENT, SRV_SHARED_ALIGNMENT);
    srv_flag *done = calloc(2, sizeof *done);
    int code = bytes && done ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        atomic_uchar *second = bytes + (size_t)pair->apart;
        side sides[] = {{pair->core, bytes, &done[0], &done[1], &hw->clock, pair->seconds, timing},
                        {pair->other, second, &done[1], &done[0], &hw->clock, 0, NULL}};
        atomic_init(bytes, 0);
        atomic_init(second, 0);
        code = srv_thread_team_run(&hw->topology, &hw->clock, &job, sides, sizeof *sides, 2, error);
    }
    free(bytes);
    free(done);
    return code;
}
