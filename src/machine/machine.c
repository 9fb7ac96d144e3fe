/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

void srv_machine_destroy(srv_machine *machine)
{
    if (machine)
        machine->ops->destroy(machine);
}

int srv_machine_part(srv_machine *machine, const char *name, servet_error *error)
{
    return machine->ops->part ? machine->ops->part(machine, name, error) : SERVET_OK;
}

double srv_reported_line(const srv_reported *reported)
{
    double line = 0;
    for (int i = 0; i < reported->count; i++)
        line = fmax(line, reported->level[i].line_bytes);
    return line > 0 ? line : SRV_LINE_DEFAULT;
}

int srv_sets_add(srv_sets *sets, const char *set, servet_error *error)
{
    for (int i = 0; i < sets->count; i++)
        if (strcmp(sets->set[i], set) == 0)
            return SERVET_OK;
    char **grown = realloc(sets->set, (size_t)(sets->count + 1) * sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    sets->set = grown;
    char *copy = strdup(set);
    if (!copy)
        return srv_fail_memory(error);
    sets->set[sets->count++] = copy;
    return SERVET_OK;
}

void srv_sets_finish(srv_sets *sets)
{
    for (int i = 0; i < sets->count; i++)
        free(sets->set[i]);
    free(sets->set);
    *sets = (srv_sets){NULL, 0};
}

void srv_machine_watch(srv_machine *machine, int (*call)(void *context), void *context)
{
    if (machine->ops->watch)
        machine->ops->watch(machine, call, context);
}

int srv_machine_absence(srv_machine *machine, srv_absence *absence, servet_error *error)
{
    *absence = (srv_absence){0};
    return machine->ops->absence ? machine->ops->absence(machine, absence, error) : SERVET_OK;
}

int srv_sync_check(const srv_sync *sync, servet_error *error)
{
    bool meets = sync->op == SERVET_SYNC_CENTRAL || sync->op == SERVET_SYNC_DISSEMINATION;
    if ((unsigned)sync->op >= SERVET_SYNC_COUNT || sync->count < (meets ? 2 : 1))
        return srv_fail(error, SERVET_EARGUMENT, "%d cores cannot synchronize by operation %d",
                        sync->count, (int)sync->op);
    return SERVET_OK;
}

bool srv_traversal_has_sets(const srv_traversal *traversal)
{
    if (traversal->pattern != SRV_PATTERN_SETS && traversal->pattern != SRV_PATTERN_SPREAD)
        return true;
    return traversal->stride >= (double)sizeof(void *) &&
           fmod(traversal->stride, sizeof(void *)) == 0 && traversal->apart >= 0 &&
           fmod(traversal->apart, sizeof(void *)) == 0 && traversal->phases >= 1 &&
           (traversal->phases - 1) * traversal->apart < traversal->stride;
}

double srv_traversal_window(const srv_traversal *traversal, double page_bytes)
{
    return fmax(page_bytes, exp2(ceil(log2(fmax(1, traversal->phases * traversal->apart)))));
}

int srv_machine_devices(srv_machine *machine, srv_device devices[SRV_DEVICES_MAX], int *count,
                        servet_error *error)
{
    *count = 0;
    return machine->ops->devices ? machine->ops->devices(machine, devices, count, error)
                                 : SERVET_OK;
}

int srv_copy_check(const srv_copy *copies, int count, int devices, servet_error *error)
{
    bool valid = count > 0;
    for (int i = 0; i < count && valid; i++) {
        const srv_copy *copy = &copies[i];
        valid = copy->device >= 0 && copy->device < devices && copy->peer < devices &&
                copy->peer != copy->device && copy->bytes >= 1 && copy->in_flight >= 1;
    }
    return valid ? SERVET_OK
                 : srv_fail(error, SERVET_EARGUMENT, "no such copies of %d devices", devices);
}
