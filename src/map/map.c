/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes placements. */
#include <string.h>

#include "core/error.h"
#include "map/choose.h"
#include "map/placement/make.h"
#include "map/placement/placement.h"
#include "profile/types.h"

static int check(const servet_map_request *request, servet_error *error)
{
    if (request->processes < 1)
        return srv_fail(error, SERVET_EARGUMENT, "the number of processes must be at least 1");
    if (request->threads < 0 || request->node_count < 0)
        return srv_fail(error, SERVET_EARGUMENT,
                        "numbers of threads and nodes must not be negative");
    if (request->accelerators < 0)
        return srv_fail(error, SERVET_EARGUMENT, "the number of accelerators must not be negative");
    if ((int)request->code < 0 || request->code >= SERVET_CODE_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown kind of program %d", (int)request->code);
    if ((unsigned)request->order >= SERVET_ORDER_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown order %d", (int)request->order);
    if ((unsigned)request->work >= SERVET_WORK_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown kind of work %d", (int)request->work);
    if (request->traffic && servet_traffic_processes(request->traffic) != request->processes)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, not of %d",
                        servet_traffic_processes(request->traffic), request->processes);
    return SERVET_OK;
}

static int create(servet_map **map, const servet_profile *profile,
                  const servet_map_request *request, servet_error *error)
{
    if (request->traffic && request->order == SERVET_ORDER_SERVET)
        return srv_map_choose(map, profile, request, error);
    return srv_map_make(map, profile, request, error);
}

static bool is_same_process(const servet_map *a, const servet_map *b, int rank)
{
    servet_map_process x, y;
    bool same = servet_map_process_get(a, rank, &x) == servet_map_process_get(b, rank, &y) &&
                strcmp(x.host, y.host) == 0 && x.core_count == y.core_count;
    for (int i = 0; i < x.core_count && same; i++)
        same = x.cores[i] == y.cores[i];
    return same;
}

/* Fails if the placement is another one without the facts that are not trusted. */
static int check_sure(const servet_map *map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    servet_profile sure = *profile;
    servet_map *by_sure = NULL;
    sure.trusted_only = true;
    int code = create(&by_sure, &sure, request, NULL);
    if (code == SERVET_EMEMORY)
        return srv_fail_memory(error);
    bool same = code == SERVET_OK;
    for (int rank = 0; rank < map->count && same; rank++)
        same = is_same_process(map, by_sure, rank);
    servet_map_destroy(by_sure);
    return same ? SERVET_OK
                : srv_fail(error, SERVET_EUNTRUSTED,
                           "the placement depends on facts that are not trusted");
}

int servet_map_create(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    servet_profile all = *profile;
    servet_map *made = NULL;
    all.trusted_only = false;
    int code = check(request, error);
    if (code == SERVET_OK)
        code = create(&made, &all, request, error);
    if (code == SERVET_OK && profile->trusted_only)
        code = check_sure(made, profile, request, error);
    if (code == SERVET_OK)
        *map = made;
    else
        servet_map_destroy(made);
    return code;
}
