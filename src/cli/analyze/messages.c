/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/messages.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "core/human.h"
#include "servet/network.h"

enum { PROTOCOLS_MAX = 16 };

/* The result, and the ends of the curve. */
typedef struct result {
    servet_protocol protocols[PROTOCOLS_MAX];
    int count;
    double smallest, latency;  /* B, s */
    double largest, bandwidth; /* B, B/s */
} result;

/* --- output ----------------------------------------------------------------------------------- */

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
    return cli_print_json(json, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) ? cli_finish_output()
                                                                         : cli_memory_error();
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

/* --- the command ------------------------------------------------------------------------------ */

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
    if (analyze(path, printed, &found, &error) != SERVET_OK) {
        if (!*error.file)
            snprintf(error.file, sizeof error.file, "%s", path);
        cli_error(&error);
        return CLI_FAILED;
    }
    return json ? print_json(&found) : print_table(&found);
}
