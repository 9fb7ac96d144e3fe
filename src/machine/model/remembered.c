/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/model/remembered.h"

#include <stdlib.h>

#include "machine/model/random.h"
#include "machine/model/system.h"

static size_t place_of(const srv_traversal *probe)
{
    uint64_t mixed = srv_mix(probe->seed) ^ srv_mix((uint64_t)probe->bytes + (uint64_t)probe->core);
    return (size_t)(srv_mix(mixed) % SRV_REMEMBERED_MAX);
}

static bool is_same(const srv_traversal *a, const srv_traversal *b)
{
    return a->core == b->core && a->bytes == b->bytes && a->largest_bytes == b->largest_bytes &&
           a->pattern == b->pattern && a->line_bytes == b->line_bytes && a->stride == b->stride &&
           a->apart == b->apart && a->phases == b->phases && a->chains == b->chains &&
           a->delay == b->delay && a->pages == b->pages && a->node == b->node &&
           a->seed == b->seed && a->seconds == b->seconds;
}

const srv_remembered *srv_remembered_find(const srv_remembered_list *list,
                                          const srv_traversal *probe)
{
    const srv_remembered *known = list->at[place_of(probe)];
    return known && is_same(&known->probe, probe) ? known : NULL;
}

void srv_remembered_keep(srv_remembered_list *list, const srv_model *model,
                         const srv_traversal *probe, const srv_simulated_run *run, double warm_ns)
{
    srv_remembered **place = &list->at[place_of(probe)];
    if (!srv_system_is_quiet(model))
        return;
    if (!*place)
        *place = malloc(sizeof **place);
    if (!*place)
        return;
    **place = (srv_remembered){*probe, *run, warm_ns};
    (*place)->run.traversal.loads = NULL;
    (*place)->run.traversal.round = (srv_round){0};
}

void srv_remembered_forget(srv_remembered_list *list)
{
    for (size_t i = 0; i < SRV_REMEMBERED_MAX; i++)
        free(list->at[i]);
}
