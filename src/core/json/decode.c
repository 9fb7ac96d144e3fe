/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/shape.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

/* Decodes `json` into the member at `at`; there is one decoder for each type. An absent member is
 * JSON null. */
typedef int decoder(const srv_field *field, const json_t *json, void *at, srv_json_path *where);

static int wrong_type(srv_json_path *where, const json_t *json, const char *wanted)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object",   [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "an integer", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",        [JSON_NULL] = "null",
    };
    return srv_json_path_fail(where, "%s where %s belongs", names[json_typeof(json)], wanted);
}

static int decode_integer(const srv_field *field, const json_t *json, void *at,
                          srv_json_path *where)
{
    (void)field;
    json_int_t value = json_integer_value(json);
    if (!json_is_integer(json))
        return wrong_type(where, json, "an integer");
    if (value < INT_MIN || value > INT_MAX)
        return srv_json_path_fail(where, "%lld is too large", (long long)value);
    *(int *)at = (int)value;
    return SERVET_OK;
}

/* Refuses 0: a count that was not measured is null. */
static int decode_count(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    if (json_is_null(json))
        return SERVET_OK;
    int code = decode_integer(field, json, at, where);
    if (code == SERVET_OK && *(int *)at < 1)
        return srv_json_path_fail(where, "%d is not positive", *(int *)at);
    return code;
}

static int decode_long(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    (void)field;
    if (!json_is_integer(json))
        return wrong_type(where, json, "an integer");
    *(long long *)at = json_integer_value(json);
    return SERVET_OK;
}

static int decode_number(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    (void)field;
    if (!json_is_number(json))
        return wrong_type(where, json, "a number");
    *(double *)at = json_number_value(json);
    return SERVET_OK;
}

/* Reads a decimal number. strtod() would expect the decimal point of the program's locale. */
static const char *take_decimal(const char *at, double *value)
{
    double scale = 1;
    bool fraction = false;
    for (*value = 0; isdigit((unsigned char)*at) || (*at == '.' && !fraction); at++) {
        fraction = fraction || *at == '.';
        if (*at == '.')
            continue;
        *value = *value * 10 + (*at - '0');
        scale *= fraction ? 10 : 1;
    }
    *value /= scale;
    return at;
}

/* Reads bytes: "32K", "1.25M", "48G"; the command line has the same suffixes. */
static bool parse_size(const char *text, double *bytes)
{
    static const char suffixes[] = "KMGT";
    if (!isdigit((unsigned char)*text))
        return false;
    text = take_decimal(text, bytes);
    const char *suffix = *text ? strchr(suffixes, *text) : NULL;
    if (suffix)
        *bytes = ldexp(*bytes, 10 * (int)(suffix - suffixes + 1));
    return !text[suffix != NULL];
}

static int decode_size(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    if (!json_is_string(json))
        return decode_number(field, json, at, where);
    if (!parse_size(json_string_value(json), at))
        return srv_json_path_fail(where,
                                  "'%.64s' is no size such as \"32K\" (suffixes K M G T, binary)",
                                  json_string_value(json));
    return SERVET_OK;
}

static int decode_bool(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    (void)field;
    if (!json_is_boolean(json))
        return wrong_type(where, json, "true or false");
    *(bool *)at = json_is_true(json);
    return SERVET_OK;
}

/* Writes the words as "red, green, blue". */
static void write_words(FILE *to, const void *context)
{
    const srv_field *field = context;
    for (int i = field->first_word; i < field->words->count; i++)
        fprintf(to, "%s%s", i > field->first_word ? ", " : "", field->words->text[i]);
}

static int unknown_word(const srv_field *field, const char *word, srv_json_path *where)
{
    char *known = srv_text_written(write_words, field);
    int code =
        srv_json_path_fail(where, "unknown word '%.64s'; known: %s", word, known ? known : "?");
    free(known);
    return code;
}

static int decode_word(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    if (!json_is_string(json))
        return wrong_type(where, json, "a string");
    for (int i = field->first_word; i < field->words->count; i++)
        if (strcmp(json_string_value(json), field->words->text[i]) == 0) {
            *(int *)at = i;
            return SERVET_OK;
        }
    return unknown_word(field, json_string_value(json), where);
}

static int decode_text(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    if (!json_is_string(json))
        return wrong_type(where, json, "a string");
    size_t length = json_string_length(json);
    if (length >= field->size)
        return srv_json_path_fail(where, "%zu characters, at most %zu fit", length,
                                  field->size - 1);
    memcpy(at, json_string_value(json), length + 1);
    return SERVET_OK;
}

static int decode_string(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    (void)field;
    if (!json_is_string(json))
        return wrong_type(where, json, "a string");
    size_t size = json_string_length(json) + 1;
    char *copy = malloc(size);
    if (!copy)
        return srv_fail_memory(where->error);
    *(char **)at = memcpy(copy, json_string_value(json), size);
    return SERVET_OK;
}

/* Allocates all items at once, zeroed. The list counts an item when it is filled. */
static int reserve(srv_list *list, size_t count, size_t size, srv_json_path *where)
{
    list->known = true;
    list->items = calloc(count ? count : 1, size);
    return list->items ? SERVET_OK : srv_fail_memory(where->error);
}

/* The number of items of an array, in `*count`, if the row allows that number. */
static int count_items(const srv_field *field, const json_t *json, size_t *count,
                       srv_json_path *where)
{
    *count = json_array_size(json);
    if (!json_is_array(json))
        return wrong_type(where, json, "an array");
    return *count <= (size_t)srv_items_max(field)
               ? SERVET_OK
               : srv_json_path_fail(where, "%zu items, at most %d are allowed", *count,
                                    srv_items_max(field));
}

static int decode_object(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    return srv_decode(field->shape, json, at, where);
}

/* Decodes [value, low, high, samples]: a trusted value with the unit of files, measured by timing.
 */
static int decode_brief(const srv_field *field, const json_t *json, servet_value *value,
                        srv_json_path *where)
{
    double *const numbers[] = {&value->value, &value->low, &value->high};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    int code = SERVET_OK;
    if (json_array_size(json) != NUMBERS + 1)
        return srv_json_path_fail(where, "%zu items where [value, low, high, samples] belongs",
                                  json_array_size(json));
    for (int i = 0; i <= NUMBERS && code == SERVET_OK; i++) {
        const json_t *item = json_array_get(json, (size_t)i);
        srv_json_path_enter_item(where, i);
        code = i < NUMBERS ? decode_number(field, item, numbers[i], where)
                           : decode_integer(field, item, &value->samples, where);
        srv_json_path_leave(where);
    }
    return code;
}

static int decode_known(const srv_field *field, const json_t *json, servet_value *value,
                        srv_json_path *where)
{
    value->method = SERVET_METHOD_TIMED;
    value->trusted = true;
    value->unit = field->unit;
    return field->is_brief && json_is_array(json) ? decode_brief(field, json, value, where)
                                                  : srv_decode(field->shape, json, value, where);
}

/* Decodes a value. A file may leave out the unit if only one is possible, the method if it is
 * "timed", and `trusted` if it is true. */
static int decode_value(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    servet_value *value = at;
    *value = servet_value_unknown(srv_fact_unit(field->unit));
    int code = json_is_null(json) ? SERVET_OK : decode_known(field, json, value, where);
    if (code != SERVET_OK || json_is_null(json))
        return code;
    if (value->unit != field->unit)
        return srv_json_path_fail(where, "the unit is '%s' where '%s' belongs",
                                  srv_unit_symbols[value->unit], srv_unit_symbols[field->unit]);
    *value = srv_value_in_seconds(*value);
    return SERVET_OK;
}

static int decode_maybe(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    srv_list *list = at;
    if (json_is_null(json))
        return SERVET_OK;
    int code = reserve(list, 1, field->shape->size, where);
    list->count = code == SERVET_OK;
    return code == SERVET_OK ? srv_decode(field->shape, json, list->items, where) : code;
}

static decoder decode_items;

static decoder *const decoders[SRV_TYPE_COUNT] = {
    [SRV_INTEGER] = decode_integer, [SRV_LONG] = decode_long,     [SRV_NUMBER] = decode_number,
    [SRV_SIZE] = decode_size,       [SRV_BOOL] = decode_bool,     [SRV_WORD] = decode_word,
    [SRV_TEXT] = decode_text,       [SRV_STRING] = decode_string, [SRV_STRINGS] = decode_items,
    [SRV_VALUE] = decode_value,     [SRV_OBJECT] = decode_object, [SRV_MAYBE] = decode_maybe,
    [SRV_LIST] = decode_items,      [SRV_SETS] = decode_items,    [SRV_FACTS] = decode_items,
    [SRV_ARRAY] = decode_items,     [SRV_COUNT] = decode_count,   [SRV_VALUES] = decode_items,
    [SRV_PLACES] = decode_items,
};

/* --- members and items ------------------------------------------------------------------------ */

static int decode_items(const srv_field *field, const json_t *json, void *at, srv_json_path *where)
{
    bool array = field->type == SRV_ARRAY;
    int *counted = array ? srv_array_count(field, at) : &((srv_list *)at)->count;
    size_t count;
    if (srv_nullable(field->type) && json_is_null(json))
        return SERVET_OK;
    int code = count_items(field, json, &count, where);
    if (code != SERVET_OK)
        return code;
    *counted = 0;
    srv_member_items items = srv_items_of(field, at);
    if (!array) {
        code = reserve(at, count, items.row.size, where);
        items.first = ((srv_list *)at)->items;
    }
    for (size_t i = 0; i < count && code == SERVET_OK; i++) {
        srv_json_path_enter_item(where, (int)i);
        ++*counted;
        code = decoders[items.row.type](&items.row, json_array_get(json, i),
                                        items.first + i * items.row.size, where);
        srv_json_path_leave(where);
    }
    return code;
}

/* Finds the member of the object; a name with dots leads through several objects. NULL: there is
 * none.
 */
static int find_member(const json_t *object, const char *name, const json_t **member,
                       srv_json_path *where)
{
    char word[SRV_MEMBER_NAME_MAX];
    for (const char *at = name;; at = strchr(at, '.') + 1) {
        int length = (int)strcspn(at, ".");
        snprintf(word, sizeof word, "%.*s", length, at);
        *member = json_object_get(object, word);
        if (!at[length] || !*member)
            return SERVET_OK;
        object = *member;
        if (json_is_object(object))
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(at - name) + length, name);
        srv_json_path_leave(where);
        srv_json_path_enter(where, word); /* not left again: the failure ends the decoding */
        return wrong_type(where, object, "an object");
    }
}

static int decode_field(const srv_field *field, const json_t *object, void *item,
                        srv_json_path *where)
{
    const json_t *member;
    int code = find_member(object, field->name, &member, where);
    if (code != SERVET_OK || (!member && field->optional))
        return code;
    if (!member && !srv_nullable(field->type))
        return srv_json_path_fail(where, "missing");
    void *at = (char *)item + field->offset;
    return decoders[field->type](field, member ? member : json_null(), at, where);
}

static bool is_named(const srv_shape *shape, const char *name)
{
    for (const srv_field *field = shape->fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return true;
    return strcmp(name, "comment") == 0;
}

static void write_members(FILE *to, const void *context)
{
    const srv_shape *shape = context;
    for (const srv_field *field = shape->fields; field->name; field++)
        fprintf(to, "%s%s", field > shape->fields ? ", " : "", field->name);
}

/* Refuses members with unknown names: in files that people write, they are errors, not additions of
 * a newer version. */
static int refuse_unknown(const srv_shape *shape, const json_t *json, srv_json_path *where)
{
    const char *name;
    json_t *member, *object = (json_t *)(uintptr_t)json; /* Jansson's loop takes no const object */
    json_object_foreach (object, name, member)
        if (!is_named(shape, name))
            break;
    if (!name)
        return SERVET_OK;
    char *known = srv_text_written(write_members, shape);
    srv_json_path_enter(where, name);
    int code = srv_json_path_fail(where, "unknown member; known: %s", known ? known : "?");
    free(known);
    return code;
}

int srv_decode(const srv_shape *shape, const json_t *json, void *item, srv_json_path *where)
{
    if (!json_is_object(json))
        return wrong_type(where, json, "an object");
    if (shape->defaults)
        memcpy(item, shape->defaults, shape->size);
    int code = shape->closed ? refuse_unknown(shape, json, where) : SERVET_OK;
    for (const srv_field *field = shape->fields; field->name && code == SERVET_OK; field++) {
        srv_json_path_enter(where, field->name);
        code = decode_field(field, json, item, where);
        srv_json_path_leave(where);
    }
    return code;
}
