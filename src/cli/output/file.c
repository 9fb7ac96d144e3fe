/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int cli_file_error(const char *path, servet_error *error)
{
    error->code = SERVET_EIO;
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "cannot be written: %s", strerror(errno));
    return error->code;
}

/* What stdout lacks is found when it is flushed. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error)
{
    FILE *to = path ? fopen(path, "w") : stdout;
    if (!to)
        return cli_file_error(path, error);
    bool written = fwrite(text, 1, size, to) == size;
    if (path)
        written = fclose(to) == 0 && written;
    return written || !path ? SERVET_OK : cli_file_error(path, error);
}
