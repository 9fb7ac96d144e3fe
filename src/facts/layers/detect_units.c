/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "stats/components.h"
#include "stats/robust.h"

/* --- sides ------------------------------------------------------------------------------------ */

/* Share of the squared differences between directions that the sides have to explain; a disturbed
 * direction of one pair explains less, and nothing is left of it in the cheaper direction. */
static const double EXPLAINED = 0.5;

/* Half of what the direction from i to j costs more than the other one. */
static bool difference(const servet_matrix *matrix, size_t i, size_t j, double *half)
{
    double there = matrix->cost[i * matrix->n + j], back = matrix->cost[j * matrix->n + i];
    *half = (there - back) / 2;
    return i != j && srv_is_cost(there) && srv_is_cost(back);
}

void srv_sides_find(const servet_matrix *matrix, double *side)
{
    double half, all = 0, left = 0;
    for (size_t i = 0; i < matrix->n; i++) {
        double sum = 0;
        size_t count = 1; /* itself, with 0, so that the differences of sides are right */
        for (size_t j = 0; j < matrix->n; j++)
            if (difference(matrix, i, j, &half)) {
                sum += half;
                count++;
            }
        side[i] = sum / (double)count;
    }
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < i; j++)
            if (difference(matrix, i, j, &half)) {
                double rest = half - side[i] + side[j];
                all += half * half;
                left += rest * rest;
            }
    for (size_t i = 0; i < matrix->n && left > (1 - EXPLAINED) * all; i++)
        side[i] = 0;
}

/* The cheaper direction, less the sides; NaN: neither was measured. */
static double sides_cost(const servet_matrix *matrix, const double *side, size_t i, size_t j)
{
    double more = side[i] - side[j];
    double there = matrix->cost[i * matrix->n + j], back = matrix->cost[j * matrix->n + i];
    double one = srv_is_cost(there) ? there - more : NAN,
           other = srv_is_cost(back) ? back + more : NAN;
    return fmin(one, other); /* of a number and NaN, the number */
}

/* Quantile of a unit's costs; see limit_block(). */
static const double USUAL = 0.75;

static int largest(const int *number, size_t n)
{
    int most = -1;
    for (size_t i = 0; i < n; i++)
        most = number[i] > most ? number[i] : most;
    return most;
}

/* Numbers the units block by block. `work` has room for one number per unit. */
static void number_units(srv_units *units, const int *fine, const int *coarse, int n, int *work)
{
    int *block = units->of_core; /* only borrowed: of each fine group */
    for (int c = 0; c < n; c++)
        block[fine[c]] = coarse[c];
    srv_components_sort(block, units->count, units->block_count, units->first, work);
    for (int u = 0; u < units->count; u++)
        units->block[u] = block[work[u]];
    for (int u = 0; u < units->count; u++)
        units->of_fine[work[u]] = u;
    for (int c = 0; c < n; c++)
        units->of_core[c] = units->of_fine[fine[c]];
}

static double average_cost(const servet_matrix *matrix, const double *side, const int *a,
                           int a_count, const int *b, int b_count)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++) {
            double cost = sides_cost(matrix, side, (size_t)a[i], (size_t)b[j]);
            if (isnan(cost))
                continue;
            sum += cost;
            count++;
        }
    return count ? sum / count : NAN;
}

/* Measured costs of one unit, or of all. */
typedef struct tally {
    double sum;
    int count;
} tally;

static double tally_mean(tally t, double otherwise)
{
    return t.count ? t.sum / t.count : otherwise;
}

static void tally_pair(const srv_units *units, int i, int j, tally *of_unit, tally *of_block)
{
    double cost = units->cost[srv_units_at(units, i, j)];
    if (isnan(cost))
        return;
    tally *const places[] = {&of_unit[i], &of_unit[j], of_block};
    for (int k = 0; k < 3; k++) {
        places[k]->sum += cost;
        places[k]->count++;
    }
}

/* The usual cost of the unit with most others of its block; `work` has room for as many. */
static double usual_cost(const srv_units *units, int unit, double *work)
{
    int first = units->first[units->block[unit]], end = units->first[units->block[unit] + 1];
    size_t n = 0;
    for (int j = first; j < end; j++)
        if (j != unit)
            work[n++] = srv_unit_cost(units, unit, j);
    srv_sort(work, n);
    return n ? srv_sorted_quantile(work, n, USUAL) : 0;
}

/* Limits costs raised by interference. If i and j are in different groups of a block, one of the
 * groups has less than half of the units, so that its unit has the cost of different groups for at
 * least half of the others: no pair costs much more than the usual cost of one of its units, and
 * what the other unit costs more than most others. */
static void limit_block(srv_units *units, int block, double *usual, double *work)
{
    int first = units->first[block], end = units->first[block + 1];
    for (int i = first; i < end; i++)
        usual[i] = usual_cost(units, i, work);
    memcpy(work, usual + first, (size_t)(end - first) * sizeof *work);
    double most = srv_spread_of(work, (size_t)(end - first)).median;
    for (int i = first; i < end; i++)
        for (int j = first; j < i; j++) {
            float *cost = &units->cost[srv_units_at(units, i, j)];
            double more = fmax(fmin(usual[i], usual[j]) - most, 0);
            *cost = fminf(*cost, (float)(fmax(usual[i], usual[j]) + more));
        }
}

static void set_sums(srv_units *units)
{
    double sum = 0;
    for (int i = 0; i < units->count; i++)
        units->sum[i] = 0;
    for (int i = 0; i < units->count; i++)
        for (int j = units->first[units->block[i]]; j < i; j++) {
            double cost = units->cost[srv_units_at(units, i, j)];
            units->sum[i] += cost;
            units->sum[j] += cost;
            units->squares[units->block[i]] += cost * cost;
            sum += cost;
        }
    units->mean = units->pairs ? sum / (double)units->pairs : 0;
}

static void fill(srv_units *units, const servet_matrix *matrix, const double *side, int *start,
                 int *members, tally *of_unit, double *work)
{
    srv_components_sort(units->of_core, (int)matrix->n, units->count, start, members);
    for (int i = 0; i < units->count; i++)
        units->cores[i] = start[i + 1] - start[i];
    for (int i = 0; i < units->count; i++)
        for (int j = units->first[units->block[i]]; j < i; j++)
            units->cost[srv_units_at(units, i, j)] =
                (float)average_cost(matrix, side, members + start[i], start[i + 1] - start[i],
                                    members + start[j], start[j + 1] - start[j]);
    for (int b = 0; b < units->block_count; b++) {
        /* A pair that was not measured gets the costs of its two units elsewhere: no evidence. */
        tally all = {0, 0};
        int first = units->first[b], end = units->first[b + 1];
        for (int i = first; i < end; i++)
            for (int j = first; j < i; j++)
                tally_pair(units, i, j, of_unit, &all);
        double mean = tally_mean(all, 0);
        for (int i = first; i < end; i++)
            for (int j = first; j < i; j++) {
                float *cost = &units->cost[srv_units_at(units, i, j)];
                if (isnan(*cost))
                    *cost =
                        (float)(tally_mean(of_unit[i], mean) + tally_mean(of_unit[j], mean) - mean);
            }
        limit_block(units, b, units->sum, work);
    }
    set_sums(units);
}

static int build(srv_units *units, const servet_matrix *matrix, const double *side, const int *fine,
                 const int *coarse, servet_error *error)
{
    size_t count = (size_t)units->count, n = matrix->n;
    srv_room room = {0};
    int *start = srv_room_take(&room, count + 1, sizeof *start);
    int *members = srv_room_take(&room, n, sizeof *members);
    tally *of_unit = srv_room_take(&room, count, sizeof *of_unit);
    double *work = srv_room_take(&room, count, sizeof *work);
    units->first = srv_room_take(&units->room, (size_t)units->block_count + 1, sizeof(int));
    units->block = srv_room_take(&units->room, count, sizeof *units->block);
    units->of_fine = srv_room_take(&units->room, count, sizeof *units->of_fine);
    units->of_core = srv_room_take(&units->room, n, sizeof *units->of_core);
    units->cores = srv_room_take(&units->room, count, sizeof *units->cores);
    units->row = srv_room_take(&units->room, count, sizeof *units->row);
    units->sum = srv_room_take(&units->room, count, sizeof *units->sum);
    units->squares = srv_room_take(&units->room, (size_t)units->block_count, sizeof(double));
    bool ready = !room.failed && !units->room.failed;
    if (ready) {
        number_units(units, fine, coarse, (int)n, members);
        size_t at = 0;
        for (int i = 0; i < units->count; i++) {
            units->row[i] = at;
            at += (size_t)(i - units->first[units->block[i]]);
        }
        units->pairs = at;
        units->cost = srv_room_take(&units->room, units->pairs + 1, sizeof *units->cost);
        if (units->cost)
            fill(units, matrix, side, start, members, of_unit, work);
    }
    srv_room_free(&room);
    return units->cost ? SERVET_OK : srv_fail_memory(error);
}

int srv_units_build(srv_units *units, const servet_matrix *matrix, const double *side,
                    const int *fine, const int *coarse, servet_error *error)
{
    *units = (srv_units){.count = largest(fine, matrix->n) + 1,
                         .block_count = largest(coarse, matrix->n) + 1};
    int code = build(units, matrix, side, fine, coarse, error);
    if (code)
        srv_units_free(units);
    return code;
}

void srv_units_free(srv_units *units)
{
    srv_room_free(&units->room);
    *units = (srv_units){0};
}

/* --- groupings -------------------------------------------------------------------------------- */

srv_cut srv_cut_of(srv_room *room, int units)
{
    size_t n = (size_t)units;
    srv_cut cut = {.group = srv_room_take(room, n, sizeof *cut.group),
                   .start = srv_room_take(room, n + 1, sizeof *cut.start),
                   .order = srv_room_take(room, n, sizeof *cut.order),
                   .work = srv_room_take(room, n, sizeof *cut.work)};
    return cut;
}

void srv_cut_set(srv_cut *cut, int units, const int *group)
{
    memmove(cut->group, group, (size_t)units * sizeof *group);
    cut->count = srv_components_renumber(cut->group, units, cut->work);
    srv_components_sort(cut->group, units, cut->count, cut->start, cut->order);
}

bool srv_sizes_alike(int smallest, int largest)
{
    return smallest > 1 && largest <= 2 * smallest;
}

bool srv_cut_alike(const srv_cut *cut)
{
    int smallest = srv_cut_size(cut, 0), largest = smallest;
    for (int g = 1; g < cut->count; g++) {
        int size = srv_cut_size(cut, g);
        smallest = size < smallest ? size : smallest;
        largest = size > largest ? size : largest;
    }
    return srv_sizes_alike(smallest, largest);
}
