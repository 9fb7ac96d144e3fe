/* SPDX-License-Identifier: BSD-3-Clause */
/* All sums over pairs of costs less effects follow from the sums of the costs themselves and of the
   effects, so that only the pairs inside groups are visited. */
#include "facts/layers/detect_effects.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/room.h"
#include "stats/robust.h"

/* Rounds of the iteration. If all groups are of one size, gap and effects are independent and the
 * first round is exact; otherwise the error falls several times in each round. */
enum { ROUNDS = 4 };

srv_gap srv_gap_of(const srv_pair_sums *block)
{
    if (block->pairs <= 0)
        return (srv_gap){0, 0};
    double share = block->inside / block->pairs;
    return (srv_gap){share * block->sum - block->inside_sum, block->inside * (1 - share)};
}

double srv_gap_explains(srv_gap gap)
{
    return gap.weight > 0 && gap.contrast > 0 ? gap.contrast * gap.contrast / gap.weight : 0;
}

static int block_size(const srv_units *units, int block)
{
    return units->first[block + 1] - units->first[block];
}

static srv_gap fit_gap(const srv_units *units, const srv_cut *cut, const double *effect,
                       double inside_cost)
{
    srv_gap gap = {-inside_cost, 0};
    for (int b = 0; b < units->block_count; b++) {
        /* The sums of a block, less effects, without the pairs inside groups. */
        int others = block_size(units, b) - 1;
        srv_pair_sums sums = {.pairs = (others + 1.0) * others / 2};
        for (int i = units->first[b]; i < units->first[b + 1]; i++) {
            int companions = srv_cut_size(cut, cut->group[i]) - 1;
            sums.sum += units->sum[i] / 2 - others * effect[i];
            sums.inside += companions / 2.0;
            sums.inside_sum -= companions * effect[i];
        }
        srv_gap of_block = srv_gap_of(&sums);
        gap.contrast += of_block.contrast;
        gap.weight += of_block.weight;
    }
    return gap;
}

/* The squares of a block's costs less effects and their mean; effects have the sum 0. */
static double squares_of(const srv_units *units, const double *effect, int block)
{
    int size = block_size(units, block);
    double squares = units->squares[block], sum = 0;
    for (int i = units->first[block]; i < units->first[block + 1]; i++) {
        squares += effect[i] * ((size - 2) * effect[i] - 2 * units->sum[i]);
        sum += units->sum[i] / 2;
    }
    return size > 1 ? squares - sum * sum / (size * (size - 1.0) / 2) : 0;
}

/* With the effects' sum 0, as here, least squares have a closed form. The effects shrink as those
 * of random units do, by the variance of a cost over that of effects: the few costs of three or
 * four units would otherwise explain themselves. */
static void fit_block(const srv_units *units, const srv_cut *cut, double gap, double variance,
                      int block, double *effect)
{
    int first = units->first[block], size = block_size(units, block);
    double mean = 0, squares = 0, pairs = size > 2 ? size - 2 : 1;
    for (int i = first; i < first + size; i++) {
        effect[i] = units->sum[i] + gap * (srv_cut_size(cut, cut->group[i]) - 1);
        mean += effect[i] / size;
    }
    for (int i = first; i < first + size; i++) {
        effect[i] = (effect[i] - mean) / pairs;
        squares += effect[i] * effect[i] / size;
    }
    double kept = squares > 0 ? pairs / (pairs + variance / squares) : 0;
    for (int i = first; i < first + size; i++)
        effect[i] *= kept;
}

double srv_effects_fit(const srv_units *units, const srv_cut *cut, double *effect)
{
    /* Sum of the costs of all pairs inside groups. */
    double sum = 0;
    for (int g = 0; g < cut->count; g++)
        for (int a = cut->start[g]; a < cut->start[g + 1]; a++)
            for (int b = cut->start[g]; b < a; b++)
                sum += units->cost[srv_units_at(units, cut->order[a], cut->order[b])];
    double inside_cost = sum, rest = 0, error = SRV_MODEL_ERROR * units->mean;
    for (int round = 0; round < ROUNDS; round++) {
        srv_gap gap = fit_gap(units, cut, effect, inside_cost);
        double variance = rest / (double)units->pairs + error * error;
        for (int b = 0; b < units->block_count; b++)
            fit_block(units, cut, gap.weight > 0 ? gap.contrast / gap.weight : 0, variance, b,
                      effect);
        rest = 0;
        for (int b = 0; b < units->block_count; b++)
            rest += squares_of(units, effect, b);
        rest -= srv_gap_explains(fit_gap(units, cut, effect, inside_cost));
        rest = fmax(rest, 0); /* rounding may leave less */
    }
    return rest;
}

/* Mean squares of the effects of a block's units: of the means of their groups, and of the rest. */
typedef struct effect_squares {
    int groups;
    double between, within;
} effect_squares;

static void add_group(const srv_cut *cut, const double *effect, int group, int size,
                      effect_squares *squares)
{
    int count = srv_cut_size(cut, group);
    double sum = 0, all = 0;
    for (int k = cut->start[group]; k < cut->start[group + 1]; k++) {
        double one = effect[cut->order[k]];
        sum += one;
        all += one * one;
    }
    squares->groups++;
    squares->between += sum * sum / count / size;
    squares->within += fmax(all - sum * sum / count, 0) / size;
}

double srv_effects_nats(const srv_units *units, const srv_cut *cut, const double *effect,
                        double variance)
{
    double nats = 0;
    for (int g = 0; g < cut->count;) {
        int block = units->block[cut->order[cut->start[g]]], size = block_size(units, block);
        effect_squares squares = {0, 0, 0};
        for (; g < cut->count && units->block[cut->order[cut->start[g]]] == block; g++)
            add_group(cut, effect, g, size, &squares);
        double pairs = fmax(size - 2, 0) / variance, mean_size = (double)size / squares.groups;
        nats += squares.groups / 2.0 * log1p(pairs * mean_size * squares.between) +
                size / 2.0 * log1p(pairs * squares.within);
    }
    return nats;
}

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
typedef struct contrast_sums {
    double ratio, purity;
    double border, step; /* differences of costs: at the border, and between the means */
    double units;        /* in these groups */
    int groups;
} contrast_sums;

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

/* The nearest group of the block, and its cost over the cost inside; -1: none. */
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

static side side_of_group(const view *v, int group, double *mean)
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

/* Costs between two groups are sums of a part for each unit: noise changes those less. */
static void add_edge(const view *v, int group, int next, contrast_sums *sum)
{
    side near = side_of_group(v, group, v->row), far = side_of_group(v, next, v->column);
    double mean = 0;
    compare_sides(v, &near, &far);
    compare_sides(v, &far, &near);
    for (int i = 0; i < near.count; i++)
        mean += near.mean[i] / near.count;
    sum->border +=
        near.mean[near.nearest] + far.mean[far.nearest] - mean - mean_known(near.own, far.own);
    sum->step += mean - mean_known(near.inside, far.inside);
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

/* True if a single core is left out of the group: it may pay more for all messages. */
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

static srv_layers_contrast contrast_of_all(view *v)
{
    contrast_sums sum = {0};
    double all = 0;
    for (int b = 0; b < v->units->block_count; b++) {
        int size = v->units->first[b + 1] - v->units->first[b];
        all += size > 2 ? size : 0;
    }
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
    srv_room room = {0};
    view v = {.units = units,
              .cut = cut,
              .effect = effect,
              .inside = srv_room_take(&room, groups, sizeof *v.inside),
              .across = srv_room_take(&room, groups, sizeof *v.across),
              .row = srv_room_take(&room, count, sizeof *v.row),
              .column = srv_room_take(&room, count, sizeof *v.column),
              .near = srv_room_take(&room, SAMPLE_MAX, sizeof *v.near),
              .far = srv_room_take(&room, SAMPLE_MAX, sizeof *v.far)};
    bool ready = !room.failed;
    if (ready)
        *contrast = contrast_of_all(&v);
    srv_room_free(&room);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
