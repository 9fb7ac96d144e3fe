/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/layers/benchmark.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/room.h"
#include "sample/visit.h"
#include "stats/round_robin.h"

/* Pairs, drawn from the whole schedule, that are measured alone. If more than one in eight are
 * slower in company, the pairs disturb each other. */
enum { PROBES = 16 };
static const double DISTURBED_SHARE = 1. / 8;

/* But they take no more than this share of the time that is left. */
static const double PROBES_SHARE = 0.1;

/* Twice as many pairs may take longer by so much, and half of the time is for all pairs. */
static const double GROWTH = 2;

typedef struct bench {
    const srv_pairwise_plan *plan;
    servet_error *error;
    srv_room room;
    int count, at_once;
    int *thing;           /* measured ones of the plan */
    srv_couple *couple;   /* of a round */
    srv_rank_pair *round; /* the pairs of a round */
    srv_rank_pair *pair;  /* of an exchange */
    srv_spread *time;
    double *seen;    /* of one couple, by copies */
    double *answer;  /* of a round: of couple i in copy c at [c * couples + i] */
    double *seconds; /* by rows of plan->count */
    double cost;     /* s, of an exchange */
    double alone;    /* s, of one of a pair alone */
    double sent, planned, done;
} bench;

static double *cell(bench *on, int row, int column)
{
    return &on->seconds[(size_t)row * (size_t)on->plan->count + (size_t)column];
}

/* --- probes ----------------------------------------------------------------------------------- */

static srv_rank_pair pair_of(const bench *on, srv_couple couple, int copy)
{
    const int *ranks = on->plan->ranks + (size_t)copy * (size_t)on->plan->count;
    return (srv_rank_pair){ranks[on->thing[couple.a]], ranks[on->thing[couple.b]]};
}

static srv_exchange exchange_of(const bench *on, int n)
{
    return (srv_exchange){.pairs = on->pair,
                          .count = n,
                          .bytes = on->plan->bytes,
                          .flow = SRV_FLOW_PING_PONG,
                          .buffers = SRV_BUFFERS_WARM,
                          .seconds = SRV_VISIT_SECONDS};
}

/* A pair alone, and then among all. */
static bool is_affordable(const bench *on)
{
    srv_exchange one = exchange_of(on, 1);
    return srv_sampler_fits(&on->plan->messaging.sampler,
                            2 * srv_messaging_foresee(&on->plan->messaging, &one));
}

static int probe(bench *on, int n, double *cost)
{
    srv_exchange exchange = exchange_of(on, n);
    if (on->planned > 0)
        on->done = fmin(1, fmax(on->done, on->sent++ / on->planned));
    return srv_messaging_probe(&on->plan->messaging, &exchange, on->done, on->time, cost,
                               on->error);
}

static int exchanges_of(int pairs, int at_once)
{
    return (pairs + at_once - 1) / at_once;
}

/* Lists a round's pairs, copy by copy, in on->round; returns how many there are. */
static int list_round(bench *on, int round)
{
    int couples = srv_round_robin_round(on->count, round, on->couple), pairs = 0;
    for (int copy = 0; copy < on->plan->copies; copy++)
        for (int i = 0; i < couples; i++)
            on->round[pairs++] = pair_of(on, on->couple[i], copy);
    return pairs;
}

/* Measures a round: neighbours, which may share a cache or a switch, are in different exchanges. */
static int measure_round(bench *on, int round)
{
    int pairs = list_round(on, round);
    int exchanges = exchanges_of(pairs, on->at_once), code = SERVET_OK;
    for (int first = 0; first < exchanges && code == SERVET_OK; first++) {
        int n = 0;
        for (int i = first; i < pairs; i += exchanges)
            on->pair[n++] = on->round[i];
        code = probe(on, n, &on->cost);
        for (int k = 0; k < n; k++)
            on->answer[first + k * exchanges] = on->time[k].median;
    }
    return code;
}

/* Measures all pairs once: the first time both sides of the diagonal, then below it. */
static int sweep(bench *on, bool below)
{
    srv_loop loop =
        srv_loop_of(&on->plan->messaging.sampler, srv_round_robin_rounds(on->count), 1, on->error);
    while (srv_loop_next(&loop) && srv_loop_due(&loop, SRV_WANT_VISIT, on->cost, NULL)) {
        loop.code = measure_round(on, loop.row);
        for (int i = 0; i < on->count / 2 && loop.code == SERVET_OK; i++) {
            srv_couple couple = on->couple[i];
            int copies = on->plan->copies, couples = on->count / 2;
            for (int copy = 0; copy < copies; copy++)
                on->seen[copy] = on->answer[copy * couples + i];
            double seconds = srv_spread_of(on->seen, (size_t)copies).median;
            *cell(on, couple.b, couple.a) = seconds;
            if (!below)
                *cell(on, couple.a, couple.b) = seconds;
        }
    }
    return loop.code;
}

/* --- how many at once ------------------------------------------------------------------------- */

/* Measures a sample of all rounds alone: are they faster? */
static int probe_alone(bench *on, bool *disturbed)
{
    const srv_messaging *messaging = &on->plan->messaging;
    double enough = (1 - PROBES_SHARE) * srv_sampler_left(&messaging->sampler);
    int rounds = srv_round_robin_rounds(on->count), compared = 0, slower = 0, code = SERVET_OK;
    for (int turn = 0; turn < PROBES && on->at_once > 1 && code == SERVET_OK; turn++) {
        if (srv_sampler_left(&messaging->sampler) < fmax(enough, on->alone))
            break;
        int n = srv_round_robin_round(on->count, turn * rounds / PROBES, on->couple);
        srv_couple couple = on->couple[turn * n / PROBES];
        on->pair[0] = pair_of(on, couple, turn % on->plan->copies);
        code = probe(on, 1, NULL);
        slower += code == SERVET_OK &&
                  *cell(on, couple.a, couple.b) > SRV_COMPANY_RATIO_MAX * on->time[0].median;
        compared++;
    }
    *disturbed = slower > compared * DISTURBED_SHARE;
    return code;
}

/* Moves some pairs of on->round, from all over it, to its beginning; returns how many. */
static int gather_probes(bench *on, int pairs)
{
    int probes = pairs < PROBES ? pairs : PROBES;
    for (int i = 0; i < probes; i++) {
        srv_rank_pair *from = &on->round[i * pairs / probes], moved = *from;
        *from = on->round[i];
        on->round[i] = moved;
    }
    return probes;
}

/* Times of the first `wanted` pairs alone, `*probes` of them in the time. */
static int take_probes(bench *on, int wanted, double alone[PROBES], int *probes)
{
    const srv_messaging *messaging = &on->plan->messaging;
    double enough = (1 - PROBES_SHARE) * srv_sampler_left(&messaging->sampler);
    int code = SERVET_OK;
    for (*probes = 0; *probes < wanted && code == SERVET_OK; ++*probes) {
        if (*probes > 0 && srv_sampler_left(&messaging->sampler) < fmax(enough, on->cost))
            break;
        on->pair[0] = on->round[*probes];
        code = probe(on, 1, &on->cost);
        on->alone = on->cost;
        alone[*probes] = on->time[0].median;
    }
    return code;
}

/* Doubles the number of pairs until those measured alone before take longer among the others. One
 * round shows most of it; the whole schedule is checked later. */
static int find_at_once(bench *on)
{
    double alone[PROBES];
    int pairs = list_round(on, 0), probes;
    int code = take_probes(on, gather_probes(on, pairs), alone, &probes);
    on->at_once = 1;
    for (int n = 2; n <= pairs && code == SERVET_OK;
         n = n < pairs && 2 * n > pairs ? pairs : 2 * n) {
        double cost;
        if (GROWTH * on->cost > srv_sampler_left(&on->plan->messaging.sampler) / 2)
            break;
        int seen = n < probes ? n : probes, slower = 0;
        /* Selects the first `probes` pairs and others, from all of them, n in total. */
        int first = n < probes ? n : probes, others = n - first;
        for (int i = 0; i < first; i++)
            on->pair[i] = on->round[i];
        for (int i = 0; i < others; i++)
            on->pair[first + i] = on->round[first + (int)((long long)i * (pairs - first) / others)];
        code = probe(on, n, &cost);
        for (int i = 0; i < seen; i++)
            slower += on->time[i].median > SRV_COMPANY_RATIO_MAX * alone[i];
        if (code != SERVET_OK || slower > seen * DISTURBED_SHARE)
            break;
        on->at_once = n;
        on->cost = cost;
    }
    return code;
}

/* --- all pairs -------------------------------------------------------------------------------- */

static double sweep_exchanges(const bench *on, int count)
{
    return (double)srv_round_robin_rounds(count) *
           exchanges_of(count / 2 * on->plan->copies, on->at_once);
}

/* Sweeps until a sample is as fast alone. */
static int sweep_undisturbed(bench *on)
{
    bool disturbed = false;
    int code;
    do {
        if (disturbed)
            on->at_once = (on->at_once + 1) / 2;
        /* Half of the time is for the case that pairs are disturbed, and for the next half
         * again. Where few go undisturbed, as where costs are a gradient, a sweep of all takes
         * longer than it is worth. */
        double left = srv_sampler_left(&on->plan->messaging.sampler) / 2,
               most = on->plan->sweep_seconds;
        left = most > 0 ? fmin(left, most) : left;
        if (most <= 0 || left < most)
            (void)srv_sampler_fits(&on->plan->messaging.sampler,
                                   2 * sweep_exchanges(on, on->count) * on->cost);
        while (on->count > 2 && sweep_exchanges(on, on->count) * on->cost > left)
            on->count--;
        srv_sample_runs(on->plan->count, on->count, on->thing);
        on->sent = 0;
        on->planned = 2 * sweep_exchanges(on, on->count);
        code = sweep(on, false);
        if (code == SERVET_OK)
            code = probe_alone(on, &disturbed);
    } while (code == SERVET_OK && disturbed);
    return code;
}

static int probe_all(bench *on)
{
    int code = find_at_once(on);
    if (code == SERVET_OK)
        code = sweep_undisturbed(on);
    double again = sweep_exchanges(on, on->count) * on->cost;
    if (code == SERVET_OK &&
        again < fmin(SRV_REPEAT_SECONDS, srv_sampler_left(&on->plan->messaging.sampler)))
        code = sweep(on, true);
    return code;
}

/* The measured things and their times are handed out. */
static bool allocate(bench *on)
{
    size_t n = (size_t)on->plan->count, pairs = n / 2 * (size_t)on->plan->copies + 1;
    on->thing = calloc(n, sizeof *on->thing);
    on->seconds = calloc(n * n, sizeof *on->seconds);
    on->couple = srv_room_take(&on->room, n, sizeof *on->couple);
    on->round = srv_room_take(&on->room, pairs, sizeof *on->round);
    on->pair = srv_room_take(&on->room, pairs, sizeof *on->pair);
    on->time = srv_room_take(&on->room, pairs, sizeof *on->time);
    on->answer = srv_room_take(&on->room, pairs, sizeof *on->answer);
    on->seen = srv_room_take(&on->room, (size_t)on->plan->copies, sizeof *on->seen);
    return on->thing && on->seconds && !on->room.failed;
}

int srv_bench_pairwise(const srv_pairwise_plan *plan, srv_pairwise_latencies *latencies,
                       servet_error *error)
{
    bench on = {.plan = plan, .error = error, .count = plan->count};
    *latencies = (srv_pairwise_latencies){0};
    int code = allocate(&on) ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK)
        srv_sample_runs(on.count, on.count, on.thing);
    if (code == SERVET_OK && on.count > 1 && !is_affordable(&on))
        on.count = 0;
    if (code == SERVET_OK && on.count > 1)
        code = probe_all(&on);
    /* Rows of as many numbers as things were measured. */
    if (code == SERVET_OK) {
        for (int row = 0; row < on.count; row++)
            for (int column = 0; column < on.count; column++)
                on.seconds[(size_t)row * (size_t)on.count + (size_t)column] =
                    *cell(&on, row, column);
        *latencies = (srv_pairwise_latencies){on.count, on.at_once, on.thing, on.seconds};
        on.thing = NULL;
        on.seconds = NULL;
    }
    free(on.thing);
    free(on.seconds);
    srv_room_free(&on.room);
    return code;
}

void srv_pairwise_finish(srv_pairwise_latencies *latencies)
{
    free(latencies->things);
    free(latencies->seconds);
    *latencies = (srv_pairwise_latencies){0};
}
