/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/probes.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "machine/hardware/compute_sets.h"
#include "machine/samples.h"

typedef struct computing {
    int core;
    const srv_computation *computation;
    const srv_clock *clock;
    srv_computed *computed;
    const srv_compute_set *set[SRV_LOOPS_MAX]; /* that this processor has */
    int sets;
    size_t passes[SRV_LOOPS_MAX]; /* of a sample of each */
    srv_choice choice;
} computing;

/* --- timing ----------------------------------------------------------------------------------- */

/* Runs a sample; its rate in operations a second, its time in `*ns`. */
static double step(const computing *on, int loop, double *ns)
{
    uint64_t start = on->clock->ticks();
    double additions = on->set[loop - 1]->loop(on->passes[loop - 1]);
    *ns = (double)(on->clock->ticks() - start) * on->clock->ns_per_tick - on->clock->overhead_ns;
    *ns = fmax(*ns, on->clock->resolution_ns);
    double each = on->computation->precision == SERVET_PRECISION_I64 ? 1 : 2;
    return each * additions / *ns * 1e9;
}

static double warm_step(void *self, int loop)
{
    computing *on = self;
    double ns, rate = step(on, loop, &ns);
    /* the number of passes of a sample is found by doubling it */
    if (ns < SRV_LOOP_SAMPLE_NS && on->passes[loop - 1] < SRV_COMPUTE_PASSES_MAX)
        on->passes[loop - 1] *= 2;
    return 1 / rate;
}

static void warm(void *self)
{
    computing *on = self;
    srv_choice_warm(&on->choice, on->sets, warm_step, on);
}

/* The frequency is read at once: a core returns to a higher one after some 0.6 ms. */
static void sample(void *self)
{
    computing *on = self;
    double rates[SRV_SAMPLES_MAX], ns;
    double end = srv_clock_raw_ns() + on->computation->seconds * 1e9;
    size_t n = 0;
    while (n < SRV_SAMPLES_MIN || (n < SRV_SAMPLES_MAX && srv_clock_raw_ns() < end))
        rates[n++] = step(on, on->choice.loop, &ns);
    double ghz = srv_spin_frequency(on->clock);
    *on->computed =
        (srv_computed){srv_spread_of(rates, n), ghz, on->set[on->choice.loop - 1]->bits};
}

static void keep_on(void *self)
{
    const computing *on = self;
    double ns;
    step(on, on->choice.loop, &ns);
}

/* --- all at once ------------------------------------------------------------------------------ */

static computing member_of(srv_hardware *hw, const srv_computation *computation, int count,
                           srv_computed *computed)
{
    const srv_choice *known = &hw->computations[computation->precision][computation->width];
    computing made = {.core = computation->core,
                      .computation = computation,
                      .clock = &hw->clock,
                      .computed = computed,
                      .choice = srv_choice_of(known, computation->core, 0, count)};
    for (const srv_compute_set *set = srv_compute_sets[computation->precision][computation->width];
         set->loop; set++)
        if (set->usable()) {
            made.passes[made.sets] = 1;
            made.set[made.sets++] = set;
        }
    return made;
}

int srv_hardware_compute(srv_hardware *hw, const srv_computation *computations, int count,
                         srv_computed *computed, servet_error *error)
{
    static const srv_thread_team_job job = {.warm = warm, .sample = sample, .keep_on = keep_on};
    computing *all = calloc((size_t)count, sizeof *all);
    if (!all)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        all[i] = member_of(hw, &computations[i], count, &computed[i]);
    int code = srv_thread_team_run(&hw->topology, &hw->clock, &job, all, sizeof *all, count, error);
    if (code == SERVET_OK && count == 1)
        hw->computations[computations->precision][computations->width] = all->choice;
    free(all);
    return code;
}
