/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/peak/benchmark.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "sample/visit_seconds.h"

enum { VISITS_LEAST = 2 };

static srv_want want_visit(const srv_peak_row *row)
{
    if (row->refused)
        return SRV_WANT_NOTHING;
    if (row->visits < VISITS_LEAST)
        return SRV_WANT_VISIT;
    return srv_peak_is_confirmed(row) ? SRV_WANT_NOTHING : SRV_WANT_SPARE;
}

/* All cores together; their samples are of the same time. */
static srv_peak_visit total_of(const srv_computed *computed, int count)
{
    srv_peak_visit total = {.bits = computed[0].bits};
    for (int i = 0; i < count; i++) {
        total.rate += computed[i].rate.median;
        total.low += computed[i].rate.low;
        total.high += computed[i].rate.high;
        total.ghz += computed[i].ghz / count;
    }
    return total;
}

static int compute(srv_machine *machine, srv_peak_row *row, srv_computation *computations,
                   srv_computed *computed, servet_error *error)
{
    servet_error local = SERVET_ERROR_INIT;
    for (int i = 0; i < row->count; i++)
        computations[i] =
            (srv_computation){.core = row->cores[i],
                              .precision = row->precision,
                              .width = row->width,
                              .seconds = row->count > 1 ? SRV_TOGETHER_SECONDS : SRV_VISIT_SECONDS};
    int code = machine->ops->compute(machine, computations, row->count, computed, &local);
    row->refused = code == SERVET_EUNSUPPORTED;
    if (code == SERVET_OK)
        row->visit[row->visits++] = total_of(computed, row->count);
    return code == SERVET_OK || row->refused ? SERVET_OK : srv_fail(error, code, "%s", local.text);
}

static int visit(srv_machine *machine, srv_peak_row *row, servet_error *error)
{
    srv_computation *computations = calloc((size_t)row->count, sizeof *computations);
    srv_computed *computed = calloc((size_t)row->count, sizeof *computed);
    int code = computations && computed ? compute(machine, row, computations, computed, error)
                                        : srv_fail_memory(error);
    free(computations);
    free(computed);
    return code;
}

int srv_bench_peaks(const srv_sampler *sampler, srv_peak_row *rows, int count, servet_error *error)
{
    double seconds = SRV_PEAK_SECONDS; /* of the last visit */
    char what[64];
    srv_loop loop = srv_loop_of(sampler, count, SRV_PEAK_VISITS_MAX, error);
    while (srv_loop_next(&loop)) {
        srv_peak_row *row = &rows[loop.row];
        snprintf(what, sizeof what, "%s %s, %d cores", servet_precision_name(row->precision),
                 servet_width_name(row->width), row->count);
        if (!srv_loop_due(&loop, want_visit(row), seconds, what))
            continue;
        double begun = srv_sampler_now(sampler);
        loop.code = visit(sampler->machine, row, error);
        seconds = srv_sampler_now(sampler) - begun;
    }
    return loop.code;
}
