/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/parse.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/utf8.h"

/* Bytes that jansson allocates for an object, an array, a member without its value, and any other
 * value. */
enum { OBJECT_BYTES = 256, ARRAY_BYTES = 128, MEMBER_BYTES = 96, VALUE_BYTES = 64 };

typedef struct parser {
    const char *at, *end;
    char *room;         /* texts without escapes: names of the members around, and the last text */
    size_t used, taken; /* bytes used in the room; bytes of the tree */
    int levels;
    const char *fault; /* NULL: no fault, or memory is exhausted */
    const char *found; /* the innermost part that exists of a way that is followed */
} parser;

/* The way from a container to a value whose line is wanted. */
typedef struct way {
    const srv_json_step *step; /* the next one */
    int left;                  /* number of steps; -1: the value is elsewhere */
    const char *name;          /* the rest of the name of the next step; NULL: it has none */
} way;

static way way_of(const srv_json_step *step, int left)
{
    return (way){step, left, left > 0 ? step->name : NULL};
}

/* Returns the way from a member (by its name) or an item (by its index) of the container. */
static way step_into(const way *from, const char *name, int index)
{
    size_t length = name ? strlen(name) : 0;
    const way next =
        from->left > 0 ? way_of(from->step + 1, from->left - 1) : (way){NULL, -1, NULL};
    if (from->left <= 0 || !name != !from->name)
        return (way){NULL, -1, NULL};
    if (name ? strcmp(name, from->name) == 0 : from->step->index == index)
        return next;
    if (name && strncmp(name, from->name, length) == 0 && from->name[length] == '.')
        return (way){from->step, from->left, from->name + length + 1};
    return (way){NULL, -1, NULL};
}

/* --- small steps ------------------------------------------------------------------------------ */

static bool refuse(parser *on, const char *fault)
{
    on->fault = fault;
    return false;
}

static void skip_blanks(parser *on)
{
    while (on->at < on->end && *on->at && strchr(" \t\r\n", *on->at))
        on->at++;
}

/* Returns true if the next token is this character, and moves behind it. */
static bool take(parser *on, char character)
{
    skip_blanks(on);
    if (on->at == on->end || *on->at != character)
        return false;
    on->at++;
    return true;
}

static bool count_bytes(parser *on, size_t bytes)
{
    on->taken += bytes;
    return on->taken <= SRV_JSON_BYTES_MAX || refuse(on, "it would take over 256 MiB of memory");
}

static bool enter(parser *on, size_t bytes)
{
    return (++on->levels <= SRV_JSON_LEVELS_MAX || refuse(on, "over 64 levels")) &&
           count_bytes(on, bytes);
}

/* --- texts ------------------------------------------------------------------------------------ */

static int digit_of(char character)
{
    static const char digits[] = "0123456789abcdef";
    char lower = character >= 'A' && character <= 'F' ? (char)(character - 'A' + 'a') : character;
    const char *found = lower ? strchr(digits, lower) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Reads four hexadecimal digits; returns -1 if they are not there. */
static long take_unit(parser *on)
{
    long unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = on->at < on->end ? digit_of(*on->at) : -1;
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
        on->at++;
    }
    return unit;
}

static bool is_surrogate(long unit, long first)
{
    return unit >= first && unit < first + 0x400;
}

/* Reads the digits after "\u": one unit, or two that form a surrogate pair. -1: malformed. */
static long take_point(parser *on)
{
    long point = take_unit(on);
    if (!is_surrogate(point, 0xd800))
        return is_surrogate(point, 0xdc00) ? -1 : point;
    if (on->end - on->at < 2 || on->at[0] != '\\' || on->at[1] != 'u')
        return -1;
    on->at += 2;
    long low = take_unit(on);
    return is_surrogate(low, 0xdc00) ? 0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00) : -1;
}

static void put(parser *on, long byte)
{
    on->room[on->used++] = (char)byte;
}

static void put_point(parser *on, long point)
{
    if (point < 0x80) {
        put(on, point);
        return;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const long first[] = {0, 0xc0, 0xe0, 0xf0};
    put(on, first[more] | point >> (6 * more));
    for (int i = more - 1; i >= 0; i--)
        put(on, 0x80 | (point >> (6 * i) & 0x3f));
}

static bool take_escape(parser *on)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char character = on->at < on->end ? *on->at++ : '\0';
    const char *found = character ? strchr(escapes, character) : NULL;
    if (found) {
        put(on, meant[found - escapes]);
        return true;
    }
    long point = character == 'u' ? take_point(on) : -1;
    if (point <= 0)
        return refuse(on, point == 0 ? "texts must not contain \\u0000" : "a malformed escape");
    put_point(on, point);
    return true;
}

static bool take_character(parser *on)
{
    if (*on->at == '\\') {
        on->at++;
        return take_escape(on);
    }
    int length = srv_utf8_sequence(on->at);
    if (length == 0)
        return refuse(on, "a text is no UTF-8, or has a control character");
    for (int i = 0; i < length; i++)
        put(on, *on->at++);
    return true;
}

/* Reads a text into the room and appends a NUL; NULL: malformed. The caller frees the room. */
static char *take_text(parser *on)
{
    char *text = on->room + on->used;
    if (!take(on, '"'))
        return refuse(on, "a text is missing"), NULL;
    while (on->at < on->end && *on->at != '"')
        if (!take_character(on))
            return NULL;
    if (on->at == on->end)
        return refuse(on, "a text has no end"), NULL;
    on->at++;
    put(on, '\0');
    return count_bytes(on, strlen(text)) ? text : NULL;
}

static void give_back(parser *on, const char *text)
{
    on->used = (size_t)(text - on->room);
}

static json_t *parse_text(parser *on)
{
    char *text = take_text(on);
    if (!text)
        return NULL;
    give_back(on, text);
    return json_stringn_nocheck(text, strlen(text));
}

/* --- numbers and words ------------------------------------------------------------------------ */

static const char *skip_digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

/* The end of a number in JSON, `at` if there is none. */
static const char *end_of_number(const char *at, bool *whole)
{
    const char *from = at + (*at == '-'), *digits = skip_digits(from);
    *whole = true;
    if (digits == from || (*from == '0' && digits > from + 1))
        return at;
    if (*digits == '.') {
        const char *fraction = skip_digits(digits + 1);
        if (fraction == digits + 1)
            return at;
        *whole = false;
        digits = fraction;
    }
    if (*digits == 'e' || *digits == 'E') {
        from = digits + 1 + (digits[1] == '+' || digits[1] == '-');
        *whole = false;
        digits = skip_digits(from);
        if (digits == from)
            return at;
    }
    return digits;
}

static json_t *parse_number(parser *on)
{
    bool whole;
    const char *from = on->at, *end = end_of_number(from, &whole);
    if (end == from)
        return refuse(on, "a value is missing or malformed"), NULL;
    on->at = end;
    errno = 0;
    long long integer = whole ? strtoll(from, NULL, 10) : 0;
    if (errno == ERANGE)
        return refuse(on, "an integer is too large"), NULL;
    double real = whole ? 0 : strtod(from, NULL);
    if (isinf(real))
        return refuse(on, "overflow of a number"), NULL;
    return whole ? json_integer(integer) : json_real(real);
}

static bool take_word(parser *on, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(on->end - on->at) < length || memcmp(on->at, word, length) != 0)
        return false;
    on->at += length;
    return true;
}

static json_t *parse_scalar(parser *on)
{
    if (*on->at == '"')
        return parse_text(on);
    if (take_word(on, "true"))
        return json_true();
    if (take_word(on, "false"))
        return json_false();
    return take_word(on, "null") ? json_null() : parse_number(on);
}

/* --- arrays and objects ----------------------------------------------------------------------- */

static json_t *parse_value(parser *on, way to);

static bool fill_array(parser *on, json_t *array, const way *to)
{
    if (take(on, ']'))
        return true;
    do {
        json_t *item = parse_value(on, step_into(to, NULL, (int)json_array_size(array)));
        if (!item || json_array_append_new(array, item) != 0)
            return false;
    } while (take(on, ','));
    return take(on, ']') || refuse(on, "']' or ',' is missing");
}

static bool add_member(parser *on, json_t *object, const char *name, const way *to)
{
    if (json_object_get(object, name))
        return refuse(on, "a member is given twice");
    if (!take(on, ':'))
        return refuse(on, "':' is missing");
    json_t *value = parse_value(on, step_into(to, name, 0));
    return value && json_object_set_new_nocheck(object, name, value) == 0;
}

static bool take_member(parser *on, json_t *object, const way *to)
{
    char *name = count_bytes(on, MEMBER_BYTES) ? take_text(on) : NULL;
    if (!name || !add_member(on, object, name, to))
        return false;
    give_back(on, name);
    return true;
}

static bool fill_object(parser *on, json_t *object, const way *to)
{
    if (take(on, '}'))
        return true;
    do
        if (!take_member(on, object, to))
            return false;
    while (take(on, ','));
    return take(on, '}') || refuse(on, "'}' or ',' is missing");
}

static json_t *parse_container(parser *on, bool is_object, const way *to)
{
    json_t *made = is_object ? json_object() : json_array();
    on->at++;
    bool done = made && enter(on, is_object ? OBJECT_BYTES : ARRAY_BYTES) &&
                (is_object ? fill_object : fill_array)(on, made, to);
    on->levels--;
    if (done)
        return made;
    json_decref(made);
    return NULL;
}

static json_t *parse_value(parser *on, way to)
{
    skip_blanks(on);
    if (to.left >= 0)
        on->found = on->at;
    if (on->at == on->end)
        return refuse(on, "the file ends too early"), NULL;
    if (*on->at == '{' || *on->at == '[')
        return parse_container(on, *on->at == '{', &to);
    return count_bytes(on, VALUE_BYTES) ? parse_scalar(on) : NULL;
}

static json_t *parse_document(parser *on, way to)
{
    skip_blanks(on);
    if (on->at == on->end || !strchr("{[", *on->at))
        return refuse(on, "not JSON: '{' is missing"), NULL;
    json_t *root = parse_value(on, to);
    skip_blanks(on);
    if (!root || on->at == on->end)
        return root;
    json_decref(root);
    return refuse(on, "something follows the end"), NULL;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static json_t *parse(parser *on, way to)
{
    on->room = malloc((size_t)(on->end - on->at) + 1);
    srv_numbers numbers = srv_numbers_begin();
    json_t *root = on->room && numbers.plain ? parse_document(on, to) : NULL;
    srv_numbers_end(numbers);
    free(on->room);
    return root;
}

json_t *srv_json_parse(const char *text, size_t size, srv_json_fault *fault)
{
    parser on = {.at = text, .end = text + size};
    json_t *root = parse(&on, (way){NULL, -1, NULL});
    *fault = (srv_json_fault){line_of(text, on.at), on.fault};
    return root;
}

int srv_json_line(const char *text, const srv_json_step *steps, int count)
{
    parser on = {.at = text, .end = text + strlen(text), .found = text};
    json_decref(parse(&on, way_of(steps, count)));
    return line_of(text, on.found);
}
