/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_paces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/layers/detect_cost.h"
#include "stats/interval.h"
#include "stats/robust.h"

static double median_of(const double *numbers, size_t count, double *work)
{
    memcpy(work, numbers, count * sizeof *work);
    return srv_spread_of(work, count).median;
}

/* The median of a column of `count` costs, ascending, without one that is `cost`. */
static double median_without(const double *column, size_t count, double cost)
{
    size_t low = (count - 2) / 2, high = (count - 1) / 2;
    double a = column[low] < cost ? column[low] : column[low + 1];
    double b = column[high] < cost ? column[high] : column[high + 1];
    return (a + b) / 2;
}

/* Compares the costs of a node's partners with the costs of their other partners. */
static void compare_partners(const servet_matrix *matrix, size_t node, srv_paces *found)
{
    size_t n = matrix->n, count = 0;
    for (size_t other = 0; other < n; other++)
        if (other != node)
            found->column[count++] = srv_pair_cost(matrix, node, other);
    srv_sort(found->column, count);
    found->fastest[node] = found->column[0];
    for (size_t other = 0; other < n; other++) {
        double cost = other == node ? NAN : srv_pair_cost(matrix, node, other);
        size_t place = other * (n - 1) + node - (node > other);
        if (other != node)
            found->ratio[place] = cost / median_without(found->column, count, cost);
    }
}

bool srv_paces_find(const servet_matrix *matrix, srv_paces *found)
{
    size_t n = matrix->n;
    *found = (srv_paces){.fastest = calloc(n, sizeof *found->fastest),
                         .column = calloc(n, sizeof *found->column),
                         .ratio = calloc(n * (n - 1), sizeof *found->ratio)};
    if (!found->fastest || !found->column || !found->ratio)
        return false;
    for (size_t i = 0; i < n; i++)
        compare_partners(matrix, i, found);
    found->usual = median_of(found->fastest, n, found->column);
    return true;
}

void srv_paces_finish(srv_paces *found)
{
    free(found->fastest);
    free(found->column);
    free(found->ratio);
}

servet_value srv_slowness_of(const srv_paces *found, size_t node, size_t n)
{
    double *ratio = found->ratio + node * (n - 1), median = srv_spread_of(ratio, n - 1).median;
    double value = fmin(found->fastest[node] / found->usual, fmax(1, median));
    srv_interval with = srv_interval_of(ratio, n - 1);
    return (servet_value){.value = value,
                          .low = fmin(value, with.low),
                          .high = fmax(value, with.high),
                          .samples = (int)n - 1,
                          .unit = SERVET_UNIT_NONE,
                          .method = SERVET_METHOD_TIMED,
                          .trusted = true};
}
