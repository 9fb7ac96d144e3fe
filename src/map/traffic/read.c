/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the traffic of pairs of processes, line by line. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "core/units.h"
#include "map/traffic/traffic.h"

/* Limit of the file: a line for each pair of 4096 processes fits. */
static const size_t FILE_MAX = (size_t)1 << 29;

enum { FIELDS = 3, SHOWN_MAX = 32 };

typedef struct reader {
    const char *path;
    servet_error *error;
    int line;
    servet_traffic *traffic; /* with room for the largest number of processes */
    bool *seen;              /* whether each rank has appeared */
    int seen_room, highest;
} reader;

static int fail_line(const reader *on, const char *what)
{
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "%s", what);
}

static int fail_field(const reader *on, const char *field, const char *what)
{
    char shown[SHOWN_MAX];
    size_t i = 0;
    for (; field[i] && i + 1 < sizeof shown; i++)
        shown[i] = field[i] >= ' ' && field[i] <= '~' ? field[i] : '?';
    shown[i] = '\0';
    return srv_fail_at(on->error, SERVET_EFORMAT, on->path, on->line, "'%s' %s", shown, what);
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
        return fail_field(on, field, "is not a number of bytes: a line is FROM TO BYTES");
    return *bytes < 0 ? fail_field(on, field, "bytes are less than none") : SERVET_OK;
}

/* Cuts `line` at blanks; returns the number of fields, FIELDS + 1 for too many. */
static int cut(char *line, char *fields[FIELDS])
{
    int count = 0;
    for (char *at = line + strspn(line, " \t\r"); *at; at += strspn(at, " \t\r")) {
        if (count == FIELDS)
            return FIELDS + 1;
        fields[count++] = at;
        at += strcspn(at, " \t\r");
        if (*at)
            *at++ = '\0';
    }
    return count;
}

/* --- lines ------------------------------------------------------------------------------------ */

static int note_rank(reader *on, int rank)
{
    if (rank >= on->seen_room) {
        int room = rank < INT_MAX / 2 ? 2 * rank + 1 : INT_MAX;
        bool *seen = realloc(on->seen, (size_t)room * sizeof *seen);
        if (!seen)
            return srv_fail_memory(on->error);
        memset(seen + on->seen_room, 0, (size_t)(room - on->seen_room) * sizeof *seen);
        on->seen = seen;
        on->seen_room = room;
    }
    on->seen[rank] = true;
    on->highest = rank > on->highest ? rank : on->highest;
    return SERVET_OK;
}

static int take_line(reader *on, char *line)
{
    char *fields[FIELDS];
    int from, to;
    double bytes;
    line[strcspn(line, "#")] = '\0';
    int count = cut(line, fields);
    if (count == 0)
        return SERVET_OK;
    if (count == 1 && strcmp(fields[0], "phase") == 0) {
        servet_traffic_next_phase(on->traffic);
        return SERVET_OK;
    }
    if (count != FIELDS)
        return fail_line(on, "a line is FROM TO BYTES, three numbers");
    int code = parse_rank(on, fields[0], &from);
    if (code == SERVET_OK)
        code = parse_rank(on, fields[1], &to);
    if (code == SERVET_OK)
        code = parse_bytes(on, fields[2], &bytes);
    if (code == SERVET_OK)
        code = note_rank(on, from);
    if (code == SERVET_OK)
        code = note_rank(on, to);
    return code == SERVET_OK ? servet_traffic_add(on->traffic, from, to, bytes, on->error) : code;
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
                           "the file has no line FROM TO BYTES");
    for (int rank = 0; rank < processes; rank++)
        if (rank >= on->seen_room || !on->seen[rank])
            return srv_fail_at(on->error, SERVET_EFORMAT, on->path, 0,
                               "rank %d of %d is missing; a rank that sends nothing needs a line: "
                               "%d %d 0",
                               rank, processes, rank, rank);
    return SERVET_OK;
}

static int read_text(reader *on, int processes, char *text, size_t size)
{
    srv_numbers numbers = srv_numbers_begin();
    int code = take_lines(on, text, size);
    srv_numbers_end(numbers);
    if (processes == 0)
        processes = on->highest + 1;
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
    reader on = {.path = path, .error = error, .highest = -1};
    int code =
        servet_traffic_create(&on.traffic, processes ? processes : SERVET_PROCESSES_MAX, error);
    if (code == SERVET_OK)
        code = srv_text_read(path, FILE_MAX, &text, &size, error);
    if (code == SERVET_OK)
        code = read_text(&on, processes, text, size);
    free(text);
    free(on.seen);
    if (code == SERVET_OK)
        *traffic = on.traffic;
    else
        servet_traffic_destroy(on.traffic);
    return code;
}
