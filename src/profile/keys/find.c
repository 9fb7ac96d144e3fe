/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the key that a text means, or resembles. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "profile/keys/keys.h"

/* Reads the digits at *at as an index from 1; an index that is too large for any list stays too
 * large. */
static bool take_index(const char **at, int *index)
{
    size_t digits = strspn(*at, "0123456789");
    if (!digits)
        return false;
    *index = digits > 9 ? 999999999 : atoi(*at);
    *at += digits;
    return true;
}

/* Returns the text that follows the match; NULL: no match. */
static const char *match(const char *pattern, const char *text, int index[SRV_KEY_INDICES_MAX])
{
    for (; *pattern; pattern++) {
        if (!srv_is_placeholder(*pattern) && *pattern != *text++)
            return NULL;
        if (srv_is_placeholder(*pattern) && !take_index(&text, index++))
            return NULL;
    }
    return text;
}

/* Reads the rest behind a key: nothing, or one of its parts. */
static bool take_aspect(const char *rest, const srv_key *key, srv_aspect *aspect)
{
    static const char *const names[] = {NULL, SRV_ASPECT_LIST(SRV_TEXT_OF)};
    srv_aspect found = SRV_ASPECT_ESTIMATE, own = key->derived ? key->derived->aspect : found;
    *aspect = own;
    if (!*rest || *rest != '.')
        return !*rest;
    for (int i = 1; i < SRV_ASPECT_COUNT; i++)
        if (strcmp(rest + 1, names[i]) == 0)
            found = (srv_aspect)i;
    *aspect = found;
    return srv_is_trust(found) || (found && srv_key_is_value(key) && own == SRV_ASPECT_ESTIMATE);
}

static bool differs(const srv_key *key, void *context)
{
    srv_request *request = context;
    const char *rest = match(key->pattern, request->name, request->index);
    if (!rest || !take_aspect(rest, key, &request->aspect))
        return true;
    request->key = *key;
    return false;
}

bool srv_request_parse(srv_request *request)
{
    return !srv_keys_walk(differs, request);
}

/* --- similar keys ----------------------------------------------------------------------------- */

static int min2(int a, int b)
{
    return a < b ? a : b;
}

/*
 * Returns the number of edits (insert, delete, replace) between two keys, where N and M match any
 * digit. A missing end of a key counts as one edit.
 */
static int distance(const char *pattern, const char *text)
{
    int row[SRV_KEY_NAME_MAX] = {0}, columns = (int)strlen(pattern);
    for (int j = 0; j <= columns; j++)
        row[j] = j;
    for (int i = 1; text[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool digit = text[i - 1] >= '0' && text[i - 1] <= '9';
            bool same =
                pattern[j - 1] == text[i - 1] || (srv_is_placeholder(pattern[j - 1]) && digit);
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

typedef struct near {
    const char *text;
    char pattern[SRV_KEY_NAME_MAX];
    int edits;
} near;

static bool compare(const srv_key *key, void *context)
{
    near *least = context;
    int edits = distance(key->pattern, least->text);
    if (edits < least->edits) {
        least->edits = edits;
        strcpy(least->pattern, key->pattern);
    }
    return true;
}

int srv_key_unknown(const char *key, servet_error *error)
{
    if (!error) /* the nearest key is only a hint for people */
        return SERVET_EKEY;
    near least = {.text = key, .edits = INT_MAX};
    (void)srv_keys_walk(compare, &least);
    if (least.edits >= (int)strlen(key)) /* most of it is something else */
        return srv_fail(error, SERVET_EKEY, "unknown key %.128s (servet get --keys lists the keys)",
                        key);
    return srv_fail(error, SERVET_EKEY, "unknown key %.128s; the nearest one is %s", key,
                    least.pattern);
}

int srv_not_measured(const char *key, servet_error *error)
{
    return srv_fail(error, SERVET_EUNMEASURED, "%.128s: not measured", key);
}
