/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory_stream.h"

static int read_stream(FILE *stream, const char *path, size_t max, char **text, size_t *size,
                       servet_error *error)
{
    size_t room = 1 << 16, used = 0;
    char *buffer = NULL;
    do {
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
    } while (!feof(stream));
    buffer[used] = '\0';
    *text = buffer;
    *size = used;
    return SERVET_OK;
}

/* The file of a name that the user gave may be standard input or a pipe, as shells make them. */
static int open_input(const char *path, bool named)
{
    /* Without waiting: opening a pipe without a writer would never end. */
    return named && strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                           : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool is_readable(int fd, const char *path, bool named, bool *pipe)
{
    struct stat status;
    bool known = fstat(fd, &status) == 0;
    *pipe = known && S_ISFIFO(status.st_mode);
    if (!known || S_ISREG(status.st_mode) || (named && strcmp(path, "-") == 0))
        return true;
    return named && *pipe && fcntl(fd, F_SETFL, 0) == 0;
}

static int open_file(const char *path, bool named, FILE **stream, bool *pipe, servet_error *error)
{
    int fd = open_input(path, named);
    if (fd >= 0 && !is_readable(fd, path, named, pipe)) {
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
    bool pipe = false;
    int opened = open_file(path, !check, &stream, &pipe, error);
    if (opened != SERVET_OK)
        return opened;
    int code = check ? check(fileno(stream), path, error) : SERVET_OK;
    if (code == SERVET_OK)
        code = read_stream(stream, path, max, text, size, error);
    fclose(stream);
    if (code == SERVET_OK && pipe && *size == 0) {
        free(*text);
        *text = NULL;
        return srv_fail_at(error, SERVET_EIO, path, 0, "nothing came through this pipe");
    }
    return code;
}

FILE *srv_text_open(const char *path)
{
    if (strcmp(path, "-") != 0)
        return fopen(path, "r");
    int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    FILE *stream = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (fd >= 0 && !stream)
        close(fd);
    return stream;
}

int srv_text_read(const char *path, size_t max, char **text, size_t *size, servet_error *error)
{
    return srv_text_read_checked(path, max, NULL, text, size, error);
}

char *srv_text_written(srv_text_writer *write, const void *context)
{
    srv_memory_stream memory;
    char *text;
    if (!srv_memory_stream_open(&memory))
        return NULL;
    write(memory.stream, context);
    (void)srv_memory_stream_close(&memory, &text, NULL);
    return text;
}

int srv_text_trimmed(const char *text)
{
    int length = (int)strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

bool srv_text_same(const char *a, const char *b)
{
    int length = srv_text_trimmed(a);
    return length == srv_text_trimmed(b) && memcmp(a, b, (size_t)length) == 0;
}
