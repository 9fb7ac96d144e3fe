/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/watch.h"

#include <math.h>

/* Slices of other processes and stops of the hypervisor are some milliseconds long. */
static const double LOOK_SECONDS = 100e-3;

/* All looks together take this share of a small budget at most. */
static const double LOOKS_SHARE = 0.07;

double srv_look_seconds(double budget, int looks)
{
    return budget > 0 ? fmin(LOOK_SECONDS, LOOKS_SHARE / looks * budget) : LOOK_SECONDS;
}

/* Medians survive when up to half of the samples are disturbed; a quarter leaves room for the time
 * between two looks to be worse than the looks. */
static const double DISTURBED = 0.25;

const srv_seen srv_seen_nothing = {NAN, NAN, NAN, NAN, NAN};

void srv_see(srv_seen *seen, const srv_noise *noise)
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

bool srv_seen_trusted(const srv_seen *seen)
{
    return !(fmax(seen->lost, seen->steal) > DISTURBED || drift_of(seen) > DISTURBED);
}

int srv_watch_begin(srv_watch *watch, srv_machine *machine, const char *cores, double budget,
                    servet_error *error)
{
    *watch = (srv_watch){.machine = machine,
                         .look_seconds = srv_look_seconds(budget, SERVET_BENCHMARK_COUNT + 1),
                         .run = srv_seen_nothing,
                         .now = srv_seen_nothing};
    int code = srv_quietest_core(machine, cores, &watch->core, error);
    return code == SERVET_OK ? srv_watch_look(watch, error) : code;
}

void srv_watch_next(srv_watch *watch)
{
    watch->now = srv_seen_nothing;
    srv_see(&watch->now, &watch->last);
}

int srv_watch_look(srv_watch *watch, servet_error *error)
{
    int code = watch->machine->ops->noise(watch->machine, watch->core, watch->look_seconds,
                                          &watch->last, error);
    if (code != SERVET_OK)
        return code;
    srv_see(&watch->run, &watch->last);
    srv_see(&watch->now, &watch->last);
    return SERVET_OK;
}

bool srv_watch_trusts(const srv_watch *watch)
{
    return srv_seen_trusted(&watch->now);
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

void srv_seen_record(const srv_seen *seen, servet_run *run)
{
    worst(&run->noise, seen->lost);
    worst(&run->steal, seen->steal);
    worst(&run->others, seen->others);
    worst(&run->drift, drift_of(seen));
}

void srv_watch_record(const srv_watch *watch, servet_run *run)
{
    srv_seen_record(&watch->run, run);
}
