/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_file_error(const char *path, servet_error *error)
{
    error->code = SERVET_EIO;
    snprintf(error->file, sizeof error->file, "%s", path);
    snprintf(error->text, sizeof error->text, "cannot be written: %s", strerror(errno));
    return error->code;
}

/* A pipe would be waited for, and a device replaced by a file. */
static int check_replaceable(const char *path, servet_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return SERVET_OK;
    (void)cli_file_error(path, error);
    snprintf(error->text, sizeof error->text, "cannot be written: not a regular file");
    return error->code;
}

/* Closes it. */
static bool write_new(int fd, const char *text, size_t size)
{
    FILE *to = fdopen(fd, "w");
    bool written = to && fwrite(text, 1, size, to) == size && fflush(to) == 0 && fsync(fd) == 0;
    int cause = errno;
    bool closed = to ? fclose(to) == 0 : close(fd) == 0;
    if (!written)
        errno = cause;
    return written && closed;
}

/* Beside it first, then in its place. */
static int replace(const char *path, const char *text, size_t size, servet_error *error)
{
    char beside[SERVET_ERROR_FILE_MAX];
    int length = snprintf(beside, sizeof beside, "%s.new-%ld", path, (long)getpid());
    errno = ENAMETOOLONG;
    int fd = length < (int)sizeof beside
                 ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                 : -1;
    if (fd < 0)
        return cli_file_error(path, error);
    if (write_new(fd, text, size) && rename(beside, path) == 0)
        return SERVET_OK;
    int code = cli_file_error(path, error);
    unlink(beside);
    return code;
}

/* What stdout lacks is found when it is flushed. */
int cli_file_write(const char *path, const char *text, size_t size, servet_error *error)
{
    if (path)
        return check_replaceable(path, error) == SERVET_OK ? replace(path, text, size, error)
                                                           : error->code;
    (void)fwrite(text, 1, size, stdout);
    return SERVET_OK;
}
