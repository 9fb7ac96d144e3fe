/* SPDX-License-Identifier: BSD-3-Clause */
/** Lists of words that people read. */
#ifndef SRV_CORE_WORDS_H
#define SRV_CORE_WORDS_H

#include <stddef.h>

/** "cache, sharing and line" of "cache,sharing,line", cut to `size`. */
void srv_words_list(const char *words, char *text, size_t size);

#endif
