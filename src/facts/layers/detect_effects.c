/* SPDX-License-Identifier: BSD-3-Clause */
/* All sums over pairs of costs less effects follow from the sums of the costs themselves and of the
   effects, so that only the pairs inside groups are visited. */
#include "facts/layers/detect_effects.h"

#include <math.h>

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

/* The sums of a block, less effects, without the pairs inside groups. */
static srv_pair_sums sums_less_effects(const srv_units *units, const srv_cut *cut,
                                       const double *effect, int block)
{
    int others = block_size(units, block) - 1;
    srv_pair_sums sums = {.pairs = (others + 1.0) * others / 2};
    for (int i = units->first[block]; i < units->first[block + 1]; i++) {
        int companions = srv_cut_size(cut, cut->group[i]) - 1;
        sums.sum += units->sum[i] / 2 - others * effect[i];
        sums.inside += companions / 2.0;
        sums.inside_sum -= companions * effect[i];
    }
    return sums;
}

/* Sum of the costs of all pairs inside groups. */
static double cost_inside(const srv_units *units, const srv_cut *cut)
{
    double sum = 0;
    for (int g = 0; g < cut->count; g++)
        for (int a = cut->start[g]; a < cut->start[g + 1]; a++)
            for (int b = cut->start[g]; b < a; b++)
                sum += units->cost[srv_units_at(units, cut->order[a], cut->order[b])];
    return sum;
}

static srv_gap fit_gap(const srv_units *units, const srv_cut *cut, const double *effect,
                       double inside_cost)
{
    srv_gap gap = {-inside_cost, 0};
    for (int b = 0; b < units->block_count; b++) {
        srv_pair_sums sums = sums_less_effects(units, cut, effect, b);
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
    double inside_cost = cost_inside(units, cut), rest = 0, error = SRV_MODEL_ERROR * units->mean;
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
