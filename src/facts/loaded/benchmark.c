/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/loaded/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

/* Pauses ascend by 2 %, or by 1 ns if that is more, so that loads near saturation can be as near to
 * each other: from less than the time of a burst of a core alone to where hundreds of cores leave
 * the memory at rest. */
enum { STEPS_PER_OCTAVE = 32, OCTAVES = 12, STEP_REST = STEPS_PER_OCTAVE * OCTAVES + 1 };
static const double SHORTEST_NS = 16;

/* Neighbours whose bandwidths differ by more than this share of the best, or whose latencies by
 * more than this share, get a point between them. A straight line between points so near to each
 * other is as exact as a visit, whose repeats differ by some percent. */
static const double APART_MAX = 0.1;

/* Bandwidths that differ by less than this share of the best are those of one load: what their
 * latencies differ by is chance, or a longer queue at saturation. */
static const double SAME_LOAD_MAX = 0.02;

/* A visit: starting threads, raising their cores to full frequency, samples. */
static const double VISIT_SECONDS = 20e-3;

/* Points that a curve needs. */
enum { POINTS_MIN = 3 };

double srv_loaded_pause(int step)
{
    if (step == STEP_REST)
        return INFINITY;
    return step == 0 ? 0 : round(SHORTEST_NS * exp2((step - 1.0) / STEPS_PER_OCTAVE));
}

double srv_loaded_bytes(const srv_memory_plan *memory, int count)
{
    double burst = SRV_BURST_LINES * memory->line_bytes;
    return floor(fmin(memory->bytes, memory->memory_bytes / (count + 2)) / burst) * burst;
}

typedef struct loaded_bench {
    const srv_loaded_plan *plan;
    srv_loaded_series *series;
    bool refused; /* the memory cannot be had */
    servet_error *error;
} loaded_bench;

/* Containers may be refused the memory of a node they name: that is no error. */
static int visit(loaded_bench *bench, srv_loaded_point *point)
{
    srv_load_answer answer;
    const srv_memory_plan *memory = bench->plan->memory;
    bool rests = point->step == STEP_REST;
    srv_load_request request = {
        .chase = srv_memory_plan_chase(memory, bench->plan->core, bench->plan->node),
        .cores = bench->plan->generators,
        .count = rests ? 0 : bench->plan->count,
        .bytes = srv_loaded_bytes(memory, bench->plan->count),
        .modified = bench->plan->modified,
        .pause_ns = rests ? 0 : srv_loaded_pause(point->step)};
    double room = memory->memory_bytes - bench->plan->count * request.bytes;
    request.chase.bytes =
        floor(fmin(request.chase.bytes, room) / memory->line_bytes) * memory->line_bytes;
    srv_machine *machine = bench->plan->memory->sampler.machine;
    int code = machine->ops->load(machine, &request, &answer, bench->error);
    bench->refused = srv_forgive(&code, SERVET_EUNSUPPORTED, bench->error);
    if (bench->refused || code != SERVET_OK)
        return code;
    point->ns[point->visits] = answer.chase.spread.median;
    point->rate[point->visits++] = answer.rate.median;
    return SERVET_OK;
}

/* --- the curve -------------------------------------------------------------------------------- */

/* The place before which a point is missing most, and its step; 0: none is missing. */
static int find_place(const srv_loaded_series *series, int *step)
{
    int place = 0;
    double best = 0;
    for (int i = 0; i < series->count; i++)
        best = fmax(best, series->point[i].rate[0]);
    double most = APART_MAX;
    for (int i = 1; i < series->count; i++) {
        const srv_loaded_point *point = &series->point[i];
        /* How far two points are apart, as a share. */
        const srv_loaded_point *a = &point[-1];
        double rates = fabs(a->rate[0] - point->rate[0]) / best,
               ns = fabs(log(a->ns[0] / point->ns[0]));
        double distance = rates < SAME_LOAD_MAX ? 0 : fmax(rates, ns);
        if (point->step - point[-1].step > 1 && distance > most) {
            most = distance;
            place = i;
            *step = (point[-1].step + point->step) / 2;
        }
    }
    return place;
}

/* The next point of the curve, at a place of the series; false: it is complete. */
static bool choose_next(const srv_loaded_series *series, int *place, int *step)
{
    static const int ends[] = {0, STEP_REST};
    *place = series->count;
    if (series->count < 2)
        *step = ends[series->count];
    else
        *place = find_place(series, step);
    return series->count < 2 || *place > 0;
}

static int add_point(loaded_bench *bench, int place, int step)
{
    srv_loaded_series *series = bench->series;
    srv_loaded_point point = {.step = step};
    int code = visit(bench, &point);
    if (code != SERVET_OK || bench->refused)
        return code;
    memmove(series->point + place + 1, series->point + place,
            (size_t)(series->count - place) * sizeof point);
    series->point[place] = point;
    series->count++;
    return SERVET_OK;
}

static void describe(const loaded_bench *bench, int step, char what[64])
{
    double pause = srv_loaded_pause(step);
    if (isfinite(pause))
        snprintf(what, 64, "core %d beside %d with pauses of %.0f ns", bench->plan->core,
                 bench->plan->count, pause);
    else
        snprintf(what, 64, "core %d alone", bench->plan->core);
}

static int find_points(loaded_bench *bench)
{
    char what[64];
    int rounds = bench->plan->rounds;
    srv_loop loop =
        srv_loop_of(&bench->plan->memory->sampler, SRV_LOADED_POINTS_MAX, 1, bench->error);
    while (srv_loop_next(&loop)) {
        int place, step;
        bool wanted = !bench->refused && choose_next(bench->series, &place, &step);
        if (!wanted)
            break;
        describe(bench, step, what);
        double done = (double)loop.row / (SRV_LOADED_POINTS_MAX * rounds);
        srv_want want = bench->series->count < POINTS_MIN ? SRV_WANT_VISIT : SRV_WANT_SPARE;
        if (!srv_loop_due_at(&loop, want, VISIT_SECONDS, what, done))
            break;
        loop.code = add_point(bench, place, step);
    }
    return loop.code;
}

static int visit_again(loaded_bench *bench)
{
    char what[64];
    srv_loaded_series *series = bench->series;
    int rounds = bench->plan->rounds;
    srv_loop loop =
        srv_loop_of(&bench->plan->memory->sampler, series->count, rounds - 1, bench->error);
    while (!bench->refused && srv_loop_next(&loop)) {
        srv_loaded_point *point = &series->point[loop.row];
        describe(bench, point->step, what);
        double done = (1 + loop.round + (double)loop.row / series->count) / rounds;
        if (srv_loop_due_at(&loop, SRV_WANT_SPARE, VISIT_SECONDS, what, done))
            loop.code = visit(bench, point);
    }
    return loop.code;
}

int srv_bench_loaded(const srv_loaded_plan *plan, srv_loaded_series *series, servet_error *error)
{
    loaded_bench bench = {.plan = plan, .series = series, .error = error};
    series->count = 0;
    int code = find_points(&bench);
    return code == SERVET_OK ? visit_again(&bench) : code;
}
