/* SPDX-License-Identifier: BSD-3-Clause */
#include "export/node_sets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/ranges.h"

int srv_export_machine(const servet_profile *profile, const char *node_class,
                       servet_machine *machine, servet_error *error)
{
    const servet_at at = {node_class, SERVET_ANY_CORE};
    int code = node_class ? SERVET_OK : servet_profile_here(profile, NULL, error);
    if (code == SERVET_OK && servet_profile_machine(profile, &at, machine) != SERVET_OK)
        code = srv_fail(error, SERVET_ERANGE, "the profile has no node class '%.64s'",
                        node_class ? node_class : "of this node");
    return code;
}

/* --- sets ------------------------------------------------------------------------------------- */

/* Adds a copy of a set. Errors: SERVET_EMEMORY. */
static int add(srv_pu_sets *sets, const char *cores, servet_error *error)
{
    char **grown = srv_grow(sets->items, (size_t)sets->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    sets->items = grown;
    grown[sets->count] = strdup(cores);
    if (!grown[sets->count])
        return srv_fail_memory(error);
    sets->count++;
    return SERVET_OK;
}

void srv_pu_sets_finish(srv_pu_sets *sets)
{
    for (int i = 0; i < sets->count; i++)
        free(sets->items[i]);
    free(sets->items);
    *sets = (srv_pu_sets){NULL, 0};
}

/* Adds each PU as a set. */
static int add_each(srv_pu_sets *sets, const char *cores, servet_error *error)
{
    char text[16];
    int first, last, code = SERVET_OK;
    for (const char *at = cores; srv_ranges_next(&at, &first, &last);)
        for (int pu = first; pu <= last && code == SERVET_OK; pu++) {
            snprintf(text, sizeof text, "%d", pu);
            code = add(sets, text, error);
        }
    return code;
}

/* --- cores ------------------------------------------------------------------------------------ */

int srv_pu_sets_add_cache(const servet_profile *profile, const servet_at *at, int level,
                          srv_pu_sets *sets, servet_error *error)
{
    servet_sharing sharing;
    const char *cores;
    int code = SERVET_OK;
    if (servet_cache_sharing(profile, at, level, &sharing) != SERVET_OK || !sharing.trusted)
        return SERVET_OK;
    for (int i = 0;
         code == SERVET_OK && servet_cache_group(profile, at, level, i, &cores) == SERVET_OK; i++)
        code = add(sets, cores, error);
    return code;
}

/* The groups of the L1 of all core types. */
static int add_shares(const servet_profile *profile, const servet_at *at, srv_pu_sets *sets,
                      servet_error *error)
{
    servet_kind kind;
    int code = SERVET_OK;
    for (int i = 0; code == SERVET_OK && servet_kind_get(profile, at, i, &kind) == SERVET_OK; i++)
        code = srv_pu_sets_add_cache(profile, &(servet_at){at->node_class, atoi(kind.cores)}, 1,
                                     sets, error);
    return code;
}

int srv_pu_sets_cores(const servet_profile *profile, const servet_at *at, srv_pu_sets *sets,
                      servet_error *error)
{
    servet_machine machine;
    if (servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return SERVET_OK;
    if (machine.pu_count == machine.core_count)
        return add_each(sets, machine.cores, error);
    int code = add_shares(profile, at, sets, error);
    if (sets->count != machine.core_count)
        srv_pu_sets_finish(sets);
    return code;
}

/* --- packages --------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Adds `count` PUs, in any order. */
static int add_part(srv_pu_sets *sets, int *pus, int count, servet_error *error)
{
    char text[SERVET_CORES_MAX];
    qsort(pus, (size_t)count, sizeof *pus, by_number);
    return srv_ranges_write(pus, count, text, sizeof text) ? add(sets, text, error) : SERVET_OK;
}

static int read_order(const char *text, int *pus, int most)
{
    int first, last, count = 0;
    while (srv_ranges_next(&text, &first, &last))
        for (int pu = first; pu <= last && count <= most; pu++, count++)
            if (count < most)
                pus[count] = pu;
    return count;
}

/* Divides the logical order, in which the PUs of a package follow each other. */
int srv_pu_sets_packages(const servet_profile *profile, const servet_at *at, srv_pu_sets *sets,
                         servet_error *error)
{
    servet_machine machine;
    if (servet_profile_machine(profile, at, &machine) != SERVET_OK)
        return SERVET_OK;
    if (machine.package_count == 1)
        return add(sets, machine.cores, error);
    if (machine.package_count < 1 || machine.pu_count % machine.package_count)
        return SERVET_OK;
    int *pus = calloc((size_t)machine.pu_count + 1, sizeof *pus);
    int code = pus ? SERVET_OK : srv_fail_memory(error),
        each = machine.pu_count / machine.package_count;
    bool known =
        pus && read_order(machine.logical_order, pus, machine.pu_count) == machine.pu_count;
    for (int i = 0; known && i < machine.package_count && code == SERVET_OK; i++)
        code = add_part(sets, pus + i * each, each, error);
    free(pus);
    return code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

int srv_pu_sets_numa(const servet_profile *profile, const servet_at *at, srv_pu_sets *sets,
                     servet_error *error)
{
    servet_machine machine;
    servet_numa numa;
    int code = SERVET_OK;
    for (int i = 0; code == SERVET_OK && servet_numa_get(profile, at, i, &numa) == SERVET_OK; i++)
        if (*numa.cores)
            code = add(sets, numa.cores, error);
    if (sets->count == 0 && code == SERVET_OK &&
        servet_profile_machine(profile, at, &machine) == SERVET_OK && machine.numa_count == 1)
        code = add(sets, machine.cores, error);
    return code;
}

/* --- output ----------------------------------------------------------------------------------- */

void srv_pu_mask(const char *cores, FILE *stream)
{
    int first, last, highest = 0;
    for (const char *at = cores; srv_ranges_next(&at, &first, &last);)
        highest = last;
    fputs("0x", stream);
    for (int digit = highest / 4; digit >= 0; digit--) {
        int value = 0;
        for (int bit = 0; bit < 4; bit++)
            value |= srv_ranges_contain(cores, 4 * digit + bit) << bit;
        fputc("0123456789abcdef"[value], stream);
    }
}

void srv_pu_list(const char *cores, FILE *stream)
{
    int first, last;
    const char *comma = "";
    for (const char *at = cores; srv_ranges_next(&at, &first, &last);)
        for (int pu = first; pu <= last; pu++, comma = ", ")
            fprintf(stream, "%s%d", comma, pu);
}
