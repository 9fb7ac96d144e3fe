/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/spread.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

/* Heavier than any node becomes, and still far from the end of the type. */
static const srv_weight out_of_reach = LLONG_MAX / 4;

static void refresh(srv_map_spread *spread, int at)
{
    int left = 2 * at, right = 2 * at + 1;
    srv_weight a = spread->least[left], b = spread->least[right];
    bool take_left = a != b ? a < b : spread->best[left] < spread->best[right];
    int child = take_left ? left : right;
    spread->least[at] = spread->least[child] + spread->added[at];
    spread->best[at] = spread->best[child];
}

int srv_spread_begin(srv_map_spread *spread, const int *order, int count, servet_error *error)
{
    spread->size = 1;
    while (spread->size < count)
        spread->size *= 2;
    size_t size = 2 * (size_t)spread->size;
    spread->least = calloc(size, sizeof *spread->least);
    spread->added = calloc(size, sizeof *spread->added);
    spread->best = calloc(size, sizeof *spread->best);
    if (!spread->least || !spread->added || !spread->best)
        return srv_fail_memory(error);
    for (int i = 0; i < spread->size; i++) {
        spread->best[spread->size + i] = i < count ? order[i] : INT_MAX;
        spread->least[spread->size + i] = i < count ? 0 : out_of_reach;
    }
    for (int at = spread->size - 1; at > 0; at--)
        refresh(spread, at);
    return SERVET_OK;
}

void srv_spread_finish(srv_map_spread *spread)
{
    free(spread->least);
    free(spread->added);
    free(spread->best);
    *spread = (srv_map_spread){0};
}

/* Below `at` lie the leaves low..high. */
static void add(srv_map_spread *spread, int at, int low, int high, int first, int last,
                srv_weight weight)
{
    if (last < low || high < first)
        return;
    if (first <= low && high <= last) {
        spread->least[at] += weight;
        spread->added[at] += weight;
        return;
    }
    int middle = low + (high - low) / 2;
    add(spread, 2 * at, low, middle, first, last, weight);
    add(spread, 2 * at + 1, middle + 1, high, first, last, weight);
    refresh(spread, at);
}

void srv_spread_add(srv_map_spread *spread, int first, int last, srv_weight weight)
{
    add(spread, 1, 0, spread->size - 1, first, last, weight);
}

int srv_spread_best(const srv_map_spread *spread)
{
    return spread->best[1];
}
