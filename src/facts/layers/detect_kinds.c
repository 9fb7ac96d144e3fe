/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_kinds.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* A block of two units and more. */
typedef struct kind_block {
    int block, size;
    double inside; /* mean cost */
} kind_block;

static int by_inside(const void *a, const void *b)
{
    const kind_block *x = a, *y = b;
    if (x->inside < y->inside || x->inside > y->inside)
        return x->inside < y->inside ? -1 : 1;
    return x->block - y->block;
}

static int by_size(const void *a, const void *b)
{
    return ((const kind_block *)a)->size - ((const kind_block *)b)->size;
}

static int list_blocks(const srv_units *units, kind_block *list)
{
    int count = 0;
    for (int b = 0; b < units->block_count; b++) {
        int first = units->first[b], end = units->first[b + 1];
        double sum = 0;
        for (int i = first; i < end; i++)
            sum += units->sum[i];
        if (end - first > 1)
            list[count++] =
                (kind_block){b, end - first, sum / ((double)(end - first) * (end - first - 1))};
    }
    qsort(list, (size_t)count, sizeof *list, by_inside);
    return count;
}

/* The number of the cheapest blocks before the largest jump. */
static int largest_jump(const kind_block *list, int count)
{
    int most = 1;
    for (int i = 2; i < count; i++)
        if (list[i].inside / list[i - 1].inside > list[most].inside / list[most - 1].inside)
            most = i;
    return most;
}

/* True if the first blocks, `cheap` of `count`, all have at most half as many units as most others.
 * Sorts both parts. */
static bool are_smaller(kind_block *list, int cheap, int count)
{
    qsort(list, (size_t)cheap, sizeof *list, by_size);
    qsort(list + cheap, (size_t)(count - cheap), sizeof *list, by_size);
    return 2 * list[cheap - 1].size <= list[cheap + (count - cheap) / 2].size;
}

/* Numbers the groups: the first blocks of the list, and all other units. `of_block` has room for
 * one number per block. */
static void number_groups(const srv_units *units, const kind_block *list, int cheap, int *of_block,
                          int *group)
{
    int count = 0;
    for (int b = 0; b < units->block_count; b++)
        of_block[b] = -1;
    for (int k = 0; k < cheap; k++)
        of_block[list[k].block] = count++;
    for (int i = 0; i < units->count; i++)
        group[i] = of_block[units->block[i]] < 0 ? count++ : of_block[units->block[i]];
}

int srv_kinds_find(const srv_units *units, int *group, srv_split *split, servet_error *error)
{
    kind_block *list = calloc((size_t)units->block_count, sizeof *list);
    int *of_block = calloc((size_t)units->block_count, sizeof *of_block);
    int count = list && of_block ? list_blocks(units, list) : 0;
    int cheap = count > 1 ? largest_jump(list, count) : 0;
    double ratio = cheap ? list[cheap].inside / list[cheap - 1].inside : 1;
    double margin = srv_split_margin(ratio, cheap, 1);
    if (cheap && margin >= 1 && are_smaller(list, cheap, count)) {
        *split = (srv_split){.found = true, .confidence = srv_split_confidence(margin)};
        number_groups(units, list, cheap, of_block, group);
    }
    bool ready = list && of_block;
    free(list);
    free(of_block);
    return ready ? SERVET_OK : srv_fail_memory(error);
}
