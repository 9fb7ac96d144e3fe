/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/memory/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

/* Seconds for the samples of a probe: some 200 of them. */
static const double PROBE_SECONDS = 10e-3;

static const double CYCLE_MAX = 512.0 * (1 << 20);

/* Visits to a core alone: disturbances only ever slow it down, so the best one counts. */
enum { COPY_VISITS = 3, OTHER_VISITS = 2, LATENCY_VISITS = 3 };

bool srv_memory_late(srv_machine *machine, const srv_memory_plan *plan)
{
    return !srv_deadline_fits(&plan->deadline, machine, 0);
}

bool srv_memory_suffices(const srv_memory_plan *plan, int at_once)
{
    int together = plan->instances > 0 ? at_once / plan->instances : 1;
    return plan->memory_bytes / at_once >= plan->bytes / (together > 1 ? together : 1);
}

int srv_memory_tell(const srv_memory_plan *plan, const char *what, double done, servet_error *error)
{
    if (plan->progress && plan->progress(plan->context, what, done))
        return srv_fail(error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

/* --- several cores ---------------------------------------------------------------------------- */

srv_stream srv_memory_plan_stream(const srv_memory_plan *plan, int core, int at_once)
{
    return (srv_stream){.core = core,
                        .kernel = plan->kernel,
                        .bytes = fmin(plan->bytes, plan->memory_bytes / at_once),
                        .pages = plan->pages,
                        .seconds = PROBE_SECONDS};
}

int srv_memory_together(srv_machine *machine, const srv_memory_plan *plan, const int *places, int n,
                        srv_spread *rates, servet_error *error)
{
    srv_stream *streams = malloc((size_t)n * sizeof *streams);
    if (!streams)
        return srv_fail_memory(error);
    for (int i = 0; i < n; i++)
        streams[i] = srv_memory_plan_stream(plan, plan->cores[places[i]], n);
    int code = machine->ops->stream(machine, streams, n, rates, error);
    free(streams);
    return code;
}

/* --- one core --------------------------------------------------------------------------------- */

static bool is_copy(servet_kernel kernel)
{
    return kernel == SERVET_KERNEL_COPY || kernel == SERVET_KERNEL_COPY_NT;
}

/* Stores that a processor does not have are no error. */
static int visit(srv_machine *machine, const srv_stream *stream, srv_spread *best,
                 servet_error *error)
{
    srv_spread rate;
    servet_error local = SERVET_ERROR_INIT;
    int code = machine->ops->stream(machine, stream, 1, &rate, &local);
    if (code == SERVET_EUNSUPPORTED)
        return SERVET_OK;
    if (code != SERVET_OK)
        return srv_fail(error, code, "%s", local.text);
    if (best->n == 0 || rate.median > best->median)
        *best = rate;
    return SERVET_OK;
}

/* The copies first: the better one of both is a fact of its own. */
static const servet_kernel kernels[SERVET_KERNEL_COUNT] = {
    SERVET_KERNEL_COPY,  SERVET_KERNEL_COPY_NT,  SERVET_KERNEL_READ,    SERVET_KERNEL_WRITE,
    SERVET_KERNEL_TRIAD, SERVET_KERNEL_WRITE_NT, SERVET_KERNEL_TRIAD_NT};

/* The number of an attempt, from 0. */
static bool wants_attempt(int k)
{
    int visits = is_copy(kernels[k % SERVET_KERNEL_COUNT]) ? COPY_VISITS : OTHER_VISITS;
    return k / SERVET_KERNEL_COUNT < visits;
}

int srv_bench_kernels(srv_machine *machine, const srv_memory_plan *plan, int place,
                      srv_spread rates[SERVET_KERNEL_COUNT], servet_error *error)
{
    char what[64];
    int code = SERVET_OK, k = 0;
    for (int kernel = 0; kernel < SERVET_KERNEL_COUNT; kernel++)
        rates[kernel] = (srv_spread){0};
    for (; k < SERVET_KERNEL_COUNT * COPY_VISITS && code == SERVET_OK; k++) {
        srv_stream stream = srv_memory_plan_stream(plan, plan->cores[place], 1);
        stream.kernel = kernels[k % SERVET_KERNEL_COUNT];
        if (!wants_attempt(k))
            continue;
        if (srv_memory_late(machine, plan))
            break;
        snprintf(what, sizeof what, "%s on core %d", servet_kernel_name(stream.kernel),
                 stream.core);
        code = srv_memory_tell(plan, what, (double)k / (SERVET_KERNEL_COUNT * COPY_VISITS), error);
        if (code == SERVET_OK)
            code = visit(machine, &stream, &rates[stream.kernel], error);
    }
    if (k == 1) /* there was no time for the other copy, which may be the better one */
        rates[SERVET_KERNEL_COPY] = (srv_spread){0};
    return code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

/* A cache that protects old lines keeps its size of a cycle, however long that is: a longer cycle
 * than that of a stream, where building it does not take seconds. */
static double cycle_bytes(const srv_memory_plan *plan)
{
    double most = fmin(2 * plan->bytes, CYCLE_MAX);
    return fmin(fmax(most, plan->bytes), plan->memory_bytes);
}

static int visit_remote(srv_machine *machine, const srv_memory_plan *plan, int core, int node,
                        srv_remote *remote, servet_error *error)
{
    srv_stream stream = srv_memory_plan_stream(plan, core, 1);
    srv_traversal traversal = {.core = core,
                               .bytes =
                                   floor(cycle_bytes(plan) / plan->line_bytes) * plan->line_bytes,
                               .pattern = SRV_PATTERN_LINES,
                               .line_bytes = plan->line_bytes,
                               .chains = 1,
                               .pages = plan->pages,
                               .node = node,
                               .seed = plan->seed,
                               .seconds = PROBE_SECONDS};
    stream.kernel = SERVET_KERNEL_READ;
    stream.node = node;
    int code = machine->ops->stream(machine, &stream, 1, &remote->bandwidth, error);
    for (int i = 0; i < LATENCY_VISITS && code == SERVET_OK; i++) {
        srv_timing timing;
        code = machine->ops->traverse(machine, &traversal, 1, &timing, error);
        if (code == SERVET_OK && (i == 0 || timing.spread.median < remote->latency.median))
            remote->latency = timing.spread;
    }
    return code;
}

/* Containers may be refused the memory of a node they name: that is no error. */
static int probe_remote(srv_machine *machine, const srv_memory_plan *plan, int core, int node,
                        srv_remote *remote, servet_error *error)
{
    servet_error local = SERVET_ERROR_INIT;
    int code = visit_remote(machine, plan, core, node, remote, &local);
    if (code == SERVET_OK || code == SERVET_EUNSUPPORTED)
        return SERVET_OK;
    return srv_fail(error, code, "%s", local.text);
}

int srv_bench_remotes(srv_machine *machine, const srv_memory_plan *plan, const int *near, int count,
                      srv_remote *remotes, servet_error *error)
{
    char what[64];
    int code = SERVET_OK, pairs = count * count;
    for (int i = 0; i < pairs; i++)
        remotes[i] = (srv_remote){0};
    for (int i = 0; i < pairs && i < SRV_REMOTES_MAX && code == SERVET_OK; i++) {
        int core = near[i / count];
        if (core < 0 || srv_memory_late(machine, plan))
            continue;
        snprintf(what, sizeof what, "from core %d to NUMA node %d", core, i % count);
        code = srv_memory_tell(plan, what, (double)i / pairs, error);
        if (code == SERVET_OK)
            code = probe_remote(machine, plan, core, i % count + 1, &remotes[i], error);
    }
    return code;
}
