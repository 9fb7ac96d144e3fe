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
    made->text = NULL;
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

static bool is_row(const char *line)
{
    return *line && strchr("0123456789.-", *line);
}

bool srv_raw_next(srv_raw_table *from, int columns, double *numbers)
{
    char *line;
    while ((line = strsep(&from->rest, "\n")) && !is_row(line))
        ;
    for (int i = 0; line && i < columns; i++) {
        char *end;
        numbers[i] = strtod(line, &end);
        if (end == line || (i + 1 < columns && *end != ',') ||
            (isfinite(numbers[i]) && !srv_is_bounded(numbers[i])))
            return false;
        line = end + 1;
    }
    return line;
}
