/* SPDX-License-Identifier: BSD-3-Clause */
/** Streams in memory that keep their text completely or fail: streams of open_memstream() lose text
 * without an error if memory is short. */
#ifndef SRV_CORE_MEMORY_STREAM_H
#define SRV_CORE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** Only `stream` is public. The struct must not be moved while the stream is open. */
typedef struct srv_memory_stream {
    FILE *stream; /**< to write to; do not seek in it, and do not close it with fclose() */
    char *text;
    size_t size, room;
    bool lost;
} srv_memory_stream;

/** Opens the stream. Without memory, returns false and sets errno; then there is nothing to close.
 */
bool srv_memory_stream_open(srv_memory_stream *memory);

/**
 * Closes the stream. Stores its text in `*text`, which the caller frees, and its length without the
 * NUL in `*size` (may be NULL). Returns false, and sets `*text` to NULL, if a part was lost or the
 * stream has an error.
 */
bool srv_memory_stream_close(srv_memory_stream *memory, char **text, size_t *size);

#endif
