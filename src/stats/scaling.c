/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads bandwidths by the number of cores, and finds the saturation point. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/ranges.h"
#include "core/text.h"
#include "core/units.h"
#include "servet/analyze.h"
#include "stats/saturation.h"

/* The file while it is read. */
typedef struct reading {
    const char *path;
    int line;
    servet_scaling scaling;
    servet_error *error;
} reading;

static int fail_line(const reading *on, const char *reason)
{
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "%s", reason);
}

static bool is_rate(double rate)
{
    return srv_is_bounded(rate) && rate > 0;
}

static int add_point(reading *on, servet_scaling_point point)
{
    servet_scaling_point *grown = srv_grow(on->scaling.points, on->scaling.n, sizeof *grown);
    if (!grown)
        return srv_fail_memory(on->error);
    on->scaling.points = grown;
    grown[on->scaling.n++] = point;
    return SERVET_OK;
}

/* Reads the header "cores,GB/s", with or without ",low,high". */
static int take_header(reading *on, const char *line)
{
    static const char word[] = "cores,";
    static const char expected[] = "expected a number of cores and the bandwidth of all of them";
    if (strncmp(line, word, strlen(word)) != 0 || on->scaling.n)
        return fail_line(on, expected);
    size_t length = strcspn(line + strlen(word), ",");
    if (length >= sizeof on->scaling.unit)
        return fail_line(on, expected);
    snprintf(on->scaling.unit, sizeof on->scaling.unit, "%.*s", (int)length, line + strlen(word));
    return SERVET_OK;
}

static int take_line(void *context, char *line)
{
    reading *on = context;
    servet_scaling_point point = {0};
    double cores;
    char more;
    if (*line == '#' || !line[strspn(line, " \t\r")])
        return SERVET_OK;
    if (strncmp(line, "cores", 5) == 0)
        return take_header(on, line);
    for (char *comma = strpbrk(line, ",;\t"); comma; comma = strpbrk(comma, ",;\t"))
        *comma = ' ';
    int found = sscanf(line, "%lf %lf %lf %lf %c", &cores, &point.bandwidth, &point.low,
                       &point.high, &more);
    if (found != 2 && found != 4)
        return take_header(on, line);
    if (!(cores >= 1) || !(cores < SRV_RANGES_MAX) || cores != floor(cores))
        return fail_line(on, "the number of cores must be a whole number from 1 on");
    if (found == 2)
        point.low = point.high = point.bandwidth;
    if (!is_rate(point.bandwidth) || !is_rate(point.low) || !is_rate(point.high) ||
        point.low > point.bandwidth || point.high < point.bandwidth)
        return fail_line(on, "bandwidths must be positive, and the interval must contain them");
    point.cores = (int)cores;
    point.repeats = found == 2 ? 1 : 0;
    return add_point(on, point);
}

static int by_cores(const void *a, const void *b)
{
    const servet_scaling_point *x = a, *y = b;
    if (x->cores != y->cores)
        return x->cores < y->cores ? -1 : 1;
    return (x->bandwidth > y->bandwidth) - (x->bandwidth < y->bandwidth);
}

static void join_repeats(servet_scaling *scaling)
{
    size_t kept = 0;
    qsort(scaling->points, scaling->n, sizeof *scaling->points, by_cores);
    for (size_t i = 0, end; i < scaling->n; i = end) {
        for (end = i + 1;
             end < scaling->n && scaling->points[end].cores == scaling->points[i].cores;)
            end++;
        /* Makes one point of `count` ascending repeats. */
        const servet_scaling_point *points = &scaling->points[i];
        size_t count = end - i;
        servet_scaling_point joined = points[count / 2];
        joined.bandwidth = (points[(count - 1) / 2].bandwidth + points[count / 2].bandwidth) / 2;
        joined.repeats = 0;
        for (size_t k = 0; k < count; k++) {
            joined.low = fmin(joined.low, points[k].low);
            joined.high = fmax(joined.high, points[k].high);
            joined.repeats += points[k].repeats;
        }
        scaling->points[kept++] = joined;
    }
    scaling->n = kept;
}

int servet_scaling_read(const char *path, servet_scaling *scaling, servet_error *error)
{
    reading on = {.path = path, .scaling = SERVET_SCALING_INIT, .error = error};
    int code = srv_numbers_read(path, SRV_FILE_BYTES_MAX, &on.line, take_line, &on, error);
    if (code == SERVET_OK && on.scaling.n == 0)
        code = srv_fail_at(error, SERVET_EFORMAT, path, 0,
                           "no bandwidths: expected lines with a number of cores and the bandwidth "
                           "of all of them");
    if (code == SERVET_OK) {
        join_repeats(&on.scaling);
        *scaling = on.scaling;
    } else {
        servet_scaling_free(&on.scaling);
    }
    return code;
}

void servet_scaling_free(servet_scaling *scaling)
{
    free(scaling->points);
    *scaling = (servet_scaling)SERVET_SCALING_INIT;
}

static bool is_sound(const servet_scaling *scaling)
{
    for (size_t i = 0; i < scaling->n; i++) {
        const servet_scaling_point *point = &scaling->points[i];
        if (point->cores < 1 || (i && point->cores <= point[-1].cores) ||
            !is_rate(point->bandwidth) || !is_rate(point->low) || !is_rate(point->high) ||
            point->low > point->bandwidth || point->high < point->bandwidth)
            return false;
    }
    return true;
}

int servet_analyze_scaling(const servet_scaling *scaling, servet_scaling_analysis *analysis,
                           servet_error *error)
{
    if (scaling->n < 2 || scaling->n > SERVET_SCALING_MAX)
        return srv_fail(error, SERVET_EARGUMENT,
                        "bandwidths of 2 to %d numbers of cores are needed", SERVET_SCALING_MAX);
    if (!is_sound(scaling))
        return srv_fail(error, SERVET_EARGUMENT,
                        "numbers of cores must ascend, and bandwidths must be positive");
    srv_rate *rates = calloc(scaling->n, sizeof *rates);
    if (!rates)
        return srv_fail_memory(error);
    for (size_t i = 0; i < scaling->n; i++) {
        const servet_scaling_point *point = &scaling->points[i];
        rates[i] = (srv_rate){point->cores, point->bandwidth, point->low, point->high,
                              point->repeats > 1 ? point->repeats : 0};
    }
    srv_enough enough = srv_saturation(rates, (int)scaling->n, 0);
    int best = srv_best_rate(rates, (int)scaling->n);
    *analysis = (servet_scaling_analysis){.enough = enough.count,
                                          .fewest = enough.fewest,
                                          .most = enough.most,
                                          .best_cores = rates[best].count,
                                          .best = rates[best].rate};
    free(rates);
    return SERVET_OK;
}
