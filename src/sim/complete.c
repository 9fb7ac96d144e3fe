/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ranges.h"

/* --- core types ------------------------------------------------------------------------------- */

/* A node of one core type has "cores", "smt" and "clock_ghz" as members of its own. */
static int single_kind(srv_model_file *file, srv_json_path *where)
{
    static const char need[] = "missing: either cores and clock_ghz, or kinds, is required";
    if (!file->cores)
        return srv_json_path_fail(srv_model_at(where, "cores", -1, NULL), need);
    if (file->clock_ghz <= 0)
        return srv_json_path_fail(srv_model_at(where, "clock_ghz", -1, NULL), need);
    file->model.core_type[0] = (srv_model_core_type){.name = "all",
                                                     .cores = file->cores,
                                                     .smt = file->smt ? file->smt : 1,
                                                     .clock_ghz = file->clock_ghz};
    file->model.core_type_count = 1;
    return SERVET_OK;
}

static int check_kinds(const srv_model_file *file, srv_json_path *where)
{
    static const char each[] = "given both for the whole node and for core types (kinds)";
    const srv_model_core_type *types = file->model.core_type;
    long long cores = 0;
    if (file->smt || file->clock_ghz > 0)
        return srv_json_path_fail(srv_model_at(where, file->smt ? "smt" : "clock_ghz", -1, NULL),
                                  each);
    for (int i = 0; i < file->model.core_type_count; i++) {
        cores += types[i].cores;
        if (!*types[i].name)
            return srv_json_path_fail(srv_model_at(where, "kinds", i, "name"),
                                      "missing: a core type must have a name");
        for (int j = 0; j < i; j++)
            if (strcmp(types[i].name, types[j].name) == 0)
                return srv_json_path_fail(srv_model_at(where, "kinds", i, "name"),
                                          "two core types have the name '%s'", types[i].name);
    }
    if (file->cores && file->cores != cores)
        return srv_json_path_fail(srv_model_at(where, "cores", -1, NULL),
                                  "%d cores, but the core types have %lld in total", file->cores,
                                  cores);
    return SERVET_OK;
}

static int complete_kinds(srv_model_file *file, srv_json_path *where)
{
    srv_model *model = &file->model;
    const char *said = model->core_type_count ? "kinds" : "cores";
    int code = model->core_type_count ? check_kinds(file, where) : single_kind(file, where);
    for (int i = 0; i < model->core_type_count && code == SERVET_OK; i++) {
        srv_model_core_type *type = &model->core_type[i];
        long long pus = (long long)type->cores * type->smt;
        if (pus > SRV_MODEL_PUS_MAX - model->pu_count)
            return srv_json_path_fail(srv_model_at(where, said, -1, NULL),
                                      "more than %d PUs in a node", SRV_MODEL_PUS_MAX);
        type->first_pu = model->pu_count;
        type->pu_count = (int)pus;
        model->pu_count += (int)pus;
        model->machine.core_count += type->cores;
        model->smt = type->smt > model->smt ? type->smt : model->smt;
    }
    return code;
}

/* --- OS numbers ------------------------------------------------------------------------------- */

static int number_range(srv_model *model, int *filled, bool *taken, int first, int last,
                        srv_json_path *where)
{
    int pus = model->pu_count;
    if (last >= pus)
        return srv_json_path_fail(where, "%d is out of range: there are %d PUs, counted from 0",
                                  last, pus);
    for (int number = first; number <= last; number++) {
        if (taken[number])
            return srv_json_path_fail(where, "%d is given twice", number);
        taken[number] = true;
        model->os_index[(*filled)++] = number;
    }
    return SERVET_OK;
}

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* "0,12, 1,13" or "0-5, 12-17": the OS numbers in logical order, each once. */
static int number_pus(srv_model *model, const char *text, srv_json_path *where)
{
    bool taken[SRV_MODEL_PUS_MAX] = {false};
    int first, last, filled = 0, code = SERVET_OK;
    srv_json_path_enter(where, "os_numbering");
    text = skip_blanks(text);
    while (code == SERVET_OK && srv_ranges_next(&text, &first, &last)) {
        code = number_range(model, &filled, taken, first, last, where);
        text = skip_blanks(text);
    }
    if (code == SERVET_OK && *text)
        return srv_json_path_fail(where, "expected a list of numbers and ranges at '%.32s'", text);
    if (code == SERVET_OK && filled != model->pu_count)
        return srv_json_path_fail(where, "%d numbers for %d PUs", filled, model->pu_count);
    srv_json_path_leave(where);
    return code;
}

static int complete_numbers(srv_model_file *file, srv_json_path *where)
{
    srv_model *model = &file->model;
    model->os_index = malloc((size_t)model->pu_count * sizeof *model->os_index);
    if (!model->os_index)
        return srv_fail_memory(where->error);
    for (int i = 0; i < model->pu_count; i++)
        model->os_index[i] = i;
    return file->os_numbering ? number_pus(model, file->os_numbering, where) : SERVET_OK;
}

/* --- caches, memory, description -------------------------------------------------------------- */

/* The PUs that row `i` of a list is about: those of a core type, or all. */
static int find_pus(const srv_model *model, const char *core_type, const char *list, int i,
                    srv_model_core_type *pus, srv_json_path *where)
{
    *pus = (srv_model_core_type){.pu_count = model->pu_count, .smt = model->smt};
    for (int k = 0; k < model->core_type_count && *core_type; k++)
        if (strcmp(model->core_type[k].name, core_type) == 0)
            *pus = model->core_type[k];
    return !*core_type || *pus->name ? SERVET_OK
                                     : srv_json_path_fail(srv_model_at(where, list, i, "kind"),
                                                          "unknown core type '%s'", core_type);
}

static int complete_cache(srv_model *model, int i, srv_json_path *where)
{
    srv_model_cache *cache = &model->cache[i];
    srv_model_core_type pus;
    int code = find_pus(model, cache->core_type, "caches", i, &pus, where);
    cache->first_pu = pus.first_pu;
    cache->pu_count = pus.pu_count;
    cache->pus_per_instance = cache->pus_per_instance ? cache->pus_per_instance : pus.smt;
    cache->virtually_indexed = cache->level == 1;
    return code;
}

static int complete_flops(srv_model *model, int i, srv_json_path *where)
{
    srv_model_flops *flops = &model->flops[i];
    srv_model_core_type pus;
    int code = find_pus(model, flops->core_type, "flops", i, &pus, where);
    flops->first_pu = pus.first_pu;
    flops->pu_count = pus.pu_count;
    return code;
}

static void describe(srv_model *model)
{
    servet_machine *machine = &model->machine;
    memcpy(machine->hostname, model->name, sizeof machine->hostname);
    machine->pu_count = model->pu_count;
    snprintf(machine->cores, sizeof machine->cores, model->pu_count > 1 ? "0-%d" : "%d",
             model->pu_count - 1);
    if (!srv_ranges_write(model->os_index, model->pu_count, machine->logical_order,
                          sizeof machine->logical_order))
        *machine->logical_order = '\0';
    for (int i = 0; i < model->domain_count; i++)
        if (!model->domain[i].pus)
            model->domain[i].pus = model->pu_count;
}

int srv_model_complete(srv_model_file *file, srv_json_path *where)
{
    int code = complete_kinds(file, where);
    if (code == SERVET_OK)
        code = complete_numbers(file, where);
    for (int i = 0; i < file->model.cache_count && code == SERVET_OK; i++)
        code = complete_cache(&file->model, i, where);
    for (int i = 0; i < file->model.flops_count && code == SERVET_OK; i++)
        code = complete_flops(&file->model, i, where);
    if (code == SERVET_OK)
        code = srv_model_complete_network(file, where);
    if (code == SERVET_OK)
        describe(&file->model);
    return code;
}
