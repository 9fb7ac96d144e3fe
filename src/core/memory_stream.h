/* SPDX-License-Identifier: BSD-3-Clause */
/** Text that is written to a stream in memory, whole or not at all: streams of open_memstream()
 * lose text without an error if there is no memory for it. */
#ifndef SRV_CORE_MEMORY_STREAM_H
#define SRV_CORE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Only `stream` is for others; the struct stays where it is while that is open. */
typedef struct srv_memory_stream {
    FILE *stream; /**< to write to; it has no position, and fclose() is not for it */
    char *text;
    size_t size, room;
    bool lost;
} srv_memory_stream;

/** False, with errno, without memory; then there is nothing to close. */
bool srv_memory_stream_open(srv_memory_stream *memory);

/**
 * Closes the stream. Its text goes into `*text`, which the caller frees; a NUL follows, which
 * `*size` does not count (NULL: not wanted). False if a part was lost, or if the stream has an
 * error: then `*text` is NULL.
 */
bool srv_memory_stream_close(srv_memory_stream *memory, char **text, size_t *size);

#endif
