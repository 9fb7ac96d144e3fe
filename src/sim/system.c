/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/system.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/ranges.h"

int srv_system_pu(const srv_model *model, int core, int *pu, servet_error *error)
{
    for (int i = 0; i < model->pu_count; i++)
        if (model->os_index[i] == core) {
            *pu = i;
            return SERVET_OK;
        }
    return srv_fail(error, SERVET_EARGUMENT, "%s has no core %d", model->name, core);
}

static const srv_model_core_type *core_type_of(const srv_model *model, int pu)
{
    int i = 0;
    while (i + 1 < model->core_type_count &&
           pu >= model->core_type[i].first_pu + model->core_type[i].pu_count)
        i++;
    return &model->core_type[i];
}

int srv_system_core(const srv_model *model, int pu)
{
    const srv_model_core_type *core_type = core_type_of(model, pu);
    return pu - (pu - core_type->first_pu) % core_type->smt;
}

double srv_system_ghz(const srv_model *model, int pu)
{
    return core_type_of(model, pu)->clock_ghz;
}

double srv_system_memory_rate(const srv_model *model, int pu)
{
    double of_type = core_type_of(model, pu)->memory_bytes_per_second;
    return of_type > 0 ? of_type : model->memory_bytes_per_second_core;
}

/* --- core_types ------------------------------------------------------------------------------- */

/* Room for a number and a separator. */
enum { NUMBER_MAX = 12 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Writes the OS numbers of `count` neighbours as ranges. Errors: SERVET_EMEMORY, SERVET_EMACHINE
 * (they do not fit). */
static int write_neighbours(const srv_model *model, int first, int count, char *text, size_t size,
                            servet_error *error)
{
    int *number = malloc((size_t)count * sizeof *number);
    if (!number)
        return srv_fail_memory(error);
    memcpy(number, model->os_index + first, (size_t)count * sizeof *number);
    qsort(number, (size_t)count, sizeof *number, compare);
    bool fits = srv_ranges_write(number, count, text, size);
    free(number);
    return fits ? SERVET_OK : srv_fail(error, SERVET_EMACHINE, "the list of cores is too long");
}

int srv_system_core_types(const srv_model *model, srv_core_type core_types[SRV_CORE_TYPES_MAX],
                          int *count, servet_error *error)
{
    int code = SERVET_OK;
    *count = model->core_type_count;
    for (int i = 0; i < model->core_type_count && code == SERVET_OK; i++) {
        const srv_model_core_type *core_type = &model->core_type[i];
        memcpy(core_types[i].name, core_type->name, sizeof core_types[i].name);
        code = write_neighbours(model, core_type->first_pu, core_type->pu_count,
                                core_types[i].cores, sizeof core_types[i].cores, error);
    }
    return code;
}

/* --- caches ----------------------------------------------------------------------------------- */

static int row_count(const srv_model *model, const srv_model_cache *row)
{
    return row->pu_count > 0 ? row->pu_count : model->pu_count;
}

bool srv_system_covers(const srv_model *model, const srv_model_cache *row, int pu)
{
    return pu >= row->first_pu && pu < row->first_pu + row_count(model, row);
}

bool srv_system_shares(const srv_model *model, const srv_model_cache *row, int pu, int other)
{
    int pus = row->pus_per_instance;
    return srv_system_covers(model, row, pu) && srv_system_covers(model, row, other) &&
           (pu - row->first_pu) / pus == (other - row->first_pu) / pus;
}

double srv_system_sets(const srv_model_cache *row)
{
    return floor(row->bytes / row->line_bytes / row->ways / fmax(1, row->slices));
}

double srv_system_hit_ns(const srv_model *model, int pu)
{
    for (int i = 0; i < model->cache_count; i++)
        if (model->cache[i].level == 1 && srv_system_covers(model, &model->cache[i], pu))
            return model->cache[i].latency_cycles / srv_system_ghz(model, pu);
    return model->memory_latency_ns;
}

bool srv_system_is_timeless(const srv_model *model)
{
    return !(model->noise.sibling.busy > 0);
}

/* Adds the instance above this PU; a set that does not fit is not reported. */
static int add_reported(const srv_model *model, const srv_model_cache *row, int pu,
                        srv_reported *reported, servet_error *error)
{
    int at = reported->count++, first = pu - (pu - row->first_pu) % row->pus_per_instance;
    servet_error wrong = SERVET_ERROR_INIT;
    int code = write_neighbours(model, first, row->pus_per_instance, reported->level[at].cores,
                                sizeof reported->level[at].cores, &wrong);
    if (code == SERVET_EMEMORY)
        return srv_fail_memory(error);
    if (code != SERVET_OK)
        reported->level[at].cores[0] = '\0';
    reported->level[at].bytes = row->reported_bytes > 0 ? row->reported_bytes : row->bytes;
    reported->level[at].line_bytes = row->line_bytes;
    return SERVET_OK;
}

int srv_system_reported(const srv_model *model, int pu, srv_reported *reported, servet_error *error)
{
    int code = SERVET_OK;
    *reported = (srv_reported){0};
    for (int level = 1; level <= SRV_CACHES_MAX; level++)
        for (int i = 0; i < model->cache_count && code == SERVET_OK; i++) {
            const srv_model_cache *row = &model->cache[i];
            if (row->level == level && !row->hidden && srv_system_covers(model, row, pu))
                code = add_reported(model, row, pu, reported, error);
        }
    return code;
}

/* --- sets ------------------------------------------------------------------------------------- */

/* Adds sets of `size` neighbours each, of the `count` PUs from `first` on. */
static int add_sets(const srv_model *model, int first, int count, int size, srv_sets *sets,
                    servet_error *error)
{
    int code = SERVET_OK;
    char *cores = malloc((size_t)size * NUMBER_MAX);
    if (!cores)
        return srv_fail_memory(error);
    for (int pu = first; size > 1 && pu + size <= first + count && code == SERVET_OK; pu += size) {
        code = write_neighbours(model, pu, size, cores, (size_t)size * NUMBER_MAX, error);
        if (code == SERVET_OK)
            code = srv_sets_add(sets, cores, error);
    }
    free(cores);
    return code;
}

static int add_all(const srv_model *model, srv_sets *sets, servet_error *error)
{
    const servet_machine *node = &model->machine;
    const int parts[] = {node->numa_count, node->package_count, 1};
    int code = SERVET_OK, all = model->pu_count;
    for (int i = 0; i < model->core_type_count && code == SERVET_OK; i++)
        code = add_sets(model, model->core_type[i].first_pu, model->core_type[i].pu_count,
                        model->core_type[i].smt, sets, error);
    for (int i = 0; i < model->cache_count && code == SERVET_OK; i++)
        if (!model->cache[i].hidden)
            code = add_sets(model, model->cache[i].first_pu, row_count(model, &model->cache[i]),
                            model->cache[i].pus_per_instance, sets, error);
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts) && code == SERVET_OK; i++)
        if (parts[i] > 0)
            code = add_sets(model, 0, all, all / parts[i], sets, error);
    return code;
}

int srv_system_objects(const srv_model *model, srv_sets *sets, servet_error *error)
{
    *sets = (srv_sets){NULL, 0};
    int code = add_all(model, sets, error);
    if (code != SERVET_OK)
        srv_sets_finish(sets);
    return code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

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

int srv_numa_list(const srv_model *model, srv_numa numas[SRV_NUMA_MAX], int *count,
                  servet_error *error)
{
    int pus = pus_of_node(model), nodes = nodes_of(model), code = SERVET_OK;
    if (nodes > SRV_NUMA_MAX)
        return srv_fail(error, SERVET_EMACHINE,
                        "the model has %d NUMA nodes; at most %d are supported", nodes,
                        SRV_NUMA_MAX);
    *count = nodes;
    for (int i = 0; i < nodes && code == SERVET_OK; i++) {
        numas[i] = (srv_numa){.number = i, .bytes = model->machine.memory_bytes / nodes};
        code = write_neighbours(model, i * pus, pus, numas[i].cores, sizeof numas[i].cores, error);
    }
    return code;
}
