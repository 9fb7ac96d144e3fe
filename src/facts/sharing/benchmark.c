/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "sample/visit.h"

/* Visits of a core alone, which has to be known better than a visit is. */
enum { ALONE_VISITS = 4 };

/* Each visit, and each set in it, has a seed of its own. */
static uint64_t seed_of(const srv_sharing_layout *layout, int visit, int number)
{
    uint64_t place = ((uint64_t)visit << 16) + (uint64_t)number + 1;
    return layout->seed + UINT64_C(0x9e3779b97f4a7c15) * place;
}

static double whole_lines(const srv_sharing_layout *layout, double bytes)
{
    return layout->line_bytes * fmax(1, floor(bytes / layout->line_bytes));
}

int srv_bench_together(srv_machine *machine, const srv_sharing_layout *layout,
                       const srv_traversed_set *sets, int count, int visit, double *ns,
                       servet_error *error)
{
    srv_traversal *traversals = calloc((size_t)count, sizeof *traversals);
    srv_timing *timings = calloc((size_t)count, sizeof *timings);
    int code = traversals && timings ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        traversals[i] = (srv_traversal){.core = sets[i].core,
                                        .bytes = whole_lines(layout, sets[i].bytes),
                                        .line_bytes = layout->line_bytes,
                                        .chains = 1,
                                        .pages = layout->pages,
                                        .seed = seed_of(layout, visit, i),
                                        .seconds = SRV_VISIT_SECONDS};
    if (code == SERVET_OK)
        code = machine->ops->traverse(machine, traversals, count, timings, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        ns[i] = timings[i].mean;
    free(traversals);
    free(timings);
    return code;
}

int srv_bench_alone(srv_machine *machine, const srv_sharing_layout *layout,
                    const srv_traversed_set *set, double *mean, double *deviation,
                    servet_error *error)
{
    double ns[ALONE_VISITS], sum = 0, squares = 0;
    int code = SERVET_OK;
    for (int visit = 0; visit < ALONE_VISITS && code == SERVET_OK; visit++) {
        code = srv_bench_together(machine, layout, set, 1, visit, &ns[visit], error);
        sum += code == SERVET_OK ? ns[visit] : 0;
    }
    if (code != SERVET_OK)
        return code;
    *mean = sum / ALONE_VISITS;
    for (int visit = 0; visit < ALONE_VISITS; visit++)
        squares += (ns[visit] - *mean) * (ns[visit] - *mean);
    *deviation = sqrt(squares / (ALONE_VISITS - 1));
    return SERVET_OK;
}

/* A round is the mean of thousands of loads: disturbances only add. */
int srv_bench_reuse(srv_machine *machine, const srv_sharing_layout *layout,
                    const srv_sharing_reading *readings, int count, int visit, double *ns,
                    servet_error *error)
{
    srv_line_transfer *transfers = calloc((size_t)count, sizeof *transfers);
    srv_timing *timings = calloc((size_t)count, sizeof *timings);
    int code = transfers && timings ? SERVET_OK : srv_fail_memory(error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        transfers[i] = (srv_line_transfer){.owner = readings[i].owner,
                                           .reader = readings[i].reader,
                                           .bytes = whole_lines(layout, readings[i].bytes),
                                           .line_bytes = layout->line_bytes,
                                           .modified = readings[i].modified,
                                           .seed = seed_of(layout, visit, i),
                                           .seconds = SRV_VISIT_SECONDS,
                                           .pages = layout->pages};
    if (code == SERVET_OK)
        code = machine->ops->transfer_lines(machine, transfers, count, timings, error);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        ns[i] = timings[i].spread.minimum;
    free(transfers);
    free(timings);
    return code;
}
