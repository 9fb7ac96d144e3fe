/* SPDX-License-Identifier: BSD-3-Clause */
/** Lists of words that people read. */
#ifndef SRV_CORE_WORDS_H
#define SRV_CORE_WORDS_H

#include <stddef.h>

/** Writes "cache, sharing and line" for "cache,sharing,line", cut to `size` bytes. */
void srv_words_list(const char *words, char *text, size_t size);

#endif
