/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/path.h"

#include <assert.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/json/parse.h"
#include "core/utf8.h"

/* --- parsing the text ------------------------------------------------------------------------- */

/* The JSON parser has accepted the text, so that these functions need not check it. All of them
 * stop at its NUL. */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
        } else if (strchr("[]{}", *at)) {
            depth += *at == '[' || *at == '{' ? 1 : -1;
            at++;
        } else {
            at += strcspn(at + 1, "\"[]{}, \t\r\n") + 1;
        }
    } while (depth > 0 && *at);
    return at;
}

/* The longest name in a file, if each of its characters is escaped. */
enum { ESCAPED_MAX = 6 * 64 };

static bool is_member(const char *key, const char *end, const char *name)
{
    size_t length = strlen(name), size = (size_t)(end - key);
    if (!memchr(key, '\\', size))
        return size == length + 2 && strncmp(key + 1, name, length) == 0;
    char array[ESCAPED_MAX + 3];
    srv_json_fault fault;
    if (size > ESCAPED_MAX)
        return false;
    int written = snprintf(array, sizeof array, "[%.*s]", (int)size, key);
    json_t *unescaped = srv_json_parse(array, (size_t)written, &fault);
    bool same = unescaped && strcmp(json_string_value(json_array_get(unescaped, 0)), name) == 0;
    json_decref(unescaped);
    return same;
}

/* The value at `step` of the object or array at `at`; NULL if there is none. */
static const char *find_child(const char *at, const srv_json_step *step)
{
    bool object = *at == '{';
    if (object ? !step->name : *at != '[' || step->name)
        return NULL;
    at = skip_blanks(at + 1);
    for (int i = 0; *at && *at != ']' && *at != '}'; i++) {
        bool found = i == step->index;
        if (object) {
            const char *end = skip_string(at);
            found = is_member(at, end, step->name);
            at = skip_blanks(skip_blanks(end) + 1); /* over the colon */
        }
        if (found)
            return at;
        at = skip_blanks(skip_value(at));
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    return NULL;
}

/* Finds the value as find_child() does; a name with dots leads through several objects. */
static const char *find_below(const char *at, const srv_json_step *step)
{
    char word[ESCAPED_MAX];
    const char *name = step->name, *whole = find_child(at, step);
    if (whole)
        return whole;
    for (; at && name && strchr(name, '.'); name = strchr(name, '.') + 1) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "."), name);
        at = find_child(at, &(srv_json_step){word, 0});
    }
    return at ? find_child(at, &(srv_json_step){name, step->index}) : NULL;
}

int srv_json_path_line(const srv_json_path *where)
{
    const char *found = skip_blanks(where->text);
    for (int i = 0; i < where->depth; i++) {
        const char *child = find_below(found, &where->step[i]);
        if (!child)
            break;
        found = child;
    }
    int line = 1;
    for (const char *at = where->text; at < found; at++)
        line += *at == '\n';
    return line;
}

/* --- the path --------------------------------------------------------------------------------- */

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
    return srv_fail_at(where->error, where->code, where->file, srv_json_path_line(where), "%s%s%s",
                       path, colon, what);
}
