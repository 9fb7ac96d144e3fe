/* SPDX-License-Identifier: BSD-3-Clause */
/* The seats of a node, and the order in which processes take them. */
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "map/kind.h"

/* The first of the lightest cores that `taken` has not; at least one is left. */
static int lightest(const srv_weight *weights, const bool *taken, int count)
{
    int found = -1;
    for (int i = 0; i < count; i++)
        if (!taken[i] && (found < 0 || weights[i] < weights[found]))
            found = i;
    return found;
}

/* Room for the work on a node. */
typedef struct workspace {
    srv_weight *weights, *nearness;
    bool *taken, *no_leader; /* cores in seats; cores that are not the first of a free seat */
    int *seats;              /* cores (places in kind->cores) of all seats */
    int family_count;        /* of those that are heeded: all, or none */
} workspace;

/* Adds `weight` (or, if 0, that of the family) to all that are in a group with core `with`. */
static void add_weights(const srv_map_kind *kind, const workspace *bench, int with,
                        srv_weight weight, srv_weight *weights)
{
    for (int f = 0; f < bench->family_count; f++) {
        const srv_family *family = &kind->families[f];
        int group = family->group[with];
        srv_weight added = weight ? weight : family->weight;
        for (int i = 0; group >= 0 && i < kind->core_count; i++)
            weights[i] += family->group[i] == group ? added : 0;
    }
}

static void free_bench(workspace *bench)
{
    free(bench->weights);
    free(bench->nearness);
    free(bench->taken);
    free(bench->no_leader);
    free(bench->seats);
}

static int make_bench(workspace *bench, size_t cores, servet_error *error)
{
    bench->weights = calloc(cores + 1, sizeof *bench->weights);
    bench->nearness = calloc(cores + 1, sizeof *bench->nearness);
    bench->taken = calloc(cores + 1, sizeof *bench->taken);
    bench->no_leader = calloc(cores + 1, sizeof *bench->no_leader);
    bench->seats = calloc(cores + 1, sizeof *bench->seats);
    if (bench->weights && bench->nearness && bench->taken && bench->no_leader && bench->seats)
        return SERVET_OK;
    return srv_fail_memory(error);
}

/* A seat is the first free core and those that share the most groups with the cores it has. */
static void fill_seat(const srv_map_kind *kind, const workspace *bench, int *seat)
{
    for (int i = 0; i < kind->core_count; i++)
        bench->nearness[i] = 0;
    for (int t = 0; t < kind->threads; t++) {
        seat[t] = lightest(bench->nearness, bench->taken, kind->core_count);
        bench->taken[seat[t]] = true;
        if (t + 1 < kind->threads)
            add_weights(kind, bench, seat[t], -1, bench->nearness);
    }
}

static void fill_seats(const srv_map_kind *kind, const workspace *bench)
{
    for (int i = 0; i < kind->core_count; i++)
        bench->no_leader[i] = true;
    for (int s = 0; s < kind->seat_count; s++) {
        int *seat = &bench->seats[s * kind->threads];
        fill_seat(kind, bench, seat);
        bench->no_leader[seat[0]] = false;
    }
}

/* The seat that begins with a core: their first cores ascend. */
static const int *seat_of(const srv_map_kind *kind, const workspace *bench, int leader)
{
    int low = 0, high = kind->seat_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (bench->seats[middle * kind->threads] < leader)
            low = middle + 1;
        else
            high = middle;
    }
    return &bench->seats[low * kind->threads];
}

/* Seats are weighed by their first cores. */
static void take_seats(srv_map_kind *kind, const workspace *bench, int count)
{
    for (int s = 0; s < count; s++) {
        int leader = lightest(bench->weights, bench->no_leader, kind->core_count);
        const int *seat = seat_of(kind, bench, leader);
        kind->next[s] = bench->weights[leader];
        for (int t = 0; t < kind->threads; t++)
            kind->seat_cores[s * kind->threads + t] = kind->cores[seat[t]];
        bench->no_leader[leader] = true;
        add_weights(kind, bench, leader, 0, bench->weights);
    }
}

int srv_kind_order(srv_map_kind *kind, int threads, int processes, bool by_rules,
                   servet_error *error)
{
    size_t cores = (size_t)kind->core_count;
    workspace bench = {.family_count = by_rules ? kind->family_count : 0};
    int code = make_bench(&bench, cores, error);
    kind->threads = threads;
    kind->seat_count = kind->core_count / threads;
    kind->seat_cores = calloc(cores + 1, sizeof *kind->seat_cores);
    kind->next = calloc(cores + 1, sizeof *kind->next);
    if (code == SERVET_OK && (!kind->seat_cores || !kind->next))
        code = srv_fail_memory(error);
    if (code == SERVET_OK) {
        fill_seats(kind, &bench);
        take_seats(kind, &bench, processes < kind->seat_count ? processes : kind->seat_count);
    }
    free_bench(&bench);
    return code;
}
