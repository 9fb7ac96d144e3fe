/* SPDX-License-Identifier: BSD-3-Clause */
/** Makes texts from outside safe for JSON and for terminals. */
#ifndef SRV_CORE_UTF8_H
#define SRV_CORE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/** The bytes of the character at `text`, which ends with a NUL; 0 if it is not well-formed UTF-8,
 * or a control character of ASCII. */
int srv_utf8_sequence(const char *text);

/**
 * The bytes of the character at `text`, which is not at its end; 0 if it is not well-formed UTF-8,
 * or a control character for terminals (U+0080 to U+009F, too), a separator of lines, or one that
 * changes the direction of text.
 */
int srv_utf8_length(const char *text);

/** Puts '?' for every byte that is not part of a character with a length. */
void srv_utf8_clean(char *text);

/** Returns true if srv_utf8_clean() turns `text` into `clean`. */
bool srv_utf8_is_clean_of(const char *clean, const char *text);

/** If snprintf() has cut a text to `size` bytes (`length` is its result), ends it with "..." behind
 * its last whole word. */
void srv_utf8_mark_cut(char *text, size_t size, int length);

#endif
