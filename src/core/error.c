/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/utf8.h"

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#define ROW(name, value, text) {value, #name, text},
    SERVET_ERROR_LIST(ROW)
#undef ROW
};

enum { ERROR_COUNT = sizeof errors / sizeof errors[0] };

const char *servet_error_name(int code)
{
    for (int i = 0; i < ERROR_COUNT; i++)
        if (errors[i].code == code)
            return errors[i].name;
    return "SERVET_E?";
}

const char *servet_error_text(int code)
{
    for (int i = 0; i < ERROR_COUNT; i++)
        if (errors[i].code == code)
            return errors[i].text;
    return "unknown error";
}

const char *servet_error_line(const servet_error *error, char *buffer, size_t size)
{
    if (error->file[0] && error->line > 0)
        snprintf(buffer, size, "%s:%d: %s", error->file, error->line, error->text);
    else if (error->file[0])
        snprintf(buffer, size, "%s: %s", error->file, error->text);
    else
        snprintf(buffer, size, "%s", error->text);
    if (size > 0)
        srv_utf8_clean(buffer);
    return buffer;
}

SRV_PRINTF(5, 0)
static int note(servet_error *error, int code, const char *file, int line, const char *format,
                va_list args)
{
    if (error && error->code == SERVET_OK) {
        error->code = code;
        error->line = line;
        snprintf(error->file, sizeof error->file, "%s", file);
        srv_utf8_mark_cut(error->text, sizeof error->text,
                          vsnprintf(error->text, sizeof error->text, format, args));
        srv_utf8_clean(error->file);
        srv_utf8_clean(error->text); /* the text may quote anything, and must be one line */
    }
    return code;
}

int srv_fail(servet_error *error, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(error, code, "", 0, format, args);
    va_end(args);
    return code;
}

int srv_fail_at(servet_error *error, int code, const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(error, code, file, line, format, args);
    va_end(args);
    return code;
}

bool srv_forgive(int *code, int expected, servet_error *error)
{
    if (*code != expected)
        return false;
    *code = SERVET_OK;
    if (error)
        *error = (servet_error)SERVET_ERROR_INIT;
    return true;
}

int srv_fail_memory(servet_error *error)
{
    return srv_fail(error, SERVET_EMEMORY, "%s", servet_error_text(SERVET_EMEMORY));
}
