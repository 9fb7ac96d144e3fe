/* SPDX-License-Identifier: BSD-3-Clause */
/* Each item points to an earlier one of its group, the first to itself. */
#include "stats/components.h"

void srv_components_init(int *group, int n)
{
    for (int i = 0; i < n; i++)
        group[i] = i;
}

static int first_of(int *group, int i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

void srv_components_join(int *group, int a, int b)
{
    int first = first_of(group, a), other = first_of(group, b);
    if (first < other)
        group[other] = first;
    else
        group[first] = other;
}

int srv_components_number(int *group, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        group[i] = group[i] == i ? count++ : group[group[i]]; /* the earlier item has its number */
    return count;
}
