/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/cache/raw_visits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/numbers.h"
#include "core/text.h"
#include "core/units.h"

static const char HEADER[] = "bytes,placement,moment,seconds,ns,error,busy,ghz";
enum { COLUMNS = 8, LINE_MAX_CHARS = 512 };

int srv_visits_write(const char *path, const srv_visits *visits, servet_error *error)
{
    srv_file file;
    int code = srv_file_begin(&file, path, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    fprintf(file.stream, "# %zu of %zu visits were quiet\n%s\n", srv_visits_quiet(visits),
            visits->count, HEADER);
    for (size_t i = 0; i < visits->count; i++) {
        const srv_visit *visit = &visits->visit[i];
        fprintf(file.stream, "%.17g,%d,%d,%.6f,%.9g,%.3g,%.5g,%.6g\n", visit->bytes,
                visit->placement, visit->moment, visit->seconds, visit->ns, visit->error,
                visit->busy, visit->ghz);
    }
    srv_numbers_end(numbers);
    return srv_file_commit(&file, error);
}

/* A file being read. */
typedef struct visits_reader {
    FILE *stream;
    const char *path;
    int line;
    bool headed;
    srv_visits visits;
    servet_error *error;
} visits_reader;

static int fail_here(const visits_reader *reader, const char *what)
{
    return srv_fail_at(reader->error, SERVET_EFORMAT, reader->path, reader->line, "%s", what);
}

static bool split_row(const char *text, double value[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        char *end;
        value[i] = strtod(text, &end);
        if (end == text || *end != (i + 1 < COLUMNS ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

/* Only the indicator and the frequency may be unknown. */
static bool is_sound(const srv_visit *visit, const double value[COLUMNS])
{
    return srv_unit_holds(SERVET_UNIT_BYTE, visit->bytes) &&
           srv_unit_holds(SRV_UNIT_NANOSECOND, visit->ns) && srv_is_bounded(visit->error) &&
           visit->error >= 0 && srv_is_bounded(visit->seconds) && value[1] >= 0 && value[1] < 1e6 &&
           (isnan(visit->busy) || srv_is_bounded(visit->busy)) &&
           (isnan(visit->ghz) || srv_is_bounded(visit->ghz));
}

static int take_row(visits_reader *reader, const char *text)
{
    double value[COLUMNS];
    if (!split_row(text, value))
        return fail_here(reader, "expected eight numbers separated by commas");
    srv_visit visit = {.bytes = value[0],
                       .seconds = value[3],
                       .ns = value[4],
                       .error = value[5],
                       .busy = value[6],
                       .ghz = value[7]};
    if (!is_sound(&visit, value))
        return fail_here(reader, "a number is out of range");
    visit.placement = (int)value[1];
    return srv_visits_add(&reader->visits, &visit, reader->error);
}

static int take_line(visits_reader *reader, const char *text)
{
    if (!*text || *text == '#')
        return SERVET_OK;
    if (reader->headed)
        return take_row(reader, text);
    reader->headed = true;
    return strcmp(text, HEADER) == 0 ? SERVET_OK
                                     : fail_here(reader, "expected the header of visits");
}

static int read_lines(visits_reader *reader)
{
    char text[LINE_MAX_CHARS];
    int code = SERVET_OK;
    while (code == SERVET_OK && fgets(text, sizeof text, reader->stream)) {
        reader->line++;
        if (strlen(text) + 1 == sizeof text)
            return fail_here(reader, "the line is too long for a visit");
        text[strcspn(text, "\r\n")] = '\0';
        code = take_line(reader, text);
    }
    if (code == SERVET_OK && ferror(reader->stream))
        return srv_fail_at(reader->error, SERVET_EIO, reader->path, 0, "cannot read: %s",
                           strerror(errno));
    if (code == SERVET_OK && reader->visits.count == 0)
        return fail_here(reader, "there are no visits");
    return code;
}

int srv_visits_read(const char *path, srv_visits *visits, servet_error *error)
{
    visits_reader reader = {.path = path, .error = error};
    int code = srv_text_check_found(path, error);
    if (code == SERVET_OK)
        code = srv_text_open(path, &reader.stream, error);
    if (code != SERVET_OK)
        return code;
    srv_numbers numbers = srv_numbers_begin();
    code = read_lines(&reader);
    srv_numbers_end(numbers);
    fclose(reader.stream);
    if (code == SERVET_OK)
        code = srv_visits_verify(&reader.visits, error);
    if (code == SERVET_OK)
        *visits = reader.visits;
    else
        srv_visits_free(&reader.visits);
    return code;
}
