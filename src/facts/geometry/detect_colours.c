/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/detect_colours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "stats/robust.h"

enum { ELEMENTS_MIN = 8, TRIALS_MIN = 8, COLOUR_MIN = 3, PASSES = 50 };

/* Two normal distributions of effects: of elements of different colours, and of one. */
typedef struct modes {
    double other, same, spread[2], share;
} modes;

typedef struct finder {
    const srv_coeviction *trials;
    int n;           /* elements */
    float *slowness; /* of each time: 0 like the fast mode, 1 like the slow one */
    float *half[2];  /* n * n: effect of j on i in even and in odd trials */
    float *effect;   /* n * n: their mean, made symmetric */
    modes two;       /* of these */
    int *label;
    int count; /* of labels */
} finder;

/* --- trials ----------------------------------------------------------------------------------- */

static bool reserve(srv_coeviction *trials, size_t count, size_t times)
{
    size_t trials_room = (size_t)trials->trials + count + 1;
    if (trials_room > trials->trials_room) {
        size_t *first = realloc(trials->first, 2 * trials_room * sizeof *first);
        if (!first)
            return false;
        trials->first = first;
        trials->trials_room = 2 * trials_room;
        trials->first[0] = 0;
    }
    size_t room = trials->first[trials->trials] + times;
    if (room <= trials->room)
        return true;
    uint32_t *element = realloc(trials->element, 2 * room * sizeof *element);
    trials->element = element ? element : trials->element;
    float *ns = realloc(trials->ns, 2 * room * sizeof *ns);
    trials->ns = ns ? ns : trials->ns;
    trials->room = element && ns ? 2 * room : trials->room;
    return element && ns;
}

int srv_coeviction_add(srv_coeviction *trials, int count, int walked, size_t *at,
                       servet_error *error)
{
    if (!reserve(trials, (size_t)count, (size_t)count * (size_t)walked))
        return srv_fail_memory(error);
    *at = trials->first[trials->trials];
    for (int i = 0; i < count; i++, trials->trials++)
        trials->first[trials->trials + 1] = trials->first[trials->trials] + (size_t)walked;
    return SERVET_OK;
}

void srv_coeviction_finish(srv_coeviction *trials)
{
    free(trials->first);
    free(trials->element);
    free(trials->ns);
    *trials = (srv_coeviction){0};
}

static size_t times_of(const srv_coeviction *trials)
{
    return trials->first[trials->trials];
}

/* --- fast and slow ---------------------------------------------------------------------------- */

/* Two means in one dimension (Lloyd), between these quantiles: a few times are far beyond the slow
 * mode (a stolen slice, a miss in the last cache), and would be a mode of their own. */
static const double MODES_FROM = 0.01, MODES_TO = 0.9;

static double mean_within(const double *sorted, size_t n, double low, double high)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (sorted[i] >= low && sorted[i] <= high) {
            sum += sorted[i];
            count++;
        }
    return count > 0 ? sum / (double)count : (low + high) / 2;
}

static void find_modes(const double *sorted, size_t n, srv_colours *colours)
{
    double low = srv_sorted_quantile(sorted, n, MODES_FROM),
           high = srv_sorted_quantile(sorted, n, MODES_TO);
    double fast = low, slow = high;
    for (int pass = 0; pass < PASSES; pass++) {
        double cut = (fast + slow) / 2;
        fast = mean_within(sorted, n, low, cut);
        slow = mean_within(sorted, n, cut, high);
    }
    colours->fast_ns = fast;
    colours->slow_ns = slow;
}

static bool measure_slowness(finder *at, srv_colours *colours)
{
    size_t n = times_of(at->trials), slow = 0;
    double *sorted = malloc(n * sizeof *sorted);
    at->slowness = malloc(n * sizeof *at->slowness);
    if (!sorted || !at->slowness) {
        free(sorted);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        sorted[i] = at->trials->ns[i];
    srv_sort(sorted, n);
    find_modes(sorted, n, colours);
    double gap = colours->slow_ns - colours->fast_ns;
    for (size_t i = 0; i < n; i++) {
        double share = gap > 0 ? (at->trials->ns[i] - colours->fast_ns) / gap : 0;
        at->slowness[i] = (float)fmin(1, fmax(0, share));
        slow += share > 0.5;
    }
    colours->slow_share = (double)slow / (double)n;
    free(sorted);
    return true;
}

/* --- effects ---------------------------------------------------------------------------------- */

/* What a trial as a whole has (a disturbance, a large share of all elements) is taken out of it. */
static void centre_trials(finder *at)
{
    const size_t *first = at->trials->first;
    for (int t = 0; t < at->trials->trials; t++) {
        float mean = 0;
        for (size_t i = first[t]; i < first[t + 1]; i++)
            mean += at->slowness[i] / (float)(first[t + 1] - first[t]);
        for (size_t i = first[t]; i < first[t + 1]; i++)
            at->slowness[i] -= mean;
    }
}

/* And then what an element always has. */
static bool centre_elements(finder *at)
{
    const uint32_t *element = at->trials->element;
    size_t n = times_of(at->trials);
    double *sum = calloc((size_t)at->n, sizeof *sum);
    int *count = calloc((size_t)at->n, sizeof *count);
    bool allocated = sum && count;
    for (size_t i = 0; i < n && allocated; i++) {
        sum[element[i]] += at->slowness[i];
        count[element[i]]++;
    }
    for (size_t i = 0; i < n && allocated; i++)
        at->slowness[i] -= (float)(sum[element[i]] / count[element[i]]);
    free(sum);
    free(count);
    return allocated;
}

/* In how many trials two elements are expected together, in a half. */
static double expected_pairs(const finder *at)
{
    double sum = 0, n = at->n;
    for (int t = 0; t < at->trials->trials; t++) {
        double walked = (double)(at->trials->first[t + 1] - at->trials->first[t]);
        sum += walked * (walked - 1) / (n * (n - 1));
    }
    return fmax(1, sum / 2);
}

/* Adds the effects from the trials of one half: how slow each element was in trials with each other
 * one. */
static void add_effects(finder *at, int half, double pairs)
{
    const size_t *first = at->trials->first;
    for (int t = half; t < at->trials->trials; t += 2)
        for (size_t i = first[t]; i < first[t + 1]; i++) {
            float *row = at->half[half] + at->trials->element[i] * (size_t)at->n;
            float add = (float)(at->slowness[i] / pairs);
            for (size_t j = first[t]; j < first[t + 1]; j++)
                row[at->trials->element[j]] += add;
        }
}

static bool find_effects(finder *at)
{
    size_t n = (size_t)at->n;
    for (int half = 0; half < 2; half++)
        if (!(at->half[half] = calloc(n * n, sizeof *at->half[half])))
            return false;
    if (!(at->effect = malloc(n * n * sizeof *at->effect)))
        return false;
    for (int half = 0; half < 2; half++)
        add_effects(at, half, expected_pairs(at));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            at->effect[i * n + j] = (at->half[0][i * n + j] + at->half[0][j * n + i] +
                                     at->half[1][i * n + j] + at->half[1][j * n + i]) /
                                    4;
    return true;
}

/* --- two modes of effects --------------------------------------------------------------------- */

static double density(double x, double mean, double spread)
{
    double z = (x - mean) / spread;
    return exp(-0.5 * z * z) / spread;
}

/* The effects of all pairs, counted in classes. */
enum { CLASSES = 1024 };
typedef struct histogram {
    double low, width;
    double count[CLASSES];
    double pairs;
} histogram;

static void count_effects(const finder *at, histogram *all)
{
    size_t n = (size_t)at->n;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            least = fmin(least, at->effect[i * n + j]);
            most = fmax(most, at->effect[i * n + j]);
        }
    *all = (histogram){.low = least, .width = fmax(1e-12, most - least) / CLASSES};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double class = (at->effect[i * n + j] - least) / all->width;
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
    double below = 0;
    int class = 0;
    while (class + 1 < CLASSES && (below += all->count[class]) < q * all->pairs)
        class ++;
    return centre_of(all, class);
}

/* One step of expectation maximisation: what each class is taken for, then what follows from that.
 */
static modes improve(const histogram *all, const modes *old)
{
    double weight[2] = {0}, sum[2] = {0}, square[2] = {0};
    for (int class = 0; class < CLASSES; class ++) {
        double x = centre_of(all, class);
        double other = (1 - old->share) * density(x, old->other, old->spread[0]);
        double same = old->share * density(x, old->same, old->spread[1]), all_of = other + same;
        double part[2] = {all_of > 0               ? other / all_of
                          : x<old->same, all_of> 0 ? same / all_of
                                                   : x >= old->same};
        for (int k = 0; k < 2; k++) {
            weight[k] += part[k] * all->count[class];
            sum[k] += part[k] * all->count[class] * x;
            square[k] += part[k] * all->count[class] * x * x;
        }
    }
    modes now = {.other = sum[0] / fmax(1, weight[0]), .same = sum[1] / fmax(1e-9, weight[1])};
    now.share = fmin(0.5, fmax(weight[1], 1) / all->pairs);
    now.spread[0] =
        sqrt(fmax(all->width * all->width, square[0] / fmax(1, weight[0]) - now.other * now.other));
    double own = square[1] / fmax(1e-9, weight[1]) - now.same * now.same;
    now.spread[1] = fmax(now.spread[0] / 2, sqrt(fmax(0, own)));
    return now;
}

/* A mixture of two normal distributions: most pairs are of different colours and around `other`,
 * the rest are of one colour. */
static modes find_two(const finder *at)
{
    histogram all;
    count_effects(at, &all);
    double median = quantile_of(&all, 0.5), deviation = median - quantile_of(&all, 0.16);
    modes found = {median,
                   quantile_of(&all, 0.99),
                   {fmax(deviation, all.width), fmax(deviation, all.width)},
                   0.05};
    for (int pass = 0; pass < PASSES; pass++)
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

static void join(linkage *on, int into, int from)
{
    float a = (float)on->size[into], b = (float)on->size[from];
    for (int k = 0; k < on->n; k++) {
        float mean = (a * *mean_of(on, into, k) + b * *mean_of(on, from, k)) / (a + b);
        *mean_of(on, into, k) = *mean_of(on, k, into) = mean;
        if (on->label[k] == from)
            on->label[k] = into;
    }
    on->size[into] += on->size[from];
    on->size[from] = 0;
}

/* Follows nearest neighbours from the chain's end to two that are each other's, and joins them.
 * False if the end has no neighbour near enough. */
static bool grow_chain(linkage *on, double least)
{
    int last = on->chain[on->depth - 1], next = nearest(on, last);
    if (next < 0 || *mean_of(on, last, next) <= least)
        return false;
    int before = on->depth > 1 ? on->chain[on->depth - 2] : -1;
    if (before >= 0 && *mean_of(on, last, before) >= *mean_of(on, last, next)) {
        join(on, before, last);
        on->depth -= 2;
        if (on->depth == 0)
            on->chain[on->depth++] = before;
    } else {
        on->chain[on->depth++] = next;
    }
    return true;
}

static void link_all(linkage *on, double least)
{
    for (int start = 0; start < on->n; start++) {
        on->chain[0] = start;
        on->depth = on->size[start] > 0;
        while (on->depth > 0 && grow_chain(on, least)) {
        }
    }
}

/* Clusters whose mean effect on each other is above `least`, as labels. */
static bool find_clusters(finder *at, double least)
{
    size_t n = (size_t)at->n;
    linkage on = {.n = at->n, .label = at->label};
    on.mean = malloc(n * n * sizeof *on.mean);
    on.size = malloc(n * sizeof *on.size);
    on.chain = malloc((n + 1) * sizeof *on.chain);
    bool allocated = on.mean && on.size && on.chain;
    if (allocated) {
        memcpy(on.mean, at->effect, n * n * sizeof *on.mean);
        for (int i = 0; i < at->n; i++) {
            on.size[i] = 1;
            on.label[i] = i;
        }
        link_all(&on, least);
    }
    free(on.mean);
    free(on.size);
    free(on.chain);
    return allocated;
}

/* --- refinement ------------------------------------------------------------------------------- */

/* A colour gets its elements by chance: 24 on average, fewer than a third of that in one case in a
 * million. A group with fewer is a part of a colour whose other elements have none. */
static const double FRAGMENT = 0.35;

/* Numbers the labels of `least` elements and more from 0; the others become -1. `room` has n
 * numbers. */
static void renumber(finder *at, int *room, double least)
{
    memset(room, 0, (size_t)at->n * sizeof *room);
    for (int i = 0; i < at->n; i++)
        if (at->label[i] >= 0)
            room[at->label[i]]++;
    at->count = 0;
    for (int i = 0; i < at->n; i++)
        room[i] = room[i] >= least ? at->count++ : -1;
    for (int i = 0; i < at->n; i++)
        at->label[i] = at->label[i] >= 0 ? room[at->label[i]] : -1;
}

typedef struct memberships {
    double *sum; /* of an element's effects with each colour */
    int *size;   /* of each colour */
} memberships;

static void count_sizes(const finder *at, memberships *room)
{
    memset(room->size, 0, (size_t)at->count * sizeof *room->size);
    for (int i = 0; i < at->n; i++)
        if (at->label[i] >= 0)
            room->size[at->label[i]]++;
}

/* The colour whose members have the largest mean effect on element i, itself left out. */
static int best_colour(const finder *at, const float *effect, int i, memberships *room,
                       double *mean)
{
    int best = -1;
    memset(room->sum, 0, (size_t)at->count * sizeof *room->sum);
    for (int j = 0; j < at->n; j++)
        if (j != i && at->label[j] >= 0)
            room->sum[at->label[j]] += effect[(size_t)i * (size_t)at->n + (size_t)j];
    for (int k = 0; k < at->count; k++) {
        int size = room->size[k] - (at->label[i] == k);
        room->sum[k] = size > 0 ? room->sum[k] / size : -INFINITY;
        if (best < 0 || room->sum[k] > room->sum[best])
            best = k;
    }
    *mean = best >= 0 ? room->sum[best] : 0;
    return best;
}

/* A colour's mean effect on an element is none if it is within so many of its standard errors. */
static const double SURE = 4;

/* Moves every element to the colour that suits it best; how many moved. */
static int reassign(finder *at, memberships *room)
{
    int moved = 0;
    count_sizes(at, room);
    for (int i = 0; i < at->n; i++) {
        double mean;
        int best = best_colour(at, at->effect, i, room, &mean), old = at->label[i];
        int members = best >= 0 ? room->size[best] - (best == old) : 0;
        int now = members > 0 && (mean - at->two.other) * sqrt(members) > SURE * at->two.spread[0]
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
static double *sum_between(const finder *at)
{
    double *sum = calloc((size_t)at->count * (size_t)at->count, sizeof *sum);
    for (int i = 0; sum && i < at->n; i++)
        for (int j = 0; j < at->n && at->label[i] >= 0; j++)
            if (j != i && at->label[j] >= 0)
                sum[at->label[i] * at->count + at->label[j]] +=
                    at->effect[(size_t)i * (size_t)at->n + (size_t)j];
    return sum;
}

static double within(const double *sum, const memberships *room, int count, int k)
{
    return sum[k * count + k] / fmax(1, (double)room->size[k] * (room->size[k] - 1));
}

/* Joins colours that are halves of one: they affect each other as their own members do. `*merged`:
 * any were. False without memory. */
static bool merge_halves(finder *at, memberships *room, bool *merged)
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
            for (int i = 0; i < at->n && *merged; i++)
                at->label[i] = at->label[i] == b ? a : at->label[i];
        }
    bool allocated = sum || at->count == 0;
    free(sum);
    return allocated;
}

/* How well the halves agree, and what is left. */
static void find_agreement(finder *at, memberships *members, srv_colours *colours)
{
    int same = 0;
    count_sizes(at, members);
    colours->left_over = 0;
    for (int i = 0; i < at->n; i++) {
        double mean;
        bool first = best_colour(at, at->half[0], i, members, &mean) == at->label[i];
        bool second = best_colour(at, at->half[1], i, members, &mean) == at->label[i];
        colours->left_over += at->label[i] < 0;
        same += at->label[i] >= 0 && first && second;
    }
    int labelled = at->n - colours->left_over;
    colours->agreement = labelled > 0 ? (double)same / labelled : 0;
}

static bool refine(finder *at, srv_colours *colours)
{
    size_t n = (size_t)at->n;
    int *room = malloc(n * sizeof *room);
    memberships members = {malloc(n * sizeof *members.sum), malloc(n * sizeof *members.size)};
    bool allocated = room && members.sum && members.size;
    for (int pass = 0; pass < PASSES && allocated; pass++) {
        bool merged;
        renumber(at, room, COLOUR_MIN);
        allocated = merge_halves(at, &members, &merged);
        if (!reassign(at, &members) && !merged)
            break;
    }
    if (allocated) {
        renumber(at, room, COLOUR_MIN);
        renumber(at, room, FRAGMENT * at->n / fmax(1, at->count));
        find_agreement(at, &members, colours);
    }
    free(room);
    free(members.sum);
    free(members.size);
    return allocated;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool find(finder *at, srv_colours *colours)
{
    if (!measure_slowness(at, colours))
        return false;
    centre_trials(at);
    if (!centre_elements(at) || !find_effects(at))
        return false;
    at->two = find_two(at);
    return find_clusters(at, (at->two.other + at->two.same) / 2) && refine(at, colours);
}

int srv_detect_colours(const srv_coeviction *trials, srv_colours *colours, servet_error *error)
{
    *colours = (srv_colours){0};
    if (trials->elements < ELEMENTS_MIN || trials->trials < TRIALS_MIN)
        return srv_fail(error, SERVET_EARGUMENT, "too few trials to find colours in");
    finder at = {.trials = trials, .n = trials->elements};
    at.label = malloc((size_t)at.n * sizeof *at.label);
    bool found = at.label && find(&at, colours);
    free(at.slowness);
    free(at.half[0]);
    free(at.half[1]);
    free(at.effect);
    if (!found) {
        free(at.label);
        return srv_fail_memory(error);
    }
    colours->colour = at.label;
    colours->count = at.count;
    return SERVET_OK;
}

void srv_colours_finish(srv_colours *colours)
{
    free(colours->colour);
    *colours = (srv_colours){0};
}
