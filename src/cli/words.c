/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/words.h"

#include <string.h>

int cli_find_word(const char *text, size_t length, int count, const char *(*name_of)(int number))
{
    for (int i = 0; i < count; i++)
        if (strlen(name_of(i)) == length && strncmp(name_of(i), text, length) == 0)
            return i;
    return -1;
}

int cli_find_name(const char *text, int count, const char *(*name_of)(int number))
{
    return cli_find_word(text, strlen(text), count, name_of);
}

const char *cli_next_word(const char **list, size_t *length)
{
    const char *word = *list;
    *length = strcspn(word, ",");
    *list = word + *length + (word[*length] == ',');
    return *word ? word : NULL;
}
