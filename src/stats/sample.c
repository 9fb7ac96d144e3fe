/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/sample.h"

#include <math.h>

void srv_sample_runs(int total, int count, int *chosen)
{
    int runs = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        int run = (int)((long long)i * runs / count);
        long long left_out = total - count; /* distributed over the gaps between the runs */
        chosen[i] = i + (runs > 1 ? (int)(left_out * run / (runs - 1)) : 0);
    }
}
