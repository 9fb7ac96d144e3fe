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

double srv_traversal_window(const srv_traversal *traversal, double page_bytes)
{
    return fmax(page_bytes, exp2(ceil(log2(fmax(1, traversal->phases * traversal->apart)))));
}

/* --- what no machine answers ------------------------------------------------------------------ */

static bool is_pointers(double bytes)
{
    return bytes >= 0 && fmod(bytes, sizeof(void *)) == 0;
}

static bool is_stride(double bytes)
{
    return bytes > 0 && is_pointers(bytes);
}

/* Requests of `size` bytes that begin with the numbers of their PUs, `each` of them. */
typedef struct core_list {
    const char *requests;
    size_t size;
    int each;
} core_list;

static int core_at(const core_list *list, int i)
{
    const void *request = list->requests + (size_t)(i / list->each) * list->size;
    return ((const int *)request)[i % list->each];
}

static int check_cores(const void *requests, size_t size, int each, int count, servet_error *error)
{
    const core_list list = {requests, size, each};
    if (count < 1)
        return srv_fail(error, SERVET_EARGUMENT, "there must be at least one core");
    for (int i = 0; i < count * each; i++)
        for (int j = 0; j < i; j++)
            if (core_at(&list, i) == core_at(&list, j))
                return srv_fail(error, SERVET_EARGUMENT, "core %d is given twice",
                                core_at(&list, i));
    return SERVET_OK;
}

/* The places of lines that vary by phases. */
static bool has_phases(const srv_traversal *traversal)
{
    return is_stride(traversal->stride) && is_pointers(traversal->apart) &&
           traversal->phases >= 1 && (traversal->phases - 1) * traversal->apart < traversal->stride;
}

/* Strides lead from pointer to pointer; the generator of RANDOM counts lines in 32 bits. */
static bool has_pattern(const srv_traversal *traversal)
{
    bool plain = traversal->chains == 1 && traversal->delay == 0;
    switch (traversal->pattern) {
    case SRV_PATTERN_STRIDE:
        return plain && is_stride(traversal->stride);
    case SRV_PATTERN_RANDOM:
        return plain && traversal->bytes / traversal->line_bytes < UINT32_MAX;
    case SRV_PATTERN_PAIRS:
        return is_stride(traversal->stride);
    case SRV_PATTERN_SETS:
    case SRV_PATTERN_SPREAD:
        return has_phases(traversal);
    default:
        return true;
    }
}

static bool is_traversal(const srv_traversal *traversal)
{
    bool has_lines =
        traversal->pattern == SRV_PATTERN_STRIDE || traversal->line_bytes >= (double)sizeof(void *);
    return traversal->bytes >= 1 && has_lines && traversal->chains >= 1 &&
           traversal->chains <= SRV_CHAINS_MAX &&
           (traversal->delay == 0 || traversal->chains == 1) && has_pattern(traversal);
}

int srv_check_traverse(const srv_traversal *traversals, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (!is_traversal(&traversals[i]))
            return srv_fail(error, SERVET_EARGUMENT, "no machine has such a traversal");
    return check_cores(traversals, sizeof *traversals, 1, count, error);
}

int srv_check_stream(const srv_stream *streams, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if ((unsigned)streams[i].kernel >= SERVET_KERNEL_COUNT || !(streams[i].bytes > 0))
            return srv_fail(error, SERVET_EARGUMENT, "no machine has such a memory kernel");
    return check_cores(streams, sizeof *streams, 1, count, error);
}

int srv_check_transfer_lines(const srv_line_transfer *transfers, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (!is_stride(transfers[i].line_bytes) || transfers[i].bytes < transfers[i].line_bytes)
            return srv_fail(error, SERVET_EARGUMENT, "no machine has such a set of lines");
    return check_cores(transfers, sizeof *transfers, 2, count, error);
}

int srv_check_compute(const srv_computation *computations, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (!srv_is_computation(computations[i].precision, computations[i].width))
            return srv_fail(error, SERVET_EARGUMENT, "no machine has such a computation");
    return check_cores(computations, sizeof *computations, 1, count, error);
}

int srv_check_load(const srv_load_request *load, servet_error *error)
{
    const srv_traversal *chase = &load->chase;
    bool bursts = load->count == 0 || load->bytes >= SRV_BURST_LINES * chase->line_bytes;
    bool mixed =
        load->modified == 0 || (load->modified > 0 && SRV_BURST_LINES % load->modified == 0);
    if (chase->pattern != SRV_PATTERN_LINES || chase->chains != 1 || chase->delay != 0 ||
        load->count < 0 || !bursts || !mixed || !(load->pause_ns >= 0))
        return srv_fail(error, SERVET_EARGUMENT, "no machine has such a load of memory");
    for (int i = 0; i < load->count; i++)
        if (load->cores[i] == chase->core)
            return srv_fail(error, SERVET_EARGUMENT, "core %d is given twice", chase->core);
    int code = srv_check_traverse(chase, 1, error);
    return code == SERVET_OK && load->count > 0
               ? check_cores(load->cores, sizeof *load->cores, 1, load->count, error)
               : code;
}

int srv_check_false_sharing(const srv_false_sharing *pair, servet_error *error)
{
    if (!(pair->apart >= 1 && pair->apart < SRV_SHARED_ALIGNMENT))
        return srv_fail(error, SERVET_EARGUMENT, "the distance of %g bytes is out of range",
                        pair->apart);
    return check_cores(pair, sizeof *pair, 2, 1, error);
}

int srv_check_synchronize(const srv_sync *sync, servet_error *error)
{
    bool meets = sync->op == SERVET_SYNC_CENTRAL || sync->op == SERVET_SYNC_DISSEMINATION;
    if ((unsigned)sync->op >= SERVET_SYNC_COUNT || sync->count < (meets ? 2 : 1))
        return srv_fail(error, SERVET_EARGUMENT, "%d cores cannot synchronize by operation %d",
                        sync->count, (int)sync->op);
    return check_cores(sync->cores, sizeof *sync->cores, 1, sync->count, error);
}

int srv_check_evict(const srv_eviction *eviction, servet_error *error)
{
    bool valid = eviction->elements > 0 && eviction->lines > 0 && eviction->trials > 0 &&
                 eviction->walked > 0 && eviction->rounds >= 0 && eviction->others >= 0 &&
                 eviction->core != eviction->other &&
                 (eviction->other >= 0 || eviction->others == 0) &&
                 is_stride(eviction->line_bytes) &&
                 eviction->lines * eviction->line_bytes <= eviction->element_bytes &&
                 eviction->element_bytes <= SRV_ELEMENT_BYTES_MAX;
    return valid ? SERVET_OK
                 : srv_fail(error, SERVET_EARGUMENT, "no machine has such trials of eviction");
}

int srv_machine_devices(srv_machine *machine, srv_device devices[SRV_DEVICES_MAX], int *count,
                        servet_error *error)
{
    *count = 0;
    return machine->ops->devices ? machine->ops->devices(machine, devices, count, error)
                                 : SERVET_OK;
}

int srv_check_copy(const srv_copy *copies, int count, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (copies[i].device < 0 || copies[i].peer == copies[i].device || copies[i].bytes < 1 ||
            copies[i].in_flight < 1)
            return srv_fail(error, SERVET_EARGUMENT, "no machine has such a copy");
    return check_cores(copies, sizeof *copies, 1, count, error);
}

int srv_check_devices(const srv_copy *copies, int count, int devices, servet_error *error)
{
    for (int i = 0; i < count; i++)
        if (copies[i].device >= devices || copies[i].peer >= devices)
            return srv_fail(error, SERVET_EARGUMENT, "there is no such accelerator");
    return SERVET_OK;
}
