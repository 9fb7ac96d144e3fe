/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/tables.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "core/error.h"
#include "core/human.h"
#include "servet/analyze.h"
#include "servet/network.h"

enum { PROTOCOLS_MAX = 16 };

/* Too few points are no usage error. */
int analyze_failed(const char *path, servet_error *error)
{
    if (!*error->file)
        snprintf(error->file, sizeof error->file, "%s", path);
    (void)cli_error(error);
    return CLI_FAILED;
}

/* The result, and the ends of the curve. */
typedef struct result {
    servet_protocol protocols[PROTOCOLS_MAX];
    int count;
    double smallest, latency;  /* B, s */
    double largest, bandwidth; /* B, B/s */
} result;

/* --- messages --------------------------------------------------------------------------------- */

static json_t *size(double bytes)
{
    return json_integer((json_int_t)llround(bytes));
}

static json_t *number(const servet_value *value, double scale)
{
    return servet_value_known(value) ? json_real(value->value * scale) : json_null();
}

static json_t *protocol_json(const servet_protocol *protocol)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "from", size(protocol->from.value), "low",
                     size(protocol->from.low), "high", size(protocol->from.high), "latency_us",
                     number(&protocol->latency, HUMAN_US), "bandwidth",
                     number(&protocol->bandwidth, 1));
}

static int print_json(const result *found)
{
    json_t *list = json_array();
    for (int i = 0; i < found->count; i++)
        json_array_append_new(list, protocol_json(&found->protocols[i]));
    json_t *json = json_pack("{s:o, s:o, s:f, s:o, s:f}", "protocols", list, "smallest_bytes",
                             size(found->smallest), "latency_us", found->latency * HUMAN_US,
                             "largest_bytes", size(found->largest), "bandwidth", found->bandwidth);
    return cli_finish_json(json, JSON_INDENT(2));
}

static void print_protocol(const servet_protocol *protocol)
{
    char from[HUMAN_MAX], interval[HUMAN_MAX], latency[HUMAN_MAX];
    human_bytes(protocol->from.value, from);
    human_interval(protocol->from.low, protocol->from.high, interval);
    human_time(protocol->latency.value, latency);
    printf("%10s  %-20s  %10s  %s%s\n", from, interval, latency,
           HUMAN(protocol->bandwidth.value / 1e9, 3),
           servet_value_known(&protocol->bandwidth) ? " GB/s" : "");
}

static int print_table(const result *found)
{
    char size[HUMAN_MAX], time[HUMAN_MAX];
    human_bytes(found->smallest, size);
    human_time(found->latency, time);
    printf("messages of %s take %s", size, time);
    human_bytes(found->largest, size);
    printf(", those of %s get %s GB/s\n", size, HUMAN(found->bandwidth / 1e9, 4));
    if (found->count)
        printf("%10s  %-20s  %10s  %s\n", "from", "interval", "latency", "bandwidth");
    for (int i = 0; i < found->count; i++)
        print_protocol(&found->protocols[i]);
    return cli_finish_output();
}

static int analyze(const char *path, const servet_printed *printed, result *found,
                   servet_error *error)
{
    servet_curve curve = SERVET_CURVE_INIT;
    int code = servet_curve_read_printed(path, printed, &curve, error);
    if (code == SERVET_OK)
        code =
            servet_analyze_messages(&curve, found->protocols, PROTOCOLS_MAX, &found->count, error);
    if (code == SERVET_OK) {
        found->smallest = curve.bytes[0];
        found->latency = curve.latency[0];
        found->largest = curve.bytes[curve.n - 1];
        found->bandwidth = found->largest / curve.latency[curve.n - 1];
    }
    servet_curve_free(&curve);
    return code;
}

int analyze_messages(const char *path, const servet_printed *printed, bool json)
{
    result found = {.count = 0};
    servet_error error = SERVET_ERROR_INIT;
    if (analyze(path, printed, &found, &error) != SERVET_OK)
        return analyze_failed(path, &error);
    return json ? print_json(&found) : print_table(&found);
}

/* --- scaling ---------------------------------------------------------------------------------- */

static int print_scaling_json(const servet_scaling *scaling,
                              const servet_scaling_analysis *analysis)
{
    json_t *json = json_pack("{s:i, s:i, s:i, s:i, s:f, s:o}", "cores", analysis->enough, "low",
                             analysis->fewest, "high", analysis->most, "best_cores",
                             analysis->best_cores, "best", analysis->best, "unit",
                             *scaling->unit ? json_string(scaling->unit) : json_null());
    return cli_finish_json(json, JSON_INDENT(2));
}

static int print_scaling(const servet_scaling *scaling, const servet_scaling_analysis *analysis)
{
    printf("%5s  %12s%s%s  %s\n", "cores", "bandwidth", *scaling->unit ? ", " : "", scaling->unit,
           "of the best");
    for (size_t i = 0; i < scaling->n; i++) {
        const servet_scaling_point *point = &scaling->points[i];
        printf("%5d  %12s  %9.0f %%%s\n", point->cores, HUMAN(point->bandwidth, 4),
               100 * (point->bandwidth / analysis->best),
               point->cores == analysis->enough ? "  enough" : "");
    }
    bool all = analysis->enough == scaling->points[scaling->n - 1].cores;
    printf("saturated at %d core%s%s", analysis->enough, analysis->enough == 1 ? "" : "s",
           all ? " or more" : "");
    if (analysis->fewest < analysis->most)
        printf(" (95 %% interval %d-%d)", analysis->fewest, analysis->most);
    printf(": 95 %% or more of the best, %s%s%s with %d\n", HUMAN(analysis->best, 4),
           *scaling->unit ? " " : "", scaling->unit, analysis->best_cores);
    return cli_finish_output();
}

int analyze_scaling(const char *path, const char *unit, bool json)
{
    servet_scaling scaling = SERVET_SCALING_INIT;
    servet_scaling_analysis analysis;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_scaling_read(path, &scaling, &error);
    if (code == SERVET_OK && unit && *scaling.unit)
        code = srv_fail_at(&error, SERVET_EARGUMENT, path, 0,
                           "it names the unit of its bandwidths: leave --unit out");
    if (code == SERVET_OK && unit)
        snprintf(scaling.unit, sizeof scaling.unit, "%s", unit);
    if (code == SERVET_OK)
        code = servet_analyze_scaling(&scaling, &analysis, &error);
    int status = code == SERVET_OK
                     ? (json ? print_scaling_json : print_scaling)(&scaling, &analysis)
                     : analyze_failed(path, &error);
    servet_scaling_free(&scaling);
    return status;
}

/* --- loaded ----------------------------------------------------------------------------------- */

/* The values of the result, in the order of output. */
static const struct row {
    const char *name, *text, *unit;
    size_t offset;
    double scale;       /* of the JSON */
    double human_scale; /* of the table */
} rows[] = {
    {"unloaded_ns", "unloaded latency", "ns", offsetof(servet_loaded, unloaded), HUMAN_NS,
     HUMAN_NS},
    {"at_50_ns", "latency at 50 % of the best bandwidth", "ns", offsetof(servet_loaded, at_50),
     HUMAN_NS, HUMAN_NS},
    {"at_80_ns", "latency at 80 %", "ns", offsetof(servet_loaded, at_80), HUMAN_NS, HUMAN_NS},
    {"at_95_ns", "latency at 95 %", "ns", offsetof(servet_loaded, at_95), HUMAN_NS, HUMAN_NS},
    {"best", "best bandwidth", "GB/s", offsetof(servet_loaded, best), 1, 1e-9},
    {"knee", "knee", "GB/s", offsetof(servet_loaded, knee), 1, 1e-9},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const servet_value *value_of(const servet_loaded *loaded, const struct row *row)
{
    return (const servet_value *)(const void *)((const char *)loaded + row->offset);
}

static json_t *value_json(const servet_value *value, double scale)
{
    if (!servet_value_known(value))
        return json_null();
    return json_pack("{s:f, s:f, s:f, s:b}", "value", value->value * scale, "low",
                     value->low * scale, "high", value->high * scale, "trusted", value->trusted);
}

static int print_loaded_json(const servet_loaded *loaded)
{
    json_t *json = json_object();
    for (int i = 0; i < ROWS; i++)
        json_object_set_new(json, rows[i].name,
                            value_json(value_of(loaded, &rows[i]), rows[i].scale));
    return cli_finish_json(json, JSON_INDENT(2));
}

static void print_row(const servet_loaded *loaded, const struct row *row)
{
    const servet_value *value = value_of(loaded, row);
    if (!servet_value_known(value)) {
        printf("%-38s  %8s  the load does not reach it\n", row->text, "-");
        return;
    }
    printf("%-38s  %8s %-4s  %s-%s%s\n", row->text, HUMAN(value->value * row->human_scale, 4),
           row->unit, HUMAN(value->low * row->human_scale, 4),
           HUMAN(value->high * row->human_scale, 4), value->trusted ? "" : "  not trusted");
}

static int print_loaded(const servet_loaded *loaded)
{
    for (int i = 0; i < ROWS; i++)
        print_row(loaded, &rows[i]);
    return cli_finish_output();
}

int analyze_loaded(const char *path, bool json)
{
    servet_loaded_curve curve = SERVET_LOADED_CURVE_INIT;
    servet_loaded loaded;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_loaded_read(path, &curve, &error);
    if (code == SERVET_OK)
        code = servet_analyze_loaded(&curve, &loaded, &error);
    servet_loaded_free(&curve);
    if (code != SERVET_OK)
        return analyze_failed(path, &error);
    return json ? print_loaded_json(&loaded) : print_loaded(&loaded);
}
