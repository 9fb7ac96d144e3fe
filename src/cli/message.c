/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/message.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/memory_stream.h"

/* Cleans a text as the file name of an error line, which the library cleans. */
char *cli_clean(const char *text, char buffer[CLI_CLEAN_MAX])
{
    servet_error line = SERVET_ERROR_INIT;
    snprintf(line.file, sizeof line.file, "%s", text);
    servet_error_line(&line, buffer, CLI_CLEAN_MAX);
    if (*text)
        buffer[strlen(line.file)] = '\0'; /* without ": " */
    return buffer;
}

static void print_line(const char *text)
{
    fprintf(stderr, "servet: %s\n", text);
}

int cli_error(const servet_error *error)
{
    char line[SERVET_ERROR_FILE_MAX + SERVET_ERROR_TEXT_MAX + 32];
    print_line(servet_error_line(error, line, sizeof line));
    return error->code == SERVET_EKEY || error->code == SERVET_EARGUMENT ? CLI_USAGE : CLI_FAILED;
}

int cli_memory_error(void)
{
    servet_error error = SERVET_ERROR_INIT;
    (void)srv_fail_memory(&error);
    return cli_error(&error);
}

int cli_usage_error(const char *format, ...)
{
    char line[CLI_CLEAN_MAX], clean[CLI_CLEAN_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    print_line(cli_clean(line, clean));
    return CLI_USAGE;
}

void cli_doubt(const char *key, const char *reason)
{
    char line[CLI_CLEAN_MAX], clean[CLI_CLEAN_MAX];
    snprintf(line, sizeof line, "%s: not trusted: %s", key, reason);
    print_line(cli_clean(line, clean));
}

json_t *cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

int cli_print_json(json_t *json, size_t flags, servet_error *error)
{
    bool printed = json && (json_dumpf(json, stdout, flags) == 0 || ferror(stdout));
    putchar('\n');
    json_decref(json);
    return printed ? SERVET_OK : srv_fail_memory(error);
}

int cli_finish_json(json_t *json, size_t flags)
{
    servet_error error = SERVET_ERROR_INIT;
    int code = cli_print_json(json, flags | JSON_REAL_PRECISION(6), &error);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

/* After an earlier failure errno may say something else: one more byte fails for the same reason.
 */
int cli_finish_output(void)
{
    bool lost = ferror(stdout);
    if (lost)
        putchar('\n');
    if (fflush(stdout) == 0 && !lost)
        return CLI_OK;
    char line[256];
    snprintf(line, sizeof line, "cannot write to standard output: %s", strerror(errno));
    print_line(line);
    return CLI_FAILED;
}

/* Errors of writing to stdout are found when it is flushed. */
static int write_text(const char *path, const char *text, size_t size, servet_error *error)
{
    srv_file file = {.stream = stdout};
    int code = path ? srv_file_begin(&file, path, error) : SERVET_OK;
    if (code != SERVET_OK)
        return code;
    (void)fwrite(text, 1, size, file.stream);
    return path ? srv_file_commit(&file, error) : SERVET_OK;
}

int cli_write(const char *path, srv_text_maker *make, const void *context, servet_error *error)
{
    char *text = NULL;
    size_t size;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return srv_fail_memory(error);
    int code = make(memory.stream, context, error);
    if (!srv_memory_stream_close(&memory, &text, &size) && code == SERVET_OK)
        code = srv_fail_memory(error);
    if (code == SERVET_OK)
        code = write_text(path, text, size, error);
    free(text);
    return code;
}
