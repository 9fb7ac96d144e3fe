/* SPDX-License-Identifier: BSD-3-Clause */
/* A JSON schema (2020-12) of what srv_decode() and srv_check() accept, row by row. */
#include "schema.h"

#include <ctype.h>
#include <string.h>

#include "core/units.h"

#define RANGES "[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*"
#define PLACES "[0-9]+(-[0-9]+)?:[0-9]+(-[0-9]+)?"

static json_t *definitions; /* by name: each shape that has one, once it was met */

/* Adds members of `more` to `rules`, and takes it. */
static json_t *with(json_t *rules, json_t *more)
{
    json_object_update(rules, more);
    json_decref(more);
    return rules;
}

static json_t *struct_rules(const srv_shape *shape, bool nullable);

/* --- numbers and texts ------------------------------------------------------------------------ */

/* A whole number of bytes may be written with a point: 4096.0 is an integer, too.
 */
static const char *type_of(const srv_field *field)
{
    return srv_is_whole(field) ? "integer" : "number";
}

static json_t *limit(double number)
{
    bool is_exact = number == (double)(json_int_t)number && number < 0x1p53;
    return is_exact ? json_integer((json_int_t)number) : json_real(number);
}

/* The schema of a number that may be 0 does not state the least one beside it. */
static json_t *least_rules(const srv_field *field)
{
    bool has_zero = field->range == SRV_NOT_NEGATIVE || field->range == SRV_0_OR_WITHIN;
    double least = has_zero ? 0 : srv_field_limits(field, field->unit).least;
    return json_pack("{s:o}", "minimum", limit(least));
}

static json_t *most_rules(const srv_field *field)
{
    return json_pack("{s:o}", "maximum", limit(srv_field_limits(field, field->unit).most));
}

static json_t *number_rules(const srv_field *field)
{
    json_t *rules = json_pack("{s:s}", "type", type_of(field));
    return field->range == SRV_ANY ? rules
                                   : with(with(rules, least_rules(field)), most_rules(field));
}

static json_t *count_rules(const srv_field *field)
{
    json_t *rules = json_pack("{s:[s,s]}", "type", "integer", "null");
    return with(with(rules, least_rules(field)), most_rules(field));
}

static json_t *word_rules(const srv_field *field)
{
    json_t *words = json_array();
    for (int i = field->first_word; i < field->words->count; i++)
        json_array_append_new(words, json_string(field->words->text[i]));
    return json_pack("{s:o}", "enum", words);
}

static json_t *text_rules(const srv_field *field)
{
    json_t *rules = json_pack("{s:s}", "type", "string");
    if (field->size)
        json_object_set_new(rules, "maxLength", json_integer((json_int_t)field->size - 1));
    if (field->is_set)
        json_object_set_new(rules, "pattern",
                            json_string(field->needed ? "^" RANGES "$" : "^(" RANGES ")?$"));
    else if (field->needed)
        json_object_set_new(rules, "minLength", json_integer(1));
    return rules;
}

/* --- values ----------------------------------------------------------------------------------- */

static json_t *unit_rules(const srv_field *field)
{
    return json_pack("{s:s}", "const", srv_unit_symbols[field->unit]);
}

/* A value lies within its interval, so its ends are what is bounded: the lower one by its sign. */
static json_t *low_rules(const srv_field *field)
{
    return json_pack("{s:i}", field->range == SRV_POSITIVE ? "exclusiveMinimum" : "minimum", 0);
}

/* Also [value, low, high, samples]. */
static json_t *brief_rules(const srv_field *field, json_t *rules)
{
    json_t *type = json_object_get(rules, "type"), *number = json_pack("{s:s}", "type", "number");
    json_t *types = json_is_string(type) ? json_pack("[O]", type) : json_incref(type);
    json_array_append_new(types, json_string("array"));
    json_object_set_new(rules, "type", types);
    json_object_set_new(rules, "minItems", json_integer(4));
    json_object_set_new(rules, "maxItems", json_integer(4));
    json_object_set_new(
        rules, "prefixItems",
        json_pack("[O, o, o, {s:s, s:i}]", number, with(json_copy(number), low_rules(field)),
                  with(json_copy(number), most_rules(field)), "type", "integer", "minimum", 0));
    json_decref(number);
    return rules;
}

static json_t *value_rules(const srv_field *field)
{
    json_t *of = json_pack("{s:o, s:o, s:o}", "unit", unit_rules(field), "high", most_rules(field),
                           "low", low_rules(field));
    json_t *rules = struct_rules(field->shape, !field->needed);
    rules = field->is_brief ? brief_rules(field, rules) : rules;
    return with(rules, json_pack("{s:o}", "properties", of));
}

/* --- lists ------------------------------------------------------------------------------------ */

static json_t *array_of(const srv_field *field, json_t *items)
{
    bool at_least_one = field->needed || field->type == SRV_SETS || field->type == SRV_PLACES ||
                        field->type == SRV_VALUES;
    json_t *rules = srv_nullable(field->type) ? json_pack("{s:[s,s]}", "type", "array", "null")
                                              : json_pack("{s:s}", "type", "array");
    if (at_least_one)
        json_object_set_new(rules, "minItems", json_integer(1));
    json_object_set_new(rules, "maxItems", json_integer(srv_items_max(field)));
    json_object_set_new(rules, "items", items);
    return rules;
}

static json_t *text_like(const char *pattern)
{
    return pattern ? json_pack("{s:s, s:s}", "type", "string", "pattern", pattern)
                   : json_pack("{s:s}", "type", "string");
}

/* --- members ---------------------------------------------------------------------------------- */

static json_t *rules_of(const srv_field *field)
{
    switch (field->type) {
    case SRV_COUNT:
        return count_rules(field);
    case SRV_LONG:
        return json_pack("{s:s}", "type", "integer");
    case SRV_INTEGER:
    case SRV_NUMBER:
        return number_rules(field);
    case SRV_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case SRV_WORD:
        return word_rules(field);
    case SRV_TEXT:
    case SRV_STRING:
        return text_rules(field);
    case SRV_STRINGS:
        return array_of(field, text_like(NULL));
    case SRV_SETS:
        return array_of(field, text_like("^" RANGES "$"));
    case SRV_PLACES:
        return array_of(field, text_like("^" PLACES "(," PLACES ")*$"));
    case SRV_VALUE:
        return value_rules(field);
    case SRV_VALUES:
        return array_of(field, value_rules(field));
    case SRV_OBJECT:
        return struct_rules(field->shape, false);
    case SRV_MAYBE:
        return struct_rules(field->shape, true);
    case SRV_LIST:
    case SRV_FACTS:
        return array_of(field, struct_rules(field->shape, false));
    default:
        return NULL; /* no profile has any */
    }
}

/* The description of the member, as a sentence. */
static json_t *describe(const srv_field *field)
{
    bool counts = field->type == SRV_VALUES || field->type == SRV_STRINGS ||
                  field->type == SRV_LIST || field->type == SRV_FACTS;
    const char *summary = counts ? NULL : field->label.summary;
    char text[512];
    if (!summary && !field->detail)
        return NULL;
    snprintf(text, sizeof text, "%s%s%s", summary ? summary : "",
             summary && field->detail ? "; " : "", field->detail ? field->detail : "");
    *text = (char)toupper((unsigned char)*text);
    return json_string(text);
}

static json_t *member_rules(const srv_field *field)
{
    json_t *text = describe(field), *rules = text ? json_pack("{s:o}", "description", text) : NULL;
    return rules ? with(rules, rules_of(field)) : rules_of(field);
}

/* --- structs ---------------------------------------------------------------------------------- */

/* Adds the rules of a member to the properties, in objects where its name has dots. */
static void add_property(json_t *properties, const char *name, json_t *rules)
{
    char word[64];
    size_t length = strcspn(name, ".");
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    if (!name[length]) {
        json_object_set_new(properties, name, rules);
        return;
    }
    if (!json_object_get(properties, word))
        json_object_set_new(properties, word,
                            json_pack("{s:s, s:{}}", "type", "object", "properties"));
    json_t *inner = json_object_get(json_object_get(properties, word), "properties");
    add_property(inner, name + length + 1, rules);
}

static json_t *object_rules(const srv_shape *shape)
{
    json_t *properties = json_object(), *required = json_array();
    for (const srv_field *field = shape->fields; field->name; field++) {
        if (field->needed || !(field->optional || srv_nullable(field->type)))
            json_array_append_new(required, json_string(field->name));
        add_property(properties, field->name, member_rules(field));
    }
    json_t *rules = json_object();
    if (json_array_size(required))
        json_object_set(rules, "required", required);
    json_decref(required);
    json_object_set_new(rules, "properties", properties);
    return rules;
}

/* The rules of a named struct also serve where it may be null. */
static json_t *struct_rules(const srv_shape *shape, bool nullable)
{
    char reference[64];
    json_t *rules = nullable ? json_pack("{s:[s,s]}", "type", "object", "null")
                             : json_pack("{s:s}", "type", "object");
    if (!shape->name)
        return with(rules, object_rules(shape));
    if (!json_object_get(definitions, shape->name)) {
        json_object_set_new(definitions, shape->name, json_null()); /* its place in the order */
        json_object_set_new(definitions, shape->name, object_rules(shape));
    }
    snprintf(reference, sizeof reference, "#/$defs/%s", shape->name);
    return with(rules, json_pack("{s:s}", "$ref", reference));
}

json_t *schema_create(const srv_shape *shape, const char *title, const char *description)
{
    definitions = json_object();
    json_t *schema =
        json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                  "title", title, "description", description);
    schema = with(schema, struct_rules(shape, false));
    json_object_set_new(schema, "$defs", definitions);
    definitions = NULL;
    return schema;
}
