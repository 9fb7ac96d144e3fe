/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "facts/memory/benchmark.h"
#include "stats/saturation.h"

typedef struct scaling {
    const srv_memory_plan *plan;
    const int *places;
    int n;
    srv_scaling *points;
    int count;
    servet_error *error;
} scaling;

static double total(const srv_scaling *point)
{
    return point->cores * point->each;
}

static int place_of(const scaling *on, int cores)
{
    int i = 0;
    while (i < on->count && on->points[i].cores < cores)
        i++;
    return i;
}

static void insert(scaling *on, const srv_spread *rates, int cores)
{
    srv_scaling point = {.cores = cores};
    for (int i = 0; i < cores; i++) {
        point.each += rates[i].median / cores;
        point.low += rates[i].low / cores;
        point.high += rates[i].high / cores;
    }
    int at = place_of(on, cores);
    for (int i = on->count++; i > at; i--)
        on->points[i] = on->points[i - 1];
    on->points[at] = point;
}

static int probe(scaling *on, int cores)
{
    char what[64];
    snprintf(what, sizeof what, "%d cores at once", cores);
    int code = srv_sampler_tell(&on->plan->sampler, what, (double)cores / (on->n + 1), on->error);
    srv_spread *rates = malloc((size_t)cores * sizeof *rates);
    if (!rates)
        return srv_fail_memory(on->error);
    if (code == SERVET_OK)
        code = srv_memory_together(on->plan, on->places, cores, rates, on->error);
    if (code == SERVET_OK)
        insert(on, rates, cores);
    free(rates);
    return code;
}

static bool has_room(const scaling *on)
{
    return on->count < SRV_SCALING_MAX && srv_sampler_fits(&on->plan->sampler, 0);
}

/* Halves the interval before the first point that gets enough. */
static int refine(scaling *on, double enough)
{
    int code = SERVET_OK;
    while (code == SERVET_OK) {
        /* The first point that gets enough. */
        double best = 0;
        int at = 0;
        for (int i = 0; i < on->count; i++)
            best = fmax(best, total(&on->points[i]));
        while (total(&on->points[at]) < enough * best)
            at++;
        int before = at > 0 ? on->points[at - 1].cores : 0, cores = on->points[at].cores;
        if (cores - before < 2 || !has_room(on))
            break;
        code = probe(on, (before + cores) / 2);
    }
    return code;
}

int srv_bench_scaling(const srv_memory_plan *plan, const int *places, int n, double enough,
                      srv_scaling points[SRV_SCALING_MAX], int *count, servet_error *error)
{
    scaling on = {plan, places, n, points, 0, error};
    int code = SERVET_OK;
    for (int cores = 1; cores <= n && code == SERVET_OK && has_room(&on);
         cores = srv_next_count(cores, n))
        code = probe(&on, cores);
    if (code == SERVET_OK && on.count > 0)
        code = refine(&on, enough);
    *count = on.count;
    return code;
}

/* Loss by a neighbour in each set, far below that by a slow pair. */
static const double NEAR = 1e-6;

/* Adds `place` to the taken cores, and updates the loss of each core beside them. */
static void take(const srv_contentions *found, const srv_neighbours *near, const int *places, int n,
                 int place, double *loss)
{
    for (size_t i = 0; i < found->count; i++) {
        const srv_contention *pair = &found->pair[i];
        if (pair->a == place || pair->b == place)
            loss[pair->a == place ? pair->b : pair->a] += 1 - pair->share;
    }
    for (int s = 0; s < near->sets.count; s++) {
        const char *set = near->sets.set[s];
        for (int i = 0; srv_ranges_contain(set, near->cores[place]) && i < n; i++)
            if (srv_ranges_contain(set, near->cores[places[i]]))
                loss[places[i]] += NEAR;
    }
}

int srv_scaling_order(const srv_contentions *found, const srv_neighbours *near, int *places, int n,
                      servet_error *error)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = places[i] > most ? places[i] : most;
    for (size_t i = 0; i < found->count; i++)
        most = found->pair[i].b > most ? found->pair[i].b : most;
    double *loss = calloc((size_t)most + 1, sizeof *loss);
    if (!loss)
        return srv_fail_memory(error);
    for (int taken = 0; taken < n; taken++) {
        int best = taken;
        for (int i = taken + 1; i < n; i++)
            if (loss[places[i]] < loss[places[best]])
                best = i;
        int place = places[best];
        for (int i = best; i > taken; i--)
            places[i] = places[i - 1];
        places[taken] = place;
        take(found, near, places, n, place, loss);
    }
    free(loss);
    return SERVET_OK;
}
