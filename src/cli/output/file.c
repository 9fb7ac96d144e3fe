/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/file.h"

#include <stdio.h>

#include "core/file.h"

/* Writes the file. Errors of writing to stdout are found when it is flushed. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error)
{
    srv_file file = {.stream = stdout};
    int code = path ? srv_file_begin(&file, path, error) : SERVET_OK;
    if (code != SERVET_OK)
        return code;
    (void)fwrite(text, 1, size, file.stream);
    return path ? srv_file_commit(&file, error) : SERVET_OK;
}
