/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/compute.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/compute_sets.h"
#include "machine/hardware/spin.h"

/* Samples last some 50 us, as those of memory kernels: long beside the clock and beside adding up
 * the registers, and few meet an interrupt. Their number of passes is found by doubling it. */
static const double SAMPLE_NS = 50e3;
enum { SAMPLES_MIN = 9, SAMPLES_MAX = 1024, TRIES = 9, SETS_MAX = 4 };

/* A core lowers its frequency within some 0.5 ms after the first wide instructions, and gives
 * their units power in 20 us. */
static const double WARM_NS = 2e6;

typedef struct computing {
    const srv_computation *computation;
    const srv_clock *clock;
    srv_computed *computed;
    const srv_compute_set *set; /* NULL: to be chosen */
    size_t passes;              /* of a sample */
} computing;

static int prepare(void *self, servet_error *error)
{
    (void)self, (void)error;
    return SERVET_OK;
}

static void finish(void *self)
{
    (void)self;
}

/* --- timing ----------------------------------------------------------------------------------- */

/* Runs a sample; its rate in FLOP/s, its time in `*ns`. */
static double step(const computing *on, const srv_compute_set *set, double *ns)
{
    uint64_t start = on->clock->ticks();
    double additions = set->loop(on->passes);
    *ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick - on->clock->overhead_ns;
    *ns = fmax(*ns, on->clock->resolution_ns);
    return 2 * additions / *ns * 1e9;
}

static void warm_up(computing *on, const srv_compute_set *set)
{
    double ns, end = srv_clock_raw_ns() + WARM_NS;
    while (srv_clock_raw_ns() < end) {
        step(on, set, &ns);
        if (ns < SAMPLE_NS && on->passes < SRV_COMPUTE_PASSES_MAX)
            on->passes *= 2;
    }
}

static srv_spread try(const computing *on, const srv_compute_set *set)
{
    double rates[TRIES], ns;
    for (int i = 0; i < TRIES; i++)
        rates[i] = step(on, set, &ns);
    return srv_spread_of(rates, TRIES);
}

static void warm(void *self)
{
    computing *on = self;
    const srv_compute_set *sets =
        srv_compute_sets[on->computation->precision][on->computation->width];
    srv_spread best = {0};
    for (; sets->loop; sets++) {
        if (!sets->usable())
            continue;
        on->passes = 1;
        warm_up(on, sets);
        srv_spread rate = try(on, sets);
        if (!on->set || rate.high >= best.low) {
            on->set = sets;
            best = rate;
        }
    }
    on->passes = 1;
    warm_up(on, on->set);
}

/* The frequency is read at once: a core returns to a higher one after some 0.6 ms. */
static void sample(void *self)
{
    computing *on = self;
    double rates[SAMPLES_MAX], ns;
    double end = srv_clock_raw_ns() + on->computation->seconds * 1e9;
    size_t n = 0;
    while (n < SAMPLES_MIN || (n < SAMPLES_MAX && srv_clock_raw_ns() < end))
        rates[n++] = step(on, on->set, &ns);
    double ghz = srv_spin_frequency(on->clock);
    *on->computed = (srv_computed){srv_spread_of(rates, n), ghz, on->set->bits};
}

static void keep_on(void *self)
{
    computing *on = self;
    double ns;
    step(on, on->set, &ns);
}

/* --- all at once ------------------------------------------------------------------------------ */

static const srv_thread_team_job job = {prepare, warm, sample, keep_on, finish};

static int check(const srv_computation *computations, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if ((unsigned)computations[i].precision >= SERVET_PRECISION_COUNT ||
            (unsigned)computations[i].width >= SERVET_WIDTH_COUNT)
            return srv_fail(error, SERVET_EARGUMENT, "this computation is not supported");
    return SERVET_OK;
}

int srv_compute_run(srv_topology *topology, const srv_clock *clock,
                    const srv_computation *computations, int count, srv_computed *computed,
                    servet_error *error)
{
    size_t room = (size_t)(count > 0 ? count : 1);
    int code = check(computations, count, error);
    if (code != SERVET_OK)
        return code;
    computing *all = calloc(room, sizeof *all);
    srv_thread_task *tasks = calloc(room, sizeof *tasks);
    code = all && tasks ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        all[i] = (computing){&computations[i], clock, &computed[i], NULL, 1};
        tasks[i] = (srv_thread_task){computations[i].core, &all[i]};
    }
    if (code == SERVET_OK)
        code = srv_thread_team_run(topology, clock, &job, tasks, count, error);
    free(all);
    free(tasks);
    return code;
}
