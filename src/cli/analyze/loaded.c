/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/loaded.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"
#include "core/human.h"
#include "servet/analyze.h"

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

static int print_json(const servet_loaded *loaded)
{
    json_t *json = json_object();
    for (int i = 0; i < ROWS; i++)
        json_object_set_new(json, rows[i].name,
                            value_json(value_of(loaded, &rows[i]), rows[i].scale));
    return cli_print_json(json, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) ? cli_finish_output()
                                                                         : cli_memory_error();
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

static int print_table(const servet_loaded *loaded)
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
    if (code == SERVET_OK)
        return json ? print_json(&loaded) : print_table(&loaded);
    if (!*error.file)
        snprintf(error.file, sizeof error.file, "%s", path);
    cli_error(&error);
    return CLI_FAILED; /* too few points are no usage error */
}
