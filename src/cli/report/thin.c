/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/thin.h"

#include <math.h>

/* Returns the distance of point `at` from the line between two others, as the logarithm of a
 * factor. */
static double distance(const double *x, const double *y, int from, int to, int at)
{
    double share = log(x[at] / x[from]) / log(x[to] / x[from]);
    return fabs(log(y[at] / y[from]) - share * log(y[to] / y[from]));
}

/* Returns the point that is farthest from the lines; -1: all are shown. */
static int farthest(const double *x, const double *y, int n, const bool *shown)
{
    int found = -1, from = 0, to = 0;
    double most = -1;
    for (int at = 1; at < n; at++) {
        if (shown[at])
            from = at;
        if (shown[at])
            continue;
        for (to = to > at ? to : at + 1; !shown[to];)
            to++;
        double own = distance(x, y, from, to, at);
        if (own > most) {
            most = own;
            found = at;
        }
    }
    return found;
}

void report_thin(const double *x, const double *y, int n, int most, bool *shown)
{
    for (int i = 0; i < n; i++)
        shown[i] = n <= most || i == 0 || i == n - 1;
    for (int count = 2, next; count < most && (next = farthest(x, y, n, shown)) >= 0; count++)
        shown[next] = true;
}
