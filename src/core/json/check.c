/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/shape.h"

#include <math.h>
#include <string.h>

#include "core/places.h"
#include "core/ranges.h"
#include "core/utf8.h"

static bool is_integer(const srv_field *field)
{
    return field->type == SRV_INTEGER || field->type == SRV_COUNT;
}

srv_limits srv_field_limits(const srv_field *field, servet_unit unit)
{
    switch (field->range) {
    case SRV_WITHIN:
    case SRV_0_OR_WITHIN:
        return (srv_limits){field->least, field->most};
    case SRV_SHARE:
        return (srv_limits){0, 1};
    default:
        break;
    }
    if (is_integer(field))
        return (srv_limits){1, field->most > 0 ? field->most : SRV_COUNT_MAX};
    return srv_unit_limits(unit);
}

int srv_items_max(const srv_field *field)
{
    return field->max ? field->max : SRV_COUNT_MAX;
}

static bool is_size(const srv_field *field)
{
    return field->type == SRV_SIZE ||
           (field->type == SRV_NUMBER && field->unit == SERVET_UNIT_BYTE);
}

bool srv_is_whole(const srv_field *field)
{
    return is_integer(field) || is_size(field);
}

static int check_sign(const srv_field *field, double number, srv_json_path *where)
{
    bool no_sign =
        field->range == SRV_NOT_NEGATIVE || field->range == SRV_SHARE || field->type == SRV_COUNT;
    if (!isfinite(number))
        return srv_json_path_fail(where, "not a finite number");
    if (field->range == SRV_POSITIVE && number <= 0)
        return srv_json_path_fail(where, "%.15g is not positive", number);
    if (no_sign && number < 0)
        return srv_json_path_fail(where, "%.15g is negative", number);
    return SERVET_OK;
}

/* Checks a number. If 0 means "none", it is allowed even if the least number is larger. The row of
 * a value checks the parts of the value. */
static int check_range(const srv_field *field, servet_unit unit, double number,
                       srv_json_path *where)
{
    srv_limits limits = srv_field_limits(field, unit);
    bool none = number == 0 && field->range != SRV_WITHIN, whole = is_size(field);
    bool is_part = field->range == SRV_ANY && field->type == SRV_NUMBER;
    int code = check_sign(field, number, where);
    if (code != SERVET_OK || none || is_part)
        return code;
    if (whole && number != floor(number))
        return srv_json_path_fail(where, "%.15g is no whole number of bytes", number);
    if (number >= limits.least && number <= limits.most)
        return SERVET_OK;
    return srv_json_path_fail(where, "%.15g%s, not within %.15g to %.15g", number,
                              whole ? " bytes" : "", limits.least, limits.most);
}

/* Checks a text: it is printed on terminals, as one line. */
static int check_text(const char *text, srv_json_path *where)
{
    int length;
    for (; *text; text += length)
        if ((length = srv_utf8_length(text)) == 0)
            return srv_json_path_fail(where, "a control character");
    return SERVET_OK;
}

static int check_set(const srv_field *field, const char *text, srv_json_path *where)
{
    if (!field->is_set || (!*text && !field->needed))
        return check_text(text, where);
    if (!srv_ranges_valid(text))
        return srv_json_path_fail(where, "not a set of cores such as 0-3,8%s",
                                  field->needed ? "" : ", nor empty");
    if (field->max && srv_ranges_count(text) > field->max)
        return srv_json_path_fail(where, "%d cores, at most %d are allowed", srv_ranges_count(text),
                                  field->max);
    return SERVET_OK;
}

static bool is_places(const char *text)
{
    srv_places_part part;
    bool any = false;
    while (srv_places_next(&text, &part))
        any = true;
    return any && *text == '\0';
}

/* The form of a list of sets: the test of a set, and the error for malformed ones. */
typedef struct set_form {
    bool (*valid)(const char *text);
    const char *example;
} set_form;

static const set_form of_cores = {srv_ranges_valid, "not a set of cores such as 0-3,8"};
static const set_form of_places = {is_places, "not a set of cores of nodes such as 0-3:0-15,5:0"};

static int check_value(const srv_field *field, const servet_value *value, srv_json_path *where)
{
    if (!servet_value_known(value))
        return SERVET_OK;
    int code = srv_check(field->shape, value, where);
    servet_unit unit = srv_fact_unit(field->unit);
    if (code == SERVET_OK && value->unit != unit)
        code = srv_json_path_fail(where, "the unit is '%s' where '%s' belongs",
                                  servet_unit_symbol(value->unit), servet_unit_symbol(unit));
    servet_value written = srv_value_in_unit(*value, field->unit);
    if (code == SERVET_OK)
        code = check_sign(field, written.low, where);
    if (code == SERVET_OK)
        code = check_range(field, written.unit, written.value, where);
    if (code == SERVET_OK)
        code = check_range(field, written.unit, written.high, where);
    return code;
}

static int check_field(const srv_field *field, const void *at, srv_json_path *where);

/* Returns a member of a struct as a number. */
static double number_in(const srv_shape *shape, const char *name, const void *item)
{
    const srv_field *field = shape->fields;
    while (strcmp(field->name, name) != 0)
        field++;
    const void *at = (const char *)item + field->offset;
    if (field->type == SRV_VALUE)
        return ((const servet_value *)at)->value;
    return field->type == SRV_NUMBER ? *(const double *)at : *(const int *)at;
}

/* Returns true if an item may follow another one in a list. */
static bool may_follow(const srv_shape *shape, const void *before, const void *item)
{
    for (int i = 0; i < SRV_ORDER_MAX && shape->order[i]; i++) {
        bool is_last = i + 1 == SRV_ORDER_MAX || !shape->order[i + 1];
        double b = number_in(shape, shape->order[i], item);
        if (is_last && shape->end)
            return number_in(shape, shape->end, before) <= b;
        double a = number_in(shape, shape->order[i], before);
        if (a != b)
            return a < b;
    }
    return shape->may_repeat || !shape->order[0];
}

/* Checks item `i` of a list: a set by its form. */
static int check_item(const srv_field *list, const srv_member_items *items, int i,
                      const set_form *form, srv_json_path *where)
{
    const char *item = items->first + (size_t)i * items->row.size;
    bool ordered = items->row.type == SRV_OBJECT && list->type != SRV_ARRAY && i > 0;
    if (form && !form->valid(*(char *const *)(const void *)item))
        return srv_json_path_fail(where, "%s", form->example);
    int code = form ? SERVET_OK : check_field(&items->row, item, where);
    return code == SERVET_OK && ordered && !may_follow(list->shape, item - items->row.size, item)
               ? srv_json_path_fail(where, "does not ascend from the one before")
               : code;
}

/* Checks the number of items, and each of them. */
static int check_items(const srv_field *field, const void *at, const set_form *form,
                       srv_json_path *where)
{
    const srv_member_items items = srv_items_of(field, at);
    int code = SERVET_OK, most = srv_items_max(field);
    if (items.count > most)
        return srv_json_path_fail(where, "%d items, at most %d are allowed", items.count, most);
    if (items.count == 0 && (form || field->type == SRV_VALUES) && ((const srv_list *)at)->known)
        return srv_json_path_fail(where, form ? "no set at all" : "no value at all");
    for (int i = 0; i < items.count && code == SERVET_OK; i++) {
        srv_json_path_enter_item(where, i);
        code = check_item(field, &items, i, form, where);
        srv_json_path_leave(where);
    }
    return code;
}

/* Checks sets of cores, which must be disjoint. */
static int check_groups(const srv_field *field, const srv_list *list, srv_json_path *where)
{
    bool disjoint;
    int code = check_items(field, list, &of_cores, where);
    if (code == SERVET_OK && srv_ranges_disjoint(list->items, list->count, &disjoint) != SERVET_OK)
        return srv_fail_memory(where->error);
    return code == SERVET_OK && !disjoint ? srv_json_path_fail(where, "a core is in two groups")
                                          : code;
}

static int check_field(const srv_field *field, const void *at, srv_json_path *where)
{
    switch (field->type) {
    case SRV_INTEGER:
    case SRV_COUNT:
        return check_range(field, field->unit, *(const int *)at, where);
    case SRV_NUMBER:
    case SRV_SIZE:
        return check_range(field, field->unit, *(const double *)at, where);
    case SRV_WORD:
        if (*(const int *)at < field->first_word || *(const int *)at >= field->words->count)
            return srv_json_path_fail(where, "%d is none of its words", *(const int *)at);
        return SERVET_OK;
    case SRV_TEXT:
        return check_set(field, at, where);
    case SRV_STRING:
        return *(char *const *)at ? check_set(field, *(char *const *)at, where) : SERVET_OK;
    case SRV_SETS:
        return check_groups(field, at, where);
    case SRV_PLACES:
        return check_items(field, at, &of_places, where);
    case SRV_VALUE:
        return check_value(field, at, where);
    case SRV_OBJECT:
        return srv_check(field->shape, at, where);
    case SRV_MAYBE:
        if (!((const srv_list *)at)->known)
            return SERVET_OK;
        return srv_check(field->shape, ((const srv_list *)at)->items, where);
    case SRV_STRINGS:
    case SRV_VALUES:
    case SRV_LIST:
    case SRV_FACTS:
    case SRV_ARRAY:
        return check_items(field, at, NULL, where);
    default:
        return SERVET_OK;
    }
}

static bool is_empty(const srv_field *field, const void *at)
{
    switch (field->type) {
    case SRV_TEXT:
        return !*(const char *)at;
    case SRV_STRING:
        return !*(char *const *)at || !**(char *const *)at;
    case SRV_VALUE:
        return !servet_value_known(at);
    default:
        return ((const srv_list *)at)->count == 0;
    }
}

static int check_needed(const srv_field *field, const void *at, srv_json_path *where)
{
    return field->needed && !field->is_set && is_empty(field, at)
               ? srv_json_path_fail(where, "missing or empty")
               : SERVET_OK;
}

int srv_check(const srv_shape *shape, const void *item, srv_json_path *where)
{
    int code = SERVET_OK;
    for (const srv_field *field = shape->fields; field->name && code == SERVET_OK; field++) {
        srv_json_path_enter(where, field->name);
        code = check_needed(field, (const char *)item + field->offset, where);
        if (code == SERVET_OK)
            code = check_field(field, (const char *)item + field->offset, where);
        srv_json_path_leave(where);
    }
    return code == SERVET_OK && shape->check ? shape->check(item, where) : code;
}
