/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective operations of one group of each layer, of all its groups at once, and of all cores. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "facts/cost.h"
#include "facts/store.h"
#include "run/network/job.h"
#include "run/plan.h"
#include "sample/messaging.h"
#include "sample/visit.h"
#include "stats/interval.h"
#include "stats/moments.h"

enum {
    SRV_COLLECTIVE_SIZES_MAX = 5, /* from a double to 512 KiB, sixteen times as large each */
    SRV_COLLECTIVE_POINTS_MAX = SERVET_COLLECTIVE_COUNT * SRV_COLLECTIVE_SIZES_MAX,
};

typedef struct srv_collectives_plan {
    srv_messaging messaging;
    const srv_rank_pair *pairs; /* groups, as SRV_FLOW_COLLECTIVE wants them */
    int count;                  /* of pairs */
    int ranks;                  /* of the largest group */
    double largest;             /* bytes in a buffer of a rank at most */
} srv_collectives_plan;

/* An operation of a size. */
typedef struct srv_collective_point {
    servet_collective_op op;
    double bytes;
    srv_repeat visit[SRV_RANKS_MIN]; /* s until the last rank has finished: the mean over
                                                  the groups */
    int visits;
} srv_collective_point;

/* --- probes ----------------------------------------------------------------------------------- */

/* A double, then sizes in steps that keep the profile of a large cluster small, but between which
 * libraries change protocol or algorithm once at most, usually. */
static const double SMALLEST = 8, GROWTH = 16;

typedef struct bench {
    const srv_collectives_plan *plan;
    srv_collective_point *points;
    double costs[SRV_COLLECTIVE_POINTS_MAX]; /* s of the last visit, or foreseen ones */
    srv_spread *times;                       /* of each pair */
    servet_error *error;
} bench;

static int list_points(const srv_collectives_plan *plan, srv_collective_point *points)
{
    int count = 0;
    for (int op = 0; op < SERVET_COLLECTIVE_COUNT; op++) {
        bool sized = op != SERVET_COLLECTIVE_BARRIER;
        double bytes = sized ? SMALLEST : 0;
        for (int i = 0; i < (sized ? SRV_COLLECTIVE_SIZES_MAX : 1); i++, bytes *= GROWTH) {
            points[count] = (srv_collective_point){.op = (servet_collective_op)op, .bytes = bytes};
            const srv_collective_point *point = &points[count];
            bool blocks =
                point->op == SERVET_COLLECTIVE_ALLGATHER || point->op == SERVET_COLLECTIVE_ALLTOALL;
            count += (point->bytes * (blocks ? plan->ranks : 1)) <= plan->largest;
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
            loop.code = visit(on, loop.row, round / SRV_RANKS_MIN);
    }
    return loop.code;
}

static int visit_all(bench *on, int count)
{
    const srv_sampler *sampler = &on->plan->messaging.sampler;
    int code = visit_rounds(on, sampler, count, 0, 1);
    srv_sampler within = srv_sampler_within(sampler, SRV_ROUNDS_SECONDS);
    return code == SERVET_OK ? visit_rounds(on, &within, count, 1, SRV_RANKS_MIN - 1) : code;
}

/* Measures all operations by size: points[0..*count-1], fewer after the deadline. */
static int bench_collectives(const srv_collectives_plan *plan,
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

enum { WHOLE_JOB = 0 };

typedef struct operating {
    srv_network_job *job;
    servet_collective *found; /* in the order of the list */
    int count;
    srv_rank_pair *pairs; /* room for all ranks */
    int pair_count, ranks, groups;
} operating;

/* Adds the group, if it has several cores; without groups, all ranks. */
static void add_group(operating *on, const int *group, int number)
{
    const srv_network_job *job = on->job;
    srv_rank_pair *pairs = on->pairs + on->pair_count;
    int size = 0;
    for (int place = 0; place < job->rank_count; place++) {
        int rank = job->of_node[place];
        if ((group && group[rank] != number) || srv_network_job_is_twin(job, place))
            continue;
        pairs[size] = (srv_rank_pair){size ? pairs->from : rank, rank};
        size++;
    }
    if (size < 2)
        return;
    on->pair_count += size;
    on->groups++;
    on->ranks = size > on->ranks ? size : on->ranks;
}

/* The groups of a layer, the typical pair's or all, or the cores of the whole job. */
static int list_groups(operating *on, int layer, bool all, servet_error *error)
{
    on->pair_count = on->ranks = on->groups = 0;
    if (layer == WHOLE_JOB) {
        add_group(on, NULL, 0);
        return SERVET_OK;
    }
    int typical = srv_network_job_layer(on->job, layer).pair.from, count = 0;
    int *group = srv_network_job_groups(on->job, layer);
    if (!group)
        return srv_fail_memory(error);
    (void)servet_network_group_count(on->job->profile, layer, &count);
    for (int i = 0; i < count; i++)
        if (all || (typical >= 0 && group[typical] == i))
            add_group(on, group, i);
    free(group);
    return SERVET_OK;
}

static int by_order(const void *a, const void *b)
{
    const servet_collective *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->ranks != y->ranks)
        return x->ranks < y->ranks ? -1 : 1;
    if (x->groups != y->groups)
        return x->groups < y->groups ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int store(operating *on, const srv_collective_point *points, int count, servet_error *error)
{
    servet_collective *grown =
        realloc(on->found, ((size_t)on->count + (size_t)count + 1) * sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    on->found = grown;
    for (int i = 0; i < count; i++)
        on->found[on->count++] =
            (servet_collective){.op = points[i].op,
                                .ranks = on->ranks,
                                .groups = on->groups,
                                .bytes = points[i].bytes,
                                .time = srv_network_rounded(srv_repeats_value(
                                    points[i].visit, points[i].visits, SERVET_UNIT_SECOND))};
    for (int i = on->count - count; i < on->count; i++)
        on->found[i].time.trusted = true;
    if (on->count == 0)
        return SERVET_OK;
    qsort(on->found, (size_t)on->count, sizeof *on->found, by_order);
    return srv_store(SRV_JOB(on->job), on->found, sizeof *on->found, on->count, error,
                     "network.collectives");
}

/* --- one set of groups ------------------------------------------------------------------------ */

static int measure(operating *on, srv_network_job *part, servet_error *error)
{
    bool between = part->node_count > 1;
    srv_messaging messaging = srv_network_job_messaging(part, between);
    srv_collectives_plan plan = {.messaging = messaging,
                                 .pairs = on->pairs,
                                 .count = on->pair_count,
                                 .ranks = on->ranks,
                                 .largest = srv_messaging_largest(messaging.byte_seconds, 0)};
    srv_collective_point *points = calloc(SRV_COLLECTIVE_POINTS_MAX, sizeof *points);
    int count = 0;
    int code = points ? bench_collectives(&plan, points, &count, error) : srv_fail_memory(error);
    if (code == SERVET_OK)
        code = store(on, points, count, error);
    free(points);
    return code == SERVET_OK ? srv_network_job_keep(part, error) : code;
}

/* The facts of an earlier job, which was killed, are there already. */
static int read_known(operating *on, servet_error *error)
{
    int count = 0;
    (void)servet_profile_count(on->job->profile, NULL, "network.collectives", NULL, &count);
    on->found = calloc((size_t)count + 1, sizeof *on->found);
    on->pairs = calloc((size_t)on->job->rank_count, sizeof *on->pairs);
    if (!on->found || !on->pairs)
        return srv_fail_memory(error);
    for (int i = 0; i < count; i++)
        if (SERVET_ITEM(on->job->profile, "network.collectives", &on->found[on->count], i + 1) ==
            SERVET_OK)
            on->count++;
    return SERVET_OK;
}

/* True if groups of as many ranks were measured, of another layer or by an earlier job. */
static bool is_known(const operating *on)
{
    for (int i = 0; i < on->count; i++)
        if (on->found[i].ranks == on->ranks && on->found[i].groups == on->groups)
            return true;
    return on->groups == 0;
}

/* The whole job, then of each layer one group, and all. */
static int measure_sets(operating *on, servet_error *error)
{
    int sets = 1 + 2 * srv_network_job_layers(on->job), code = SERVET_OK;
    for (int i = 0; i < sets && code == SERVET_OK; i++) {
        srv_network_job part = srv_network_job_part(on->job, (double)i / sets, (i + 1.0) / sets);
        code = list_groups(on, i > 0 ? (i + 1) / 2 : WHOLE_JOB, i % 2 == 0, error);
        if (code == SERVET_OK && !is_known(on))
            code = measure(on, &part, error);
    }
    return code;
}

int srv_network_measure_collectives(srv_network_job *job, servet_error *error)
{
    operating on = {.job = job};
    int code = read_known(&on, error);
    if (code == SERVET_OK)
        code = measure_sets(&on, error);
    free(on.found);
    free(on.pairs);
    return code;
}

/* Six rounds of all sizes; the messages of an operation take a logarithm of the ranks as long as
 * one of them, or as many blocks as there are ranks, which the largest buffer limits. */
static double cost_sets(double byte_seconds, int sets, double ranks)
{
    double rounds = fmax(1, ceil(log2(ranks)));
    double largest = fmin(512 << 10, srv_messaging_largest(byte_seconds, 0));
    double small = (SERVET_COLLECTIVE_COUNT - 1) * (SRV_COLLECTIVE_SIZES_MAX - 1);
    double all = small * srv_network_cost_probe(0, 1, SRV_PAIR_SECONDS, false) +
                 SERVET_COLLECTIVE_COUNT * srv_network_cost_probe(rounds * byte_seconds, largest,
                                                                  SRV_PAIR_SECONDS, false);
    return sets * SRV_RANKS_MIN * all;
}

double srv_network_cost_collectives(const srv_scale *scale)
{
    return cost_sets(scale->byte_within, 2 * scale->within, scale->cores) +
           cost_sets(scale->byte_between, 2 * scale->between, (double)scale->nodes * scale->cores);
}
