/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/accelerators/detect.h"

#include <stddef.h>

#include "stats/copy_alike.h"

/* A kind of copies that all links have. */
typedef struct kind {
    size_t offset;
    bool more_is_better;
    double alike;
} kind;

#define KIND(member, more, alike)                                                                  \
    {                                                                                              \
        offsetof(servet_accelerator_link, member), more, alike                                     \
    }
static const kind rates[] = {KIND(to_device, true, SRV_COPY_RATES_ALIKE),
                             KIND(to_host, true, SRV_COPY_RATES_ALIKE)},
                  times[] = {KIND(to_device_latency, false, SRV_COPY_TIMES_ALIKE),
                             KIND(to_host_latency, false, SRV_COPY_TIMES_ALIKE)};

static const servet_value *value_of(const servet_accelerator_link *link, const kind *of)
{
    return (const servet_value *)(const void *)((const char *)link + of->offset);
}

/* True if `a` is worse than `b` by more than what is alike and than both intervals. */
static bool is_worse(const servet_value *a, const servet_value *b, const kind *of)
{
    return of->more_is_better ? a->value < (1 - of->alike) * b->value && a->high < b->low
                              : a->value > (1 + of->alike) * b->value && a->low > b->high;
}

static bool is_farther(const servet_accelerator_link *links, const bool *among, int count, int node,
                       const kind kinds[2])
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < count; i++)
            if (among[i] && is_worse(value_of(&links[node], &kinds[k]),
                                     value_of(&links[i], &kinds[k]), &kinds[k]))
                return true;
    return false;
}

/* Removes farther nodes from those that are near so far, unless none would be left. */
static int narrow(const servet_accelerator_link *links, int count, const kind kinds[2], bool *near)
{
    unsigned long long stay = 0; /* bits 1 << number */
    int before = 0, left = 0;
    for (int i = 0; i < count; i++) {
        bool stays = near[i] && !is_farther(links, near, count, i, kinds);
        stay |= (unsigned long long)stays << i;
        before += near[i];
        left += stays;
    }
    for (int i = 0; i < count && left > 0; i++)
        near[i] = stay >> i & 1;
    return left > 0 ? left : before;
}

static bool is_known(const servet_accelerator_link *link)
{
    return servet_value_known(&link->to_device) && servet_value_known(&link->to_host) &&
           servet_value_known(&link->to_device_latency) &&
           servet_value_known(&link->to_host_latency);
}

int srv_detect_near(const servet_accelerator_link *links, const bool *counts, int count, bool *near)
{
    for (int i = 0; i < count; i++) {
        near[i] = counts[i];
        if (counts[i] && !is_known(&links[i]))
            return 0;
    }
    (void)narrow(links, count, rates, near);
    return narrow(links, count, times, near);
}
