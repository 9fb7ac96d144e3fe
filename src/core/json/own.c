/* SPDX-License-Identifier: BSD-3-Clause */
/* Manages the memory of structs: adds items to lists, and frees structs according to their tables.
 */
#include "core/json/shape.h"

#include <stdlib.h>
#include <string.h>

bool srv_nullable(srv_type type)
{
    return type == SRV_VALUE || type == SRV_VALUES || type == SRV_COUNT || type == SRV_MAYBE ||
           type == SRV_FACTS || type == SRV_SETS || type == SRV_PLACES;
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

int srv_array_count(const srv_field *field, const void *at)
{
    return *(const int *)(const void *)((const char *)at - field->offset + field->count);
}

static void free_list(const srv_shape *shape, srv_list *list)
{
    for (int i = 0; i < list->count; i++)
        srv_shape_free(shape, (char *)list->items + (size_t)i * shape->size);
    free(list->items);
    free(list->spans);
}

static void free_strings(srv_list *list)
{
    char **strings = list->items;
    for (int i = 0; i < list->count; i++)
        free(strings[i]);
    free(strings);
    free(list->spans);
}

static void free_field(const srv_field *field, void *at);

static void free_array(const srv_field *field, void *at)
{
    for (int i = 0; i < srv_array_count(field, at); i++)
        free_field(field->item, (char *)at + (size_t)i * field->item->size);
}

static void free_field(const srv_field *field, void *at)
{
    switch (field->type) {
    case SRV_STRING:
        free(*(char **)at);
        break;
    case SRV_STRINGS:
    case SRV_SETS:
    case SRV_PLACES:
        free_strings(at);
        break;
    case SRV_VALUES:
        free(((srv_list *)at)->items);
        break;
    case SRV_OBJECT:
        srv_shape_free(field->shape, at);
        break;
    case SRV_MAYBE:
    case SRV_LIST:
    case SRV_FACTS:
        free_list(field->shape, at);
        break;
    case SRV_ARRAY:
        free_array(field, at);
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
