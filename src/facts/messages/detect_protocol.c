/* SPDX-License-Identifier: BSD-3-Clause */
/* All ways to cut the curve into up to so many pieces are compared (dynamic programming), each
 * piece a straight line fitted to relative deviations, for times differ by orders of magnitude. */
#include "facts/messages/detect_protocol.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* A line fits any two points: three are the least. */
enum { PIECE_MIN = SRV_PROTOCOL_POINTS_MIN };

/* A piece has three parameters: latency, bandwidth, and where it begins. Each costs as in the
 * Bayesian information criterion. */
enum { PARAMETERS = 3 };

/* time = latency + slope * bytes. */
typedef struct line {
    double latency, slope;
    double latency_error, slope_error; /* for deviations of 1, relative */
    double misfit;                     /* sum of squared relative deviations */
} line;

/* --- one piece -------------------------------------------------------------------------------- */

/* Sums over points, each weighted with 1 / time^2. */
typedef struct sums {
    double one, x, xx, t, xt;
} sums;

static sums sum_up(const srv_message_curve *curve, int first, int end)
{
    sums s = {0};
    for (int i = first; i < end; i++) {
        double x = curve->bytes[i], t = curve->seconds[i], weight = 1 / (t * t);
        s.one += weight;
        s.x += weight * x;
        s.xx += weight * x * x;
        s.t += weight * t;
        s.xt += weight * x * t;
    }
    return s;
}

/* The best line without a negative latency or bandwidth. */
static line fit(const srv_message_curve *curve, int first, int end)
{
    sums s = sum_up(curve, first, end);
    double determinant = s.one * s.xx - s.x * s.x;
    line best = {.latency = (s.xx * s.t - s.x * s.xt) / determinant,
                 .slope = (s.one * s.xt - s.x * s.t) / determinant,
                 .latency_error = sqrt(s.xx / determinant),
                 .slope_error = sqrt(s.one / determinant)};
    if (!(best.slope > 0))
        best.slope = 0, best.latency = s.t / s.one;
    if (best.latency < 0)
        best.latency = 0, best.slope = s.xt / s.xx;
    for (int i = first; i < end; i++) {
        double fitted = best.latency + best.slope * curve->bytes[i];
        best.misfit += pow(fitted / curve->seconds[i] - 1, 2);
    }
    return best;
}

/* --- where to cut ----------------------------------------------------------------------------- */

/* The best cuts of the first `end` points into each number of pieces. */
typedef struct cutting {
    const srv_message_curve *curve;
    double *misfit; /* at [pieces * (count + 1) + end] */
    int *begin;     /* of the last piece, likewise */
} cutting;

static size_t at(const cutting *cut, int pieces, int end)
{
    return (size_t)pieces * (size_t)(cut->curve->count + 1) + (size_t)end;
}

static void add_piece(cutting *cut, int pieces, int first, int end, double misfit)
{
    double whole = cut->misfit[at(cut, pieces - 1, first)] + misfit;
    if (whole < cut->misfit[at(cut, pieces, end)]) {
        cut->misfit[at(cut, pieces, end)] = whole;
        cut->begin[at(cut, pieces, end)] = first;
    }
}

static void cut_all(cutting *cut)
{
    int count = cut->curve->count;
    for (int pieces = 0; pieces <= SRV_PROTOCOLS_MAX; pieces++)
        for (int end = 0; end <= count; end++)
            cut->misfit[at(cut, pieces, end)] = pieces == 0 && end == 0 ? 0 : INFINITY;
    for (int first = 0; first < count; first++)
        for (int end = first + PIECE_MIN; end <= count; end++) {
            double misfit = fit(cut->curve, first, end).misfit;
            for (int pieces = 1; pieces <= SRV_PROTOCOLS_MAX; pieces++)
                add_piece(cut, pieces, first, end, misfit);
        }
}

/* What times deviate by, relative: what even the most pieces leave, but not less than the noise. */
static double deviation(const cutting *cut, double noise)
{
    int count = cut->curve->count, most = SRV_PROTOCOLS_MAX;
    while (most > 1 && (isinf(cut->misfit[at(cut, most, count)]) || 2 * most * PARAMETERS > count))
        most--;
    double left = fmax(1, count - most * PARAMETERS);
    return fmax(noise, sqrt(cut->misfit[at(cut, most, count)] / left));
}

static int best_number(const cutting *cut, double relative)
{
    int count = cut->curve->count, best = 1;
    double least = INFINITY;
    for (int pieces = 1; pieces <= SRV_PROTOCOLS_MAX; pieces++) {
        double cost = cut->misfit[at(cut, pieces, count)] / (relative * relative) +
                      PARAMETERS * pieces * log(count);
        if (cost < least) {
            least = cost;
            best = pieces;
        }
    }
    return best;
}

/* --- what they say ---------------------------------------------------------------------------- */

static servet_value value_of(double value, double low, double high, int points, servet_unit unit)
{
    return (servet_value){value, low, high, points, unit, SERVET_METHOD_CURVE_FIT, true};
}

/* Two standard errors are the 95 % interval. */
static srv_protocol protocol_of(const srv_message_curve *curve, int first, int end, double relative)
{
    line found = fit(curve, first, end);
    double bytes = curve->bytes[first], before = first > 0 ? curve->bytes[first - 1] : bytes;
    double late = 2 * relative * found.latency_error, steep = 2 * relative * found.slope_error;
    srv_protocol protocol = {.from = value_of(bytes, before, bytes, end - first, SERVET_UNIT_BYTE),
                             .latency =
                                 value_of(found.latency, fmax(0, found.latency - late),
                                          found.latency + late, end - first, SERVET_UNIT_SECOND),
                             .bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)};
    if (found.slope > steep)
        protocol.bandwidth =
            value_of(1 / found.slope, 1 / (found.slope + steep), 1 / (found.slope - steep),
                     end - first, SERVET_UNIT_BYTE_PER_SECOND);
    return protocol;
}

static int tell(const cutting *cut, double noise, srv_protocol protocols[SRV_PROTOCOLS_MAX])
{
    double relative = deviation(cut, noise);
    int pieces = best_number(cut, relative), end = cut->curve->count;
    for (int i = pieces; i > 0; i--) {
        int first = cut->begin[at(cut, i, end)];
        protocols[i - 1] = protocol_of(cut->curve, first, end, relative);
        end = first;
    }
    return pieces;
}

int srv_detect_protocols(const srv_message_curve *curve, double noise,
                         srv_protocol protocols[SRV_PROTOCOLS_MAX], int *count, servet_error *error)
{
    *count = 0;
    if (curve->count < PIECE_MIN)
        return SERVET_OK;
    size_t room = (size_t)(SRV_PROTOCOLS_MAX + 1) * (size_t)(curve->count + 1);
    cutting cut = {curve, calloc(room, sizeof(double)), calloc(room, sizeof(int))};
    bool allocated = cut.misfit && cut.begin;
    if (allocated) {
        cut_all(&cut);
        *count = tell(&cut, noise, protocols);
    }
    free(cut.misfit);
    free(cut.begin);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}
