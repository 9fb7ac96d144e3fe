/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_contrast.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "stats/robust.h"

/* Pairs that give a probability within 1 %; a larger set is thinned evenly. */
enum { SAMPLE_MAX = 1 << 14 };

typedef struct view {
    const srv_units *units;
    const srv_cut *cut;
    const double *effect;
    double *inside;       /* of each group: mean cost inside; NaN for a single unit */
    double *across;       /* of each group: costs from the current group */
    double *row, *column; /* of the units of a group and of the next one: see add_edge() */
    double *near, *far;   /* costs less effects, inside a group and to the next one */
} view;

/* Sums over groups. */
typedef struct sums {
    double ratio, purity;
    double border, step; /* differences of costs: at the border, and between the means */
    double units;        /* in these groups */
    int groups;
} sums;

static double mean_inside(const view *v, int group)
{
    double sum = 0, pairs = 0;
    for (int a = v->cut->start[group]; a < v->cut->start[group + 1]; a++)
        for (int b = v->cut->start[group]; b < a; b++) {
            sum += srv_unit_cost(v->units, v->cut->order[a], v->cut->order[b]);
            pairs++;
        }
    return pairs > 0 ? sum / pairs : NAN;
}

/* The nearest group in the same block, and the ratio of the cost to it over the cost inside; -1:
 * none. */
static int next_group(const view *v, int group, double *ratio)
{
    const srv_cut *cut = v->cut;
    int block = v->units->block[v->cut->order[v->cut->start[group]]], next = -1;
    int first = v->units->first[block], end = v->units->first[block + 1];
    for (int j = first; j < end; j++)
        v->across[cut->group[j]] = 0;
    for (int a = v->cut->start[group]; a < v->cut->start[group + 1]; a++)
        for (int j = first; j < end; j++)
            if (cut->group[j] != group)
                v->across[cut->group[j]] += srv_unit_cost(v->units, v->cut->order[a], j);
    for (int j = first; j < end; j++) {
        int h = cut->group[j];
        if (h == group)
            continue;
        double other = isnan(v->inside[h]) ? v->inside[group] : v->inside[h];
        double slower = v->across[h] / srv_cut_size(cut, h) / srv_cut_size(cut, group) /
                        ((v->inside[group] + other) / 2);
        if (next < 0 || slower < *ratio) {
            next = h;
            *ratio = slower;
        }
    }
    return next;
}

/* --- the edge --------------------------------------------------------------------------------- */

/* A group and the one next to it. */
typedef struct side {
    const int *unit;
    int count;
    double *mean;  /* of each unit: its cost with the other side, less effects */
    int nearest;   /* place of the one with the least */
    double own;    /* the nearest unit's mean cost with its own group, less effects; NaN if alone */
    double inside; /* the mean of all pairs of the group, less effects; NaN without any */
} side;

static double cost_less_effects(const view *v, int i, int j)
{
    return srv_unit_cost(v->units, i, j) - v->effect[i] - v->effect[j];
}

static side side_of(const view *v, int group, double *mean)
{
    return (side){.unit = v->cut->order + v->cut->start[group],
                  .count = srv_cut_size(v->cut, group),
                  .mean = mean};
}

/* The mean cost of a unit with the others of its group, less effects. */
static double cost_with_own(const view *v, const side *s, int place)
{
    double sum = 0;
    for (int k = 0; k < s->count; k++)
        sum += k == place ? 0 : cost_less_effects(v, s->unit[place], s->unit[k]);
    return s->count > 1 ? sum / (s->count - 1) : NAN;
}

static void compare_sides(const view *v, side *s, const side *other)
{
    s->inside = 0;
    s->nearest = 0;
    for (int i = 0; i < s->count; i++) {
        s->mean[i] = 0;
        for (int j = 0; j < other->count; j++)
            s->mean[i] += cost_less_effects(v, s->unit[i], other->unit[j]) / other->count;
        s->nearest = s->mean[i] < s->mean[s->nearest] ? i : s->nearest;
        s->inside += cost_with_own(v, s, i) / s->count;
    }
    s->own = cost_with_own(v, s, s->nearest);
}

static double mean_known(double known, double other)
{
    return isnan(other) ? known : (known + other) / 2;
}

/* Costs between two groups are taken for sums of one part for each unit, which noise changes less
 * than single pairs. */
static void add_edge(const view *v, int group, int next, sums *sum)
{
    side near = side_of(v, group, v->row), far = side_of(v, next, v->column);
    double mean = 0;
    compare_sides(v, &near, &far);
    compare_sides(v, &far, &near);
    for (int i = 0; i < near.count; i++)
        mean += near.mean[i] / near.count;
    sum->border +=
        near.mean[near.nearest] + far.mean[far.nearest] - mean - mean_known(near.own, far.own);
    sum->step += mean - mean_known(near.inside, far.inside);
}

/* --- purity ----------------------------------------------------------------------------------- */

static size_t collect(const view *v, int group, int other, double *costs)
{
    size_t size = (size_t)srv_cut_size(v->cut, group);
    size_t other_size = (size_t)srv_cut_size(v->cut, other);
    size_t pairs = group == other ? size * (size - 1) / 2 : size * other_size;
    size_t step = 1 + pairs / SAMPLE_MAX, at = 0, n = 0;
    for (int a = v->cut->start[group]; a < v->cut->start[group + 1]; a++)
        for (int b = v->cut->start[other]; b < (group == other ? a : v->cut->start[other + 1]);
             b++) {
            int i = v->cut->order[a], j = v->cut->order[b];
            if (at++ % step == 0)
                costs[n++] = cost_less_effects(v, i, j);
        }
    return n;
}

/* The probability that one of `near` is below one of `far`; equal ones count half. Sorts both. */
static double probability_below(double *near, size_t near_count, double *far, size_t far_count)
{
    double won = 0;
    size_t below = 0, not_above = 0;
    srv_sort(near, near_count);
    srv_sort(far, far_count);
    for (size_t i = 0; i < near_count; i++) {
        while (below < far_count && far[below] < near[i])
            below++;
        while (not_above < far_count && far[not_above] <= near[i])
            not_above++;
        won += (double)(far_count - not_above) + 0.5 * (double)(not_above - below);
    }
    return won / ((double)near_count * (double)far_count);
}

/* --- the contrast ----------------------------------------------------------------------------- */

/* True if the group has all units of the block but one core: that core may pay more for each
 * message, whatever its partner. */
static bool leaves_one_core_out(const view *v, int group)
{
    int block = v->units->block[v->cut->order[v->cut->start[group]]], out = 0, cores = 0;
    for (int i = v->units->first[block]; i < v->units->first[block + 1]; i++)
        if (v->cut->group[i] != group) {
            out++;
            cores += v->units->cores[i];
        }
    return out == 1 && cores == 1;
}

static double units_in_larger_blocks(const srv_units *units)
{
    double count = 0;
    for (int b = 0; b < units->block_count; b++) {
        int size = units->first[b + 1] - units->first[b];
        count += size > 2 ? size : 0;
    }
    return count;
}

static srv_layers_contrast find_contrast(view *v)
{
    sums sum = {0};
    double all = units_in_larger_blocks(v->units);
    for (int g = 0; g < v->cut->count; g++)
        v->inside[g] = mean_inside(v, g);
    for (int g = 0; g < v->cut->count; g++) {
        bool tells = !isnan(v->inside[g]) && !leaves_one_core_out(v, g);
        double ratio;
        int next = tells ? next_group(v, g, &ratio) : -1;
        if (next < 0)
            continue;
        add_edge(v, g, next, &sum);
        size_t near_count = collect(v, g, g, v->near), far_count = collect(v, g, next, v->far);
        sum.purity += probability_below(v->near, near_count, v->far, far_count);
        sum.ratio += ratio;
        sum.units += srv_cut_size(v->cut, g);
        sum.groups++;
    }
    if (sum.groups == 0 || sum.step <= 0)
        return (srv_layers_contrast){0};
    return (srv_layers_contrast){.ratio = sum.ratio / sum.groups,
                                 .edge = sum.border / sum.step,
                                 .purity = sum.purity / sum.groups,
                                 .coverage = sum.units / all,
                                 .groups = sum.groups};
}

int srv_contrast_of(const srv_units *units, const srv_cut *cut, const double *effect,
                    srv_layers_contrast *contrast, servet_error *error)
{
    size_t groups = (size_t)cut->count, count = (size_t)units->count;
    view v = {.units = units, .cut = cut, .effect = effect};
    v.inside = calloc(groups, sizeof *v.inside);
    v.across = calloc(groups, sizeof *v.across);
    v.row = calloc(count, sizeof *v.row);
    v.column = calloc(count, sizeof *v.column);
    v.near = malloc(SAMPLE_MAX * sizeof *v.near);
    v.far = malloc(SAMPLE_MAX * sizeof *v.far);
    bool ready = v.inside && v.across && v.row && v.column && v.near && v.far;
    if (ready)
        *contrast = find_contrast(&v);
    free(v.inside);
    free(v.across);
    free(v.row);
    free(v.column);
    free(v.near);
    free(v.far);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
