/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/detect_colours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/geometry/detect_clusters.h"

enum { ELEMENTS_MIN = 8, TRIALS_MIN = 8, COLOUR_MIN = 3, PASSES = 50 };

/* Elements by their colours so far. */
typedef struct grouping {
    const srv_effects *effects;
    const srv_modes *two; /* of these */
    int *label;           /* of each element: its colour; -1: none */
    int count;            /* of colours */
} grouping;

/* --- refinement ------------------------------------------------------------------------------- */

/* A colour gets its elements by chance: 24 on average, fewer than a third of that in one case in a
 * million. A group with fewer is a part of a colour whose other elements have none. */
static const double FRAGMENT = 0.35;

/* Numbers the labels of `least` elements and more from 0; the others become -1. `room` has n
 * numbers. */
static void renumber(grouping *at, int *room, double least)
{
    memset(room, 0, (size_t)at->effects->n * sizeof *room);
    for (int i = 0; i < at->effects->n; i++)
        if (at->label[i] >= 0)
            room[at->label[i]]++;
    at->count = 0;
    for (int i = 0; i < at->effects->n; i++)
        room[i] = room[i] >= least ? at->count++ : -1;
    for (int i = 0; i < at->effects->n; i++)
        at->label[i] = at->label[i] >= 0 ? room[at->label[i]] : -1;
}

typedef struct memberships {
    double *sum; /* of an element's effects with each colour */
    int *size;   /* of each colour */
} memberships;

static void count_sizes(const grouping *at, memberships *room)
{
    memset(room->size, 0, (size_t)at->count * sizeof *room->size);
    for (int i = 0; i < at->effects->n; i++)
        if (at->label[i] >= 0)
            room->size[at->label[i]]++;
}

/* The colour whose members have the largest mean effect on element i, itself left out. */
static int best_colour(const grouping *at, const float *effect, int i, memberships *room,
                       double *mean)
{
    int best = -1;
    memset(room->sum, 0, (size_t)at->count * sizeof *room->sum);
    for (int j = 0; j < at->effects->n; j++)
        if (j != i && at->label[j] >= 0)
            room->sum[at->label[j]] += effect[(size_t)i * (size_t)at->effects->n + (size_t)j];
    for (int k = 0; k < at->count; k++) {
        int size = room->size[k] - (at->label[i] == k);
        room->sum[k] = size > 0 ? room->sum[k] / size : -INFINITY;
        if (best < 0 || room->sum[k] > room->sum[best])
            best = k;
    }
    *mean = best >= 0 ? room->sum[best] : 0;
    return best;
}

/* Standard errors within which a colour's mean effect on an element counts as none. */
static const double SURE = 4;

/* Moves every element to the colour that suits it best; returns the number of moved elements. */
static int reassign(grouping *at, memberships *room)
{
    int moved = 0;
    count_sizes(at, room);
    for (int i = 0; i < at->effects->n; i++) {
        double mean;
        int best = best_colour(at, at->effects->both, i, room, &mean), old = at->label[i];
        int members = best >= 0 ? room->size[best] - (best == old) : 0;
        int now = members > 0 && (mean - at->two->other) * sqrt(members) > SURE * at->two->spread[0]
                      ? best
                      : -1;
        if (now == old)
            continue;
        moved++;
        at->label[i] = now;
        if (old >= 0)
            room->size[old]--;
        if (now >= 0)
            room->size[now]++;
    }
    return moved;
}

/* Sums of the effects between the members of every two colours, count * count of them. */
static double *sum_between(const grouping *at)
{
    double *sum = calloc((size_t)at->count * (size_t)at->count, sizeof *sum);
    for (int i = 0; sum && i < at->effects->n; i++)
        for (int j = 0; j < at->effects->n && at->label[i] >= 0; j++)
            if (j != i && at->label[j] >= 0)
                sum[at->label[i] * at->count + at->label[j]] +=
                    at->effects->both[(size_t)i * (size_t)at->effects->n + (size_t)j];
    return sum;
}

static double within(const double *sum, const memberships *room, int count, int k)
{
    return sum[k * count + k] / fmax(1, (double)room->size[k] * (room->size[k] - 1));
}

/* Joins colours that are halves of one: they affect each other as their own members do. `*merged`:
 * any were. False without memory. */
static bool merge_halves(grouping *at, memberships *room, bool *merged)
{
    double *sum = sum_between(at);
    *merged = false;
    count_sizes(at, room);
    for (int a = 0; sum && a < at->count && !*merged; a++)
        for (int b = a + 1; b < at->count && !*merged; b++) {
            double own = (within(sum, room, at->count, a) + within(sum, room, at->count, b)) / 2;
            double between =
                sum[a * at->count + b] / fmax(1, (double)room->size[a] * room->size[b]);
            *merged = between > own / 2;
            for (int i = 0; i < at->effects->n && *merged; i++)
                at->label[i] = at->label[i] == b ? a : at->label[i];
        }
    bool allocated = sum || at->count == 0;
    free(sum);
    return allocated;
}

/* The agreement of the halves, and the remaining elements. */
static void find_agreement(grouping *at, memberships *members, srv_colours *colours)
{
    int same = 0;
    count_sizes(at, members);
    colours->left_over = 0;
    for (int i = 0; i < at->effects->n; i++) {
        double mean;
        bool first = best_colour(at, at->effects->half[0], i, members, &mean) == at->label[i];
        bool second = best_colour(at, at->effects->half[1], i, members, &mean) == at->label[i];
        colours->left_over += at->label[i] < 0;
        same += at->label[i] >= 0 && first && second;
    }
    int labelled = at->effects->n - colours->left_over;
    colours->agreement = labelled > 0 ? (double)same / labelled : 0;
}

bool srv_colours_refine(const srv_effects *effects, const srv_modes *two, srv_colours *colours)
{
    size_t n = (size_t)effects->n;
    grouping all = {effects, two, colours->colour, 0};
    int *room = malloc(n * sizeof *room);
    memberships members = {malloc(n * sizeof *members.sum), malloc(n * sizeof *members.size)};
    bool allocated = room && members.sum && members.size;
    for (int pass = 0; pass < PASSES && allocated; pass++) {
        bool merged;
        renumber(&all, room, COLOUR_MIN);
        allocated = merge_halves(&all, &members, &merged);
        if (!reassign(&all, &members) && !merged)
            break;
    }
    if (allocated) {
        renumber(&all, room, COLOUR_MIN);
        renumber(&all, room, FRAGMENT * effects->n / fmax(1, all.count));
        find_agreement(&all, &members, colours);
        colours->count = all.count;
    }
    free(room);
    free(members.sum);
    free(members.size);
    return allocated;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool find(const srv_coeviction *trials, srv_effects *effects, srv_slowness *slowness,
                 srv_colours *colours)
{
    if (!colours->colour || !srv_coeviction_slowness(trials, slowness) ||
        !srv_coeviction_effects(trials, slowness->of, effects))
        return false;
    srv_modes two = srv_find_modes(effects->both, effects->n);
    return srv_find_clusters(effects->both, effects->n, (two.other + two.same) / 2,
                             colours->colour) &&
           srv_colours_refine(effects, &two, colours);
}

int srv_detect_colours(const srv_coeviction *trials, srv_colours *colours, servet_error *error)
{
    *colours = (srv_colours){0};
    if (trials->elements < ELEMENTS_MIN || trials->trials < TRIALS_MIN)
        return srv_fail(error, SERVET_EARGUMENT, "too few trials to find colours in");
    srv_effects effects = {0};
    srv_slowness slowness = {0};
    colours->colour = malloc((size_t)trials->elements * sizeof *colours->colour);
    bool found = find(trials, &effects, &slowness, colours);
    colours->fast_ns = slowness.fast_ns;
    colours->slow_ns = slowness.slow_ns;
    colours->slow_share = slowness.slow_share;
    free(slowness.of);
    srv_effects_finish(&effects);
    if (found)
        return SERVET_OK;
    srv_colours_finish(colours);
    return srv_fail_memory(error);
}

void srv_colours_finish(srv_colours *colours)
{
    free(colours->colour);
    *colours = (srv_colours){0};
}
