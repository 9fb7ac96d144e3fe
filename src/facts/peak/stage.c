/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak rates of floating-point operations and of integers: of a core of each type, and of all at
 * once. */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "facts/peak/detect.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "sample/sampler.h"
#include "sample/visit.h"

/* Time of a visit, s: some 10 ms until the clock is steady and sets are compared, then samples. */
#define SRV_PEAK_SECONDS 30e-3

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
    for (int i = 0; i < row->count; i++)
        computations[i] =
            (srv_computation){.core = row->cores[i],
                              .precision = row->precision,
                              .width = row->width,
                              .seconds = row->count > 1 ? SRV_TOGETHER_SECONDS : SRV_VISIT_SECONDS};
    int code = machine->ops->compute(machine, computations, row->count, computed, error);
    if (code == SERVET_OK)
        row->visit[row->visits++] = total_of(computed, row->count);
    /* Older recordings lack integers. */
    row->refused =
        srv_forgive(&code, SERVET_EUNSUPPORTED, error) ||
        (row->precision == SERVET_PRECISION_I64 && srv_forgive(&code, SERVET_EUNMEASURED, error));
    return code;
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

/* Visits all rows twice, and again until the best two visits are alike. */
static int bench_peaks(const srv_sampler *sampler, srv_peak_row *rows, int count,
                       servet_error *error)
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

/* A core of each type, and all cores. */
enum {
    SUBJECTS_MAX = SRV_CORE_TYPES_MAX + 1,
    ROWS_MAX = SERVET_PRECISION_COUNT * SERVET_WIDTH_COUNT * SUBJECTS_MAX
};

/* Looking for quiet cores: up to eight looks of 20 ms. */
static const double FIND_SECONDS = 0.16;

typedef struct peaks {
    const srv_stage *stage;
    const srv_stage_place *place;
    int *cores, core_count;        /* all */
    int alone[SRV_CORE_TYPES_MAX]; /* ascending */
    int alone_count;
    srv_peak_row row[ROWS_MAX];
    int count;
} peaks;

/* --- rows ------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int find_cores(peaks *on, servet_error *error)
{
    srv_machine *machine = on->stage->machine;
    srv_core_type types[SRV_CORE_TYPES_MAX];
    int code = srv_cores_of(on->place, &on->cores, &on->core_count, error);
    if (code == SERVET_OK)
        code = machine->ops->core_types(machine, types, &on->alone_count, error);
    for (int i = 0; i < on->alone_count && code == SERVET_OK; i++)
        code = srv_quietest_core(machine, types[i].cores, &on->alone[i], error);
    qsort(on->alone, (size_t)on->alone_count, sizeof *on->alone, by_number);
    return code;
}

static void add_rows(peaks *on, servet_precision precision, servet_width width)
{
    if (!srv_is_computation(precision, width))
        return;
    for (int i = 0; i < on->alone_count; i++)
        on->row[on->count++] = (srv_peak_row){
            .precision = precision, .width = width, .cores = &on->alone[i], .count = 1};
    if (on->core_count > 1)
        on->row[on->count++] = (srv_peak_row){
            .precision = precision, .width = width, .cores = on->cores, .count = on->core_count};
}

static int measure(peaks *on, servet_error *error)
{
    srv_stage_task task = {*on->stage, "peak rates: "};
    srv_sampler sampler = srv_stage_sampler(&task);
    if (!srv_sampler_fits(&sampler, FIND_SECONDS + SRV_PEAK_SECONDS))
        return SERVET_OK;
    int code = find_cores(on, error);
    for (int i = 0; i < SERVET_PRECISION_COUNT * SERVET_WIDTH_COUNT; i++)
        add_rows(on, (servet_precision)(i / SERVET_WIDTH_COUNT),
                 (servet_width)(i % SERVET_WIDTH_COUNT));
    return code == SERVET_OK ? bench_peaks(&sampler, on->row, on->count, error) : code;
}

static int store(const peaks *on, servet_error *error)
{
    servet_peak facts[ROWS_MAX];
    const char *doubts[ROWS_MAX];
    int count = 0;
    for (int i = 0; i < on->count; i++)
        if (on->row[i].visits > 0) {
            doubts[count] = srv_detect_peak_doubt(&on->row[i]);
            facts[count++] = srv_detect_peak(&on->row[i]);
        }
    int code = count == 0
                   ? SERVET_OK
                   : srv_store(SRV_PLACE(on->place), facts, sizeof *facts, count, error, "peak");
    for (int i = 0; i < count && code == SERVET_OK; i++)
        if (doubts[i])
            code = srv_doubt_facts(SRV_PLACE(on->place), doubts[i], error, "peak.%d.rate", i + 1);
    return code;
}

int srv_measure_peaks(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    peaks on = {.stage = stage, .place = place};
    int code = measure(&on, error);
    if (code == SERVET_OK)
        code = store(&on, error);
    free(on.cores);
    return code;
}
