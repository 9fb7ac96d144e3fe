/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/raw_file.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/error.h"

bool srv_raw_begin(srv_raw_file *to, const char *raw_dir, servet_error *error, const char *name,
                   ...)
{
    char file[SERVET_ERROR_FILE_MAX], path[SERVET_ERROR_FILE_MAX];
    va_list numbers;
    va_start(numbers, name);
    int length = vsnprintf(file, sizeof file, name, numbers);
    va_end(numbers);
    to->stream = NULL;
    to->code = SERVET_OK;
    if (!raw_dir)
        return false;
    if (length >= (int)sizeof file ||
        snprintf(path, sizeof path, "%s/%s", raw_dir, file) >= (int)sizeof path)
        to->code = srv_fail(error, SERVET_EIO, "the path of the raw series is too long");
    else
        to->code = srv_file_begin(&to->file, path, error);
    if (to->code != SERVET_OK)
        return false;
    to->stream = to->file.stream;
    to->numbers = srv_numbers_begin();
    return true;
}

int srv_raw_end(srv_raw_file *to, servet_error *error)
{
    if (!to->stream)
        return to->code;
    srv_numbers_end(to->numbers);
    if (to->code == SERVET_OK)
        return srv_file_commit(&to->file, error);
    srv_file_abandon(&to->file);
    return to->code;
}
