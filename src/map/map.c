/* SPDX-License-Identifier: BSD-3-Clause */
/* Placements on request. */
#include "core/error.h"
#include "map/choose.h"
#include "map/placement/make.h"

static int check(const servet_map_request *request, servet_error *error)
{
    if (request->processes < 1)
        return srv_fail(error, SERVET_EARGUMENT, "the number of processes must be at least 1");
    if (request->threads < 0 || request->node_count < 0)
        return srv_fail(error, SERVET_EARGUMENT,
                        "numbers of threads and nodes must not be negative");
    if ((int)request->code < 0 || request->code >= SERVET_CODE_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown program class %d", (int)request->code);
    if ((unsigned)request->order >= SERVET_ORDER_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "unknown order %d", (int)request->order);
    if (request->traffic && servet_traffic_processes(request->traffic) != request->processes)
        return srv_fail(error, SERVET_EARGUMENT, "messages of %d processes, not of %d",
                        servet_traffic_processes(request->traffic), request->processes);
    return SERVET_OK;
}

int servet_map_create(servet_map **map, const servet_profile *profile,
                      const servet_map_request *request, servet_error *error)
{
    int code = check(request, error);
    if (code != SERVET_OK)
        return code;
    if (request->traffic && request->order == SERVET_ORDER_SERVET)
        return srv_map_choose(map, profile, request, error);
    return srv_map_make(map, profile, request, error);
}
