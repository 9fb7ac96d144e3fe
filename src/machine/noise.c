/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/noise.h"

#include <math.h>
#include <stdio.h>

/* Slices of other processes and stops of the hypervisor are some milliseconds long. */
static const double SAMPLE_SECONDS = 100e-3;

/* All samples together take this share of a small budget at most. */
static const double SAMPLES_SHARE = 0.07;

double srv_noise_sample_seconds(double budget, int samples)
{
    return budget > 0 ? fmin(SAMPLE_SECONDS, SAMPLES_SHARE / samples * budget) : SAMPLE_SECONDS;
}

/* No scheduler leaves a thread alone for so long: somebody stopped the program. */
static const double STOPPED_SECONDS = 1;

const srv_seen srv_seen_nothing = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, false};

void srv_see(srv_seen *seen, const srv_noise *noise)
{
    seen->lost = fmax(seen->lost, noise->lost);
    seen->steal = fmax(seen->steal, noise->steal);
    seen->others = fmax(seen->others, noise->others);
    seen->least_ghz = fmin(seen->least_ghz, noise->ghz);
    seen->most_ghz = fmax(seen->most_ghz, noise->ghz);
}

void srv_see_absence(srv_seen *seen, const srv_absence *absence)
{
    seen->absent = fmax(seen->absent, absence->share);
    seen->longest = fmax(seen->longest, absence->longest);
    seen->foreign = fmax(seen->foreign, absence->foreign);
    seen->moved = seen->moved || absence->moved > 0;
}

/* Share of its highest frequency that the core lost at times; NaN: unknown. */
static double drift_of(const srv_seen *seen)
{
    return 1 - seen->least_ghz / seen->most_ghz;
}

/* Medians are right while less than half of their samples are disturbed. What another process takes
 * from one thread are slices of milliseconds, and samples take microseconds: each slice disturbs
 * one sample, so that the lost time does not matter. Where several threads measure at once, the
 * others are undisturbed without one of them; such samples are left out, unless there are no
 * others. */
static const double HALF = 0.5;

void srv_seen_reason(const srv_seen *seen, bool messages, char reason[SERVET_TEXT_MAX])
{
    const double most = messages ? SRV_DISTURBED : HALF;
    *reason = '\0';
    if (seen->steal > most)
        snprintf(reason, SERVET_TEXT_MAX, "the hypervisor took %.0f %% of the core's time",
                 fmin(seen->steal, 1) * 100);
    else if (messages && seen->lost > most)
        snprintf(reason, SERVET_TEXT_MAX, "other work took %.0f %% of the core's time",
                 fmin(seen->lost, 1) * 100);
    else if (drift_of(seen) > SRV_DISTURBED)
        snprintf(reason, SERVET_TEXT_MAX, "the core slowed down by %.0f %%", drift_of(seen) * 100);
    else if (seen->moved)
        snprintf(reason, SERVET_TEXT_MAX, "others moved the benchmark to other cores");
    else if (seen->absent > most)
        snprintf(reason, SERVET_TEXT_MAX,
                 messages ? "the benchmark did not run for %.0f %% of the time"
                          : "of threads that measure at once %.0f %% did not run",
                 seen->absent * 100);
    else if (seen->longest > STOPPED_SECONDS)
        snprintf(reason, SERVET_TEXT_MAX, "the benchmark stood still for %.1f s", seen->longest);
}

void srv_seen_shared_reason(const srv_seen *seen, char reason[SERVET_TEXT_MAX])
{
    *reason = '\0';
    if (seen->foreign > SRV_FOREIGN)
        snprintf(reason, SERVET_TEXT_MAX, "other programs used %.0f %% of the processors",
                 seen->foreign * 100);
}

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
