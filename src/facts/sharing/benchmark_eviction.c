/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/benchmark_eviction.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* Half of the cache is found there again, whichever pages it consists of; three times as much
 * leaves nothing of it, whatever the policy keeps. */
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
