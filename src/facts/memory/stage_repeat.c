/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes of memory that are repeated at other moments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/memory/stage_parts.h"

/* Kernels on some cores at once, and which of their rates is the fact. */
typedef struct together {
    bool slowest; /* else the mean */
    int count;
    srv_stream stream[];
} together;

static double rate_of(const together *arguments, const srv_spread *rates)
{
    double sum = 0, least = INFINITY;
    for (int i = 0; i < arguments->count; i++) {
        sum += rates[i].median;
        least = fmin(least, rates[i].median);
    }
    return arguments->slowest ? least : sum / arguments->count;
}

/* A stream has no seed: it continues where the last one in its memory ended, or in fresh memory. */
static int probe_again(void *context, const void *arguments, uint64_t seed, double *value,
                       servet_error *error)
{
    srv_machine *machine = context;
    const together *on = arguments;
    srv_spread *rates = calloc((size_t)on->count, sizeof *rates);
    (void)seed;
    if (!rates)
        return srv_fail_memory(error);
    int code = machine->ops->stream(machine, on->stream, on->count, rates, error);
    if (code == SERVET_OK)
        *value = rate_of(on, rates);
    free(rates);
    return code;
}

static int add(const srv_memory *on, const char *fact, servet_kernel kernel, const int *places,
               int count, bool slowest, servet_error *error)
{
    size_t bytes = sizeof(together) + (size_t)count * sizeof(srv_stream);
    together *arguments = calloc(1, bytes);
    if (!arguments)
        return srv_fail_memory(error);
    arguments->slowest = slowest;
    arguments->count = count;
    for (int i = 0; i < count; i++) {
        arguments->stream[i] = srv_memory_plan_stream(&on->plan, on->plan.cores[places[i]], count);
        arguments->stream[i].kernel = kernel;
    }
    srv_probe probe = {fact, SERVET_UNIT_BYTE_PER_SECOND, probe_again, arguments, bytes};
    int code = srv_repeats_add(on->stage->slot.repeats, &probe, error);
    free(arguments);
    return code;
}

static int repeat_kernels(const srv_memory *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < SERVET_KERNEL_COUNT && code == SERVET_OK; i++) {
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.%s", servet_kernel_name((servet_kernel)i));
        if (on->kernels[i].n > 0)
            code = add(on, fact, (servet_kernel)i, &on->kernels_place, 1, false, error);
    }
    return code;
}

static int repeat_levels(const srv_memory *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->level_count && code == SERVET_OK; i++) {
        const srv_overhead_level *level = &on->level[i];
        const srv_slow_pair *typical = &on->slow[level->first + level->count / 2];
        const int pair[] = {typical->a, typical->b};
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.levels.%d.bandwidth", i + 1);
        code = add(on, fact, on->plan.kernel, pair, 2, true, error);
    }
    return code;
}

/* Only the ends of the node's curve: the points between cost as much and add less. */
static int repeat_scaling(const srv_memory *on, servet_error *error)
{
    const srv_memory_curve *curve = &on->curve[0];
    int code = SERVET_OK;
    for (int i = 0; i < curve->count && code == SERVET_OK; i++) {
        char fact[SERVET_NAME_MAX];
        snprintf(fact, sizeof fact, "memory.scaling.%d", curve->point[i].cores);
        if (i == 0 || i + 1 == curve->count)
            code = add(on, fact, on->plan.kernel, on->order, curve->point[i].cores, false, error);
    }
    return code;
}

int srv_memory_repeat(const srv_memory *on, servet_error *error)
{
    int code = repeat_kernels(on, error);
    if (code == SERVET_OK)
        code = repeat_levels(on, error);
    return code == SERVET_OK ? repeat_scaling(on, error) : code;
}
