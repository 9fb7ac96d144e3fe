/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/room.h"

#include <stdint.h>
#include <stdlib.h>

/* An array behind the link to the one before. */
struct srv_taken {
    struct srv_taken *before;
    max_align_t items[];
};

void *srv_room_take(srv_room *room, size_t count, size_t size)
{
    struct srv_taken *taken = NULL;
    if (count <= (SIZE_MAX - sizeof *taken) / size)
        taken = calloc(1, sizeof *taken + count * size);
    if (!taken) {
        room->failed = true;
        return NULL;
    }
    taken->before = room->last;
    room->last = taken;
    return taken->items;
}

void srv_room_free(srv_room *room)
{
    for (struct srv_taken *taken = room->last; taken;) {
        struct srv_taken *before = taken->before;
        free(taken);
        taken = before;
    }
    *room = (srv_room){0};
}
