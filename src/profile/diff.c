/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "profile/diff_walk.h"

/* A fact and the texts it points to. */
typedef struct stored {
    servet_diff_fact fact;
    char *texts;
} stored;

struct servet_diff {
    srv_list facts; /* of stored */
    int counts[SERVET_COMPARISON_COUNT];
};

/* --- names ------------------------------------------------------------------------------------ */

#define QUANTITY(name, text, usual) text,
#define USUAL(name, text, usual)    usual,
#define COMPARISON(name, text)      text,
static const char *const quantities[] = {SERVET_QUANTITY_LIST(QUANTITY)};
static const double usual_tolerance[] = {SERVET_QUANTITY_LIST(USUAL)};
static const char *const comparisons[] = {SERVET_COMPARISON_LIST(COMPARISON)};
#undef QUANTITY
#undef USUAL
#undef COMPARISON

const char *servet_quantity_name(servet_quantity quantity)
{
    return (unsigned)quantity < SERVET_QUANTITY_COUNT ? quantities[quantity] : "?";
}

double servet_quantity_tolerance(servet_quantity quantity)
{
    return (unsigned)quantity < SERVET_QUANTITY_COUNT ? usual_tolerance[quantity] : NAN;
}

const char *servet_comparison_name(servet_comparison comparison)
{
    return (unsigned)comparison < SERVET_COMPARISON_COUNT ? comparisons[comparison] : "?";
}

/* --- storing ---------------------------------------------------------------------------------- */

/* Moves a text, which may be NULL, to `*room` and the room behind it. */
static void move_text(const char **text, char **room)
{
    if (!*text)
        return;
    size_t size = strlen(*text) + 1;
    *text = memcpy(*room, *text, size);
    *room += size;
}

static size_t size_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

int srv_diff_add(srv_diff_walk *on, const servet_diff_fact *fact)
{
    servet_diff_fact copy = *fact;
    const char **texts[] = {&copy.node_class, &copy.kind,  &copy.host,
                            &copy.key,        &copy.first, &copy.second};
    enum { COUNT = sizeof texts / sizeof *texts };
    size_t size = 0;
    for (int i = 0; i < COUNT; i++)
        size += size_of(*texts[i]);
    char *room = malloc(size), *start = room;
    stored *added = room ? srv_list_add(&on->diff->facts, sizeof *added) : NULL;
    if (!added) {
        free(room);
        return srv_fail_memory(on->error);
    }
    for (int i = 0; i < COUNT; i++)
        move_text(texts[i], &room);
    *added = (stored){copy, start};
    on->diff->counts[fact->comparison]++;
    return SERVET_OK;
}

/* --- the difference --------------------------------------------------------------------------- */

static int check_tolerance(const double *tolerance, servet_error *error)
{
    for (int i = 0; i < SERVET_QUANTITY_COUNT; i++)
        if (!(tolerance[i] >= 0))
            return srv_fail(error, SERVET_EARGUMENT, "the tolerance of a %s is no share: %g",
                            servet_quantity_name((servet_quantity)i), tolerance[i]);
    return SERVET_OK;
}

static int compare_all(srv_diff_walk *on)
{
    int code = srv_diff_scope(on, SRV_OF_PROFILE, on->profile[0], on->profile[1]);
    return code == SERVET_OK ? srv_diff_classes(on) : code;
}

int servet_diff_create(servet_diff **diff, const servet_profile *first,
                       const servet_profile *second, const double tolerance[SERVET_QUANTITY_COUNT],
                       servet_error *error)
{
    srv_diff_walk on = {
        .profile = {first, second},
        .tolerance = tolerance ? tolerance : usual_tolerance,
        .error = error,
    };
    int code = check_tolerance(on.tolerance, error);
    if (code != SERVET_OK)
        return code;
    on.diff = calloc(1, sizeof *on.diff);
    code = on.diff ? compare_all(&on) : srv_fail_memory(error);
    if (code == SERVET_OK)
        *diff = on.diff;
    else
        servet_diff_destroy(on.diff);
    return code;
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
