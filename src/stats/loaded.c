/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/loaded.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/text.h"
#include "core/units.h"

enum { POINTS_MIN = 3 };

/* A knee lies behind us if bandwidth over latency has fallen by more than this share: repeats of a
 * bandwidth or a latency differ by some percent (SRV_VISITS_RATIO_MAX). */
static const double KNEE_DROP_MIN = 0.05;

/* Share of the best bandwidth at which a latency is unloaded. */
static const double UNLOADED_SHARE_MAX = 0.1;

/* --- the front -------------------------------------------------------------------------------- */

static int by_bandwidth(const void *a, const void *b)
{
    const servet_loaded_point *x = a, *y = b;
    if (x->bandwidth.value != y->bandwidth.value)
        return x->bandwidth.value < y->bandwidth.value ? -1 : 1;
    return (x->latency.value < y->latency.value) - (x->latency.value > y->latency.value);
}

size_t srv_loaded_front(const servet_loaded_point *points, size_t n, servet_loaded_point *front)
{
    double least = INFINITY;
    size_t from = n;
    memmove(front, points, n * sizeof *front);
    qsort(front, n, sizeof *front, by_bandwidth);
    for (size_t i = n; i-- > 0;)
        if (front[i].latency.value < least) {
            least = front[i].latency.value;
            front[--from] = front[i];
        }
    memmove(front, front + from, (n - from) * sizeof *front);
    return n - from;
}

static servet_value interpolated(double value, double low, double high, size_t points)
{
    return (servet_value){
        value, low, high, (int)points, SERVET_UNIT_SECOND, SERVET_METHOD_INTERPOLATED, true};
}

servet_value srv_loaded_at(const servet_loaded_point *front, size_t n, double bandwidth)
{
    size_t above = 0;
    while (above < n && front[above].bandwidth.value < bandwidth)
        above++;
    if (above == n)
        return servet_value_unknown(SERVET_UNIT_SECOND);
    const servet_loaded_point *high = &front[above], *low = above > 0 ? high - 1 : high;
    double over = bandwidth - low->bandwidth.value,
           width = high->bandwidth.value - low->bandwidth.value;
    double share = width > 0 ? over / width : 0;
    servet_value latency =
        interpolated(low->latency.value + share * (high->latency.value - low->latency.value),
                     low->latency.value, high->latency.value, n);
    /* Below the first point, its latency is only an upper limit. */
    latency.trusted = low->latency.trusted && high->latency.trusted && over >= 0;
    return latency;
}

/* --- the decisions ---------------------------------------------------------------------------- */

static double power(const servet_loaded_point *point)
{
    return point->bandwidth.value / point->latency.value;
}

static servet_value find_knee(const servet_loaded_point *front, size_t n)
{
    size_t knee = 0;
    for (size_t i = 1; i < n; i++)
        if (power(&front[i]) > power(&front[knee]))
            knee = i;
    if (power(&front[n - 1]) >= (1 - KNEE_DROP_MIN) * power(&front[knee]))
        return servet_value_unknown(SERVET_UNIT_BYTE_PER_SECOND);
    servet_value value = front[knee].bandwidth;
    value.low = front[knee > 0 ? knee - 1 : knee].bandwidth.value;
    value.high = front[knee + 1].bandwidth.value;
    return value;
}

static bool is_less_loaded(const servet_loaded_point *a, const servet_loaded_point *b)
{
    return a->bandwidth.value < b->bandwidth.value ||
           (a->bandwidth.value == b->bandwidth.value && a->latency.value < b->latency.value);
}

/* The point with the least bandwidth; of several, that with the least latency. */
static servet_value find_unloaded(const servet_loaded_curve *curve, double best)
{
    const servet_loaded_point *least = curve->points;
    for (size_t i = 1; i < curve->n; i++)
        if (is_less_loaded(&curve->points[i], least))
            least = &curve->points[i];
    servet_value value = least->latency;
    value.trusted = value.trusted && least->bandwidth.value <= UNLOADED_SHARE_MAX * best;
    return value;
}

static servet_value latency_at(const servet_loaded_point *front, size_t n, double share,
                               bool trusted)
{
    servet_value value = srv_loaded_at(front, n, share * front[n - 1].bandwidth.value);
    value.trusted = value.trusted && trusted;
    return value;
}

static bool is_sound(const servet_loaded_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++) {
        double bandwidth = curve->points[i].bandwidth.value;
        if (!(bandwidth >= 0) || !srv_is_bounded(bandwidth) ||
            !srv_unit_holds(SERVET_UNIT_SECOND, curve->points[i].latency.value))
            return false;
    }
    return true;
}

int servet_analyze_loaded(const servet_loaded_curve *curve, servet_loaded *loaded,
                          servet_error *error)
{
    if (curve->n < POINTS_MIN || curve->n > SERVET_LOADED_POINTS_MAX)
        return srv_fail(error, SERVET_EARGUMENT,
                        "3 to %d points of bandwidth and latency are needed",
                        SERVET_LOADED_POINTS_MAX);
    if (!is_sound(curve))
        return srv_fail(error, SERVET_EARGUMENT,
                        "bandwidths must not be negative, and latencies must be positive");
    servet_loaded_point *front = calloc(curve->n, sizeof *front);
    if (!front)
        return srv_fail_memory(error);
    size_t n = srv_loaded_front(curve->points, curve->n, front);
    if (front[n - 1].bandwidth.value <= 0) {
        free(front);
        return srv_fail(error, SERVET_EARGUMENT, "all bandwidths are 0");
    }
    servet_value best = front[n - 1].bandwidth, knee = find_knee(front, n);
    bool reached = servet_value_known(&knee);
    *loaded = (servet_loaded){.unloaded = find_unloaded(curve, best.value),
                              .best = best,
                              .knee = knee,
                              .at_50 = latency_at(front, n, 0.5, reached),
                              .at_80 = latency_at(front, n, 0.8, reached),
                              .at_95 = latency_at(front, n, 0.95, reached),
                              .trusted = true};
    loaded->best.trusted = loaded->best.trusted && reached;
    free(front);
    return SERVET_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Tables of a file. */
typedef enum table { TABLE_NONE, TABLE_MLC, TABLE_CSV, TABLE_ENDED } table;

/* The file while it is read. */
typedef struct reading {
    const char *path;
    int line;
    table table;
    double scale; /* B/s of its unit */
    servet_loaded_curve curve;
    servet_error *error;
} reading;

static const struct unit {
    const char *header;
    double scale;
} units[] = {{"B/s,ns", 1}, {"MB/s,ns", 1e6}, {"GB/s,ns", 1e9}};

static int fail_line(const reading *on, const char *reason)
{
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "%s", reason);
}

static servet_value number(double value, servet_unit unit)
{
    return srv_timed(value, value, value, 1, unit);
}

static int add_point(reading *on, double bandwidth, double ns)
{
    bandwidth *= on->scale;
    if (!(bandwidth >= 0) || !srv_is_bounded(bandwidth) ||
        !srv_unit_holds(SERVET_UNIT_SECOND, srv_seconds(ns)))
        return fail_line(on, "the bandwidth must not be negative, and the latency positive");
    if (on->curve.n == SERVET_LOADED_POINTS_MAX)
        return fail_line(on, "there are too many points");
    servet_loaded_point *grown = srv_grow(on->curve.points, on->curve.n, sizeof *grown);
    if (!grown)
        return srv_fail_memory(on->error);
    on->curve.points = grown;
    grown[on->curve.n++] = (servet_loaded_point){number(bandwidth, SERVET_UNIT_BYTE_PER_SECOND),
                                                 number(srv_seconds(ns), SERVET_UNIT_SECOND)};
    return SERVET_OK;
}

/* The second line of the heading of MLC's table. */
static bool begins_mlc(const char *line)
{
    char delay[8], ns[8], rate[8], more;
    return sscanf(line, "%7s %7s %7s %c", delay, ns, rate, &more) == 3 &&
           strcmp(delay, "Delay") == 0 && strcmp(ns, "(ns)") == 0 && strcmp(rate, "MB/sec") == 0;
}

static void begin(reading *on, table kind, double scale)
{
    on->table = kind;
    on->scale = scale;
    on->curve.n = 0;
}

static int take_mlc(reading *on, const char *line)
{
    double delay, ns, rate;
    char more;
    if (sscanf(line, "%lf %lf %lf %c", &delay, &ns, &rate, &more) == 3)
        return add_point(on, rate, ns);
    if (on->curve.n > 0)
        on->table = TABLE_ENDED;
    return SERVET_OK;
}

static int take_csv(reading *on, const char *line)
{
    double rate, ns;
    char more;
    if (*line == '#' || !line[strspn(line, " \t\r")])
        return SERVET_OK;
    if (sscanf(line, "%lf ,%lf %c", &rate, &ns, &more) != 2)
        return fail_line(on, "expected a bandwidth and a latency in ns, with a comma between");
    return add_point(on, rate, ns);
}

static int take_line(void *context, char *line)
{
    reading *on = context;
    if (on->table == TABLE_CSV)
        return take_csv(on, line);
    if (begins_mlc(line)) {
        begin(on, TABLE_MLC, 1e6);
        return SERVET_OK;
    }
    if (on->table == TABLE_MLC)
        return take_mlc(on, line);
    for (size_t i = 0; on->table == TABLE_NONE && i < sizeof units / sizeof *units; i++)
        if (srv_text_same(line, units[i].header))
            begin(on, TABLE_CSV, units[i].scale);
    return SERVET_OK;
}

int servet_loaded_read(const char *path, servet_loaded_curve *curve, servet_error *error)
{
    reading on = {.path = path, .curve = SERVET_LOADED_CURVE_INIT, .error = error};
    int code = srv_numbers_read(path, SRV_FILE_BYTES_MAX, &on.line, take_line, &on, error);
    if (code == SERVET_OK && on.curve.n == 0)
        code = srv_fail_at(error, SERVET_EFORMAT, path, 0,
                           "no loaded latencies: expected the table of mlc --loaded_latency, or "
                           "lines below a header such as GB/s,ns");
    if (code == SERVET_OK)
        *curve = on.curve;
    else
        servet_loaded_free(&on.curve);
    return code;
}

void servet_loaded_free(servet_loaded_curve *curve)
{
    free(curve->points);
    *curve = (servet_loaded_curve)SERVET_LOADED_CURVE_INIT;
}
