/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the traffic of pairs of processes, line by line: pairs, or rows of a matrix. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "map/traffic/traffic.h"

/* Limit of the file: a line for each pair of 4096 processes fits. */
static const size_t FILE_MAX = (size_t)1 << 29;

enum { FIELDS = 3 };

static const char BLANKS[] = " \t\r,";

typedef struct reader {
    const char *path;
    servet_error *error;
    int line;
    int processes;           /* 0: not known */
    int columns;             /* of a matrix; FIELDS for lines FROM TO BYTES; 0 before the first */
    int rows;                /* of the matrix of this phase so far */
    servet_traffic *traffic; /* with room for the largest number of processes */
    bool *seen;              /* whether each rank, up to that number, has appeared */
    int highest;
} reader;

static int fail_line(const reader *on, const char *what)
{
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "%s", what);
}

static int fail_field(const reader *on, const char *field, const char *what)
{
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "'%.31s' %s", field, what);
}

/* --- fields ----------------------------------------------------------------------------------- */

static int parse_rank(const reader *on, const char *field, int *rank)
{
    char *end;
    errno = 0;
    long number = strtol(field, &end, 10);
    if (end == field || *end)
        return fail_field(on, field, "is not a rank: a line is FROM TO BYTES");
    if (number < 0)
        return fail_field(on, field, "is not a rank: they count from 0");
    if (errno || number >= on->traffic->processes)
        return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line,
                           "there is no rank %.20s, only 0 to %d", field,
                           on->traffic->processes - 1);
    *rank = (int)number;
    return SERVET_OK;
}

static int parse_bytes(const reader *on, const char *field, double *bytes)
{
    char *end;
    *bytes = strtod(field, &end);
    if (end == field || *end || !srv_is_bounded(*bytes))
        return fail_field(on, field, "is not a number of bytes");
    return *bytes < 0 ? fail_field(on, field, "bytes are less than none") : SERVET_OK;
}

/* Ends the next field of `*rest`, which moves behind it; NULL behind the last one. */
static char *next_field(char **rest)
{
    char *field = *rest + strspn(*rest, BLANKS);
    *rest = field + strcspn(field, BLANKS);
    if (**rest)
        *(*rest)++ = '\0';
    return *field ? field : NULL;
}

static int count_fields(const char *line)
{
    int count = 0;
    for (line += strspn(line, BLANKS); *line; line += strspn(line, BLANKS)) {
        line += strcspn(line, BLANKS);
        count++;
    }
    return count;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void note_rank(reader *on, int rank)
{
    on->seen[rank] = true;
    on->highest = rank > on->highest ? rank : on->highest;
}

/* Takes a line FROM TO BYTES. */
static int take_pair(reader *on, char *line)
{
    int from, to;
    double bytes;
    int code = parse_rank(on, next_field(&line), &from);
    if (code == SERVET_OK)
        code = parse_rank(on, next_field(&line), &to);
    if (code == SERVET_OK)
        code = parse_bytes(on, next_field(&line), &bytes);
    if (code != SERVET_OK)
        return code;
    note_rank(on, from);
    note_rank(on, to);
    return servet_traffic_add(on->traffic, from, to, bytes, on->error);
}

/* Takes a row of a matrix: the bytes that a rank sends to each one. */
static int take_row(reader *on, char *line)
{
    int code = SERVET_OK, from = on->rows++;
    double bytes;
    if (from >= on->columns)
        return fail_line(on, "more rows than the first has columns");
    note_rank(on, from);
    for (int to = 0; to < on->columns && code == SERVET_OK; to++) {
        code = parse_bytes(on, next_field(&line), &bytes);
        if (code == SERVET_OK)
            code = servet_traffic_add(on->traffic, from, to, bytes, on->error);
    }
    return code;
}

/* A matrix has all of its rows. */
static int check_rows(const reader *on)
{
    return on->columns == FIELDS || on->rows == 0 || on->rows == on->columns
               ? SERVET_OK
               : srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line,
                             "the matrix has %d of %d rows", on->rows, on->columns);
}

static int next_phase(reader *on)
{
    int code = check_rows(on);
    on->rows = 0;
    servet_traffic_next_phase(on->traffic);
    return code;
}

static bool is_phase(const char *line)
{
    static const char word[] = "phase";
    const char *field = line + strspn(line, BLANKS);
    return strcspn(field, BLANKS) == sizeof word - 1 && strncmp(field, word, sizeof word - 1) == 0;
}

/* Returns true for three words, such as "from,to,bytes". */
static bool is_heading(const char *line, int count)
{
    return count == FIELDS && !strpbrk(line, "0123456789");
}

/* The first line decides what the file has. */
static bool is_matrix(const reader *on, int count)
{
    return count != FIELDS && count > 1 && (on->processes == 0 || on->processes == count);
}

/* Spreadsheets leave cells empty, at the diagonal for example: commas alone would hide them. */
static bool has_empty_cell(const char *line)
{
    bool filled = false, commas = false;
    for (; *line; line++) {
        if (*line == ',' && !filled)
            return true;
        commas = commas || *line == ',';
        filled = *line != ',' && (filled || !strchr(BLANKS, *line));
    }
    return commas && !filled;
}

static int take_line(reader *on, char *line)
{
    line[strcspn(line, "#")] = '\0';
    int count = count_fields(line);
    if (has_empty_cell(line))
        return fail_line(on, "a cell is empty: write 0 where nothing is sent");
    if (count == 0 || (on->columns == 0 && is_heading(line, count)))
        return SERVET_OK;
    if (count == 1 && is_phase(line))
        return next_phase(on);
    if (on->columns == 0)
        on->columns = is_matrix(on, count) ? count : FIELDS;
    if (count != on->columns)
        return fail_line(on, on->columns == FIELDS
                                 ? "a line is FROM TO BYTES, three numbers, or a row of a "
                                   "matrix with a column for each process"
                                 : "this row of the matrix has another number "
                                   "of columns than the first");
    return on->columns == FIELDS ? take_pair(on, line) : take_row(on, line);
}

static int take_lines(reader *on, char *text, size_t size)
{
    int code = SERVET_OK;
    for (char *line = text, *end = text + size; line < end && code == SERVET_OK;) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        *stop = '\0';
        on->line++;
        if (strlen(line) < (size_t)(stop - line))
            return fail_line(on, "not a text file");
        code = take_line(on, line);
        line = stop + 1;
    }
    return code;
}

/* --- the file --------------------------------------------------------------------------------- */

static int check_ranks(const reader *on, int processes)
{
    if (on->highest < 0)
        return srv_fail_at(on->error, SERVET_EFORMAT, on->path, 0,
                           "the file has no line FROM TO BYTES, and no row of a matrix");
    for (int rank = 0; rank < processes; rank++)
        if (!on->seen[rank])
            return srv_fail_at(on->error, SERVET_EFORMAT, on->path, 0,
                               "rank %d of %d is missing; a rank that sends nothing needs a line: "
                               "%d %d 0",
                               rank, processes, rank, rank);
    return SERVET_OK;
}

static int read_text(reader *on, char *text, size_t size)
{
    srv_numbers numbers = srv_numbers_begin();
    int code = take_lines(on, text, size);
    srv_numbers_end(numbers);
    int processes = on->processes ? on->processes : on->highest + 1;
    if (code == SERVET_OK)
        code = check_rows(on);
    if (code == SERVET_OK)
        code = check_ranks(on, processes);
    on->traffic->processes = processes;
    return code;
}

int servet_traffic_read(servet_traffic **traffic, const char *path, int processes,
                        servet_error *error)
{
    char *text = NULL;
    size_t size;
    reader on = {.path = path, .error = error, .processes = processes, .highest = -1};
    int code =
        servet_traffic_create(&on.traffic, processes ? processes : SERVET_PROCESSES_MAX, error);
    if (code == SERVET_OK && !(on.seen = calloc((size_t)on.traffic->processes, sizeof *on.seen)))
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = srv_text_read(path, FILE_MAX, &text, &size, error);
    if (code == SERVET_OK)
        code = read_text(&on, text, size);
    free(text);
    free(on.seen);
    if (code == SERVET_OK)
        *traffic = on.traffic;
    else
        servet_traffic_destroy(on.traffic);
    return code;
}
