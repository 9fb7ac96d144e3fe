/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/messages/detect_gather.h"

#include <math.h>

/* Above 0 where one message is faster. */
static double gain(const srv_gather_times *times)
{
    return log(times->together / times->gathered);
}

double srv_detect_gather(const srv_gather_times *times, int count)
{
    int first = 0;
    while (first < count && gain(&times[first]) > 0)
        first++;
    if (first == 0 || first == count)
        return first == 0 ? 0 : INFINITY;
    double before = gain(&times[first - 1]), after = gain(&times[first]);
    double step = log(times[first].bytes / times[first - 1].bytes);
    return times[first - 1].bytes * exp(step * before / (before - after));
}
