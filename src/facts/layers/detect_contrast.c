/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_contrast.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "stats/robust.h"

/* One group of ten may be disturbed. */
enum { GROUPS_PER_DISTURBED = 10 };

/* Pairs that give a probability within 1 %; a larger set is thinned evenly. */
enum { SAMPLE_MAX = 1 << 14 };

typedef struct view {
    const srv_units *units;
    const srv_cut *cut;
    const double *effect;
    double *inside;     /* of each group: mean cost inside; NaN for a single unit */
    double *across;     /* of each group: costs from the current group */
    double *near, *far; /* costs less effects, inside a group and to the next one */
    double *ratio;      /* of each group that has a pair inside and a neighbour */
    bool *marked;       /* blocks that have such a group */
} view;

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
                costs[n++] = srv_unit_cost(v->units, i, j) - v->effect[i] - v->effect[j];
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

/* The share of the units in blocks of three and more units that the marked blocks have. */
static double share_of(const srv_units *units, const bool *marked)
{
    double in_marked = 0, all = 0;
    for (int b = 0; b < units->block_count; b++) {
        int count = units->first[b + 1] - units->first[b];
        in_marked += marked[b] ? count : 0;
        all += count > 2 || marked[b] ? count : 0;
    }
    return all > 0 ? in_marked / all : 0;
}

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

static srv_layers_contrast find_contrast(view *v)
{
    int groups = 0;
    double purity = 0;
    for (int g = 0; g < v->cut->count; g++)
        v->inside[g] = mean_inside(v, g);
    for (int g = 0; g < v->cut->count; g++) {
        bool tells = !isnan(v->inside[g]) && !leaves_one_core_out(v, g);
        int next = tells ? next_group(v, g, &v->ratio[groups]) : -1;
        if (next < 0)
            continue;
        size_t near_count = collect(v, g, g, v->near), far_count = collect(v, g, next, v->far);
        purity += probability_below(v->near, near_count, v->far, far_count);
        v->marked[v->units->block[v->cut->order[v->cut->start[g]]]] = true;
        groups++;
    }
    if (groups == 0)
        return (srv_layers_contrast){0};
    srv_sort(v->ratio, (size_t)groups);
    return (srv_layers_contrast){v->ratio[(groups - 1) / GROUPS_PER_DISTURBED], purity / groups,
                                 share_of(v->units, v->marked), groups};
}

int srv_contrast_of(const srv_units *units, const srv_cut *cut, const double *effect,
                    srv_layers_contrast *contrast, servet_error *error)
{
    size_t groups = (size_t)cut->count;
    view v = {.units = units, .cut = cut, .effect = effect};
    v.inside = calloc(groups, sizeof *v.inside);
    v.across = calloc(groups, sizeof *v.across);
    v.ratio = calloc(groups, sizeof *v.ratio);
    v.marked = calloc((size_t)units->block_count, sizeof *v.marked);
    v.near = malloc(SAMPLE_MAX * sizeof *v.near);
    v.far = malloc(SAMPLE_MAX * sizeof *v.far);
    int code = SERVET_EMEMORY;
    if (v.inside && v.across && v.ratio && v.marked && v.near && v.far) {
        *contrast = find_contrast(&v);
        code = SERVET_OK;
    }
    free(v.inside);
    free(v.across);
    free(v.ratio);
    free(v.marked);
    free(v.near);
    free(v.far);
    return code ? srv_fail_memory(error) : SERVET_OK;
}
