/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/numa.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"

static int nodes_of(const srv_model *model)
{
    return model->machine.numa_count > 1 ? model->machine.numa_count : 1;
}

static int pus_of_node(const srv_model *model)
{
    return model->pu_count / nodes_of(model);
}

int srv_numa_of(const srv_model *model, int pu)
{
    return pu / pus_of_node(model);
}

int srv_numa_requested(const srv_model *model, int pu, int number, int *node, servet_error *error)
{
    if (number < 0 || number > nodes_of(model))
        return srv_fail(error, SERVET_EARGUMENT, "%s has no NUMA node %d", model->name, number);
    *node = number > 0 ? number - 1 : srv_numa_of(model, pu);
    return SERVET_OK;
}

const srv_model_remote *srv_numa_remote(const srv_model *model, int pu, int node)
{
    int there = node * pus_of_node(model);
    if (srv_numa_of(model, pu) == node)
        return NULL;
    for (int i = 0; i < model->remote_count; i++)
        if (pu / model->remote[i].pus == there / model->remote[i].pus)
            return &model->remote[i];
    return NULL;
}

int srv_numa_domain(const srv_model *model, int domain, int pu, int node)
{
    int pus = model->domain[domain].pus;
    return (pus < pus_of_node(model) ? pu : node * pus_of_node(model)) / pus;
}

/* --- the list --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int srv_numa_list(const srv_model *model, srv_numa numas[SRV_NUMA_MAX], int *count,
                  servet_error *error)
{
    int pus = pus_of_node(model), nodes = nodes_of(model);
    if (nodes > SRV_NUMA_MAX)
        return srv_fail(error, SERVET_EMACHINE,
                        "the model has %d NUMA nodes; at most %d are supported", nodes,
                        SRV_NUMA_MAX);
    int *number = malloc((size_t)pus * sizeof *number);
    if (!number)
        return srv_fail_memory(error);
    bool fits = true;
    for (int i = 0; i < nodes; i++) {
        numas[i] = (srv_numa){.number = i, .bytes = model->machine.memory_bytes / nodes};
        memcpy(number, model->os_index + i * pus, (size_t)pus * sizeof *number);
        qsort(number, (size_t)pus, sizeof *number, compare);
        fits = srv_ranges_write(number, pus, numas[i].cores, sizeof numas[i].cores) && fits;
    }
    free(number);
    *count = nodes;
    return fits ? SERVET_OK : srv_fail(error, SERVET_EMACHINE, "the list of cores is too long");
}
