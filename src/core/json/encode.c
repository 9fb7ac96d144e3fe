/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/json/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"

/* Sizes in bytes are doubles; "49152" reads better than "49152.0". Doubles are exact integers up to
 * 2^53. */
static json_t *encode_number(double value)
{
    if (value == floor(value) && fabs(value) <= 0x1p53)
        return json_integer((json_int_t)value);
    return json_real(value);
}

/* Appends `item` to `array`, and takes ownership of both. Without memory, frees both and returns
 * NULL. */
static json_t *append(json_t *array, json_t *item)
{
    if (array && json_array_append_new(array, item) == 0)
        return array;
    json_decref(array);
    return NULL;
}

/* Returns true if decode_brief() assumes the unit, the method and the trust of this value. */
static bool is_usual(const srv_field *field, const servet_value *value)
{
    return value->unit == field->unit && value->method == SERVET_METHOD_TIMED && value->trusted;
}

static json_t *encode_brief(const servet_value *value)
{
    return json_pack("[o, o, o, i]", encode_number(value->value), encode_number(value->low),
                     encode_number(value->high), value->samples);
}

static json_t *encode_value(const srv_field *field, const servet_value *value)
{
    if (!servet_value_known(value))
        return json_null();
    servet_value written = srv_value_in_unit(*value, field->unit);
    if (field->is_brief && is_usual(field, &written))
        return encode_brief(&written);
    return srv_encode(field->shape, &written);
}

static json_t *encode_field(const srv_field *field, const void *at);

static json_t *encode_items(const srv_field *field, const void *at)
{
    const srv_member_items items = srv_items_of(field, at);
    json_t *array = json_array();
    for (int i = 0; i < items.count && array; i++)
        array = append(array, encode_field(&items.row, items.first + (size_t)i * items.row.size));
    return array;
}

static bool is_unknown(const srv_field *field, const void *at)
{
    if (field->type == SRV_VALUE)
        return !servet_value_known(at);
    if (field->type == SRV_COUNT)
        return *(const int *)at == 0;
    return srv_nullable(field->type) && !((const srv_list *)at)->known;
}

static json_t *encode_field(const srv_field *field, const void *at)
{
    if (is_unknown(field, at))
        return json_null();
    switch (field->type) {
    case SRV_INTEGER:
    case SRV_COUNT:
        return json_integer(*(const int *)at);
    case SRV_LONG:
        return json_integer(*(const long long *)at);
    case SRV_NUMBER:
    case SRV_SIZE:
        return encode_number(*(const double *)at);
    case SRV_BOOL:
        return json_boolean(*(const bool *)at);
    case SRV_WORD:
        return json_string(field->words->text[*(const int *)at]);
    case SRV_TEXT:
        return json_string(at);
    case SRV_STRING:
        return json_string(*(char *const *)at);
    case SRV_VALUE:
        return encode_value(field, at);
    case SRV_OBJECT:
        return srv_encode(field->shape, at);
    case SRV_MAYBE:
        return srv_encode(field->shape, ((const srv_list *)at)->items);
    case SRV_STRINGS:
    case SRV_SETS:
    case SRV_PLACES:
    case SRV_VALUES:
    case SRV_LIST:
    case SRV_FACTS:
    case SRV_ARRAY:
        return encode_items(field, at);
    case SRV_TYPE_COUNT:
        break;
    }
    return NULL;
}

/* Adds `member`, and takes ownership of it. A name with dots leads through several objects. */
static bool put_member(json_t *object, const char *name, json_t *member)
{
    char word[SRV_MEMBER_NAME_MAX];
    size_t length = strcspn(name, ".");
    if (!name[length])
        return json_object_set_new_nocheck(object, name, member) == 0;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    json_t *inner = json_object_get(object, word);
    if (!inner) {
        inner = json_object();
        json_object_set_new_nocheck(object, word, inner);
    }
    if (inner && json_object_get(object, word))
        return put_member(inner, name + length + 1, member);
    json_decref(member);
    return false;
}

json_t *srv_encode(const srv_shape *shape, const void *item)
{
    json_t *object = json_object();
    for (const srv_field *field = shape->fields; field->name && object; field++) {
        const char *at = (const char *)item + field->offset;
        if (field->optional && field->type == SRV_STRING && !*(char *const *)at)
            continue;
        if (!put_member(object, field->name, encode_field(field, at))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}
