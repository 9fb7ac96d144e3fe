/* SPDX-License-Identifier: BSD-3-Clause */
/* How far cores are from each other: all pairs, and the layers that they form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/distance/benchmark.h"
#include "facts/layers/detect_cost.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "run/raw_file.h"

/* Share of pairs that scatter from which a layer's latency is not trusted: the median of pairs
 * survives up to half of them, and a quarter leaves room for those that scatter unseen. */
static const double LOOSE_MAX = 0.25;

/* A core and its priority: lower numbers first. */
typedef struct wanted {
    int core, before;
} wanted;

/* The measured cores, ascending, and the distances between them. */
typedef struct distance {
    const srv_stage *stage;
    const srv_stage_place *place;
    int *cores;
    int core_count; /* of the node; may exceed the number measured */
    servet_matrix matrix;
    bool *loose; /* by rows like the matrix: see srv_distances */
    servet_layers layers;
    srv_sets objects;
    srv_sets groups[SERVET_LAYERS_MAX]; /* of each layer */
} distance;

static void finish(distance *on)
{
    free(on->cores);
    servet_matrix_free(&on->matrix);
    free(on->loose);
    servet_layers_free(&on->layers);
    srv_sets_finish(&on->objects);
    for (int i = 0; i < SERVET_LAYERS_MAX; i++)
        srv_sets_finish(&on->groups[i]);
}

static int by_want(const void *a, const void *b)
{
    const wanted *x = a, *y = b;
    return x->before != y->before ? x->before - y->before : x->core - y->core;
}

/* If time is short, one core of each group comes first: few cores show the far layers. */
static int order_by_want(const srv_stage_place *place, int *cores, int count, servet_error *error)
{
    wanted *list = calloc((size_t)count, sizeof *list);
    if (!list)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        list[i] = (wanted){cores[i], srv_cores_before(place, cores[i])};
    qsort(list, (size_t)count, sizeof *list, by_want);
    for (int i = 0; i < count; i++)
        cores[i] = list[i].core;
    free(list);
    return SERVET_OK;
}

static int by_number(const void *a, const void *b)
{
    return ((const wanted *)a)->core - ((const wanted *)b)->core;
}

/* Sorts the measured cores by number, and the matrix with them. */
static int put_in_order(distance *on, const srv_distances *found, servet_error *error)
{
    size_t n = (size_t)found->count;
    wanted *list = calloc(n, sizeof *list);
    on->matrix =
        (servet_matrix){.n = n, .cost = calloc(n * n, sizeof(double)), .unit = SRV_UNIT_NANOSECOND};
    on->loose = calloc(n * n, sizeof *on->loose);
    if (!list || !on->matrix.cost || !on->loose) {
        free(list);
        return srv_fail_memory(error);
    }
    for (size_t i = 0; i < n; i++)
        list[i] = (wanted){on->cores[i], (int)i};
    qsort(list, n, sizeof *list, by_number);
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)list[i].before * n;
        on->cores[i] = list[i].core;
        for (size_t j = 0; j < n; j++) {
            on->matrix.cost[i * n + j] = found->cost[row + (size_t)list[j].before];
            on->loose[i * n + j] = found->loose[row + (size_t)list[j].before];
        }
    }
    free(list);
    return SERVET_OK;
}

static int measure_pairs(distance *on, servet_error *error)
{
    srv_stage_task task = {*on->stage, "distances between cores"};
    srv_distances found = {0};
    int code = srv_cores_of(on->place, &on->cores, &on->core_count, error);
    if (code == SERVET_OK)
        code = order_by_want(on->place, on->cores, on->core_count, error);
    srv_distance_plan plan = {.cores = on->cores,
                              .count = on->core_count,
                              .seed = (uint64_t)on->stage->options->seed,
                              .sampler = srv_stage_sampler(&task)};
    if (code == SERVET_OK)
        code = srv_bench_distances(&plan, &found, error);
    if (code == SERVET_OK)
        code = put_in_order(on, &found, error);
    srv_distances_finish(&found);
    return code;
}

static void print_matrix(const distance *on, FILE *stream)
{
    size_t n = on->matrix.n;
    fputs("# ns of a line that another core modified; rows load, columns own. Cores:", stream);
    for (size_t i = 0; i < n; i++)
        fprintf(stream, " %d", on->cores[i]);
    fputc('\n', stream);
    for (size_t i = 0; i < n * n; i++)
        fprintf(stream, "%.5g%c", on->matrix.cost[i], i % n == n - 1 ? '\n' : ',');
}

/* In a layer of one pair, the two directions give the only measure of its uncertainty. */
static servet_value cost_of(const distance *on, const servet_layer *layer)
{
    servet_value cost = layer->cost;
    if (on->matrix.n != 2)
        return cost;
    for (size_t i = 1; i <= 2; i++) {
        double ns = on->matrix.cost[i];
        cost.low = ns > 0 ? fmin(cost.low, ns) : cost.low;
        cost.high = fmax(cost.high, ns);
    }
    return cost;
}

static int measure_again(void *context, const void *arguments, uint64_t seed, double *value,
                         servet_error *error)
{
    srv_machine *machine = context;
    srv_line_transfer transfer = *(const srv_line_transfer *)arguments;
    srv_timing timing;
    transfer.seed = seed;
    int code = machine->ops->transfer_lines(machine, &transfer, 1, &timing, error);
    if (code == SERVET_OK)
        *value = srv_seconds(timing.mean);
    return code;
}

static int repeat(const distance *on, servet_error *error)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->layers.layer_count && code == SERVET_OK; i++) {
        char fact[SERVET_NAME_MAX];
        size_t pair[2];
        srv_typical_pair(&on->matrix, &on->layers, i, pair);
        /* In the direction whose cost counts. */
        double cost = on->matrix.cost[pair[0] * on->matrix.n + pair[1]];
        bool back = cost > srv_pair_cost(&on->matrix, pair[0], pair[1]);
        srv_line_transfer transfer =
            srv_distance_transfer(on->cores[pair[!back]], on->cores[pair[back]]);
        snprintf(fact, sizeof fact, "distance.layers.%d.latency_ns", i + 1);
        srv_probe probe = {fact, SERVET_UNIT_SECOND, measure_again, &transfer, sizeof transfer};
        code = srv_repeats_add(on->stage->slot.repeats, &probe, error);
    }
    return code;
}

/* A pair that scatters belongs to this layer or to another with equal odds. */
static servet_distance_layer fact_of(const distance *on, int number)
{
    const servet_layer *found = &on->layers.layer[number];
    /* The share of a layer's pairs, not connected by a faster one, whose times scatter. */
    size_t n = on->matrix.n, pairs = 0, scattered = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (srv_is_of_layer(&on->layers, number, i, j)) {
                pairs++;
                scattered += on->loose[i * n + j];
            }
    double loose = pairs > 0 ? (double)scattered / (double)pairs : 0;
    servet_distance_layer layer = {.latency = srv_value_in_seconds(cost_of(on, found)),
                                   .confidence = found->confidence * (1 - loose / 2)};
    layer.latency.trusted = layer.latency.trusted && loose <= LOOSE_MAX;
    layer.verdict = srv_compare_groups(&on->objects, &on->groups[number]);
    return layer;
}

static int store(distance *on, servet_error *error)
{
    servet_distance_layer layer[SERVET_LAYERS_MAX];
    int count = on->layers.layer_count, code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        code = srv_add_groups(&on->groups[i], on->cores, on->layers.layer[i].group,
                              (int)on->matrix.n, on->layers.layer[i].group_count, 1, error);
        layer[i] = fact_of(on, i);
    }
    if (code == SERVET_OK)
        code =
            srv_store(SRV_PLACE(on->place), layer, sizeof *layer, count, error, "distance.layers");
    for (int i = 0; i < count && code == SERVET_OK; i++)
        code = srv_store(SRV_PLACE(on->place), on->groups[i].set, sizeof *on->groups[i].set,
                         on->groups[i].count, error, "distance.layers.%d.groups", i + 1);
    if (code != SERVET_OK)
        return code;
    /* Cores that were left out may be nearer or farther than any two that were measured. */
    if (on->matrix.n == (size_t)on->core_count)
        return SERVET_OK;
    char reason[SERVET_TEXT_MAX];
    snprintf(reason, sizeof reason,
             "only %zu of %d PUs were reached in the time given: a larger --budget reaches all",
             on->matrix.n, on->core_count);
    return srv_doubt_facts(SRV_PLACE(on->place), reason, error, "distance.layers");
}

int srv_measure_distances(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    distance on = {.stage = stage, .place = place};
    int code = stage->machine->ops->objects(stage->machine, &on.objects, error);
    if (code == SERVET_OK)
        code = measure_pairs(&on, error);
    if (code == SERVET_OK) {
        srv_raw_file file;
        if (srv_raw_begin(&file, on.stage->options->raw_dir, error, "distance.csv"))
            print_matrix(&on, file.stream);
        code = srv_raw_end(&file, error);
    }
    if (code == SERVET_OK)
        code = servet_analyze_layers(&on.matrix, &on.layers, error);
    if (code == SERVET_OK && on.layers.layer_count > 0)
        code = store(&on, error);
    if (code == SERVET_OK)
        code = repeat(&on, error);
    finish(&on);
    return code;
}
