/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/words.h"

#include <stdio.h>
#include <string.h>

void srv_words_list(const char *words, char *text, size_t size)
{
    const char *last = strrchr(words, ',');
    size_t used = 0;
    *text = '\0';
    for (const char *at = words; *at && used < size; at++)
        used += (size_t)snprintf(text + used, size - used, "%s",
                                 *at != ','   ? (const char[]){*at, '\0'}
                                 : at == last ? " and "
                                              : ", ");
}
