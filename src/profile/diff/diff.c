/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "profile/diff/diff.h"

/* --- names ------------------------------------------------------------------------------------ */

#define USUAL(name, text, usual) usual,
static const double usual_tolerance[] = {SERVET_QUANTITY_LIST(USUAL)};
#undef USUAL

SRV_NAMES(servet_quantity_name, servet_quantity, SERVET_QUANTITY_LIST)
SRV_NAMES(servet_comparison_name, servet_comparison, SERVET_COMPARISON_LIST)

double servet_quantity_tolerance(servet_quantity quantity)
{
    return (unsigned)quantity < SERVET_QUANTITY_COUNT ? usual_tolerance[quantity] : NAN;
}

/* --- its facts -------------------------------------------------------------------------------- */

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

static size_t size_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

int srv_diff_add(servet_diff *diff, const servet_diff_fact *fact, servet_error *error)
{
    servet_diff_fact copy = *fact;
    const char **texts[] = {&copy.node_class, &copy.kind,  &copy.host,
                            &copy.key,        &copy.first, &copy.second};
    enum { COUNT = sizeof texts / sizeof *texts };
    size_t size = 0;
    for (int i = 0; i < COUNT; i++)
        size += size_of(*texts[i]);
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

/* --- the difference --------------------------------------------------------------------------- */

/* The usual ones, but for those that are given. */
static int set_tolerance(double set[SERVET_QUANTITY_COUNT], const double *given, int count,
                         servet_error *error)
{
    memcpy(set, usual_tolerance, sizeof usual_tolerance);
    if (given && (count < 0 || count > SERVET_QUANTITY_COUNT))
        return srv_fail(error, SERVET_EARGUMENT, "tolerances of %d quantities; there are %d", count,
                        SERVET_QUANTITY_COUNT);
    for (int i = 0; given && i < count; i++) {
        if (!(given[i] >= 0))
            return srv_fail(error, SERVET_EARGUMENT,
                            "the tolerance of a %s must be between 0 and 1, not %g",
                            servet_quantity_name((servet_quantity)i), given[i]);
        set[i] = given[i];
    }
    return SERVET_OK;
}

static int compare_all(srv_diff_walk *on)
{
    int code = srv_diff_scope(on, SRV_OF_PROFILE, on->profile[0], on->profile[1]);
    return code == SERVET_OK ? srv_diff_classes(on) : code;
}

int servet_diff_create(servet_diff **diff, const servet_profile *first,
                       const servet_profile *second, const double tolerance[], int count,
                       servet_error *error)
{
    double set[SERVET_QUANTITY_COUNT];
    srv_diff_walk on = {.profile = {first, second}, .tolerance = set, .error = error};
    int code = set_tolerance(set, tolerance, count, error);
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
