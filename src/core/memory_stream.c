/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* fopencookie() */
#include "core/memory_stream.h"

#include <stdlib.h>
#include <string.h>

/* Room for `more` characters and a NUL. */
static bool reserve(srv_memory_stream *memory, size_t more)
{
    size_t room = memory->room;
    while (room - memory->size <= more)
        room *= 2;
    char *text = room > memory->room ? realloc(memory->text, room) : memory->text;
    if (!text)
        return false;
    memory->text = text;
    memory->room = room;
    return true;
}

static ssize_t keep(void *cookie, const char *text, size_t size)
{
    srv_memory_stream *memory = cookie;
    if (memory->lost || !reserve(memory, size)) {
        memory->lost = true;
        return 0;
    }
    memcpy(memory->text + memory->size, text, size);
    memory->size += size;
    return (ssize_t)size;
}

bool srv_memory_stream_open(srv_memory_stream *memory)
{
    static const cookie_io_functions_t calls = {.write = keep};
    *memory = (srv_memory_stream){.text = malloc(BUFSIZ), .room = BUFSIZ};
    memory->stream = memory->text ? fopencookie(memory, "w", calls) : NULL;
    if (!memory->stream)
        free(memory->text);
    return memory->stream != NULL;
}

bool srv_memory_stream_close(srv_memory_stream *memory, char **text, size_t *size)
{
    bool failed = ferror(memory->stream);
    bool whole = fclose(memory->stream) == 0 && !failed && !memory->lost;
    if (!whole)
        free(memory->text);
    else
        memory->text[memory->size] = '\0';
    *text = whole ? memory->text : NULL;
    if (size)
        *size = whole ? memory->size : 0;
    return whole;
}
