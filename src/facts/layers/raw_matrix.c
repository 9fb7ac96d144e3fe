/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a matrix: a line for each row, with a field for each column. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "servet/analyze.h"

static const char BLANKS[] = " \t";

/* A file being read: its position, and the numbers so far. */
typedef struct matrix_reader {
    const char *path;
    servet_error *error;
    int line;
    size_t columns;     /* of the first row; 0 before it */
    size_t row, column; /* of the next field */
    double *cost;
} matrix_reader;

static int fail_here(const matrix_reader *reader, const char *what)
{
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line, "%s", what);
}

static int fail_field(const matrix_reader *reader, const char *text, const char *what)
{
    char shown[32];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof shown; i++)
        shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    shown[i] = '\0';
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line,
                       "column %zu: '%s' is %s", reader->column + 1, shown, what);
}

/* Returns the text without blanks at its ends. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    for (size_t n = strlen(text); n > 0 && strchr(BLANKS, text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* The number in a field; NaN for "not measured". A blank inside would join two numbers into one. */
static int parse_field(const matrix_reader *reader, char *text, double *value)
{
    char *end = text, range[96];
    size_t length = strcspn(text, BLANKS);
    bool blank = text[length];
    text[length] = '\0';
    if (blank)
        return fail_field(reader, text, "followed by a blank: commas must separate numbers");
    *value = *text ? strtod(text, &end) : NAN;
    if (*end)
        return fail_field(reader, text, "not a number");
    if (*value == 0 || isnan(*value) || srv_is_cost(*value))
        return SERVET_OK;
    snprintf(range, sizeof range, "no cost (%g to %g; 0, nan or empty: not measured)",
             SERVET_COST_MIN, SERVET_COST_MAX);
    return fail_field(reader, text, range);
}

/* The first row has as many columns as the matrix has rows. */
static int begin_row(matrix_reader *reader, size_t columns)
{
    if (!reader->columns) {
        if (columns > SERVET_MATRIX_MAX)
            return fail_here(reader, "too many columns");
        reader->columns = columns;
        reader->cost = calloc(columns * columns, sizeof *reader->cost);
    }
    if (!reader->cost)
        return srv_fail_memory(reader->error);
    if (columns != reader->columns)
        return fail_here(reader, columns > reader->columns ? "more columns than in the first row"
                                                           : "fewer columns than in the first row");
    return reader->row < columns ? SERVET_OK : fail_here(reader, "more rows than columns");
}

/* Comments and empty lines are no rows. */
static int take_line(void *context, char *line)
{
    matrix_reader *reader = context;
    size_t columns = 1;
    if (*line == '#' || !line[strspn(line, BLANKS)])
        return SERVET_OK;
    for (const char *at = line; *at; at++)
        columns += *at == ',';
    int code = begin_row(reader, columns);
    for (reader->column = 0; reader->column < columns && code == SERVET_OK; reader->column++) {
        char *field = strsep(&line, ",");
        code =
            parse_field(reader, trim(field), &reader->cost[reader->row * columns + reader->column]);
    }
    reader->row++;
    return code;
}

int servet_matrix_read(const char *path, servet_matrix *matrix, servet_error *error)
{
    matrix_reader reader = {.path = path, .error = error};
    int code =
        srv_numbers_read(path, SRV_SERIES_BYTES_MAX, &reader.line, take_line, &reader, error);
    reader.line = 0;
    if (code == SERVET_OK && reader.row == 0)
        code = fail_here(&reader, "a matrix needs at least one row");
    if (code == SERVET_OK && reader.row < reader.columns)
        code = srv_fail_at(error, SERVET_EFORMAT, path, 0,
                           "the matrix must be square, and has %zu x %zu numbers", reader.row,
                           reader.columns);
    if (code)
        free(reader.cost);
    else
        *matrix =
            (servet_matrix){.n = reader.columns, .cost = reader.cost, .unit = SERVET_UNIT_NONE};
    return code;
}

void servet_matrix_free(servet_matrix *matrix)
{
    if (!matrix)
        return;
    free(matrix->cost);
    *matrix = (servet_matrix)SERVET_MATRIX_INIT;
}
