/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/peak/detect.h"

#include <math.h>

static int bits_of(servet_precision precision)
{
    static const int bits[SERVET_PRECISION_COUNT] = {
        [SERVET_PRECISION_F64] = 64, [SERVET_PRECISION_F32] = 32};
    return bits[precision];
}

/* The lowest clock of the visits that are alike: a core that loses its time slice just before its
 * clock is read has returned to a higher one. */
static double find_ghz(const srv_peak_row *row)
{
    double best = srv_peak_best(row)->rate, ghz = srv_peak_best(row)->ghz;
    for (int i = 0; i < row->visits; i++)
        if (row->visit[i].rate >= (1 - SRV_PEAK_ALIKE) * best)
            ghz = fmin(ghz, row->visit[i].ghz);
    return ghz;
}

servet_peak srv_detect_peak(const srv_peak_row *row)
{
    const srv_peak_visit *best = srv_peak_best(row);
    double low = row->visits > 1 ? fmin(best->low, srv_peak_second(row)) : best->low;
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

/* Operations of each number of the registers in a cycle. */
static double per_cycle(const srv_peak_row *row)
{
    const srv_peak_visit *best = srv_peak_best(row);
    double numbers = (double)row->count * best->bits / bits_of(row->precision);
    return best->rate / (find_ghz(row) * 1e9 * numbers);
}

const char *srv_detect_peak_doubt(const srv_peak_row *row)
{
    double operations = per_cycle(row);
    double whole = fmax(1, round(operations));
    if (!srv_peak_is_confirmed(row))
        return "no second visit was as fast";
    if (operations > 1 && fabs(operations - whole) > SRV_PEAK_ALIKE * whole)
        return "the rate does not fit the clock: other threads used the units";
    return NULL;
}
