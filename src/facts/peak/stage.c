/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak rates of floating-point operations: of a core of each type, and of all at once. */
#include "facts/stages.h"

#include <stdlib.h>

#include "core/error.h"
#include "facts/peak/benchmark.h"
#include "facts/peak/detect.h"
#include "facts/store.h"
#include "run/cores.h"
#include "run/raw_file.h"

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
    return code == SERVET_OK ? srv_bench_peaks(&sampler, on->row, on->count, error) : code;
}

/* --- results ---------------------------------------------------------------------------------- */

static void print_row(const srv_peak_row *row, FILE *stream)
{
    for (int i = 0; i < row->visits; i++)
        fprintf(stream, "%s,%s,%d,%d,%d,%.6g,%.5g\n", servet_precision_name(row->precision),
                servet_width_name(row->width), row->visit[i].bits, row->count, row->cores[0],
                row->visit[i].rate, row->visit[i].ghz);
}

static int save(const peaks *on, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, "peak.csv", error)) {
        fputs("precision,width,bits,cores,core,flop_per_second,ghz\n", file.stream);
        for (int i = 0; i < on->count; i++)
            print_row(&on->row[i], file.stream);
    }
    return srv_raw_end(&file, error);
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

/* --- the whole -------------------------------------------------------------------------------- */

int srv_measure_peaks(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    peaks on = {.stage = stage, .place = place};
    int code = measure(&on, error);
    if (code == SERVET_OK)
        code = save(&on, error);
    if (code == SERVET_OK)
        code = store(&on, error);
    free(on.cores);
    return code;
}
