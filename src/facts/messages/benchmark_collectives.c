/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/messages/benchmark_collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "sample/visit_seconds.h"

/* A double, then sizes in steps that keep the profile of a large cluster small, but between which
 * libraries change protocol or algorithm once at most, usually. */
static const double SMALLEST = 8, GROWTH = 16;

/* All rounds after the first together have a limit of time, as those of message sizes. */
static const double ROUNDS_SECONDS = 5;

typedef struct bench {
    const srv_collectives_plan *plan;
    srv_collective_point *points;
    double costs[SRV_COLLECTIVE_POINTS_MAX]; /* s of the last visit, or foreseen ones */
    srv_spread *times;                       /* of each pair */
    servet_error *error;
} bench;

static double buffers_of(const srv_collectives_plan *plan, const srv_collective_point *point)
{
    bool blocks =
        point->op == SERVET_COLLECTIVE_ALLGATHER || point->op == SERVET_COLLECTIVE_ALLTOALL;
    return point->bytes * (blocks ? plan->ranks : 1);
}

static int list_points(const srv_collectives_plan *plan, srv_collective_point *points)
{
    int count = 0;
    for (int op = 0; op < SERVET_COLLECTIVE_COUNT; op++) {
        bool sized = op != SERVET_COLLECTIVE_BARRIER;
        double bytes = sized ? SMALLEST : 0;
        for (int i = 0; i < (sized ? SRV_COLLECTIVE_SIZES_MAX : 1); i++, bytes *= GROWTH) {
            points[count] = (srv_collective_point){.op = (servet_collective_op)op, .bytes = bytes};
            count += buffers_of(plan, &points[count]) <= plan->largest;
        }
    }
    return count;
}

/* The mean over the groups of the time of their slowest rank. */
static double mean_of_groups(const srv_collectives_plan *plan, const srv_spread *times)
{
    double sum = 0;
    int groups = 0;
    for (int first = 0, size; first < plan->count; first += size, groups++) {
        double slowest = 0;
        size = srv_group_size(plan->pairs, plan->count, first);
        for (int i = first; i < first + size; i++)
            slowest = fmax(slowest, times[i].median);
        sum += slowest;
    }
    return sum / groups;
}

static int visit(bench *on, int at, double done)
{
    const srv_collectives_plan *plan = on->plan;
    srv_collective_point *point = &on->points[at];
    srv_exchange exchange = {.pairs = plan->pairs,
                             .count = plan->count,
                             .bytes = point->bytes,
                             .flow = (srv_flow)(SRV_FLOW_COLLECTIVE + (int)point->op),
                             .buffers = SRV_BUFFERS_WARM,
                             .seconds = SRV_PAIR_SECONDS};
    double moment = srv_sampler_now(&plan->messaging.sampler);
    int code = srv_messaging_probe(&plan->messaging, &exchange, done, on->times, &on->costs[at],
                                   on->error);
    if (code == SERVET_OK) {
        point->visit[point->visits] =
            (srv_repeat){mean_of_groups(plan, on->times), moment, point->visits};
        point->visits++;
    }
    return code;
}

/* A visit before the first is as expensive as that of the size before at least. */
static double foresee(const bench *on, int at)
{
    bool first = on->points[at].visits == 0;
    bool follows = first && at > 0 && on->points[at - 1].op == on->points[at].op;
    return first ? (follows ? GROWTH * on->costs[at - 1] : 0) : on->costs[at];
}

static int visit_rounds(bench *on, const srv_sampler *sampler, int count, int first, int rounds)
{
    srv_loop loop = srv_loop_of(sampler, count, rounds, on->error);
    while (srv_loop_next(&loop)) {
        double round = first + loop.round + (double)loop.row / count;
        bool begun = first == 0 || on->points[loop.row].visits > 0;
        srv_want want = !begun ? SRV_WANT_NOTHING : first ? SRV_WANT_SPARE : SRV_WANT_VISIT;
        on->costs[loop.row] = foresee(on, loop.row);
        if (srv_loop_due(&loop, want, on->costs[loop.row], NULL))
            loop.code = visit(on, loop.row, round / SRV_COLLECTIVE_VISITS);
    }
    return loop.code;
}

static int visit_all(bench *on, int count)
{
    const srv_sampler *sampler = &on->plan->messaging.sampler;
    int code = visit_rounds(on, sampler, count, 0, 1);
    srv_sampler within = srv_sampler_within(sampler, ROUNDS_SECONDS);
    return code == SERVET_OK ? visit_rounds(on, &within, count, 1, SRV_COLLECTIVE_VISITS - 1)
                             : code;
}

int srv_bench_collectives(const srv_collectives_plan *plan,
                          srv_collective_point points[SRV_COLLECTIVE_POINTS_MAX], int *count,
                          servet_error *error)
{
    bench on = {.plan = plan,
                .points = points,
                .times = calloc((size_t)plan->count, sizeof *on.times),
                .error = error};
    int listed = list_points(plan, points);
    int code = on.times ? visit_all(&on, listed) : srv_fail_memory(error);
    *count = 0;
    for (int i = 0; i < listed; i++)
        if (points[i].visits > 0)
            points[(*count)++] = points[i];
    free(on.times);
    return code;
}
