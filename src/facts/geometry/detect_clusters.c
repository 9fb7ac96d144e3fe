/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/detect_clusters.h"

#include <stdlib.h>
#include <string.h>

/* Average linkage by chains of nearest neighbours (Murtagh 1983): O(n^2). */
typedef struct linkage {
    int n, depth;
    float *mean;               /* n * n: effects between clusters */
    int *size, *chain, *label; /* a cluster has the number of one of its elements; size 0: joined */
} linkage;

static float *mean_of(const linkage *on, int i, int j)
{
    return on->mean + (size_t)i * (size_t)on->n + j;
}

static int nearest(const linkage *on, int i)
{
    int best = -1;
    for (int j = 0; j < on->n; j++)
        if (j != i && on->size[j] > 0 && (best < 0 || *mean_of(on, i, j) > *mean_of(on, i, best)))
            best = j;
    return best;
}

static void join(linkage *on, int into, int from)
{
    float a = (float)on->size[into], b = (float)on->size[from];
    for (int k = 0; k < on->n; k++) {
        float mean = (a * *mean_of(on, into, k) + b * *mean_of(on, from, k)) / (a + b);
        *mean_of(on, into, k) = *mean_of(on, k, into) = mean;
        if (on->label[k] == from)
            on->label[k] = into;
    }
    on->size[into] += on->size[from];
    on->size[from] = 0;
}

/* Follows nearest neighbours from the chain's end to two that are each other's, and joins them.
 * False if the end has no neighbour near enough. */
static bool grow_chain(linkage *on, double least)
{
    int last = on->chain[on->depth - 1], next = nearest(on, last);
    if (next < 0 || *mean_of(on, last, next) <= least)
        return false;
    int before = on->depth > 1 ? on->chain[on->depth - 2] : -1;
    if (before >= 0 && *mean_of(on, last, before) >= *mean_of(on, last, next)) {
        join(on, before, last);
        on->depth -= 2;
        if (on->depth == 0)
            on->chain[on->depth++] = before;
    } else {
        on->chain[on->depth++] = next;
    }
    return true;
}

static void link_all(linkage *on, double least)
{
    for (int start = 0; start < on->n; start++) {
        on->chain[0] = start;
        on->depth = on->size[start] > 0;
        while (on->depth > 0 && grow_chain(on, least)) {
        }
    }
}

bool srv_find_clusters(const float *effect, int n, double least, int *label)
{
    size_t count = (size_t)n;
    linkage on = {.n = n, .label = label};
    on.mean = malloc(count * count * sizeof *on.mean);
    on.size = malloc(count * sizeof *on.size);
    on.chain = malloc((count + 1) * sizeof *on.chain);
    bool allocated = on.mean && on.size && on.chain;
    if (allocated) {
        memcpy(on.mean, effect, count * count * sizeof *on.mean);
        for (int i = 0; i < n; i++) {
            on.size[i] = 1;
            on.label[i] = i;
        }
        link_all(&on, least);
    }
    free(on.mean);
    free(on.size);
    free(on.chain);
    return allocated;
}
