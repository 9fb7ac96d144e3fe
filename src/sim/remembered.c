/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/remembered.h"

#include <stdlib.h>
#include <string.h>

const void *srv_remembered_find(const srv_remembered_list *list, uint64_t key)
{
    size_t place = key % SRV_REMEMBERED_MAX;
    return list->at[place].key == key ? list->at[place].found : NULL;
}

static void drop(srv_remembered_list *list, size_t place)
{
    free(list->at[place].found);
    list->bytes -= list->at[place].bytes;
    list->at[place].found = NULL;
    list->at[place].bytes = 0;
}

void srv_remembered_keep(srv_remembered_list *list, uint64_t key, const void *found, size_t bytes)
{
    size_t place = key % SRV_REMEMBERED_MAX;
    drop(list, place);
    if (bytes > SRV_REMEMBERED_BYTES_MAX - list->bytes)
        srv_remembered_forget(list);
    void *copy = bytes <= SRV_REMEMBERED_BYTES_MAX ? malloc(bytes) : NULL;
    if (!copy)
        return;
    list->at[place].key = key;
    list->at[place].bytes = bytes;
    list->at[place].found = memcpy(copy, found, bytes);
    list->bytes += bytes;
}

void srv_remembered_forget(srv_remembered_list *list)
{
    for (size_t i = 0; i < SRV_REMEMBERED_MAX; i++)
        drop(list, i);
}
