/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/peak/detect.h"

#include <math.h>

/* The visit with the best rate, of at least one. */
static const srv_peak_visit *peak_best(const srv_peak_row *row)
{
    const srv_peak_visit *best = &row->visit[0];
    for (int i = 1; i < row->visits; i++)
        if (row->visit[i].rate > best->rate)
            best = &row->visit[i];
    return best;
}

/* The best rate of the other visits; 0: there are none. */
static double peak_second(const srv_peak_row *row)
{
    const srv_peak_visit *best = peak_best(row);
    double second = 0;
    for (int i = 0; i < row->visits; i++)
        if (&row->visit[i] != best && row->visit[i].rate > second)
            second = row->visit[i].rate;
    return second;
}

bool srv_peak_is_confirmed(const srv_peak_row *row)
{
    return peak_second(row) >= (1 - SRV_PEAK_ALIKE) * peak_best(row)->rate;
}

/* The lowest clock of visits that are alike: a lost time slice reads a higher one. */
static double find_ghz(const srv_peak_row *row)
{
    double best = peak_best(row)->rate, ghz = peak_best(row)->ghz;
    for (int i = 0; i < row->visits; i++)
        if (row->visit[i].rate >= (1 - SRV_PEAK_ALIKE) * best)
            ghz = fmin(ghz, row->visit[i].ghz);
    return ghz;
}

servet_peak srv_detect_peak(const srv_peak_row *row)
{
    const srv_peak_visit *best = peak_best(row);
    double low = row->visits > 1 ? fmin(best->low, peak_second(row)) : best->low;
    double hertz = find_ghz(row) * 1e9;
    return (servet_peak){
        .precision = row->precision,
        .width = row->width,
        .bits = best->bits,
        .cores = row->count,
        .core = row->cores[0],
        .rate = {best->rate, low, best->high, row->visits, SERVET_UNIT_FLOP_PER_SECOND,
                 SERVET_METHOD_TIMED, true},
        .clock = {hertz, hertz, hertz, 1, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED, true}};
}

const char *srv_detect_peak_doubt(const srv_peak_row *row)
{
    /* Operations of each number of the registers in a cycle. */
    const srv_peak_visit *best = peak_best(row);
    static const int bits[SERVET_PRECISION_COUNT] = {
        [SERVET_PRECISION_F64] = 64, [SERVET_PRECISION_F32] = 32, [SERVET_PRECISION_I64] = 64};
    double numbers = (double)row->count * best->bits / bits[row->precision];
    double operations = best->rate / (find_ghz(row) * 1e9 * numbers);
    double whole = fmax(1, round(operations));
    if (!srv_peak_is_confirmed(row))
        return "no second visit was as fast";
    /* The loop itself takes a part of the units for integers. */
    if (row->precision != SERVET_PRECISION_I64 && operations > 1 &&
        fabs(operations - whole) > SRV_PEAK_ALIKE * whole)
        return "the rate does not fit the clock: other threads used the units";
    return NULL;
}
