/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/layers/detect_sides.h"
#include "stats/robust.h"

/* Quantile of a unit's costs; see limit_block(). */
static const double USUAL = 0.75;

static int largest(const int *number, size_t n)
{
    int most = -1;
    for (size_t i = 0; i < n; i++)
        most = number[i] > most ? number[i] : most;
    return most;
}

void srv_order_by(const int *key, int n, int keys, int *start, int *order)
{
    for (int k = 0; k <= keys; k++)
        start[k] = 0;
    for (int i = 0; i < n; i++)
        start[key[i]]++;
    for (int k = 1; k <= keys; k++)
        start[k] += start[k - 1];
    for (int i = n - 1; i >= 0; i--)
        order[--start[key[i]]] = i;
}

/* Numbers the units block by block. `work` has room for one number per unit. */
static void number_units(srv_units *units, const int *fine, const int *coarse, int n, int *work)
{
    int *block = units->of_core; /* only borrowed: of each fine group */
    for (int c = 0; c < n; c++)
        block[fine[c]] = coarse[c];
    srv_order_by(block, units->count, units->block_count, units->first, work);
    for (int u = 0; u < units->count; u++)
        units->block[u] = block[work[u]];
    for (int u = 0; u < units->count; u++)
        units->of_fine[work[u]] = u;
    for (int c = 0; c < n; c++)
        units->of_core[c] = units->of_fine[fine[c]];
}

static void place_rows(srv_units *units)
{
    size_t at = 0;
    for (int i = 0; i < units->count; i++) {
        units->row[i] = at;
        at += (size_t)(i - units->first[units->block[i]]);
    }
    units->pairs = at;
}

static double average_cost(const servet_matrix *matrix, const double *side, const int *a,
                           int a_count, const int *b, int b_count)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < a_count; i++)
        for (int j = 0; j < b_count; j++) {
            double cost = srv_sides_cost(matrix, side, (size_t)a[i], (size_t)b[j]);
            if (isnan(cost))
                continue;
            sum += cost;
            count++;
        }
    return count ? sum / count : NAN;
}

static void average_pairs(srv_units *units, const servet_matrix *matrix, const double *side,
                          const int *start, const int *members)
{
    for (int i = 0; i < units->count; i++)
        for (int j = units->first[units->block[i]]; j < i; j++)
            units->cost[srv_units_at(units, i, j)] =
                (float)average_cost(matrix, side, members + start[i], start[i + 1] - start[i],
                                    members + start[j], start[j + 1] - start[j]);
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

/* A pair that was not measured gets the costs of its two units elsewhere: no evidence. */
static void estimate_missing(srv_units *units, int block, tally *of_unit)
{
    tally all = {0, 0};
    int first = units->first[block], end = units->first[block + 1];
    for (int i = first; i < end; i++)
        for (int j = first; j < i; j++)
            tally_pair(units, i, j, of_unit, &all);
    double mean = tally_mean(all, 0);
    for (int i = first; i < end; i++)
        for (int j = first; j < i; j++) {
            float *cost = &units->cost[srv_units_at(units, i, j)];
            if (isnan(*cost))
                *cost = (float)(tally_mean(of_unit[i], mean) + tally_mean(of_unit[j], mean) - mean);
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

/*
 * Limits costs raised by interference. If i and j are in different groups of a block, one of the
 * groups has less than half of the units, so that its unit has the cost of different groups for at
 * least half of the others: no pair costs much more than the usual cost of one of its units, and
 * what the other unit costs more than most others.
 */
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
    srv_order_by(units->of_core, (int)matrix->n, units->count, start, members);
    for (int i = 0; i < units->count; i++)
        units->cores[i] = start[i + 1] - start[i];
    average_pairs(units, matrix, side, start, members);
    for (int b = 0; b < units->block_count; b++) {
        estimate_missing(units, b, of_unit);
        limit_block(units, b, units->sum, work);
    }
    set_sums(units);
}

static int build(srv_units *units, const servet_matrix *matrix, const double *side, const int *fine,
                 const int *coarse, servet_error *error)
{
    size_t count = (size_t)units->count, n = matrix->n;
    int *start = calloc(count + 1, sizeof *start), *members = calloc(n, sizeof *members);
    tally *of_unit = calloc(count, sizeof *of_unit);
    double *work = calloc(count, sizeof *work);
    units->first = calloc((size_t)units->block_count + 1, sizeof *units->first);
    units->block = calloc(count, sizeof *units->block);
    units->of_fine = calloc(count, sizeof *units->of_fine);
    units->of_core = calloc(n, sizeof *units->of_core);
    units->cores = calloc(count, sizeof *units->cores);
    units->row = calloc(count, sizeof *units->row);
    units->sum = calloc(count, sizeof *units->sum);
    units->squares = calloc((size_t)units->block_count, sizeof *units->squares);
    bool ready = start && members && of_unit && work && units->first && units->block &&
                 units->of_fine && units->of_core && units->cores && units->row && units->sum &&
                 units->squares;
    if (ready) {
        number_units(units, fine, coarse, (int)n, members);
        place_rows(units);
        units->cost = malloc((units->pairs + 1) * sizeof *units->cost);
        if (units->cost)
            fill(units, matrix, side, start, members, of_unit, work);
    }
    free(start);
    free(members);
    free(of_unit);
    free(work);
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
    free(units->first);
    free(units->block);
    free(units->of_fine);
    free(units->of_core);
    free(units->cores);
    free(units->row);
    free(units->sum);
    free(units->squares);
    free(units->cost);
    *units = (srv_units){0};
}
