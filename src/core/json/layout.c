/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/layout.h"

#include "core/json/number.h"

/*
 * jansson would write every member on a separate line, a value on nine lines. Here a value, or a
 * short list, is one line, so that a changed fact is one line in a diff. An item with a few values,
 * such as a point of a curve, is one line, too. A long list of texts has several texts on each
 * line.
 */
enum { LINE_ITEMS_MAX = 8, INDENT = 2 };

/* How JSON is laid out. */
typedef enum layout {
    ON_ONE_LINE,
    ON_FILLED_LINES, /* N items each */
    ON_OWN_LINES     /* a line or more for each item */
} layout;

static bool is_container(const json_t *json)
{
    return json_is_object(json) || json_is_array(json);
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Returns the depth of nested containers: 0 for a scalar, 1 for a value, 2 for a point with values.
 */
static int height_of(json_t *json)
{
    const char *name;
    size_t i;
    json_t *item;
    int highest = 0;
    json_object_foreach (json, name, item)
        highest = larger(highest, height_of(item));
    json_array_foreach (json, i, item)
        highest = larger(highest, height_of(item));
    return is_container(json) ? highest + 1 : 0;
}

static layout layout_of(json_t *json, bool is_item)
{
    bool few = json_object_size(json) + json_array_size(json) <= LINE_ITEMS_MAX;
    int height = height_of(json);
    if (few && height <= 1 + (is_item && json_is_object(json)))
        return ON_ONE_LINE;
    return height == 1 && json_is_array(json) ? ON_FILLED_LINES : ON_OWN_LINES;
}

static bool put_scalar(FILE *stream, const json_t *json)
{
    size_t flags = JSON_ENCODE_ANY;
    if (json_is_real(json))
        flags |= JSON_REAL_PRECISION((size_t)srv_number_digits(json_real_value(json)));
    return json_dumpf(json, stream, flags) == 0;
}

/* Writes the text before item `i`: a comma, and a blank or a new line. */
static void put_gap(FILE *stream, layout lines, size_t i, int indent)
{
    bool begins = lines == ON_OWN_LINES || (lines == ON_FILLED_LINES && i % LINE_ITEMS_MAX == 0);
    if (begins)
        fprintf(stream, "%s\n%*s", i ? "," : "", indent, "");
    else
        fputs(i ? ", " : "", stream);
}

static bool put(FILE *stream, json_t *json, layout lines, int indent);

static bool put_members(FILE *stream, json_t *json, layout lines, int indent)
{
    size_t i = 0;
    const char *name;
    json_t *item;
    json_object_foreach (json, name, item) {
        put_gap(stream, lines, i++, indent);
        fprintf(stream, "\"%s\": ", name); /* names of members need no escapes */
        if (!put(stream, item, lines == ON_ONE_LINE ? lines : layout_of(item, false), indent))
            return false;
    }
    return true;
}

static bool put_items(FILE *stream, json_t *json, layout lines, int indent)
{
    size_t i;
    json_t *item;
    json_array_foreach (json, i, item) {
        put_gap(stream, lines, i, indent);
        if (!put(stream, item, lines == ON_ONE_LINE ? lines : layout_of(item, true), indent))
            return false;
    }
    return true;
}

static bool put(FILE *stream, json_t *json, layout lines, int indent)
{
    if (!is_container(json))
        return put_scalar(stream, json);
    bool object = json_is_object(json);
    fputc(object ? '{' : '[', stream);
    if (!(object ? put_members : put_items)(stream, json, lines, indent + INDENT))
        return false;
    if (lines != ON_ONE_LINE)
        fprintf(stream, "\n%*s", indent, "");
    fputc(object ? '}' : ']', stream);
    return true;
}

bool srv_json_put(FILE *stream, json_t *json)
{
    bool done = put(stream, json, ON_OWN_LINES, 0);
    fputc('\n', stream);
    return done;
}

void srv_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc((unsigned char)*text < ' ' ? '?' : *text, stream);
    }
    fputc('"', stream);
}
