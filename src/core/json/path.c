/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/path.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/json/parse.h"
#include "core/utf8.h"

srv_json_path srv_json_path_in(const char *path, const char *text, servet_error *error)
{
    return (srv_json_path){SERVET_EFORMAT, path, text, error, 0, {{NULL, 0}}};
}

void srv_json_path_enter(srv_json_path *where, const char *name)
{
    assert(where->depth < SRV_JSON_DEPTH_MAX);
    where->step[where->depth++] = (srv_json_step){name, 0};
}

void srv_json_path_enter_item(srv_json_path *where, int index)
{
    assert(where->depth < SRV_JSON_DEPTH_MAX);
    where->step[where->depth++] = (srv_json_step){NULL, index};
}

void srv_json_path_leave(srv_json_path *where)
{
    where->depth--;
}

/* Appends to `text` as snprintf() does, and cuts what does not fit. */
SRV_PRINTF(3, 4)
static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

static void write_path(const srv_json_path *where, char *path, size_t size)
{
    *path = '\0';
    for (int i = 0; i < where->depth; i++) {
        const srv_json_step *step = &where->step[i];
        if (step->name)
            append(path, size, "%s%s", i ? "." : "", step->name);
        else
            append(path, size, "[%d]", step->index);
    }
}

int srv_json_path_fail(const srv_json_path *where, const char *format, ...)
{
    char path[SERVET_ERROR_TEXT_MAX / 2], what[SERVET_ERROR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    srv_utf8_mark_cut(what, sizeof what, vsnprintf(what, sizeof what, format, args));
    va_end(args);
    write_path(where, path, sizeof path);
    const char *colon = *path ? ": " : "";
    if (!where->file)
        return srv_fail(where->error, where->code, "%s%s%s", path, colon, what);
    return srv_fail_at(where->error, where->code, where->file,
                       srv_json_line(where->text, where->step, where->depth), "%s%s%s", path, colon,
                       what);
}
