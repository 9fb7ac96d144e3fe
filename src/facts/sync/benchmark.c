/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sync/benchmark.h"

#include <stdio.h>

#include "core/error.h"
#include "sample/visit.h"

srv_sync srv_sync_probe(const srv_sync_point *point)
{
    return (srv_sync){.op = point->op,
                      .cores = point->cores,
                      .count = point->count,
                      .seconds = SRV_VISIT_SECONDS};
}

static int visit(const srv_sampler *sampler, srv_sync_point *point, servet_error *error)
{
    srv_machine *machine = sampler->machine;
    srv_sync probe = srv_sync_probe(point);
    double moment = srv_sampler_now(sampler);
    srv_spread ns;
    int code = machine->ops->synchronize(machine, &probe, &ns, error);
    point->refused = srv_forgive(&code, SERVET_EUNSUPPORTED, error);
    if (code == SERVET_OK && !point->refused && ns.median > 0) {
        point->visit[point->visits] = (srv_repeat){ns.median, moment, point->visits};
        point->visits++;
    }
    return code;
}

int srv_bench_sync(const srv_sampler *sampler, srv_sync_point *points, int count,
                   servet_error *error)
{
    double seconds = 0;
    char what[32];
    srv_loop loop = srv_loop_of(sampler, count, SRV_RANKS_MIN, error);
    while (srv_loop_next(&loop)) {
        srv_sync_point *point = &points[loop.row];
        snprintf(what, sizeof what, "%d threads", point->count);
        if (!srv_loop_due(&loop, point->refused ? SRV_WANT_NOTHING : SRV_WANT_VISIT, seconds, what))
            continue;
        double begun = srv_sampler_now(sampler);
        loop.code = visit(sampler, point, error);
        seconds = srv_sampler_now(sampler) - begun;
    }
    return loop.code;
}
