/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_stream(FILE *stream, const char *path, size_t max, char **text, size_t *size,
                       servet_error *error)
{
    size_t room = 1 << 16, used = 0;
    char *buffer = NULL;
    while (!feof(stream)) {
        char *larger = realloc(buffer, room + 1);
        if (!larger) {
            free(buffer);
            return srv_fail_memory(error);
        }
        buffer = larger;
        used += fread(buffer + used, 1, room - used, stream);
        if (ferror(stream) || used > max) {
            int cause = errno;
            free(buffer);
            return used > max ? srv_fail_at(error, SERVET_EFORMAT, path, 0, "over %zu bytes", max)
                              : srv_fail_at(error, SERVET_EIO, path, 0, "cannot read: %s",
                                            strerror(cause));
        }
        room *= 2;
    }
    buffer[used] = '\0';
    *text = buffer;
    *size = used;
    return SERVET_OK;
}

/* Without waiting: opening a pipe without a writer would never end. */
static int open_regular(const char *path, FILE **stream, servet_error *error)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
        close(fd);
        return srv_fail_at(error, SERVET_EIO, path, 0, "not a regular file");
    }
    *stream = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (*stream)
        return SERVET_OK;
    int cause = errno;
    if (fd >= 0)
        close(fd);
    return srv_fail_at(error, cause == ENOENT || cause == ENOTDIR ? SERVET_ENOTFOUND : SERVET_EIO,
                       path, 0, "cannot open: %s", strerror(cause));
}

int srv_text_read_checked(const char *path, size_t max, srv_text_check *check, char **text,
                          size_t *size, servet_error *error)
{
    FILE *stream;
    int opened = open_regular(path, &stream, error);
    if (opened != SERVET_OK)
        return opened;
    int code = check ? check(fileno(stream), path, error) : SERVET_OK;
    if (code == SERVET_OK)
        code = read_stream(stream, path, max, text, size, error);
    fclose(stream);
    return code;
}

int srv_text_read(const char *path, size_t max, char **text, size_t *size, servet_error *error)
{
    return srv_text_read_checked(path, max, NULL, text, size, error);
}

char *srv_text_written(srv_text_writer *write, const void *context)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    write(stream, context);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
