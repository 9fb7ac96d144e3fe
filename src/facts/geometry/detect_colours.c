/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/room.h"
#include "facts/geometry/detect_pages.h"

/* --- two modes of effects --------------------------------------------------------------------- */

static double density(double away, double spread)
{
    double z = away / spread;
    return exp(-0.5 * z * z) / spread;
}

/* The effects of all pairs, counted in classes. */
enum { CLASSES = 1024, MODES_PASSES = 50 };
typedef struct histogram {
    double low, width;
    double count[CLASSES];
    double pairs;
} histogram;

static void count_effects(const float *effect, size_t n, histogram *all)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            least = fmin(least, effect[i * n + j]);
            most = fmax(most, effect[i * n + j]);
        }
    *all = (histogram){.low = least, .width = fmax(1e-12, most - least) / CLASSES};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double class = (effect[i * n + j] - least) / all->width;
            all->count[class < CLASSES ? (size_t) class : CLASSES - 1]++;
            all->pairs++;
        }
}

static double centre_of(const histogram *all, int class)
{
    return all->low + (class + 0.5) * all->width;
}

static double quantile_of(const histogram *all, double q)
{
    int class = 0;
    for (double below = all->count[0]; below < q * all->pairs; below += all->count[class])
        class ++;
    return centre_of(all, class);
}

/* One step of expectation maximisation. */
static srv_modes improve(const histogram *all, const srv_modes *old)
{
    double weight[2] = {0}, sum[2] = {0}, square[2] = {0};
    for (int class = 0; class < CLASSES; class ++) {
        double x = centre_of(all, class);
        double other = (1 - old->share) * density(x - old->other, old->spread[0]);
        double same = old->share * density(x - old->same, old->spread[1]), both = other + same;
        double part = both > 0 ? same / both : x >= old->same; /* far from either: the nearer one */
        double parts[2] = {1 - part, part};
        for (int k = 0; k < 2; k++) {
            weight[k] += parts[k] * all->count[class];
            sum[k] += parts[k] * all->count[class] * x;
            square[k] += parts[k] * all->count[class] * x * x;
        }
    }
    double mean[2], variance[2];
    for (int k = 0; k < 2; k++) {
        mean[k] = sum[k] / fmax(1e-9, weight[k]);
        variance[k] = square[k] / fmax(1e-9, weight[k]) - mean[k] * mean[k];
    }
    srv_modes now = {.other = mean[0], .same = mean[1]};
    now.share = fmin(0.5, fmax(weight[1], 1) / all->pairs);
    now.spread[0] = fmax(all->width, sqrt(fmax(0, variance[0])));
    now.spread[1] = fmax(now.spread[0] / 2, sqrt(fmax(0, variance[1])));
    return now;
}

/* A mixture of two normal distributions: pairs of different colours, and of one colour. */
srv_modes srv_find_modes(const float *effect, int n)
{
    histogram all;
    count_effects(effect, (size_t)n, &all);
    double median = quantile_of(&all, 0.5), deviation = median - quantile_of(&all, 0.16);
    double spread = fmax(deviation, all.width);
    srv_modes found = {median, quantile_of(&all, 0.99), {spread, spread}, 0.05};
    for (int pass = 0; pass < MODES_PASSES; pass++)
        found = improve(&all, &found);
    return found;
}

/* --- clusters --------------------------------------------------------------------------------- */

/* Average linkage by chains of nearest neighbours (Murtagh 1983): O(n^2). */
typedef struct linkage {
    int n, depth;
    float *mean;               /* n * n: effects between clusters */
    int *size, *chain, *label; /* a cluster has the number of one of its elements; size 0: joined */
} linkage;

static float *mean_of(const linkage *on, int i, int j)
{
    return on->mean + (size_t)i * (size_t)on->n + j;
}

static int nearest(const linkage *on, int i)
{
    int best = -1;
    for (int j = 0; j < on->n; j++)
        if (j != i && on->size[j] > 0 && (best < 0 || *mean_of(on, i, j) > *mean_of(on, i, best)))
            best = j;
    return best;
}

/* Follows the chain to two mutual neighbours, and joins them; false: none is near enough. */
static bool grow_chain(linkage *on, double least)
{
    int last = on->chain[on->depth - 1], next = nearest(on, last);
    if (next < 0 || *mean_of(on, last, next) <= least)
        return false;
    int before = on->depth > 1 ? on->chain[on->depth - 2] : -1;
    if (before >= 0 && *mean_of(on, last, before) >= *mean_of(on, last, next)) {
        float a = (float)on->size[before], b = (float)on->size[last];
        for (int k = 0; k < on->n; k++) {
            float mean = (a * *mean_of(on, before, k) + b * *mean_of(on, last, k)) / (a + b);
            *mean_of(on, before, k) = *mean_of(on, k, before) = mean;
            if (on->label[k] == last)
                on->label[k] = before;
        }
        on->size[before] += on->size[last];
        on->size[last] = 0;
        on->depth -= 2;
        if (on->depth == 0)
            on->chain[on->depth++] = before;
    } else {
        on->chain[on->depth++] = next;
    }
    return true;
}

bool srv_find_clusters(const float *effect, int n, double least, int *label)
{
    size_t count = (size_t)n;
    linkage on = {.n = n, .label = label};
    srv_room room = {0};
    on.mean = srv_room_take(&room, count * count, sizeof *on.mean);
    on.size = srv_room_take(&room, count, sizeof *on.size);
    on.chain = srv_room_take(&room, count + 1, sizeof *on.chain);
    bool allocated = !room.failed;
    if (allocated) {
        memcpy(on.mean, effect, count * count * sizeof *on.mean);
        for (int i = 0; i < n; i++) {
            on.size[i] = 1;
            on.label[i] = i;
        }
        for (int start = 0; start < on.n; start++) {
            on.chain[0] = start;
            on.depth = on.size[start] > 0;
            while (on.depth > 0 && grow_chain(&on, least)) {
            }
        }
    }
    srv_room_free(&room);
    return allocated;
}

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

/* Numbers the labels of `least` elements and more; the others become -1. */
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

static double within(const double *sum, const memberships *room, int count, int k)
{
    return sum[k * count + k] / fmax(1, (double)room->size[k] * (room->size[k] - 1));
}

/* Joins two halves of a colour, which affect each other like one. False without memory. */
static bool merge_halves(grouping *at, memberships *room, bool *merged)
{
    /* Sums of the effects between the members of every two colours, count * count of them. */
    double *sum = calloc((size_t)at->count * (size_t)at->count, sizeof *sum);
    for (int i = 0; sum && i < at->effects->n; i++)
        for (int j = 0; j < at->effects->n && at->label[i] >= 0; j++)
            if (j != i && at->label[j] >= 0)
                sum[at->label[i] * at->count + at->label[j]] +=
                    at->effects->both[(size_t)i * (size_t)at->effects->n + (size_t)j];
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
