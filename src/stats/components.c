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

int srv_components_renumber(int *group, int n, int *work)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        work[group[i]] = -1;
    for (int i = 0; i < n; i++) {
        int *number = &work[group[i]];
        if (*number < 0)
            *number = count++;
        group[i] = *number;
    }
    return count;
}

void srv_components_sort(const int *key, int n, int keys, int *start, int *order)
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
