/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile/diff/found.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* A fact and the texts it points to. */
typedef struct stored {
    servet_diff_fact fact;
    char *texts;
} stored;

/* Moves a text, which may be NULL, to `*room` and the room behind it. */
static void move_text(const char **text, char **room)
{
    if (!*text)
        return;
    size_t size = strlen(*text) + 1;
    *text = memcpy(*room, *text, size);
    *room += size;
}

int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error)
{
    servet_diff_fact copy = *fact;
    const char **texts[] = {&copy.node_class, &copy.kind,  &copy.host,
                            &copy.key,        &copy.first, &copy.second};
    enum { COUNT = sizeof texts / sizeof *texts };
    size_t size = 0;
    for (int i = 0; i < COUNT; i++)
        size += *texts[i] ? strlen(*texts[i]) + 1 : 0;
    char *room = malloc(size), *start = room;
    stored *added = room ? srv_list_add(&diff->facts, sizeof *added) : NULL;
    if (!added) {
        free(room);
        return srv_fail_memory(error);
    }
    for (int i = 0; i < COUNT; i++)
        move_text(texts[i], &room);
    *added = (stored){copy, start};
    diff->counts[fact->comparison]++;
    return SERVET_OK;
}

void servet_diff_destroy(servet_diff *diff)
{
    if (!diff)
        return;
    for (int i = 0; i < diff->facts.count; i++)
        free(((stored *)diff->facts.items)[i].texts);
    free(diff->facts.items);
    free(diff);
}

int servet_diff_count(const servet_diff *diff)
{
    return diff->facts.count;
}

int servet_diff_count_of(const servet_diff *diff, servet_comparison comparison)
{
    return (unsigned)comparison < SERVET_COMPARISON_COUNT ? diff->counts[comparison] : 0;
}

int servet_diff_get(const servet_diff *diff, int index, servet_diff_fact *fact)
{
    if (index < 0 || index >= diff->facts.count)
        return SERVET_ERANGE;
    *fact = ((const stored *)diff->facts.items)[index].fact;
    return SERVET_OK;
}
