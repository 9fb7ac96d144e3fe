/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/memory/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "sample/visit.h"

static const double CYCLE_MAX = 512.0 * (1 << 20);

/* Visits to a core alone: disturbances only ever slow it down, so the best one counts. */
enum { COPY_VISITS = 3, OTHER_VISITS = 2, LATENCY_VISITS = 3 };

bool srv_memory_suffices(const srv_memory_plan *plan, int at_once)
{
    int together = plan->instances > 0 ? at_once / plan->instances : 1;
    return plan->memory_bytes / at_once >= plan->bytes / (together > 1 ? together : 1);
}

srv_stream srv_memory_plan_stream(const srv_memory_plan *plan, int core, int at_once)
{
    return (srv_stream){.core = core,
                        .kernel = plan->kernel,
                        .bytes = fmin(plan->bytes, plan->memory_bytes / at_once),
                        .pages = plan->pages,
                        .seconds = SRV_TOGETHER_SECONDS};
}

int srv_memory_together(const srv_memory_plan *plan, const int *places, int n, srv_spread *rates,
                        servet_error *error)
{
    srv_stream *streams = malloc((size_t)n * sizeof *streams);
    if (!streams)
        return srv_fail_memory(error);
    for (int i = 0; i < n; i++)
        streams[i] = srv_memory_plan_stream(plan, plan->cores[places[i]], n);
    srv_machine *machine = plan->sampler.machine;
    int code = machine->ops->stream(machine, streams, n, rates, error);
    free(streams);
    return code;
}

static bool is_copy(servet_kernel kernel)
{
    return kernel == SERVET_KERNEL_COPY || kernel == SERVET_KERNEL_COPY_NT;
}

/* Stores that a processor does not have are no error. */
static int visit(srv_machine *machine, const srv_stream *stream, srv_spread *best,
                 servet_error *error)
{
    srv_spread rate = {.median = 0};
    int code = machine->ops->stream(machine, stream, 1, &rate, error);
    if (code == SERVET_OK && (best->n == 0 || rate.median > best->median))
        *best = rate;
    (void)srv_forgive(&code, SERVET_EUNSUPPORTED, error);
    return code;
}

/* The copies first: the better one of both is a fact of its own. */
static const servet_kernel kernels[SERVET_KERNEL_COUNT] = {
    SERVET_KERNEL_COPY,  SERVET_KERNEL_COPY_NT,  SERVET_KERNEL_READ,    SERVET_KERNEL_WRITE,
    SERVET_KERNEL_TRIAD, SERVET_KERNEL_WRITE_NT, SERVET_KERNEL_TRIAD_NT};

int srv_bench_kernels(const srv_memory_plan *plan, int place, srv_spread rates[SERVET_KERNEL_COUNT],
                      servet_error *error)
{
    char what[64];
    srv_loop loop = srv_loop_of(&plan->sampler, SERVET_KERNEL_COUNT, COPY_VISITS, error);
    for (int kernel = 0; kernel < SERVET_KERNEL_COUNT; kernel++)
        rates[kernel] = (srv_spread){0};
    while (srv_loop_next(&loop)) {
        srv_stream stream = srv_memory_plan_stream(plan, plan->cores[place], 1);
        stream.kernel = kernels[loop.row];
        if (loop.round >= (is_copy(stream.kernel) ? COPY_VISITS : OTHER_VISITS))
            continue;
        snprintf(what, sizeof what, "%s on core %d", servet_kernel_name(stream.kernel),
                 stream.core);
        if (!srv_loop_due(&loop, SRV_WANT_VISIT, 0, what))
            break;
        loop.code = visit(plan->sampler.machine, &stream, &rates[stream.kernel], error);
    }
    if (loop.visits == 1) /* there was no time for the other copy, which may be the better one */
        rates[SERVET_KERNEL_COPY] = (srv_spread){0};
    return loop.code;
}

/* --- NUMA nodes ------------------------------------------------------------------------------- */

srv_traversal srv_memory_plan_chase(const srv_memory_plan *plan, int core, int node)
{
    /* A cache that protects old lines keeps its size of a cycle, however long that is: a longer
     * cycle than that of a stream, where building it does not take seconds. */
    double most = fmin(2 * plan->bytes, CYCLE_MAX);
    return (srv_traversal){
        .core = core,
        .bytes = floor(fmin(fmax(most, plan->bytes), plan->memory_bytes) / plan->line_bytes) *
                 plan->line_bytes,
        .pattern = SRV_PATTERN_LINES,
        .line_bytes = plan->line_bytes,
        .chains = 1,
        .pages = plan->pages,
        .node = node,
        .seed = plan->seed,
        .seconds = SRV_TOGETHER_SECONDS};
}

/* Containers may be refused the memory of a node they name: that is no error. */
static int probe_remote(srv_machine *machine, const srv_memory_plan *plan, int core, int node,
                        srv_remote *remote, servet_error *error)
{
    srv_stream stream = srv_memory_plan_stream(plan, core, 1);
    srv_traversal traversal = srv_memory_plan_chase(plan, core, node);
    stream.kernel = SERVET_KERNEL_READ;
    stream.node = node;
    int code = machine->ops->stream(machine, &stream, 1, &remote->bandwidth, error);
    for (int i = 0; i < LATENCY_VISITS && code == SERVET_OK; i++) {
        srv_timing timing;
        code = machine->ops->traverse(machine, &traversal, 1, &timing, error);
        if (code == SERVET_OK && (i == 0 || timing.spread.median < remote->latency.median))
            remote->latency = timing.spread;
    }
    (void)srv_forgive(&code, SERVET_EUNSUPPORTED, error);
    return code;
}

int srv_bench_remotes(const srv_memory_plan *plan, const int *near, int count, srv_remote *remotes,
                      servet_error *error)
{
    char what[64];
    int pairs = count * count, probed = pairs < SRV_REMOTES_MAX ? pairs : SRV_REMOTES_MAX;
    srv_loop loop = srv_loop_of(&plan->sampler, probed, 1, error);
    for (int i = 0; i < pairs; i++)
        remotes[i] = (srv_remote){0};
    while (srv_loop_next(&loop)) {
        int core = near[loop.row / count], node = loop.row % count;
        snprintf(what, sizeof what, "from core %d to NUMA node %d", core, node);
        if (srv_loop_due(&loop, core < 0 ? SRV_WANT_NOTHING : SRV_WANT_VISIT, 0, what))
            loop.code = probe_remote(plan->sampler.machine, plan, core, node + 1,
                                     &remotes[loop.row], error);
    }
    return loop.code;
}
