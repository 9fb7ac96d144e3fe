/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/foreign.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "machine/hardware/clock.h"

/* user, nice, system, idle, iowait, irq, softirq; time of guests is part of user. NaN if the line
 * is not that of one processor. */
static double busy_of(const char *line, double *interrupts)
{
    double user, nice, kernel, irq, softirq;
    int read = sscanf(line, "cpu%*[0-9] %lf %lf %lf %*f %*f %lf %lf", &user, &nice, &kernel, &irq,
                      &softirq);
    *interrupts = irq + softirq;
    return read == 5 ? user + nice + kernel + irq + softirq : NAN;
}

void srv_processor_use_read(srv_processor_use *use, FILE *stream, double ticks)
{
    char line[512];
    double sum = 0, interrupts;
    use->processors = 0;
    use->interrupts = 0;
    while (fgets(line, sizeof line, stream)) {
        double busy = busy_of(line, &interrupts);
        if (isnan(busy))
            continue;
        sum += busy / ticks;
        use->interrupts += interrupts / ticks;
        use->processors++;
    }
    use->busy = use->processors ? sum : NAN;
}

srv_processor_use srv_processor_use_now(void)
{
    struct timespec own;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    srv_processor_use use = {.busy = NAN,
                             .own = (double)own.tv_sec + 1e-9 * (double)own.tv_nsec,
                             .wall = 1e-9 * srv_clock_raw_ns()};
    FILE *stream = fopen("/proc/stat", "r");
    if (!stream)
        return use;
    srv_processor_use_read(&use, stream, (double)sysconf(_SC_CLK_TCK));
    fclose(stream);
    return use;
}

double srv_processor_use_foreign(const srv_processor_use *from, const srv_processor_use *to)
{
    double all = (to->wall - from->wall) * to->processors;
    double others = (to->busy - from->busy) - (to->own - from->own);
    if (!(all > 0) || isnan(others))
        return NAN;
    return fmin(fmax(others / all, 0), 1);
}
