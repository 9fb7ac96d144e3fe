/* SPDX-License-Identifier: BSD-3-Clause */
#include "servet/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/names.h"
#include "profile/diff/classes.h"

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

/* --- the difference --------------------------------------------------------------------------- */

/* Fills the tolerances: the default ones, except for those that are given. */
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
