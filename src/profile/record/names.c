/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/record/names.h"

#include <stdlib.h>
#include <string.h>

static size_t word_length(const char *name)
{
    return strcspn(name, ". ");
}

const char *srv_names_rest(const char *name)
{
    size_t length = word_length(name);
    return name + length + (name[length] == '.');
}

bool srv_names_end(const char *name)
{
    return word_length(name) == 0;
}

bool srv_names_word(const char *name, const char *word)
{
    return word_length(name) == strlen(word) && strncmp(name, word, strlen(word)) == 0;
}

const char *srv_names_behind(const char *name, const char *member)
{
    while (word_length(name) && strncmp(name, member, word_length(name)) == 0) {
        member += word_length(name);
        name = srv_names_rest(name);
        if (!*member || (*member == '.' && srv_names_end(name)))
            return *member ? "" : name;
        if (*member++ != '.')
            break;
    }
    return NULL;
}

const char *srv_names_next(const char *name)
{
    name += strcspn(name, " ");
    return name + strspn(name, " ");
}

int srv_names_number(const char *name)
{
    return atoi(name);
}

bool srv_names_list(srv_type type)
{
    return type == SRV_VALUES || type == SRV_MAYBE || type == SRV_LIST || type == SRV_FACTS;
}
