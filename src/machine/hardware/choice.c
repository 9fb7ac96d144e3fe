/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/choice.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "machine/hardware/clock.h"
#include "machine/samples.h"
#include "stats/robust.h"

/* The widest instructions are not always the fastest (of copies that bypass the caches, 16 bytes at
 * a time ran at 25 GB/s on a Sapphire Rapids, and 64 at 20). */
enum { TRIES = 9 };

srv_choice srv_choice_of(const srv_choice *known, int core, double bytes, int count)
{
    bool fits = count > 1 || (known->core == core && known->bytes == bytes);
    return (srv_choice){fits ? known->loop : 0, core, bytes};
}

static void warm_up(int loop, srv_loop_step *step, void *self)
{
    for (double end = srv_clock_raw_ns() + SRV_LOOP_WARM_NS; srv_clock_raw_ns() < end;)
        (void)step(self, loop);
}

static double cost_of(int loop, srv_loop_step *step, void *self)
{
    double tries[TRIES];
    warm_up(loop, step, self);
    for (size_t i = 0; i < TRIES; i++)
        tries[i] = step(self, loop);
    return srv_spread_of(tries, TRIES).median;
}

static int fastest(int loops, srv_loop_step *step, void *self)
{
    int best = 1;
    double least = INFINITY;
    for (int loop = 1; loop <= loops; loop++) {
        double cost = cost_of(loop, step, self);
        best = cost < least ? loop : best;
        least = fmin(least, cost);
    }
    return best;
}

void srv_choice_warm(srv_choice *choice, int loops, srv_loop_step *step, void *self)
{
    if (choice->loop == 0)
        choice->loop = fastest(loops, step, self);
    warm_up(choice->loop, step, self);
}
