/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts from single cores and from all cores that measured pairs connect, and puts layers between
 * them until none is left: the clearest first, then those on either side of it. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/layers/detect_cost.h"
#include "facts/layers/detect_split.h"
#include "facts/layers/detect_units.h"
#include "servet/analyze.h"
#include "stats/components.h"

/* --- groups of two kinds ---------------------------------------------------------------------- */

/* A block of two units and more. */
typedef struct kind_block {
    int block, size;
    double inside; /* mean cost */
} kind_block;

static int by_inside(const void *a, const void *b)
{
    const kind_block *x = a, *y = b;
    if (x->inside < y->inside || x->inside > y->inside)
        return x->inside < y->inside ? -1 : 1;
    return x->block - y->block;
}

static int by_size(const void *a, const void *b)
{
    return ((const kind_block *)a)->size - ((const kind_block *)b)->size;
}

static int list_blocks(const srv_units *units, kind_block *list)
{
    int count = 0;
    for (int b = 0; b < units->block_count; b++) {
        int first = units->first[b], end = units->first[b + 1];
        double sum = 0;
        for (int i = first; i < end; i++)
            sum += units->sum[i];
        if (end - first > 1)
            list[count++] =
                (kind_block){b, end - first, sum / ((double)(end - first) * (end - first - 1))};
    }
    qsort(list, (size_t)count, sizeof *list, by_inside);
    return count;
}

/* The number of the cheapest blocks before the largest jump. */
static int largest_jump(const kind_block *list, int count)
{
    int most = 1;
    for (int i = 2; i < count; i++)
        if (list[i].inside / list[i - 1].inside > list[most].inside / list[most - 1].inside)
            most = i;
    return most;
}

/* True if the first `cheap` blocks have half the units of most others. Sorts both. */
static bool are_smaller(kind_block *list, int cheap, int count)
{
    qsort(list, (size_t)cheap, sizeof *list, by_size);
    qsort(list + cheap, (size_t)(count - cheap), sizeof *list, by_size);
    return 2 * list[cheap - 1].size <= list[cheap + (count - cheap) / 2].size;
}

/* Numbers the first blocks of the list, and all other units. */
static void number_kinds(const srv_units *units, const kind_block *list, int cheap, int *of_block,
                         int *group)
{
    int count = 0;
    for (int b = 0; b < units->block_count; b++)
        of_block[b] = -1;
    for (int k = 0; k < cheap; k++)
        of_block[list[k].block] = count++;
    for (int i = 0; i < units->count; i++)
        group[i] = of_block[units->block[i]] < 0 ? count++ : of_block[units->block[i]];
}

/* Searches a layer whose groups are some of the blocks: all of them cheaper inside than any
 * other, by the ratio that a layer needs, and with fewer units than most others. Units of other
 * blocks are alone. Numbers the groups in `group`, one number per unit. */
static int kinds_find(const srv_units *units, int *group, srv_split *split, servet_error *error)
{
    kind_block *list = calloc((size_t)units->block_count, sizeof *list);
    int *of_block = calloc((size_t)units->block_count, sizeof *of_block);
    int count = list && of_block ? list_blocks(units, list) : 0;
    int cheap = count > 1 ? largest_jump(list, count) : 0;
    double ratio = cheap ? list[cheap].inside / list[cheap - 1].inside : 1;
    double margin = srv_split_margin(ratio, cheap, 1);
    if (cheap && margin >= 1 && are_smaller(list, cheap, count)) {
        *split = (srv_split){.found = true, .confidence = srv_split_confidence(margin)};
        number_kinds(units, list, cheap, of_block, group);
    }
    bool ready = list && of_block;
    free(list);
    free(of_block);
    return ready ? SERVET_OK : srv_fail_memory(error);
}

/* Layers change their neighbours: most are stable in the second round. */
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
    double *side; /* of each core: see detect_effects.h */
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

/* The layer that was found between two, if one was. */
static int take_split(finder *f, const srv_units *units, const int *of_unit, const srv_split *split,
                      level *between)
{
    if (!split->found)
        return SERVET_OK;
    between->confidence = split->confidence;
    /* The groups of cores that groups of units make. NULL where memory is short. */
    int *group = copy_of(units->of_core, f->matrix->n);
    for (size_t i = 0; group && i < f->matrix->n; i++)
        group[i] = of_unit[group[i]];
    between->group = group;
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
    /* The other way round: all cores of a unit are in one group. */
    if (known_of_unit)
        for (size_t i = 0; i < f->matrix->n; i++)
            known_of_unit[units.of_core[i]] = known->group[i];
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
    code = of_unit ? kinds_find(&units, of_unit, &split, f->error) : srv_fail_memory(f->error);
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

static bool same_groups(int *a, int *b, size_t n, int *work)
{
    srv_components_renumber(a, (int)n, work);
    srv_components_renumber(b, (int)n, work);
    return memcmp(a, b, n * sizeof *a) == 0;
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
        /* Replaces the level i by the layer that was found in its place, or by none. */
        free(f->level[i].group);
        f->level[i] = again;
        if (!again.group) {
            f->count--;
            memmove(&f->level[i], &f->level[i + 1], (size_t)(f->count - i) * sizeof *f->level);
            return SERVET_OK;
        }
        code = fill(f, i);
        return code ? code : fill(f, i - 1);
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
        srv_components_renumber(f->level[i].group, (int)n, work);
    free(work);
    return code;
}

/* Turns all levels but single cores into layers; unmeasured ones are dropped. */
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
