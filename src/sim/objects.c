/* SPDX-License-Identifier: BSD-3-Clause */
/* Resources that PUs share, as the operating system of a modelled node reports them. */
#include "sim/system.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"

/* Room for a number and a separator. */
enum { NUMBER_MAX = 12 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The OS numbers of `count` neighbours, as a text that the caller frees; NULL: no memory. */
static char *print_neighbours(const srv_model *model, int first, int count)
{
    size_t size = (size_t)count * NUMBER_MAX;
    int *number = malloc((size_t)count * sizeof *number);
    char *text = malloc(size);
    if (number && text) {
        for (int i = 0; i < count; i++)
            number[i] = model->os_index[first + i];
        qsort(number, (size_t)count, sizeof *number, compare);
        srv_ranges_write(number, count, text, size);
    }
    free(number);
    if (!number) {
        free(text);
        return NULL;
    }
    return text;
}

/* --- the caches above a PU -------------------------------------------------------------------- */

static int row_count(const srv_model *model, const srv_model_cache *row)
{
    return row->pu_count > 0 ? row->pu_count : model->pu_count;
}

/* Adds the instance above this PU; a set that does not fit is not reported. */
static int add_reported(const srv_model *model, const srv_model_cache *row, int pu,
                        srv_reported *reported, servet_error *error)
{
    int at = reported->count++;
    int within = (pu - row->first_pu) % row->pus_per_instance;
    char *cores = print_neighbours(model, pu - within, row->pus_per_instance);
    if (!cores)
        return srv_fail_memory(error);
    size_t size = sizeof reported->level[at].cores;
    if (snprintf(reported->level[at].cores, size, "%s", cores) >= (int)size)
        reported->level[at].cores[0] = '\0';
    free(cores);
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
    for (int pu = first; size > 1 && pu + size <= first + count && code == SERVET_OK; pu += size) {
        char *cores = print_neighbours(model, pu, size);
        code = cores ? srv_sets_add(sets, cores, error) : srv_fail_memory(error);
        free(cores);
    }
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
