/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

int srv_system_pu(const srv_model *model, int core, int *pu, servet_error *error)
{
    for (int i = 0; i < model->pu_count; i++)
        if (model->os_index[i] == core) {
            *pu = i;
            return SERVET_OK;
        }
    return srv_fail(error, SERVET_EARGUMENT, "%s has no core %d", model->name, core);
}

int srv_system_add_pu(const srv_model *model, int core, int *pus, int *count, servet_error *error)
{
    int code = srv_system_pu(model, core, &pus[*count], error);
    for (int i = 0; i < *count && code == SERVET_OK; i++)
        if (pus[i] == pus[*count])
            code = srv_fail(error, SERVET_EARGUMENT, "core %d is given twice", core);
    ++*count;
    return code;
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

/* --- core_types ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Writes ascending numbers as ranges; false if they don't fit. */
static bool print_ranges(const int *number, int count, char *text, size_t size)
{
    size_t used = 0;
    for (int first = 0, next; first < count && used < size; first = next) {
        for (next = first + 1; next < count && number[next] == number[next - 1] + 1;)
            next++;
        const char *comma = first > 0 ? "," : "";
        int from = number[first], to = number[next - 1];
        used +=
            (size_t)(from == to ? snprintf(text + used, size - used, "%s%d", comma, from)
                                : snprintf(text + used, size - used, "%s%d-%d", comma, from, to));
    }
    return used < size;
}

int srv_system_core_types(const srv_model *model, srv_core_type core_types[SRV_CORE_TYPES_MAX],
                          int *count, servet_error *error)
{
    int *number = malloc((size_t)model->pu_count * sizeof *number);
    if (!number)
        return srv_fail_memory(error);
    int code = SERVET_OK;
    for (int i = 0; i < model->core_type_count; i++) {
        const srv_model_core_type *core_type = &model->core_type[i];
        memcpy(number, model->os_index + core_type->first_pu,
               (size_t)core_type->pu_count * sizeof *number);
        qsort(number, (size_t)core_type->pu_count, sizeof *number, compare);
        memcpy(core_types[i].name, core_type->name, sizeof core_types[i].name);
        if (!print_ranges(number, core_type->pu_count, core_types[i].cores,
                          sizeof core_types[i].cores))
            code = srv_fail(error, SERVET_EMACHINE, "the list of cores is too long");
    }
    free(number);
    *count = model->core_type_count;
    return code;
}

/* --- caches ----------------------------------------------------------------------------------- */

bool srv_system_covers(const srv_model *model, const srv_model_cache *row, int pu)
{
    int count = row->pu_count > 0 ? row->pu_count : model->pu_count;
    return pu >= row->first_pu && pu < row->first_pu + count;
}

bool srv_system_is_timeless(const srv_model *model)
{
    return !(model->noise.sibling.busy > 0);
}
