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

static bool matches(const char *pattern, const char *text, int index[SRV_KEY_INDICES_MAX])
{
    while (*pattern && *text) {
        if (is_index(*pattern)) {
            if (!take_index(&text, index++))
                return false;
            pattern++;
        } else if (*pattern++ != *text++) {
            return false;
        }
    }
    return *pattern == *text;
}

const srv_key *srv_key_find(const char *text, int index[SRV_KEY_INDICES_MAX])
{
    for (const srv_key *key = srv_keys; key->pattern; key++)
        if (matches(key->pattern, text, index))
            return key;
    return NULL;
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
