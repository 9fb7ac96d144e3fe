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

/* Opens a file. If the user gave the name, it may also be standard input or a pipe of the shell. */
static int open_input(const char *path, bool named)
{
    /* O_NONBLOCK, because opening a pipe without a writer would never end. */
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

/* Skips the byte order mark that editors on Windows write before UTF-8; files with other marks are
 * refused. */
static int skip_mark(FILE *stream, const char *path, bool pipe, servet_error *error)
{
    int first = getc(stream);
    if (first == EOF && pipe)
        return srv_fail_at(error, SERVET_EIO, path, 0, "nothing came through this pipe");
    if (first == 0xfe || first == 0xff)
        return srv_fail_at(error, SERVET_EFORMAT, path, 1,
                           "the text is in UTF-16, or no text: save it as UTF-8");
    if (first == 0xef && (getc(stream) != 0xbb || getc(stream) != 0xbf))
        return srv_fail_at(error, SERVET_EFORMAT, path, 1, "not a text file");
    if (first != EOF && first != 0xef)
        ungetc(first, stream);
    return SERVET_OK;
}

static int open_checked(const char *path, srv_text_check *check, FILE **stream, servet_error *error)
{
    bool pipe = false;
    int fd = open_input(path, !check);
    if (fd >= 0 && !is_readable(fd, path, !check, &pipe)) {
        close(fd);
        return srv_fail_at(error, SERVET_EIO, path, 0, "not a regular file");
    }
    *stream = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!*stream) {
        int cause = errno;
        if (fd >= 0)
            close(fd);
        return srv_fail_at(error,
                           cause == ENOENT || cause == ENOTDIR ? SERVET_ENOTFOUND : SERVET_EIO,
                           path, 0, "cannot open: %s", strerror(cause));
    }
    int code = check ? check(fd, path, error) : SERVET_OK;
    if (code == SERVET_OK)
        code = skip_mark(*stream, path, pipe, error);
    if (code != SERVET_OK)
        fclose(*stream);
    return code;
}

int srv_text_read_checked(const char *path, size_t max, srv_text_check *check, char **text,
                          size_t *size, servet_error *error)
{
    FILE *stream;
    int code = open_checked(path, check, &stream, error);
    if (code != SERVET_OK)
        return code;
    code = read_stream(stream, path, max, text, size, error);
    fclose(stream);
    return code;
}

int srv_text_open(const char *path, FILE **stream, servet_error *error)
{
    return open_checked(path, NULL, stream, error);
}

int srv_text_read(const char *path, size_t max, char **text, size_t *size, servet_error *error)
{
    return srv_text_read_checked(path, max, NULL, text, size, error);
}

/* --- files that lie in a folder --------------------------------------------------------------- */

static int check_within(const char *path, servet_error *error)
{
    const char *slash = strrchr(path, '/');
    char *named = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *folder = named ? realpath(named, NULL) : NULL,
         *file = folder ? realpath(path, NULL) : NULL;
    int code = SERVET_OK;
    if (!file)
        code = !named || errno == ENOMEM
                   ? srv_fail_memory(error)
                   : srv_fail_at(error, SERVET_EIO, path, 0, "cannot open: %s", strerror(errno));
    else if (strncmp(file, folder, strlen(folder)) != 0 ||
             (file[strlen(folder)] != '/' && strcmp(folder, "/") != 0))
        code = srv_fail_at(error, SERVET_EIO, path, 0,
                           "a link that leads out of its folder: put the file itself there");
    free(named);
    free(folder);
    free(file);
    return code;
}

int srv_text_check_found(const char *path, servet_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return SERVET_OK;
    if (!S_ISREG(status.st_mode))
        return srv_fail_at(error, SERVET_EIO, path, 0, "not a regular file");
    return check_within(path, error);
}

int srv_text_read_found(const char *path, size_t max, char **text, size_t *size,
                        servet_error *error)
{
    int code = srv_text_check_found(path, error);
    return code == SERVET_OK ? srv_text_read(path, max, text, size, error) : code;
}

/* --- texts ------------------------------------------------------------------------------------ */

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

int srv_text_check_plain(const char *path, const char *text, size_t size, servet_error *error)
{
    int line = 1;
    if (strlen(text) == size)
        return SERVET_OK;
    for (const char *at = text; *at; at++)
        line += *at == '\n';
    return srv_fail_at(error, SERVET_EFORMAT, path, line, "not a text file");
}

char *srv_text_line(char **rest)
{
    char *line = *rest, *end = line ? strchr(line, '\n') : NULL;
    if (!line)
        return NULL;
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    line[strcspn(line, "\r")] = '\0';
    return line;
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

void srv_words_list(const char *words, char *text, size_t size)
{
    const char *last = strrchr(words, ',');
    size_t used = 0;
    *text = '\0';
    for (const char *at = words; *at && used < size; at++)
        used += (size_t)snprintf(text + used, size - used, "%s",
                                 *at != ','   ? (const char[]){*at, '\0'}
                                 : at == last ? " and "
                                              : ", ");
}

srv_numbers srv_numbers_begin(void)
{
    srv_numbers numbers = {.plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0)};
    if (numbers.plain)
        numbers.before = uselocale(numbers.plain);
    return numbers;
}

void srv_numbers_end(srv_numbers numbers)
{
    if (!numbers.plain)
        return;
    uselocale(numbers.before);
    freelocale(numbers.plain);
}

int srv_text_print(FILE *stream, srv_text_maker *make, const void *context, const char *what,
                   servet_error *error)
{
    char *text;
    size_t size;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    srv_numbers numbers = srv_numbers_begin();
    int code = make(memory.stream, context, error);
    srv_numbers_end(numbers);
    if (!srv_memory_stream_close(&memory, &text, &size) && code == SERVET_OK)
        code = srv_fail_memory(error);
    if (code == SERVET_OK && (fwrite(text, 1, size, stream) != size || fflush(stream) != 0))
        code = srv_fail(error, SERVET_EIO, "cannot write %s: %s", what, strerror(errno));
    free(text);
    return code;
}

int srv_numbers_read(const char *path, size_t max, int *line, srv_line_taker *take, void *context,
                     servet_error *error)
{
    char *text, *next;
    size_t size;
    int code = srv_text_read(path, max, &text, &size, error);
    if (code != SERVET_OK)
        return code;
    code = srv_text_check_plain(path, text, size, error);
    srv_numbers numbers = srv_numbers_begin();
    char *rest = text;
    for (*line = 1; code == SERVET_OK && (next = srv_text_line(&rest)); ++*line)
        code = take(context, next);
    srv_numbers_end(numbers);
    free(text);
    return code;
}
