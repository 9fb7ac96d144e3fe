/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_sides.h"

#include <math.h>
#include <stdbool.h>

#include "core/units.h"

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

double srv_sides_cost(const servet_matrix *matrix, const double *side, size_t i, size_t j)
{
    double more = side[i] - side[j];
    double there = matrix->cost[i * matrix->n + j], back = matrix->cost[j * matrix->n + i];
    double one = srv_is_cost(there) ? there - more : NAN,
           other = srv_is_cost(back) ? back + more : NAN;
    return fmin(one, other); /* of a number and NaN, the number */
}
