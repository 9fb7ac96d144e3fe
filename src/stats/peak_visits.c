/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/peak_visits.h"

const srv_peak_visit *srv_peak_best(const srv_peak_row *row)
{
    const srv_peak_visit *best = &row->visit[0];
    for (int i = 1; i < row->visits; i++)
        if (row->visit[i].rate > best->rate)
            best = &row->visit[i];
    return best;
}

double srv_peak_second(const srv_peak_row *row)
{
    const srv_peak_visit *best = srv_peak_best(row);
    double second = 0;
    for (int i = 0; i < row->visits; i++)
        if (&row->visit[i] != best && row->visit[i].rate > second)
            second = row->visit[i].rate;
    return second;
}

bool srv_peak_is_confirmed(const srv_peak_row *row)
{
    return srv_peak_second(row) >= (1 - SRV_PEAK_ALIKE) * srv_peak_best(row)->rate;
}
