/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/distance/benchmark.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/room.h"
#include "sample/visit.h"
#include "stats/round_robin.h"

/* The set has 32 lines: enough to hide the overhead of the clock and to average over the slices of
 * a distributed cache, few enough for those of all threads of a core to fit into its L1. No page
 * has three of them, because prefetchers follow what they have seen twice in a page. They are an
 * odd number of the smallest lines (16 B) apart, so that all sets of a cache take their share. */
static const double LINES = 32, APART = 133 * 16;

/* Pairs that are measured alone, too, and how often. */
enum { PROBES = 4, PROBE_VISITS = 2 };

/* Share of the time for the first visits of all pairs: later probes may take longer. */
static const double MARGIN = 0.8;

/* Each pair is measured 6 times; few pairs up to 16 times, within SRV_REPEAT_SECONDS. Pairs whose
 * visits disagree are measured as often again. */
enum { VISITS_LEAST = 6, VISITS_MOST = 16, VISITS_ROUNDS = 48 };

/* Visits of a pair in one direction. */
typedef struct visits {
    int count;              /* 0: none yet */
    float spread;           /* of the samples of one visit, relative: the largest */
    double ns[VISITS_MOST]; /* of the good ones; or of the one that scatters least */
} visits;

typedef struct bench {
    const srv_distance_plan *plan;
    servet_error *error;
    srv_room room;
    int count, at_once;
    double *cost;       /* see srv_distances */
    bool *loose;        /* see srv_distances */
    visits *visits;     /* of each pair of plan->cores */
    srv_couple *couple; /* of a round */
    srv_line_transfer *transfer;
    srv_timing *timing;
    double probe_seconds;
    double sent, planned; /* of probes */
    uint64_t places;      /* in memory that were used */
} bench;

static size_t place_of(const bench *on, srv_couple couple, bool back)
{
    int reader = back ? couple.a : couple.b, owner = back ? couple.b : couple.a;
    return (size_t)reader * (size_t)on->plan->count + (size_t)owner;
}

/* The mean of the visits near their median, whose number is `*agree`. A hypervisor moves virtual
 * CPUs, so that two share a core for a while: such visits tell another distance. */
static double cost_of(const visits *of, int *agree)
{
    double ns[VISITS_MOST], sum = 0;
    for (int i = 0; i < of->count; i++)
        ns[i] = of->ns[i];
    double median = of->count > 0 ? srv_spread_of(ns, (size_t)of->count).median : 0;
    *agree = 0;
    for (int i = 0; i < of->count; i++)
        if (fabs(of->ns[i] - median) <= SRV_QUARTILES_SHARE_MAX * median) {
            sum += of->ns[i];
            ++*agree;
        }
    return *agree ? sum / *agree : median;
}

static bool is_good(const visits *of)
{
    return of->count > 0 && of->spread <= (float)SRV_QUARTILES_SHARE_MAX;
}

/* Returns how many visits of the pair tell another distance than most do. */
static int count_others(const bench *on, size_t place)
{
    int agree;
    cost_of(&on->visits[place], &agree);
    return on->visits[place].count - agree;
}

static bool is_fine(const bench *on, size_t place)
{
    return is_good(&on->visits[place]) && 2 * count_others(on, place) < on->visits[place].count;
}

/* Good visits are kept; of others the one with the least scatter. */
static void note(bench *on, size_t place, const srv_timing *timing)
{
    float spread = (float)((timing->spread.high - timing->spread.low) / timing->spread.median);
    visits *of = &on->visits[place];
    if (spread <= (float)SRV_QUARTILES_SHARE_MAX && is_good(of)) {
        if (of->count < VISITS_MOST)
            of->ns[of->count++] = timing->mean;
    } else if (of->count == 0 || spread < of->spread) {
        *of = (visits){1, spread, {timing->mean}};
    }
}

static bool is_late(const bench *on)
{
    return !srv_sampler_fits(&on->plan->sampler, on->probe_seconds);
}

srv_line_transfer srv_distance_transfer(int owner, int reader)
{
    return (srv_line_transfer){.owner = owner,
                               .reader = reader,
                               .bytes = LINES * APART,
                               .line_bytes = APART,
                               .modified = true,
                               .seconds = SRV_PAIR_SECONDS};
}

/* Measures couples at once; the results are in on->timing. */
static int probe_couples(bench *on, const srv_couple *couples, int n, bool back)
{
    srv_machine *machine = on->plan->sampler.machine;
    double before = srv_sampler_now(&on->plan->sampler);
    double done = on->planned > 0 ? fmin(1, on->sent / on->planned) : 0;
    int code = srv_sampler_tell(&on->plan->sampler, "", done, on->error);
    for (int i = 0; i < n; i++) {
        int a = on->plan->cores[couples[i].a], b = on->plan->cores[couples[i].b];
        on->transfer[i] = srv_distance_transfer(back ? b : a, back ? a : b);
        on->transfer[i].seed = on->plan->seed + ++on->places;
    }
    if (code == SERVET_OK)
        code = machine->ops->transfer_lines(machine, on->transfer, n, on->timing, on->error);
    if (code != SERVET_OK)
        return code;
    on->sent++;
    on->probe_seconds = srv_sampler_now(&on->plan->sampler) - before;
    return SERVET_OK;
}

/* Adds what the first `probes` couples take, with `n` at once, to sums; stops where it is late. */
static int probe(bench *on, int probes, int n, double *sums)
{
    int code = SERVET_OK;
    for (int visit = 0; visit < PROBE_VISITS; visit++)
        for (int first = 0; first < probes && code == SERVET_OK && !is_late(on); first += n) {
            code = probe_couples(on, on->couple + first, n, visit % 2);
            for (int i = 0; i < n && first + i < probes && code == SERVET_OK; i++)
                sums[first + i] += on->timing[i].mean;
        }
    return code;
}

/* Halves the number of pairs until those measured alone before take no longer among the others. */
static int find_at_once(bench *on)
{
    double alone[PROBES] = {0};
    int n = srv_round_robin_round(on->count, 0, on->couple);
    int probes = n < PROBES ? n : PROBES;
    int code = probe(on, probes, 1, alone);
    for (on->at_once = n; code == SERVET_OK && on->at_once > 1 && !is_late(on); on->at_once /= 2) {
        double together[PROBES] = {0};
        int seen = probes < on->at_once ? probes : on->at_once;
        code = probe(on, seen, on->at_once, together);
        for (int i = 0; i < seen; i++)
            together[i] /= alone[i];
        if (code == SERVET_OK && !is_late(on) &&
            srv_spread_of(together, (size_t)seen).median <= SRV_COMPANY_RATIO_MAX)
            break;
    }
    return code;
}

/* --- all pairs -------------------------------------------------------------------------------- */

static double probes_for(const bench *on, int count)
{
    return srv_round_robin_rounds(count) * ceil((double)(count / 2) / on->at_once);
}

static bool is_loose(const bench *on, srv_couple couple)
{
    return !is_fine(on, place_of(on, couple, false)) && !is_fine(on, place_of(on, couple, true));
}

/* True if another visit may tell more of a couple. */
static bool is_unsure(const bench *on, srv_couple couple)
{
    return is_loose(on, couple) || count_others(on, place_of(on, couple, false)) > 0 ||
           count_others(on, place_of(on, couple, true)) > 0;
}

static int visit(bench *on, const srv_couple *couples, int n, bool back)
{
    int code = probe_couples(on, couples, n, back);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        note(on, place_of(on, couples[i], back), &on->timing[i]);
    return code;
}

/* Visits all pairs, or those that are not sure, as far as time allows. */
static int sweep(bench *on, bool back, bool unsure_only)
{
    int rounds = srv_round_robin_rounds(on->count), code = SERVET_OK;
    for (int round = 0; round < rounds && code == SERVET_OK; round++) {
        int n = srv_round_robin_round(on->count, round, on->couple);
        if (unsure_only) {
            int kept = 0;
            for (int i = 0; i < n; i++)
                if (is_unsure(on, on->couple[i]))
                    on->couple[kept++] = on->couple[i];
            n = kept;
        }
        for (int first = 0; first < n && code == SERVET_OK && !is_late(on); first += on->at_once) {
            int left = n - first;
            code = visit(on, on->couple + first, left < on->at_once ? left : on->at_once, back);
        }
    }
    return code;
}

static int probe_all(bench *on)
{
    double probes = probes_for(on, on->count);
    const srv_sampler *sampler = &on->plan->sampler;
    double left = srv_sampler_left(sampler);
    double end = srv_sampler_now(sampler) + fmin(left, SRV_REPEAT_SECONDS);
    int rounds = VISITS_ROUNDS / srv_round_robin_rounds(on->count);
    rounds = rounds < VISITS_LEAST ? VISITS_LEAST : rounds < VISITS_MOST ? rounds : VISITS_MOST;
    on->sent = 0;
    on->planned = probes * rounds;
    int code = sweep(on, false, false);
    for (int visit = 1; visit < rounds && code == SERVET_OK &&
                        srv_sampler_now(sampler) + probes * on->probe_seconds < end;
         visit++)
        code = sweep(on, visit % 2, false);
    if (code != SERVET_OK)
        return code;
    for (int visit = 0; visit < rounds && code == SERVET_OK &&
                        (visit < SRV_RETRIES || srv_sampler_now(sampler) < end);
         visit++)
        code = sweep(on, visit % 2, true);
    /* A replay has only the retries that its run needed: others end it. */
    (void)srv_forgive(&code, SERVET_EUNMEASURED, on->error);
    return code;
}

/* Costs are handed out. */
static bool allocate(bench *on)
{
    size_t n = (size_t)on->plan->count;
    on->cost = calloc(n * n, sizeof *on->cost);
    on->loose = calloc(n * n, sizeof *on->loose);
    on->visits = srv_room_take(&on->room, n * n, sizeof *on->visits);
    on->couple = srv_room_take(&on->room, n, sizeof *on->couple);
    on->transfer = srv_room_take(&on->room, n, sizeof *on->transfer);
    on->timing = srv_room_take(&on->room, n, sizeof *on->timing);
    return on->cost && on->loose && !on->room.failed;
}

static void hand_out(bench *on, srv_distances *distances)
{
    int n = on->count, room = on->plan->count;
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            int agree, here = row * room + column, back = column * room + row;
            /* Visits of one direction may be divided where those of the other agree. */
            bool other = !is_fine(on, (size_t)here) && is_fine(on, (size_t)back);
            on->loose[row * n + column] = row != column && is_loose(on, (srv_couple){row, column});
            on->cost[row * n + column] = cost_of(&on->visits[other ? back : here], &agree);
        }
    *distances = (srv_distances){n, on->at_once, on->cost, on->loose};
    on->cost = NULL;
    on->loose = NULL;
}

int srv_bench_distances(const srv_distance_plan *plan, srv_distances *distances,
                        servet_error *error)
{
    bench on = {.plan = plan, .error = error, .count = plan->count};
    *distances = (srv_distances){0};
    int code = allocate(&on) ? SERVET_OK : srv_fail_memory(error);
    if (code == SERVET_OK && on.count > 1)
        code = find_at_once(&on);
    /* Leaves out cores until there is time: a matrix with gaps would show false groups. */
    if (code == SERVET_OK)
        while (on.count > 1 && !srv_sampler_fits(&on.plan->sampler, probes_for(&on, on.count) *
                                                                        on.probe_seconds / MARGIN))
            on.count--;
    if (code == SERVET_OK && on.count > 1)
        code = probe_all(&on);
    if (code == SERVET_OK)
        hand_out(&on, distances);
    free(on.cost);
    free(on.loose);
    srv_room_free(&on.room);
    return code;
}

void srv_distances_finish(srv_distances *distances)
{
    free(distances->cost);
    free(distances->loose);
    *distances = (srv_distances){0};
}
