/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts from single cores and from all cores that measured pairs connect, and puts layers between
 * them until none is left: the clearest first, then those on either side of it. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_kinds.h"
#include "facts/layers/detect_sides.h"
#include "facts/layers/detect_split.h"
#include "facts/layers/detect_units.h"
#include "servet/analyze.h"
#include "stats/components.h"

/* A layer that changes can change its neighbours, and vice versa: most are stable in the second
 * round. */
enum { ROUNDS_MAX = 4 };

/* A partition of the cores, and the two others between which it was found (by their numbers). */
typedef struct level {
    int *group; /* of each core */
    double confidence;
    double whole;  /* confidence that nothing divides its pairs any more */
    double unseen; /* the step below which that would not be found */
    int number, below, above;
} level;

/* Layers found so far: from single cores to all cores; further ones are inserted between. */
typedef struct finder {
    const servet_matrix *matrix;
    servet_error *error;
    double *side; /* of each core: see detect_sides.h */
    int numbers;  /* given to levels so far */
    int count;
    level level[SERVET_LAYERS_MAX + 1];
} finder;

/* --- which layers there are ------------------------------------------------------------------- */

static int *copy_of(const int *group, size_t n)
{
    int *copy = malloc(n * sizeof *copy);
    if (copy)
        memcpy(copy, group, n * sizeof *copy);
    return copy;
}

/* Renumbers the groups in the order of their first members; `work` has room for one number per
 * core. */
static int number_groups(int *group, size_t n, int *work)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        work[i] = -1;
    for (size_t i = 0; i < n; i++) {
        if (work[group[i]] < 0)
            work[group[i]] = count++;
        group[i] = work[group[i]];
    }
    return count;
}

/* The groups of cores that groups of units make. NULL where memory is short. */
static int *groups_of_cores(const srv_units *units, const int *of_unit, size_t n)
{
    int *group = copy_of(units->of_core, n);
    for (size_t i = 0; group && i < n; i++)
        group[i] = of_unit[group[i]];
    return group;
}

/* The other way round: all cores of a unit are in one group. */
static void groups_of_units(const srv_units *units, const int *group, size_t n, int *of_unit)
{
    for (size_t i = 0; i < n; i++)
        of_unit[units->of_core[i]] = group[i];
}

/* The layer that was found between two, if one was. */
static int take_split(finder *f, const srv_units *units, const int *of_unit, const srv_split *split,
                      level *between)
{
    if (!split->found)
        return SERVET_OK;
    between->confidence = split->confidence;
    between->group = groups_of_cores(units, of_unit, f->matrix->n);
    return between->group ? SERVET_OK : srv_fail_memory(f->error);
}

/* Looks for one layer between two, where `known` (or NULL) was found before; if there is none,
 * `between->group` is NULL, and `above` has the confidence of that. */
static int find_between(finder *f, const level *below, level *above, const level *known,
                        level *between)
{
    srv_units units;
    srv_split split;
    *between =
        (level){.whole = 1, .number = f->numbers++, .below = below->number, .above = above->number};
    int code = srv_units_build(&units, f->matrix, f->side, below->group, above->group, f->error);
    if (code)
        return code;
    int *of_unit = calloc(2 * (size_t)units.count, sizeof *of_unit);
    int *known_of_unit = known && of_unit ? of_unit + units.count : NULL;
    if (known_of_unit)
        groups_of_units(&units, known->group, f->matrix->n, known_of_unit);
    code = of_unit ? srv_split_find(&units, known_of_unit, of_unit, &split, f->error)
                   : srv_fail_memory(f->error);
    if (code == SERVET_OK && !split.found) {
        above->whole = split.whole;
        above->unseen = split.unseen;
    }
    if (code == SERVET_OK)
        code = take_split(f, &units, of_unit, &split, between);
    free(of_unit);
    srv_units_free(&units);
    return code;
}

/* Looks for a layer whose groups are some of those of `above`. */
static int find_kinds(finder *f, const level *below, const level *above, level *between)
{
    srv_units units;
    srv_split split = {.found = false};
    *between = (level){.whole = 1};
    int code = srv_units_build(&units, f->matrix, f->side, below->group, above->group, f->error);
    if (code)
        return code;
    int *of_unit = calloc((size_t)units.count, sizeof *of_unit);
    code = of_unit ? srv_kinds_find(&units, of_unit, &split, f->error) : srv_fail_memory(f->error);
    if (code == SERVET_OK)
        code = take_split(f, &units, of_unit, &split, between);
    free(of_unit);
    srv_units_free(&units);
    return code;
}

static void insert(finder *f, int at, level between)
{
    memmove(&f->level[at + 1], &f->level[at], (size_t)(f->count - at) * sizeof *f->level);
    f->level[at] = between;
    f->count++;
}

/* Finds all layers between the levels i and i + 1. */
static int fill(finder *f, int i)
{
    level between;
    if (f->count == SERVET_LAYERS_MAX + 1)
        return SERVET_OK;
    int code = find_between(f, &f->level[i], &f->level[i + 1], NULL, &between);
    if (code || !between.group)
        return code;
    insert(f, i + 1, between);
    code = fill(f, i + 1);
    return code ? code : fill(f, i);
}

/* True if two partitions are the same, with any numbering of their groups. */
static bool same_groups(int *a, int *b, size_t n, int *work)
{
    number_groups(a, n, work);
    number_groups(b, n, work);
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Replaces the level i by the layer that was found in its place, or by none. */
static int replace(finder *f, int i, level again)
{
    free(f->level[i].group);
    f->level[i] = again;
    if (!again.group) {
        f->count--;
        memmove(&f->level[i], &f->level[i + 1], (size_t)(f->count - i) * sizeof *f->level);
        return SERVET_OK;
    }
    int code = fill(f, i);
    return code ? code : fill(f, i - 1);
}

/* Searches a layer again if its neighbours have changed since; `*changed` if the result differs. */
static int revise(finder *f, int i, int *work, bool *changed)
{
    level *old = &f->level[i], again;
    level *below = &f->level[i - 1], *above = &f->level[i + 1];
    if (old->below == below->number && old->above == above->number)
        return SERVET_OK;
    int code = find_between(f, below, above, old, &again);
    if (code)
        return code;
    if (!again.group || !same_groups(old->group, again.group, f->matrix->n, work)) {
        *changed = true;
        return replace(f, i, again);
    }
    old->below = below->number;
    old->above = above->number;
    free(again.group);
    return SERVET_OK;
}

/* Until all layers are those between their neighbours. */
static int revise_all(finder *f, int *work)
{
    bool changed = true;
    int code = SERVET_OK;
    for (int round = 0; round < ROUNDS_MAX && changed && code == SERVET_OK; round++) {
        changed = false;
        for (int i = 1; i + 1 < f->count && code == SERVET_OK; i++)
            code = revise(f, i, work, &changed);
    }
    return code;
}

/* Divides layers whose groups are of two kinds. */
static int divide_kinds(finder *f)
{
    int code = SERVET_OK;
    for (int i = 1; i < f->count && f->count <= SERVET_LAYERS_MAX && code == SERVET_OK; i++) {
        level between;
        code = find_kinds(f, &f->level[i - 1], &f->level[i], &between);
        if (code == SERVET_OK && between.group)
            insert(f, i++, between);
    }
    return code;
}

/* The groups that measured pairs connect. */
static void connect(const servet_matrix *matrix, int *group)
{
    int n = (int)matrix->n;
    srv_components_init(group, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (!isnan(srv_pair_cost(matrix, (size_t)i, (size_t)j)))
                srv_components_join(group, i, j);
    srv_components_number(group, n);
}

static int find_all(finder *f)
{
    size_t n = f->matrix->n;
    int *cores = malloc(n * sizeof *cores), *all = malloc(n * sizeof *all);
    int *work = malloc(n * sizeof *work);
    f->side = malloc(n * sizeof *f->side);
    f->level[0].group = cores;
    f->level[1] = (level){.group = all, .confidence = 1, .whole = 1, .number = 1};
    f->count = f->numbers = 2;
    int code = cores && all && work && f->side ? SERVET_OK : srv_fail_memory(f->error);
    if (code == SERVET_OK) {
        for (size_t i = 0; i < n; i++)
            cores[i] = (int)i;
        connect(f->matrix, all);
        srv_sides_find(f->matrix, f->side);
        code = fill(f, 0);
    }
    if (code == SERVET_OK)
        code = revise_all(f, work);
    if (code == SERVET_OK)
        code = divide_kinds(f);
    for (int i = 1; i < f->count && code == SERVET_OK; i++)
        number_groups(f->level[i].group, n, work);
    free(work);
    return code;
}

/* Turns all levels but the single cores into layers; one of which no pair was measured is dropped.
 */
static int cost_all(finder *f, servet_layers *layers)
{
    const int *before = NULL;
    *layers = (servet_layers){.n = f->matrix->n};
    for (int i = 1; i < f->count; i++) {
        servet_layer layer = {.group = f->level[i].group,
                              .confidence = f->level[i].confidence * f->level[i].whole,
                              .unseen = f->level[i].unseen};
        int code = srv_layer_cost(f->matrix, before, &layer, f->error);
        if (code)
            return code;
        if (layer.cost.samples == 0)
            continue;
        layers->layer[layers->layer_count++] = layer;
        before = layer.group;
        f->level[i].group = NULL; /* it is the layer's now */
    }
    return SERVET_OK;
}

/* --- the whole -------------------------------------------------------------------------------- */

int servet_analyze_layers(const servet_matrix *matrix, servet_layers *layers, servet_error *error)
{
    if (!matrix || !matrix->cost || matrix->n < 1 || matrix->n > SERVET_MATRIX_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "a matrix must have 1 to %d cores",
                        SERVET_MATRIX_MAX);
    finder f = {.matrix = matrix, .error = error};
    int code = find_all(&f);
    servet_layers found = {0};
    if (code == SERVET_OK)
        code = cost_all(&f, &found);
    for (int i = 0; i < f.count; i++)
        free(f.level[i].group);
    free(f.side);
    if (code)
        servet_layers_free(&found);
    else
        *layers = found;
    return code;
}

void servet_layers_free(servet_layers *layers)
{
    if (!layers)
        return;
    for (int k = 0; k < layers->layer_count; k++)
        free(layers->layer[k].group);
    *layers = (servet_layers){0};
}
