/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of a program that runs already. */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "map/deal.h"
#include "map/view.h"

/* A seat by its number, and with what its host is called. */
typedef struct numbered {
    const servet_map_seat *seat;
    int number;
} numbered;

static int by_host_and_core(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    int order = strcmp(x->seat->host, y->seat->host);
    return order ? order : (x->seat->core > y->seat->core) - (x->seat->core < y->seat->core);
}

/* The job's node of that name, or one like it. */
static void find_host(const servet_profile *profile, const char *host, srv_map_seat *seat)
{
    int node_class = 0;
    seat->job_node = -1;
    if (servet_network_node_of(profile, host, &seat->job_node) == SERVET_OK) {
        seat->like = seat->job_node;
        return;
    }
    bool listed = servet_profile_class_of(profile, host, &node_class) == SERVET_OK ||
                  servet_profile_class_count(profile) == 1;
    seat->like = listed ? srv_job_node_like(profile, node_class) : -1;
}

/* Hosts are numbered in the order of their names. */
static int number_hosts(const servet_profile *profile, const numbered *items, int count,
                        srv_map_seat *seats, servet_error *error)
{
    srv_map_seat seat = {.node = -1};
    for (int i = 0; i < count; i++) {
        const servet_map_seat *own = items[i].seat, *before = i ? items[i - 1].seat : NULL;
        if (before && by_host_and_core(&items[i - 1], &items[i]) == 0)
            return srv_fail(error, SERVET_EARGUMENT, "core %d of %.64s is listed twice", own->core,
                            own->host);
        if (!before || strcmp(before->host, own->host) != 0) {
            seat.node++;
            find_host(profile, own->host, &seat);
        }
        seat.core = own->core;
        seats[items[i].number] = seat;
    }
    return SERVET_OK;
}

static int make_site(srv_site *site, const servet_profile *profile, const servet_map_seat *seats,
                     int count, servet_error *error)
{
    numbered *items = calloc((size_t)count, sizeof *items);
    srv_map_seat *found = calloc((size_t)count, sizeof *found);
    int code = items && found ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK) {
        for (int i = 0; i < count; i++)
            items[i] = (numbered){&seats[i], i};
        qsort(items, (size_t)count, sizeof *items, by_host_and_core);
        code = number_hosts(profile, items, count, found, error);
    }
    if (code == SERVET_OK)
        code = srv_site_begin(site, profile, found, count, error);
    free(items);
    free(found);
    return code;
}

/* The seats as they are, where they are not better dealt out anew. */
static int deal(const srv_program *program, const srv_site *site, int *seat_of, servet_error *error)
{
    srv_map_load now, dealt;
    for (int rank = 0; rank < site->count; rank++)
        seat_of[rank] = rank;
    if (program->traffic->uniform)
        return SERVET_OK;
    int code = srv_load_of(program, site, seat_of, &now, error);
    if (code == SERVET_OK)
        code = srv_deal(program, site, seat_of, error);
    if (code == SERVET_OK)
        code = srv_load_of(program, site, seat_of, &dealt, error);
    if (code == SERVET_OK && !srv_load_less(&dealt, &now))
        for (int rank = 0; rank < site->count; rank++)
            seat_of[rank] = rank;
    return code;
}

int servet_map_reorder(const servet_profile *profile, const servet_traffic *traffic,
                       const servet_map_seat seats[], int seat_of[], servet_error *error)
{
    srv_program program = {0};
    srv_site site = {0};
    int code = make_site(&site, profile, seats, servet_traffic_processes(traffic), error);
    if (code == SERVET_OK)
        code = srv_program_begin(&program, profile, traffic, error);
    if (code == SERVET_OK)
        code = deal(&program, &site, seat_of, error);
    srv_program_finish(&program);
    srv_site_finish(&site);
    return code;
}
