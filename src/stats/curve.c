/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/curve.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/grow.h"
#include "core/text.h"
#include "core/units.h"
#include "servet/analyze.h"

enum { COLUMNS_MAX = 4 };

static const struct {
    const char *text;
    servet_unit unit;
    int columns;
} headers[] = {
    {"bytes,ns", SERVET_UNIT_SECOND, 2},
    {"bytes,cycles", SERVET_UNIT_CYCLE, 2},
    {"bytes,ns,low,high", SERVET_UNIT_SECOND, 4},
    {"bytes,cycles,low,high", SERVET_UNIT_CYCLE, 4},
};

enum { HEADER_COUNT = sizeof headers / sizeof headers[0] };

/* A file being read: the position, and the rows so far. */
typedef struct curve_reader {
    const char *path;
    int line;
    int columns; /* 0 before the header */
    servet_curve curve;
    servet_error *error;
} curve_reader;

static int fail_here(const curve_reader *reader, const char *what, const char *text)
{
    char quoted[32];
    /* Text from the file as part of a message: short, and safe to print. */
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof quoted; i++)
        quoted[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    quoted[i] = '\0';
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line, "%s: '%s'", what,
                       quoted);
}

static int take_header(curve_reader *reader, const char *text)
{
    for (int i = 0; i < HEADER_COUNT; i++)
        if (strcmp(text, headers[i].text) == 0) {
            reader->columns = headers[i].columns;
            reader->curve.unit = headers[i].unit;
            return SERVET_OK;
        }
    return fail_here(
        reader, "the header must be bytes,ns or bytes,cycles, with ,low,high or without", text);
}

static bool grow_one(double **array, size_t count)
{
    double *grown = srv_grow(*array, count, sizeof *grown);
    if (grown)
        *array = grown;
    return grown != NULL;
}

static int make_room(curve_reader *reader)
{
    servet_curve *curve = &reader->curve;
    bool spread = reader->columns == COLUMNS_MAX;
    if (!grow_one(&curve->bytes, curve->n) || !grow_one(&curve->latency, curve->n) ||
        (spread && (!grow_one(&curve->low, curve->n) || !grow_one(&curve->high, curve->n))))
        return srv_fail_memory(reader->error);
    return SERVET_OK;
}

static int check_number(const curve_reader *reader, servet_unit unit, double number,
                        const char *text)
{
    bool is_size = unit == SERVET_UNIT_BYTE, is_cycles = unit == SERVET_UNIT_CYCLE;
    srv_limits limits = srv_unit_limits(unit);
    char message[128];
    if (srv_unit_holds(unit, number))
        return SERVET_OK;
    if (is_size)
        return fail_here(reader, "sizes must be 1 B to 1 PiB", text);
    snprintf(message, sizeof message, "%s must be %g to %g%s", is_cycles ? "cycles" : "times",
             limits.least, limits.most, is_cycles ? "" : " ns");
    return fail_here(reader, message, text);
}

static int split_row(const curve_reader *reader, const char *text, double *value)
{
    const char *at = text;
    servet_unit latency =
        reader->curve.unit == SERVET_UNIT_SECOND ? SRV_UNIT_NANOSECOND : reader->curve.unit;
    int code = SERVET_OK;
    for (int i = 0; i < reader->columns && code == SERVET_OK; i++) {
        char *end;
        value[i] = strtod(at, &end);
        if (end == at || *end != (i + 1 < reader->columns ? ',' : '\0'))
            return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line,
                               "expected %d numbers separated by commas", reader->columns);
        code = check_number(reader, i > 0 ? latency : SERVET_UNIT_BYTE, value[i], at);
        at = end + 1;
    }
    return code;
}

/* Converts a time: it is in seconds in a curve, and in ns in its file. */
static double taken(const servet_curve *curve, double number)
{
    return curve->unit == SERVET_UNIT_SECOND ? srv_seconds(number) : number;
}

static double given(const servet_curve *curve, double number)
{
    return curve->unit == SERVET_UNIT_SECOND ? srv_nanoseconds(number) : number;
}

static int take_row(curve_reader *reader, const char *text)
{
    servet_curve *curve = &reader->curve;
    double value[COLUMNS_MAX] = {0};
    int code = split_row(reader, text, value);
    if (code)
        return code;
    if (curve->n > 0 && value[0] <= curve->bytes[curve->n - 1])
        return fail_here(reader, "sizes must ascend", text);
    if (reader->columns == COLUMNS_MAX && value[2] > value[3])
        return fail_here(reader, "low is above high", text);
    code = make_room(reader);
    if (code)
        return code;
    curve->bytes[curve->n] = value[0];
    curve->latency[curve->n] = taken(curve, value[1]);
    if (curve->low) {
        curve->low[curve->n] = taken(curve, value[2]);
        curve->high[curve->n] = taken(curve, value[3]);
    }
    curve->n++;
    return SERVET_OK;
}

static int read_lines(curve_reader *reader, char *rest)
{
    for (char *text; (text = srv_text_line(&rest)) && (rest || *text);) {
        reader->line++;
        text[srv_text_trimmed(text)] = '\0';
        if (!*text || *text == '#')
            continue;
        int code = reader->columns ? take_row(reader, text) : take_header(reader, text);
        if (code)
            return code;
    }
    if (reader->curve.n < 2)
        return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line,
                           "a curve needs at least two rows");
    return SERVET_OK;
}

int srv_curve_parse(const char *path, char *text, size_t size, servet_curve *curve,
                    servet_error *error)
{
    curve_reader reader = {.path = path, .curve = SERVET_CURVE_INIT, .error = error};
    int code = srv_text_check_plain(path, text, size, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    code = read_lines(&reader, text);
    srv_numbers_end(numbers);
    if (code)
        servet_curve_free(&reader.curve);
    else
        *curve = reader.curve;
    return code;
}

int servet_curve_read(const char *path, servet_curve *curve, servet_error *error)
{
    char *text;
    size_t size;
    int code = srv_text_read(path, SRV_FILE_BYTES_MAX, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    code = srv_curve_parse(path, text, size, curve, error);
    free(text);
    return code;
}

void srv_curve_print(const servet_curve *curve, FILE *stream)
{
    fprintf(stream, "bytes,%s%s\n", curve->unit == SERVET_UNIT_SECOND ? "ns" : "cycles",
            curve->low ? ",low,high" : "");
    for (size_t i = 0; i < curve->n; i++) {
        fprintf(stream, "%.17g,%.15g", curve->bytes[i], given(curve, curve->latency[i]));
        if (curve->low)
            fprintf(stream, ",%.15g,%.15g", given(curve, curve->low[i]),
                    given(curve, curve->high[i]));
        fputc('\n', stream);
    }
}

int servet_curve_write(const char *path, const servet_curve *curve, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    srv_curve_print(curve, file.stream);
    srv_numbers_end(numbers);
    return srv_file_commit(&file, error);
}

void servet_curve_free(servet_curve *curve)
{
    if (!curve)
        return;
    free(curve->bytes);
    free(curve->latency);
    free(curve->low);
    free(curve->high);
    *curve = (servet_curve)SERVET_CURVE_INIT;
}
