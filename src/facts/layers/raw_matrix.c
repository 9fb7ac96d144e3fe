/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a matrix field by field: a row of many cores may be of any length, a number is not. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "servet/analyze.h"

enum { FIELD_MAX = 64, ROOM_FIRST = 64 };

/* A file being read: its position, and the numbers so far. */
typedef struct matrix_reader {
    FILE *stream;
    const char *path;
    servet_error *error;
    int line;
    size_t columns;      /* of the first row; 0 before it ended */
    size_t row, column;  /* of the next field */
    size_t room, filled; /* numbers that `cost` has room for, and holds */
    double *cost;
} matrix_reader;

static int fail_here(const matrix_reader *reader, const char *what)
{
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line, "%s", what);
}

static void skip_line(matrix_reader *reader)
{
    int c;
    while ((c = getc(reader->stream)) != EOF && c != '\n')
        ;
}

static int fail_field(const matrix_reader *reader, const char *text, const char *what)
{
    char shown[FIELD_MAX];
    size_t i = 0;
    for (; text[i]; i++)
        shown[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    shown[i] = '\0';
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line,
                       "column %zu: '%s' is %s", reader->column + 1, shown, what);
}

/* Adds a character to a field. Blanks at either end are no part of it; a blank inside is refused,
 * as it would join two numbers into one. */
static int add_character(const matrix_reader *reader, char text[FIELD_MAX], size_t *n, int c,
                         bool *blank)
{
    if (c == ' ' || c == '\t' || c == '\r') {
        *blank = *n > 0;
        return SERVET_OK;
    }
    text[*n] = '\0';
    if (c < ' ')
        return fail_here(reader, "not a text file");
    if (*blank)
        return fail_field(reader, text, "followed by a blank: commas must separate numbers");
    if (*n + 1 == FIELD_MAX)
        return fail_here(reader, "a field is too long for a number");
    text[(*n)++] = (char)c;
    return SERVET_OK;
}

/* Reads up to the next comma or end of line, without the blanks at either end, into `text`; returns
 * the character that ended it (',', '\n' or EOF), or 0 on failure. */
static int next_field(matrix_reader *reader, char text[FIELD_MAX])
{
    size_t n = 0;
    bool blank = false;
    int c;
    while ((c = getc(reader->stream)) != EOF && c != ',' && c != '\n')
        if (add_character(reader, text, &n, c, &blank) != SERVET_OK)
            return 0;
    text[n] = '\0';
    return c;
}

/* The number in a field; NaN for "not measured". */
static int parse_field(const matrix_reader *reader, const char *text, double *value)
{
    char *end;
    *value = *text ? strtod(text, &end) : NAN;
    if (*text && *end)
        return fail_field(reader, text, "not a number");
    if (*value == 0 || isnan(*value) || srv_is_cost(*value))
        return SERVET_OK;
    char range[FIELD_MAX];
    snprintf(range, sizeof range, "no cost (%g to %g; 0, nan or empty: not measured)",
             SERVET_COST_MIN, SERVET_COST_MAX);
    return fail_field(reader, text, range);
}

static int make_room(matrix_reader *reader, size_t room)
{
    double *grown = realloc(reader->cost, room * sizeof *grown);
    if (!grown)
        return srv_fail_memory(reader->error);
    reader->cost = grown;
    reader->room = room;
    return SERVET_OK;
}

static int take_field(matrix_reader *reader, const char *text)
{
    double value = NAN;
    int code = parse_field(reader, text, &value);
    if (code)
        return code;
    if (reader->column == (reader->columns ? reader->columns : SERVET_MATRIX_MAX))
        return fail_here(reader, reader->columns ? "more columns than in the first row"
                                                 : "too many columns");
    if (reader->columns && reader->row == reader->columns)
        return fail_here(reader, "more rows than columns");
    if (reader->filled == reader->room)
        code = make_room(reader, reader->room ? 2 * reader->room : ROOM_FIRST);
    if (code)
        return code;
    reader->cost[reader->filled++] = value;
    reader->column++;
    return SERVET_OK;
}

static int end_row(matrix_reader *reader)
{
    if (reader->columns && reader->column < reader->columns)
        return fail_here(reader, "fewer columns than in the first row");
    int code = SERVET_OK;
    if (!reader->columns)
        code = make_room(reader, reader->column * reader->column);
    reader->columns = reader->column;
    reader->column = 0;
    reader->row++;
    return code;
}

/* Reads one line, if there is one; comments and empty lines are no rows. */
static int read_line(matrix_reader *reader, bool *more)
{
    char text[FIELD_MAX];
    int c = getc(reader->stream);
    *more = c != EOF;
    if (!*more)
        return SERVET_OK;
    reader->line++;
    ungetc(c, reader->stream);
    if (c == '#') {
        skip_line(reader);
        return SERVET_OK;
    }
    for (;;) {
        int ended_by = next_field(reader, text);
        if (!ended_by)
            return SERVET_EFORMAT;
        if (reader->column == 0 && !*text && ended_by != ',')
            return SERVET_OK;
        int code = take_field(reader, text);
        if (code || ended_by != ',')
            return code ? code : end_row(reader);
    }
}

static int read_rows(matrix_reader *reader)
{
    bool more = true;
    while (more) {
        int code = read_line(reader, &more);
        if (code)
            return code;
    }
    if (ferror(reader->stream))
        return srv_fail_at(reader->error, SERVET_EIO, reader->path, 0, "cannot read: %s",
                           strerror(errno));
    if (reader->row == 0)
        return fail_here(reader, "a matrix needs at least one row");
    if (reader->row < reader->columns)
        return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line,
                           "the matrix must be square, and has %zu x %zu numbers", reader->row,
                           reader->columns);
    return SERVET_OK;
}

int servet_matrix_read(const char *path, servet_matrix *matrix, servet_error *error)
{
    matrix_reader reader = {.path = path, .error = error};
    int code = srv_text_open(path, &reader.stream, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    code = read_rows(&reader);
    srv_numbers_end(numbers);
    fclose(reader.stream);
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
