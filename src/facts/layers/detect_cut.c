/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/detect_cut.h"

#include <stdlib.h>

bool srv_cut_init(srv_cut *cut, int units)
{
    size_t n = (size_t)units;
    *cut = (srv_cut){0};
    cut->group = calloc(n, sizeof *cut->group);
    cut->start = calloc(n + 1, sizeof *cut->start);
    cut->order = calloc(n, sizeof *cut->order);
    cut->work = calloc(n, sizeof *cut->work);
    return cut->group && cut->start && cut->order && cut->work;
}

void srv_cut_finish(srv_cut *cut)
{
    free(cut->group);
    free(cut->start);
    free(cut->order);
    free(cut->work);
    *cut = (srv_cut){0};
}

void srv_cut_set(srv_cut *cut, int units, const int *group)
{
    for (int i = 0; i < units; i++)
        cut->work[group[i]] = -1;
    cut->count = 0;
    for (int i = 0; i < units; i++) {
        int *number = &cut->work[group[i]];
        if (*number < 0)
            *number = cut->count++;
        cut->group[i] = *number;
    }
    srv_order_by(cut->group, units, cut->count, cut->start, cut->order);
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
