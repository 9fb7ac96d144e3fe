/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares all ways to cut the curve into pieces (dynamic programming). Each piece is a straight
 * line fitted to relative deviations, because times differ by orders of magnitude. */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/messages/detect.h"
#include "servet/network.h"

/* A line fits any two points: three are the least. */
enum { PIECE_MIN = SRV_PROTOCOL_POINTS_MIN };

/* A piece has three parameters, each at the cost of the Bayesian criterion. */
enum { PARAMETERS = 3 };

/* Largest misfit of another end of a piece: 95 % of chi-squared, one degree. */
static const double ABOUT_AS_WELL = 3.84;

/* time = latency + slope * bytes. */
typedef struct line {
    double latency, slope;
    double latency_error, slope_error; /* standard ones, as far as errors of times are known */
    double misfit;                     /* sum of squared deviations over their errors */
} line;

/* The curve, and the least relative error of each time. */
typedef struct points {
    const srv_message_curve *curve;
    double noise;
} points;

static double error_of(const points *on, int i)
{
    return on->curve->errors ? fmax(on->noise, on->curve->errors[i]) : on->noise;
}

/* Sums over points, each weighted with 1 / (its error)^2. */
typedef struct sums {
    double one, x, xx, t, xt;
} sums;

/* The best line without a negative latency or bandwidth. */
static line fit(const points *on, int first, int end)
{
    sums s = {0};
    for (int i = first; i < end; i++) {
        double x = on->curve->bytes[i], t = on->curve->seconds[i], off = t * error_of(on, i);
        double weight = 1 / (off * off);
        s.one += weight;
        s.x += weight * x;
        s.xx += weight * x * x;
        s.t += weight * t;
        s.xt += weight * x * t;
    }
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
        double fitted = best.latency + best.slope * on->curve->bytes[i];
        best.misfit += pow((fitted / on->curve->seconds[i] - 1) / error_of(on, i), 2);
    }
    return best;
}

/* The best cuts of the first `end` points into each number of pieces. */
typedef struct cutting {
    points of;
    double *misfit; /* at [pieces * (count + 1) + end] */
    int *begin;     /* of the last piece */
} cutting;

static size_t at(const cutting *cut, int pieces, int end)
{
    return (size_t)pieces * (size_t)(cut->of.curve->count + 1) + (size_t)end;
}

static void cut_all(cutting *cut)
{
    int count = cut->of.curve->count;
    for (int pieces = 0; pieces <= SRV_PROTOCOLS_MAX; pieces++)
        for (int end = 0; end <= count; end++)
            cut->misfit[at(cut, pieces, end)] = pieces == 0 && end == 0 ? 0 : INFINITY;
    for (int first = 0; first < count; first++)
        for (int end = first + PIECE_MIN; end <= count; end++) {
            double misfit = fit(&cut->of, first, end).misfit;
            for (int pieces = 1; pieces <= SRV_PROTOCOLS_MAX; pieces++) {
                double whole = cut->misfit[at(cut, pieces - 1, first)] + misfit;
                if (whole < cut->misfit[at(cut, pieces, end)]) {
                    cut->misfit[at(cut, pieces, end)] = whole;
                    cut->begin[at(cut, pieces, end)] = first;
                }
            }
        }
}

static int best_number(const cutting *cut, double times)
{
    int count = cut->of.curve->count, best = 1;
    double least = INFINITY;
    for (int pieces = 1; pieces <= SRV_PROTOCOLS_MAX; pieces++) {
        double cost = cut->misfit[at(cut, pieces, count)] / (times * times) +
                      PARAMETERS * pieces * log(count);
        if (cost < least) {
            least = cost;
            best = pieces;
        }
    }
    return best;
}

/* --- what they say ---------------------------------------------------------------------------- */

static servet_value value_of(double value, double low, double high, int samples, servet_unit unit)
{
    return (servet_value){value, low, high, samples, unit, SERVET_METHOD_CURVE_FIT, true};
}

/* Two standard errors are the 95 % interval. */
static servet_protocol protocol_of(const points *on, int first, int end, double times)
{
    line found = fit(on, first, end);
    double bytes = on->curve->bytes[first];
    double late = 2 * times * found.latency_error, steep = 2 * times * found.slope_error;
    servet_protocol protocol = {
        .from = value_of(bytes, bytes, bytes, end - first, SERVET_UNIT_BYTE),
        .latency = value_of(found.latency, fmax(0, found.latency - late), found.latency + late,
                            end - first, SERVET_UNIT_SECOND),
        .bandwidth = servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND)};
    if (srv_unit_holds(SERVET_UNIT_BYTE_PER_SECOND, 1 / (found.slope - steep)))
        protocol.bandwidth =
            value_of(1 / found.slope, 1 / (found.slope + steep), 1 / (found.slope - steep),
                     end - first, SERVET_UNIT_BYTE_PER_SECOND);
    return protocol;
}

/* Between which sizes the piece of the points first..end-1 begins, after that from `before` on. */
static void set_interval(const points *on, int before, int first, int end, double times,
                         servet_value *from)
{
    const double *bytes = on->curve->bytes;
    double best = fit(on, before, first).misfit + fit(on, first, end).misfit;
    double most = best + ABOUT_AS_WELL * times * times;
    from->low = bytes[first - 1];
    for (int other = before + PIECE_MIN; other + PIECE_MIN <= end; other++)
        if (fit(on, before, other).misfit + fit(on, other, end).misfit <= most) {
            from->low = fmin(from->low, bytes[other - 1]);
            from->high = fmax(from->high, bytes[other]);
        }
}

static int tell(const cutting *cut, servet_protocol protocols[SRV_PROTOCOLS_MAX])
{
    /* Ratio of the residuals of the largest number of pieces to the known errors. */
    int count = cut->of.curve->count, most = SRV_PROTOCOLS_MAX;
    while (most > 1 && (isinf(cut->misfit[at(cut, most, count)]) || 2 * most * PARAMETERS > count))
        most--;
    double left = fmax(1, count - most * PARAMETERS);
    double times = fmax(1, sqrt(cut->misfit[at(cut, most, count)] / left));
    int pieces = best_number(cut, times), end = cut->of.curve->count;
    for (int i = pieces; i > 0; i--) {
        int first = cut->begin[at(cut, i, end)];
        protocols[i - 1] = protocol_of(&cut->of, first, end, times);
        if (i > 1)
            set_interval(&cut->of, cut->begin[at(cut, i - 1, first)], first, end, times,
                         &protocols[i - 1].from);
        end = first;
    }
    return pieces;
}

int srv_detect_protocols(const srv_message_curve *curve, double noise,
                         servet_protocol protocols[SRV_PROTOCOLS_MAX], int *count,
                         servet_error *error)
{
    *count = 0;
    if (curve->count < PIECE_MIN)
        return SERVET_OK;
    size_t room = (size_t)(SRV_PROTOCOLS_MAX + 1) * (size_t)(curve->count + 1);
    cutting cut = {{curve, noise}, calloc(room, sizeof(double)), calloc(room, sizeof(int))};
    bool allocated = cut.misfit && cut.begin;
    if (allocated) {
        cut_all(&cut);
        *count = tell(&cut, protocols);
    }
    free(cut.misfit);
    free(cut.begin);
    return allocated ? SERVET_OK : srv_fail_memory(error);
}

int servet_analyze_messages(const servet_curve *curve, servet_protocol protocols[], int size,
                            int *count, servet_error *error)
{
    servet_protocol found[SRV_PROTOCOLS_MAX];
    const srv_message_curve seen = {curve->bytes, curve->latency, (int)curve->n, NULL};
    if (curve->unit != SERVET_UNIT_SECOND)
        return srv_fail(error, SERVET_EARGUMENT, "the times of messages must be seconds");
    if (curve->n < SRV_PROTOCOL_POINTS_MIN || curve->n > SERVET_MESSAGE_SIZES_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d to %d sizes are needed",
                        SRV_PROTOCOL_POINTS_MIN, SERVET_MESSAGE_SIZES_MAX);
    int code = srv_detect_protocols(&seen, SRV_MESSAGE_NOISE, found, count, error);
    for (int i = 0; i < *count && i < size && code == SERVET_OK; i++)
        protocols[i] = found[i];
    return code;
}
