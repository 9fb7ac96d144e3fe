/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations by which threads synchronize, or by which they disturb each other, done by all cores
 * at once. Each operation tells how many all threads have done: the first thread reads the clock,
 * does some of its own, and divides the time by what was done meanwhile. Locks and barriers are the
 * ticket lock, the central and the dissemination barrier of Mellor-Crummey and Scott, TOCS 9(1),
 * 1991; numbers that only grow stand for reversed senses. Bytes near to each other are those of
 * P-Ray, LCPC'08, 3.1.
 */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/flag.h"
#include "machine/hardware/probes.h"
#include "machine/samples.h"

/* The number of operations of a sample is found by doubling it. */
enum { TIMES_MAX = 1 << 16 };

/* Operations of another thread for each of the timed one, on average: with fewer the others rested
 * during the sample, with more the timed one did, because no cores are served so differently. */
enum { OTHERS_RATIO_MAX = 4 };

/* Slices of schedulers last some 4 ms: in this time the threads of a synchronization have met, if
 * they ever do. The two of false sharing get more: a node has few such pairs. */
static const double PATIENCE_SECONDS = 0.1, PATIENCE_OF_TWO_SECONDS = 5;

/* Operations of the other threads between two checks that the timed one has its samples. */
enum { BURST = 64 };

/* The line that threads share. */
typedef struct shared_line {
    char before[SRV_FLAG_BYTES];
    atomic_uint number; /* operations done; of a lock, tickets taken */
    atomic_uint served; /* tickets whose owner has released the lock */
    char behind[SRV_FLAG_BYTES];
} shared_line;

typedef struct team team;
typedef struct member member;

/* Does `times` operations and returns the number that all threads have done by then. */
typedef unsigned operation(member *mine, int times);

struct team {
    operation *operate;
    int count;
    double seconds, patience_seconds;
    const srv_clock *clock;
    srv_spread *ns;
    double *ghz; /* of the first core after its samples; NULL: not wanted */
    shared_line line;
    atomic_uchar *bytes; /* of false sharing */
    size_t apart;
    srv_flag done[2];      /* increments of these bytes */
    srv_flag arrived, met; /* threads that came to a central barrier; barriers that ended */
    srv_flag left;         /* a thread is gone: no other waits for it */
    srv_flag *round;       /* of each round, for each thread: barriers in which it was reached */
    int rounds;
};

struct member {
    int core;
    team *of;
    int index;
    unsigned done; /* barriers, or hints, of this thread */
    char apart[SRV_FLAG_BYTES];
};

/* --- operations ------------------------------------------------------------------------------- */

static unsigned add(member *mine, int times)
{
    unsigned before = 0;
    for (int i = 0; i < times; i++)
        before = atomic_fetch_add_explicit(&mine->of->line.number, 1, memory_order_relaxed);
    return before + 1;
}

static unsigned compare_and_swap(member *mine, int times)
{
    atomic_uint *number = &mine->of->line.number;
    unsigned seen = 0;
    for (int i = 0; i < times; i++) {
        seen = atomic_load_explicit(number, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(number, &seen, seen + 1, memory_order_relaxed,
                                                      memory_order_relaxed))
            ;
    }
    return seen + 1;
}

static unsigned lock(member *mine, int times)
{
    shared_line *line = &mine->of->line;
    unsigned ticket = 0;
    for (int i = 0; i < times; i++) {
        ticket = atomic_fetch_add_explicit(&line->number, 1, memory_order_relaxed);
        if (!srv_number_wait(&line->served, ticket, &mine->of->left))
            break;
        atomic_store_explicit(&line->served, ticket + 1, memory_order_release);
    }
    return ticket + 1;
}

static unsigned meet_centrally(member *mine, int times)
{
    team *on = mine->of;
    unsigned count = (unsigned)on->count;
    for (int i = 0; i < times; i++) {
        unsigned before = atomic_fetch_add_explicit(&on->arrived.number, 1, memory_order_acq_rel);
        mine->done++;
        if (before + 1 == count * mine->done)
            srv_flag_raise(&on->met, mine->done);
        else if (!srv_flag_wait(&on->met, mine->done, &on->left))
            break;
    }
    return mine->done;
}

/* In round k each thread reaches the one that is 2^k further. */
static bool disseminate(member *mine)
{
    team *on = mine->of;
    int count = on->count;
    for (int k = 0; k < on->rounds; k++) {
        srv_flag *round = on->round + (size_t)k * (size_t)count;
        int reached = mine->index + (1 << k); /* a remainder would take longer than a line */
        srv_flag_raise(&round[reached < count ? reached : reached - count], mine->done);
        if (!srv_flag_wait(&round[mine->index], mine->done, &on->left))
            return false;
    }
    return true;
}

static unsigned meet_in_rounds(member *mine, int times)
{
    bool together = true;
    for (int i = 0; i < times && together; i++) {
        mine->done++;
        together = disseminate(mine);
    }
    return mine->done;
}

/* A load, a store and a fence that lets the store reach the cache before the next load: without it
 * a core adds to the store that it still holds back, and hardly notices that the line is gone. */
static unsigned increment(member *mine, int times)
{
    team *on = mine->of;
    atomic_uchar *byte = on->bytes + (size_t)mine->index * on->apart;
    for (int i = 0; i < times; i++) {
        unsigned char value = atomic_load_explicit(byte, memory_order_relaxed);
        atomic_store_explicit(byte, (unsigned char)(value + 1), memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
    }
    mine->done += (unsigned)times;
    srv_flag_raise(&on->done[mine->index], mine->done);
    return mine->done + srv_flag_see(&on->done[1 - mine->index]);
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define HINT() __asm__ volatile("pause")
#elif defined(__GNUC__) && defined(__aarch64__)
#define HINT() __asm__ volatile("yield")
#endif

#if defined(HINT)
static unsigned hint(member *mine, int times)
{
    for (int i = 0; i < times; i++)
        HINT();
    return mine->done += (unsigned)times;
}
#else
#define hint NULL
#endif

static operation *const operations[SERVET_SYNC_COUNT] = {
    [SERVET_SYNC_ADD] = add,
    [SERVET_SYNC_CAS] = compare_and_swap,
    [SERVET_SYNC_LOCK] = lock,
    [SERVET_SYNC_CENTRAL] = meet_centrally,
    [SERVET_SYNC_DISSEMINATION] = meet_in_rounds,
    [SERVET_SYNC_PAUSE] = hint,
};

static unsigned operate(member *mine, int times)
{
    return mine->of->operate(mine, times);
}

/* --- the steps of a thread -------------------------------------------------------------------- */

/* Threads meet in a barrier once. The search for the length of a sample warms the lines. */
static void warm(void *self)
{
    (void)operate(self, 1);
}

/* ns in which this thread does `times` operations, and `*all` threads theirs. */
static double take(member *mine, int times, unsigned *all)
{
    const srv_clock *clock = mine->of->clock;
    unsigned before = operate(mine, 1);
    uint64_t start = clock->ticks();
    *all = operate(mine, times) - before;
    double ns = (double)(clock->ticks() - start) * clock->ns_per_tick;
    return fmax(0, ns - clock->overhead_ns);
}

/* True if all threads took part in what this one did. Those that meet in barriers always do. */
static bool took_part(const team *on, int times, unsigned all)
{
    double mine = times, others = (double)all - mine;
    double usual = mine * (on->count - 1);
    if (on->operate == meet_centrally || on->operate == meet_in_rounds || on->operate == hint)
        return true;
    return others * OTHERS_RATIO_MAX >= usual && others <= usual * OTHERS_RATIO_MAX;
}

/* The operations of this thread that fill a sample, now that the others do theirs. */
static int find_times(member *mine)
{
    unsigned all;
    int times = 1;
    while (times < TIMES_MAX && take(mine, times, &all) < SRV_SAMPLE_NS)
        times *= 2;
    return times;
}

static void sample(void *self)
{
    member *mine = self;
    const team *on = mine->of;
    double samples[SRV_SAMPLES_MAX];
    size_t n = 0;
    if (mine->index > 0)
        return; /* keeps on for as long as the first one samples */
    int times = find_times(mine);
    double start = srv_clock_raw_ns(), now = start;
    while (n < SRV_SAMPLES_MAX && now < start + on->patience_seconds * 1e9 &&
           (n < SRV_SAMPLES_MIN || now < start + on->seconds * 1e9)) {
        unsigned all;
        double ns = take(mine, times, &all);
        samples[n] = ns / (on->operate == increment ? (unsigned)times : all);
        n += took_part(on, times, all);
        now = srv_clock_raw_ns();
    }
    *on->ns = n > 0 ? srv_spread_of(samples, n) : (srv_spread){NAN, NAN, NAN, NAN, 0};
    if (on->ghz)
        *on->ghz = srv_spin_frequency(on->clock);
}

static void keep_on(void *self)
{
    (void)operate(self, BURST);
}

static void finish(void *self)
{
    srv_flag_raise(&((member *)self)->of->left, 1);
}

/* --- all together ----------------------------------------------------------------------------- */

static int rounds_of(int count)
{
    int rounds = 0;
    while (1 << rounds < count)
        rounds++;
    return rounds;
}

/* Runs the team on these cores. */
static int run(srv_hardware *hw, team *on, const int *cores, servet_error *error)
{
    static const srv_thread_team_job job = {NULL, warm, sample, keep_on, finish};
    size_t count = (size_t)on->count;
    on->clock = &hw->clock;
    on->rounds = rounds_of(on->count);
    on->round = calloc((size_t)on->rounds * count + 1, sizeof *on->round);
    member *members = calloc(count, sizeof *members);
    int code = on->round && members ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < on->count && code == SERVET_OK; i++)
        members[i] = (member){.core = cores[i], .of = on, .index = i};
    if (code == SERVET_OK)
        code = srv_thread_team_run(&hw->topology, &hw->clock, &job, members, sizeof *members,
                                   on->count, error);
    free(on->round);
    free(members);
    return code;
}

int srv_hardware_synchronize(srv_hardware *hw, const srv_sync *sync, srv_spread *ns,
                             servet_error *error)
{
    if (!operations[sync->op])
        return srv_fail(error, SERVET_EUNSUPPORTED, "this compiler has no hint for spinning loops");
    team *on = calloc(1, sizeof *on);
    if (!on)
        return srv_fail_memory(error);
    on->operate = operations[sync->op];
    on->count = sync->count;
    on->seconds = sync->seconds;
    on->patience_seconds = PATIENCE_SECONDS;
    on->ns = ns;
    int code = run(hw, on, sync->cores, error);
    free(on);
    return code;
}

int srv_hardware_false_sharing(srv_hardware *hw, const srv_false_sharing *pair, srv_timing *timing,
                               servet_error *error)
{
    const int cores[] = {pair->core, pair->other};
    team *on = calloc(1, sizeof *on);
    atomic_uchar *bytes = aligned_alloc(SRV_SHARED_ALIGNMENT, SRV_SHARED_ALIGNMENT);
    int code = on && bytes ? SERVET_OK : srv_fail_memory(error);
    *timing = (srv_timing){.huge_share = NAN, .error = NAN, .busy = NAN};
    if (code == SERVET_OK) {
        on->operate = increment;
        on->count = 2;
        on->seconds = pair->seconds;
        on->patience_seconds = PATIENCE_OF_TWO_SECONDS;
        on->ns = &timing->spread;
        on->ghz = &timing->ghz;
        on->bytes = bytes;
        on->apart = (size_t)pair->apart;
        atomic_init(bytes, 0);
        atomic_init(bytes + on->apart, 0);
        code = run(hw, on, cores, error);
    }
    timing->mean = timing->spread.median;
    free(bytes);
    free(on);
    return code;
}
