/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/placement/balance.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

/* The weight of unused leaves: more than any node has, and far below the limit of the type. */
static const srv_weight out_of_reach = LLONG_MAX / 4;

static void refresh(srv_balance *balance, int at)
{
    int left = 2 * at, right = 2 * at + 1;
    srv_weight a = balance->least[left], b = balance->least[right];
    bool take_left = a != b ? a < b : balance->best[left] < balance->best[right];
    int child = take_left ? left : right;
    balance->least[at] = balance->least[child] + balance->added[at];
    balance->best[at] = balance->best[child];
}

int srv_balance_begin(srv_balance *balance, const int *order, int count, servet_error *error)
{
    balance->size = 1;
    while (balance->size < count)
        balance->size *= 2;
    size_t size = 2 * (size_t)balance->size;
    balance->least = calloc(size, sizeof *balance->least);
    balance->added = calloc(size, sizeof *balance->added);
    balance->best = calloc(size, sizeof *balance->best);
    if (!balance->least || !balance->added || !balance->best)
        return srv_fail_memory(error);
    for (int i = 0; i < balance->size; i++) {
        balance->best[balance->size + i] = i < count ? order[i] : INT_MAX;
        balance->least[balance->size + i] = i < count ? 0 : out_of_reach;
    }
    for (int at = balance->size - 1; at > 0; at--)
        refresh(balance, at);
    return SERVET_OK;
}

void srv_balance_finish(srv_balance *balance)
{
    free(balance->least);
    free(balance->added);
    free(balance->best);
    *balance = (srv_balance){0};
}

/* Adds the weight to the leaves first..last among the leaves low..high below `at`. */
static void add(srv_balance *balance, int at, int low, int high, int first, int last,
                srv_weight weight)
{
    if (last < low || high < first)
        return;
    if (first <= low && high <= last) {
        balance->least[at] += weight;
        balance->added[at] += weight;
        return;
    }
    int middle = low + (high - low) / 2;
    add(balance, 2 * at, low, middle, first, last, weight);
    add(balance, 2 * at + 1, middle + 1, high, first, last, weight);
    refresh(balance, at);
}

void srv_balance_add(srv_balance *balance, int first, int last, srv_weight weight)
{
    add(balance, 1, 0, balance->size - 1, first, last, weight);
}

int srv_balance_best(const srv_balance *balance)
{
    return balance->best[1];
}
