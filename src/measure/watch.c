/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/watch.h"

#include <math.h>

/* Slices of other processes and stops of the hypervisor are some milliseconds long. */
static const double LOOK_SECONDS = 100e-3;

/* All looks together take this share of a small budget at most. */
static const double LOOKS_SHARE = 0.07;

/* Medians survive when up to half of the samples are disturbed; a quarter leaves room for the time
 * between two looks to be worse than the looks. */
static const double DISTURBED = 0.25;

static const srv_seen nothing = {NAN, NAN, NAN, NAN, NAN};

static void see(srv_seen *seen, const srv_noise *noise)
{
    seen->lost = fmax(seen->lost, noise->lost);
    seen->steal = fmax(seen->steal, noise->steal);
    seen->others = fmax(seen->others, noise->others);
    seen->least_ghz = fmin(seen->least_ghz, noise->ghz);
    seen->most_ghz = fmax(seen->most_ghz, noise->ghz);
}

/* By how much of its highest frequency the core was slower at times; NaN: unknown. */
static double drift_of(const srv_seen *seen)
{
    return 1 - seen->least_ghz / seen->most_ghz;
}

int srv_watch_begin(srv_watch *watch, srv_machine *machine, const char *cores, double budget,
                    servet_error *error)
{
    double longest = LOOKS_SHARE / (SERVET_BENCHMARK_COUNT + 1) * budget;
    *watch = (srv_watch){.machine = machine,
                         .look_seconds = budget > 0 ? fmin(LOOK_SECONDS, longest) : LOOK_SECONDS,
                         .run = nothing,
                         .now = nothing};
    int code = srv_quietest_core(machine, cores, &watch->core, error);
    return code == SERVET_OK ? srv_watch_look(watch, error) : code;
}

void srv_watch_next(srv_watch *watch)
{
    watch->now = nothing;
    see(&watch->now, &watch->last);
}

int srv_watch_look(srv_watch *watch, servet_error *error)
{
    int code = watch->machine->ops->noise(watch->machine, watch->core, watch->look_seconds,
                                          &watch->last, error);
    if (code != SERVET_OK)
        return code;
    see(&watch->run, &watch->last);
    see(&watch->now, &watch->last);
    return SERVET_OK;
}

bool srv_watch_trusts(const srv_watch *watch)
{
    const srv_seen *seen = &watch->now;
    return !(fmax(seen->lost, seen->steal) > DISTURBED || drift_of(seen) > DISTURBED);
}

/* --- for the record -----------------------------------------------------------------------------
 */

/* System clocks tick coarsely: a share of a short time can come out above 1. */
static void worst(servet_value *value, double share)
{
    if (isnan(share) || (servet_value_known(value) && value->value >= share))
        return;
    double within = fmin(fmax(share, 0), 1);
    *value = (servet_value){within, within, within, 1, SERVET_UNIT_NONE, SERVET_METHOD_TIMED, true};
}

void srv_watch_record(const srv_watch *watch, servet_run *run)
{
    worst(&run->noise, watch->run.lost);
    worst(&run->steal, watch->run.steal);
    worst(&run->others, watch->run.others);
    worst(&run->drift, drift_of(&watch->run));
}
