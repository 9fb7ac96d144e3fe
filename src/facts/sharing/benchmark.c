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

/* Half of the cache stays there, whatever its pages; three times as much evicts all. */
static const double OWN_SHARE = 0.5, INTRUDER_SHARE = 3;

static const double ELEMENT_BYTES = 4096;
enum { TRIALS = 4, ROUNDS = 2 };

static int elements_of(double bytes)
{
    return (int)fmax(1, ceil(bytes / ELEMENT_BYTES));
}

double srv_bench_eviction_bytes(double capacity)
{
    return ELEMENT_BYTES *
           (elements_of(OWN_SHARE * capacity) + elements_of(INTRUDER_SHARE * capacity));
}

/* The first elements are the core's own, the rest the intruder's. */
static srv_eviction eviction_of(const srv_sharing_layout *layout, int core, int intruder,
                                double capacity, int visit)
{
    int own = elements_of(OWN_SHARE * capacity), others = elements_of(INTRUDER_SHARE * capacity);
    bool other = intruder >= 0, itself = intruder == SRV_ITSELF;
    return (srv_eviction){.core = core,
                          .other = other ? intruder : -1,
                          .pages = layout->pages,
                          .elements = own + others,
                          .element_bytes = ELEMENT_BYTES,
                          .lines = (int)(ELEMENT_BYTES / layout->line_bytes),
                          .line_bytes = layout->line_bytes,
                          .seed = layout->seed + (uint64_t)visit,
                          .rounds = ROUNDS,
                          .trials = TRIALS,
                          .walked = itself ? own + others : own,
                          .others = other ? others : 0};
}

/* Interference makes a trial slower, nothing makes it faster. */
static double quietest(const srv_eviction *eviction, const float *ns, int own)
{
    double least = INFINITY;
    for (int t = 0; t < eviction->trials; t++) {
        double sum = 0;
        for (int i = 0; i < own; i++)
            sum += ns[(size_t)t * (size_t)eviction->walked + (size_t)i];
        least = fmin(least, sum / own / eviction->lines);
    }
    return least;
}

int srv_bench_eviction(srv_machine *machine, const srv_sharing_layout *layout, int core,
                       int intruder, double capacity, int visit, double *ns, servet_error *error)
{
    srv_eviction eviction = eviction_of(layout, core, intruder, capacity, visit);
    size_t row = (size_t)eviction.walked + (size_t)eviction.others;
    uint32_t *element = malloc(TRIALS * row * sizeof *element);
    float *times = malloc(TRIALS * (size_t)eviction.walked * sizeof *times);
    int code = element && times ? SERVET_OK : srv_fail_memory(error);
    for (size_t i = 0; i < TRIALS * row && code == SERVET_OK; i++)
        element[i] = (uint32_t)(i % row);
    eviction.element = element;
    if (code == SERVET_OK)
        code = machine->ops->evict(machine, &eviction, times, error);
    if (code == SERVET_OK)
        *ns = quietest(&eviction, times, elements_of(OWN_SHARE * capacity));
    free(element);
    free(times);
    return code;
}
