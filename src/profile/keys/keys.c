/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the shapes from key to key. */
#include "profile/keys/keys.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* The name of a class, and the estimate of a value, are the first members. */
static_assert(offsetof(srv_class, name) == 0, "classes begin with their name");
static_assert(offsetof(servet_value, value) == 0, "a value begins with its estimate");

typedef struct walk {
    srv_key_visit *visit;
    void *context;
} walk;

static bool walk_shape(const walk *on, const srv_shape *shape, const srv_key *from);

static bool is_root(const srv_shape *shape)
{
    for (int i = 0; i < SRV_SCOPE_COUNT; i++)
        if (shape == srv_scope_shapes[i])
            return true;
    return false;
}

bool srv_is_placeholder(char symbol)
{
    return symbol == 'N' || symbol == 'M';
}

/* --- names of keys ---------------------------------------------------------------------------- */

/* Each query walks over some hundred keys: formatted output would take most of its time. */
static void add_word(srv_key *key, const char *word, size_t length)
{
    size_t used = strlen(key->pattern);
    assert(used + length + 2 <= sizeof key->pattern);
    if (used > 0)
        key->pattern[used++] = '.';
    memcpy(key->pattern + used, word, length);
    key->pattern[used + length] = '\0';
}

/* The placeholder of the next number in the key. */
static const char *next_number(const srv_key *key)
{
    return strchr(key->pattern, 'N') ? "M" : "N";
}

/* Adds the name of the member; the last word of an inner member is left out. */
static void add_name(srv_key *key)
{
    const srv_field *field = key->field;
    const char *last = strrchr(field->name, '.');
    if (field->label.key)
        strcpy(key->pattern, field->label.key);
    else if (!field->is_inner)
        add_word(key, field->name, strlen(field->name));
    else if (last)
        add_word(key, field->name, (size_t)(last - field->name));
}

/* --- the walk --------------------------------------------------------------------------------- */

static bool visit_member(const walk *on, const srv_key *of)
{
    srv_key key = *of;
    if (key.type == SRV_VALUES || key.type == SRV_LIST || key.type == SRV_FACTS)
        add_word(&key, "count", strlen("count"));
    return !key.label.summary || on->visit(&key, on->context);
}

/* Visits derived answers that belong to the struct with the member; its key is `holder`. */
static bool visit_derived(const walk *on, const srv_key *holder, const srv_key *of)
{
    bool more = true;
    for (const srv_derived *row = of->field->derived; row && row->name && more; row++) {
        srv_key key = *of;
        size_t length = strcspn(row->name, "#");
        memcpy(key.pattern, holder->pattern, sizeof key.pattern);
        add_word(&key, row->name, length - (row->name[length] == '#'));
        if (row->name[length] == '#')
            add_word(&key, next_number(&key), 1);
        key.label = row->label;
        key.derived = row;
        key.type = SRV_VALUE;
        more = on->visit(&key, on->context);
    }
    return more;
}

/* Makes a step from the struct with the list into one of its items. */
static srv_key step_into(const srv_key *list)
{
    srv_key key = *list;
    key.way.step[srv_way_steps(&key.way)] = key.field->offset;
    key.offset = 0;
    if (key.type != SRV_MAYBE)
        add_word(&key, next_number(&key), 1);
    return key;
}

/* The one key of each item. */
static bool visit_items(const walk *on, const srv_key *list, srv_type type)
{
    if (!list->field->items.summary)
        return true;
    srv_key key = step_into(list);
    key.label = list->field->items;
    key.is_item = true;
    key.type = type;
    if (key.label.key)
        strcpy(key.pattern, key.label.key);
    return on->visit(&key, on->context);
}

static bool walk_structs(const walk *on, const srv_key *list)
{
    const srv_shape *shape = list->field->shape;
    if (is_root(shape))
        return true;
    srv_key key = step_into(list);
    return walk_shape(on, shape, &key);
}

static bool walk_below(const walk *on, const srv_key *key)
{
    switch (key->type) {
    case SRV_OBJECT:
        return walk_shape(on, key->field->shape, key);
    case SRV_STRINGS:
        return visit_items(on, key, SRV_STRING);
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
        return visit_items(on, key, SRV_TEXT) && walk_structs(on, key);
    default:
        return true;
    }
}

static bool walk_shape(const walk *on, const srv_shape *shape, const srv_key *from)
{
    bool more = true;
    for (const srv_field *field = shape->fields; field->name && more; field++) {
        srv_key key = *from;
        key.label = field->label;
        key.offset += field->offset;
        key.type = field->type;
        key.field = field;
        add_name(&key);
        /* The key of one value comes before that of their count, because it is queried more often.
         */
        more = (key.type != SRV_VALUES || visit_items(on, &key, SRV_VALUE)) &&
               visit_member(on, &key) && visit_derived(on, from, &key) && walk_below(on, &key);
    }
    return more;
}

bool srv_keys_walk(srv_key_visit *visit, void *context)
{
    const walk on = {visit, context};
    bool more = true;
    for (int i = 0; i < SRV_SCOPE_COUNT && more; i++)
        more = walk_shape(&on, srv_scope_shapes[i], &(srv_key){.way = {.scope = (srv_scope)i}});
    return more;
}

/* --- one by one ------------------------------------------------------------------------------- */

typedef struct nth {
    int left;
    srv_key key;
} nth;

static bool count_down(const srv_key *key, void *context)
{
    nth *wanted = context;
    wanted->key = *key;
    return wanted->left-- > 0;
}

int servet_profile_key(int index, char *key, size_t size, const char **summary)
{
    nth wanted = {.left = index};
    if (index < 0 || srv_keys_walk(count_down, &wanted) || strlen(wanted.key.pattern) >= size)
        return SERVET_ERANGE;
    strcpy(key, wanted.key.pattern);
    if (summary)
        *summary = wanted.key.label.summary;
    return SERVET_OK;
}

/* --- facts of keys ---------------------------------------------------------------------------- */

bool srv_key_is_value(const srv_key *key)
{
    return key->type == SRV_VALUE;
}

bool srv_key_is_computed(const srv_key *key)
{
    return key->derived && key->derived->derivation != SRV_NOT_DERIVED;
}

const void *srv_key_member(const srv_key *key, const void *item)
{
    if (item && key->derived && key->derived->pick)
        return key->derived->pick(item);
    return item ? (const char *)item + key->offset : NULL;
}

bool srv_key_of_communication(const srv_key *key)
{
    return key->way.scope == SRV_OF_PROFILE &&
           key->way.step[0] == offsetof(servet_profile, network);
}

bool srv_is_trust(srv_aspect aspect)
{
    return aspect >= SRV_ASPECT_TRUSTED && aspect <= SRV_ASPECT_REASON;
}
