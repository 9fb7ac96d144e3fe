/* SPDX-License-Identifier: BSD-3-Clause */
/* The circle method: one item stays, the others rotate around a circle, and opposite items are a
 * couple.
 */
#include "stats/round_robin.h"

#include <math.h>

/* Adds a dummy to an odd number of items; the partner of the dummy rests. */
static int circle_of(int n)
{
    return n + n % 2 - 1;
}

int srv_round_robin_rounds(int n)
{
    return n < 2 ? 0 : circle_of(n);
}

int srv_round_robin_round(int n, int round, srv_couple *couples)
{
    int circle = circle_of(n), count = 0;
    for (int k = 0; k <= circle / 2; k++) {
        int a = (round + k) % circle, b = k == 0 ? circle : (round + circle - k) % circle;
        if (b < n)
            couples[count++] = a < b ? (srv_couple){a, b} : (srv_couple){b, a};
    }
    return count;
}

void srv_sample_runs(int total, int count, int *chosen)
{
    int runs = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        int run = (int)((long long)i * runs / count);
        long long left_out = total - count; /* distributed over the gaps between the runs */
        chosen[i] = i + (runs > 1 ? (int)(left_out * run / (runs - 1)) : 0);
    }
}
