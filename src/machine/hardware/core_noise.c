/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/core_noise.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "machine/hardware/absence.h"
#include "machine/hardware/spin.h"

enum { QUANTA_MAX = 16384 };

/* Seconds that the hypervisor reports as stolen from a core; NaN if it reports none. */
static srv_stolen stolen_from(int core)
{
    srv_stolen stolen = {core, NAN, srv_clock_raw_ns()};
    char line[512];
    double jiffies;
    int number;
    FILE *stream = fopen("/proc/stat", "r");
    if (!stream)
        return stolen;
    while (isnan(stolen.seconds) && fgets(line, sizeof line, stream))
        if (sscanf(line, "cpu%d %*f %*f %*f %*f %*f %*f %*f %lf", &number, &jiffies) == 2 &&
            number == core)
            stolen.seconds = jiffies / (double)sysconf(_SC_CLK_TCK);
    fclose(stream);
    return stolen;
}

/* The share of `seconds` in which a spinning thread does not run; the elapsed time goes into
 * `*total_s`. */
static double spin(const srv_clock *clock, double seconds, double *total_s)
{
    double quanta[QUANTA_MAX];
    size_t n = 0;
    uint64_t start = clock->ticks(), end = start;
    while (n < QUANTA_MAX && (double)(end - start) * clock->ns_per_tick < seconds * 1e9) {
        uint64_t before = end;
        (void)srv_spin_once(clock);
        end = clock->ticks();
        quanta[n++] = (double)(end - before) * clock->ns_per_tick;
    }
    double total = (double)(end - start) * clock->ns_per_tick;
    *total_s = total * 1e-9;
    return fmax(0, 1 - srv_spread_of(quanta, n).median * (double)n / total);
}

void srv_core_noise_measure(const srv_clock *clock, int core, double seconds, srv_stolen *before,
                            srv_noise *noise)
{
    double spun = 0, already = srv_waited_ns();
    if (before->core != core)
        *before = stolen_from(core);
    noise->lost = spin(clock, seconds, &spun);
    noise->others = 1e-9 * (srv_waited_ns() - already) / spun;
    srv_stolen now = stolen_from(core);
    noise->steal = (now.seconds - before->seconds) / ((now.at_ns - before->at_ns) * 1e-9);
    noise->ghz = srv_spin_frequency(clock);
    *before = now;
}
