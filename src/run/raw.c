/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/raw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "core/units.h"

bool srv_raw_wanted(const srv_stage *stage, int code)
{
    return code == SERVET_EUNMEASURED && srv_machine_recorded(stage->machine);
}

int srv_raw_open(const srv_stage *stage, const char *name, srv_raw_table *made, servet_error *error)
{
    size_t size;
    servet_error missing = SERVET_ERROR_INIT;
    *made = (srv_raw_table){.text = NULL};
    int length = snprintf(made->path, sizeof made->path, "%s/%s",
                          srv_machine_recorded(stage->machine), name);
    if (length >= (int)sizeof made->path)
        return srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    int code = srv_text_read_found(made->path, SRV_SERIES_BYTES_MAX, &made->text, &size, &missing);
    made->rest = made->text;
    if (code == SERVET_ENOTFOUND)
        return srv_fail_at(error, SERVET_EUNMEASURED, made->path, 0, "not on record: %s", name);
    return code == SERVET_OK ? code : srv_fail_at(error, code, missing.file, 0, "%s", missing.text);
}

char *srv_raw_line(srv_raw_table *from)
{
    char *line;
    while ((line = strsep(&from->rest, "\n"))) {
        from->line++;
        if (!*line || *line == '#')
            continue;
        if (from->headed)
            return line;
        from->headed = true;
    }
    return NULL;
}

int srv_raw_malformed(const srv_raw_table *from, servet_error *error)
{
    return srv_fail_at(error, SERVET_EFORMAT, from->path, from->line, "no row of this series");
}

int srv_raw_next(srv_raw_table *from, int columns, double *numbers, bool *more, servet_error *error)
{
    char *line = srv_raw_line(from);
    *more = line != NULL;
    for (int i = 0; line && i < columns; i++) {
        char *end;
        numbers[i] = strtod(line, &end);
        if (end == line || *end != (i + 1 < columns ? ',' : '\0') ||
            (isfinite(numbers[i]) && !srv_is_bounded(numbers[i])))
            return srv_raw_malformed(from, error);
        line = end + 1;
    }
    return SERVET_OK;
}
