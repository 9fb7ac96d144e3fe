/* SPDX-License-Identifier: BSD-3-Clause */
/* Which key a text means, or comes near. */
#include <stdlib.h>
#include <string.h>

#include "profile/keys.h"

enum { KEY_MAX = 64 };

/* Takes the digits at *at as an index from 1; one too large for any list stays too large. */
static bool take_index(const char **at, int *index)
{
    size_t digits = strspn(*at, "0123456789");
    if (!digits)
        return false;
    *index = digits > 9 ? 999999999 : atoi(*at);
    *at += digits;
    return true;
}

static bool is_index(char symbol)
{
    return symbol == 'N' || symbol == 'M';
}

/* What follows the text that the pattern matches; NULL if it does not. */
static const char *match(const char *pattern, const char *text, int index[SRV_KEY_INDICES_MAX])
{
    for (; *pattern; pattern++) {
        if (!is_index(*pattern) && *pattern != *text++)
            return NULL;
        if (is_index(*pattern) && !take_index(&text, index++))
            return NULL;
    }
    return text;
}

static bool is_value(srv_key_form form)
{
    return form == SRV_A_VALUE || form == SRV_IN_US || form == SRV_BEST_COPY;
}

/* Takes what stands behind a key: nothing, or of a value's one of its parts. */
static bool take_aspect(const char *rest, srv_key_form form, srv_aspect *aspect)
{
#define TEXT(name, text) text,
    static const char *const names[] = {SRV_ASPECT_LIST(TEXT)};
#undef TEXT
    *aspect = SRV_ASPECT_ESTIMATE;
    if (!*rest || *rest != '.' || !is_value(form))
        return !*rest;
    for (int i = 0; i < SRV_ASPECT_ESTIMATE; i++)
        if (strcmp(rest + 1, names[i]) == 0)
            *aspect = (srv_aspect)i;
    return *aspect != SRV_ASPECT_ESTIMATE;
}

bool srv_key_find(const char *text, srv_request *request)
{
    for (const srv_key *key = srv_keys; key->pattern; key++) {
        const char *rest = match(key->pattern, text, request->index);
        request->key = key;
        if (rest && take_aspect(rest, key->form, &request->aspect))
            return true;
    }
    return false;
}

static int min2(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Edits (insert, delete, replace) between two keys, where N and M stand for any digit; a key that
 * was only begun is as near as one with a slip.
 */
static int distance(const char *pattern, const char *text)
{
    int row[KEY_MAX + 1] = {0}, columns = (int)strlen(pattern);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; text[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool digit = text[i - 1] >= '0' && text[i - 1] <= '9';
            bool same = pattern[j - 1] == text[i - 1] || (is_index(pattern[j - 1]) && digit);
            int replaced = diagonal + !same;
            diagonal = row[j];
            row[j] = min2(min2(row[j], row[j - 1]) + 1, replaced);
        }
    }
    int begun = row[0];
    for (int j = 1; j <= columns; j++)
        begun = min2(begun, row[j]);
    return min2(row[columns], 1 + 2 * begun);
}

const char *srv_key_nearest(const char *text)
{
    const char *nearest = srv_keys[0].pattern;
    int least = distance(nearest, text);
    for (const srv_key *key = srv_keys + 1; key->pattern; key++) {
        int edits = distance(key->pattern, text);
        if (edits < least) {
            least = edits;
            nearest = key->pattern;
        }
    }
    return nearest;
}
