/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the memory of structs: adds items to lists, and frees structs according to their tables.
 */
#include "core/json/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool srv_nullable(srv_type type)
{
    return type == SRV_VALUE || type == SRV_VALUES || type == SRV_COUNT || type == SRV_MAYBE ||
           type == SRV_FACTS || type == SRV_SETS || type == SRV_PLACES;
}

size_t srv_member_size(const srv_field *field)
{
    static const size_t sizes[SRV_TYPE_COUNT] = {
        [SRV_INTEGER] = sizeof(int),        [SRV_COUNT] = sizeof(int),
        [SRV_LONG] = sizeof(long long),     [SRV_NUMBER] = sizeof(double),
        [SRV_SIZE] = sizeof(double),        [SRV_BOOL] = sizeof(bool),
        [SRV_WORD] = sizeof(int),           [SRV_STRING] = sizeof(char *),
        [SRV_VALUE] = sizeof(servet_value),
    };
    if (field->type == SRV_OBJECT)
        return field->shape->size;
    if (field->type == SRV_TEXT)
        return field->size;
    return sizes[field->type] ? sizes[field->type] : sizeof(srv_list);
}

void *srv_list_add(srv_list *list, size_t size)
{
    char *items = realloc(list->items, ((size_t)list->count + 1) * size);
    if (!items)
        return NULL;
    list->items = items;
    list->known = true;
    return memset(items + (size_t)list->count++ * size, 0, size);
}

int *srv_array_count(const srv_field *field, const void *at)
{
    return (int *)((uintptr_t)at - field->offset + field->count);
}

srv_member_items srv_items_of(const srv_field *field, const void *at)
{
    const srv_list *list = at;
    if (field->type == SRV_ARRAY)
        return (srv_member_items){*field->item, (char *)(uintptr_t)at, *srv_array_count(field, at)};
    srv_member_items items = {*field, list->items, list->count};
    bool texts = field->type == SRV_STRINGS || field->type == SRV_SETS || field->type == SRV_PLACES;
    items.row.type = texts ? SRV_STRING : field->type == SRV_VALUES ? SRV_VALUE : SRV_OBJECT;
    items.row.size = texts ? sizeof(char *) : field->shape->size;
    return items;
}

/* --- freeing ---------------------------------------------------------------------------------- */

static void free_field(const srv_field *field, void *at);

static void free_items(const srv_field *field, void *at)
{
    const srv_member_items items = srv_items_of(field, at);
    for (int i = 0; i < items.count; i++)
        free_field(&items.row, items.first + (size_t)i * items.row.size);
    if (field->type == SRV_ARRAY)
        return;
    free(((srv_list *)at)->items);
    free(((srv_list *)at)->spans);
}

static void free_field(const srv_field *field, void *at)
{
    switch (field->type) {
    case SRV_STRING:
        free(*(char **)at);
        break;
    case SRV_OBJECT:
        srv_shape_free(field->shape, at);
        break;
    case SRV_STRINGS:
    case SRV_SETS:
    case SRV_PLACES:
    case SRV_VALUES:
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
    case SRV_ARRAY:
        free_items(field, at);
        break;
    default:
        break;
    }
}

void srv_shape_free(const srv_shape *shape, void *item)
{
    for (const srv_field *field = shape->fields; field->name; field++)
        free_field(field, (char *)item + field->offset);
}
