/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the cores to measure at once. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"
#include "core/room.h"
#include "facts/memory/benchmark.h"

/* Knowledge about a pair. */
enum { SRV_PAIR_UNKNOWN, SRV_PAIR_FREE, SRV_PAIR_SLOW };

typedef struct srv_search {
    const srv_memory_plan *plan;
    const double *alone;
    double whole;
    int n, step;       /* cores; see scatter() */
    int most;          /* cores at once whose arrays fit into memory */
    uint8_t *known;    /* by rows, symmetric */
    int *tie;          /* the same number: tied by slow pairs, directly or not */
    int *batch;        /* places measured at once */
    srv_spread *rates; /* of those */
    size_t unknown;    /* pairs */
    srv_contentions *found;
    servet_error *error;
} srv_search;

/* Shares that differ by less are equal: two probes differ by up to 3 %. */
static const double SAME = 0.03;

/* Visits to a pair with a new result. */
enum { VISITS_MAX = 3 };

/* Number of cores that may lose bandwidth in a probe of many. */
enum { LOSERS_MAX = 4 };

/* --- what is known ---------------------------------------------------------------------------- */

static int known(const srv_search *on, int a, int b)
{
    return on->known[(size_t)a * (size_t)on->n + (size_t)b];
}

static void settle(srv_search *on, int a, int b, uint8_t state)
{
    size_t n = (size_t)on->n;
    on->unknown -= known(on, a, b) == SRV_PAIR_UNKNOWN;
    on->known[(size_t)a * n + (size_t)b] = on->known[(size_t)b * n + (size_t)a] = state;
}

static void tie(srv_search *on, int a, int b)
{
    int from = on->tie[b], to = on->tie[a];
    for (int i = 0; i < on->n; i++)
        if (on->tie[i] == from)
            on->tie[i] = to;
}

static int add(srv_search *on, const srv_contention *pair)
{
    srv_contentions *found = on->found;
    srv_contention *grown = srv_grow(found->pair, found->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(on->error);
    found->pair = grown;
    found->pair[found->count++] = *pair;
    settle(on, pair->a, pair->b, SRV_PAIR_SLOW);
    tie(on, pair->a, pair->b);
    return SERVET_OK;
}

/* A share that was not seen yet, or cores that nothing tied so far. */
static bool is_news(const srv_search *on, const srv_contention *pair)
{
    if (on->tie[pair->a] != on->tie[pair->b])
        return true;
    for (size_t i = 0; i < on->found->count; i++)
        if (fabs(on->found->pair[i].share - pair->share) < SAME)
            return false;
    return true;
}

/* --- probes ----------------------------------------------------------------------------------- */

static bool must_end(const srv_search *on)
{
    return on->found->probes >= SRV_CONTENTION_PROBES(on->n) ||
           !srv_sampler_fits(&on->plan->sampler, 0);
}

static int probe(srv_search *on, int size)
{
    char what[64];
    double pairs = 0.5 * on->n * (on->n - 1);
    snprintf(what, sizeof what, "core %d with %d others", on->plan->cores[on->batch[0]], size - 1);
    int code =
        srv_sampler_tell(&on->plan->sampler, what, 1 - (double)on->unknown / pairs, on->error);
    if (code != SERVET_OK)
        return code;
    on->found->probes++;
    return srv_memory_together(on->plan, on->batch, size, on->rates, on->error);
}

static int probe_alone(srv_search *on, int place, double *rate)
{
    srv_spread alone;
    on->found->probes++;
    int code = srv_memory_together(on->plan, &place, 1, &alone, on->error);
    *rate = alone.median;
    return code;
}

/* The two in the batch at once, compared with these rates alone. */
static int visit(srv_search *on, const double alone[2], srv_contention *pair)
{
    int code = probe(on, 2);
    if (code != SERVET_OK)
        return code;
    int slower = on->rates[0].median / alone[0] <= on->rates[1].median / alone[1] ? 0 : 1;
    const srv_spread *rate = &on->rates[slower];
    *pair = (srv_contention){.a = on->batch[0] < on->batch[1] ? on->batch[0] : on->batch[1],
                             .b = on->batch[0] < on->batch[1] ? on->batch[1] : on->batch[0],
                             .share = rate->median / alone[slower],
                             .low = rate->low / alone[slower],
                             .high = rate->high / alone[slower],
                             .rate = rate->median};
    return SERVET_OK;
}

/* Until the pair turns out not to be slow, or two answers agree. */
static int confirm(srv_search *on, srv_contention *pair)
{
    bool agreed = false;
    int code = SERVET_OK;
    for (int k = 1;
         k < VISITS_MAX && !agreed && pair->share < on->whole && code == SERVET_OK && !must_end(on);
         k++) {
        double alone[2];
        srv_contention again = *pair;
        code = probe_alone(on, on->batch[0], &alone[0]);
        if (code == SERVET_OK)
            code = probe_alone(on, on->batch[1], &alone[1]);
        if (code == SERVET_OK)
            code = visit(on, alone, &again);
        agreed = fabs(again.share - pair->share) < SAME;
        if (again.share > pair->share)
            *pair = again;
    }
    return code;
}

/* Seen once, and fast in a part of the measurements of it: other work may have slowed it down. */
static bool is_doubtful(const srv_search *on, const srv_contention *pair)
{
    return pair->high >= on->whole && must_end(on);
}

static int probe_pair(srv_search *on)
{
    int a = on->batch[0], b = on->batch[1];
    const double alone[2] = {on->alone[a], on->alone[b]};
    srv_contention pair;
    int code = visit(on, alone, &pair);
    if (code == SERVET_OK && pair.share < on->whole && is_news(on, &pair))
        code = confirm(on, &pair);
    if (code != SERVET_OK)
        return code;
    if (pair.share < on->whole)
        return is_doubtful(on, &pair) ? SERVET_OK : add(on, &pair);
    settle(on, a, b, SRV_PAIR_FREE);
    return SERVET_OK;
}

/* Moves those of the batch that kept their rate to its front; returns how many. */
static int keep(srv_search *on, int size)
{
    int kept = 0;
    for (int i = 0; i < size; i++) {
        int place = on->batch[i];
        if (on->rates[i].median >= on->whole * on->alone[place]) {
            on->batch[i] = on->batch[kept];
            on->batch[kept++] = place;
        }
    }
    return kept;
}

/* A few cores that lost bandwidth contend with each other, or too many ran at once. */
static int probe_losers(srv_search *on, const int *losers, int count, bool *tied)
{
    int code = SERVET_OK, lost[LOSERS_MAX];
    for (int i = 0; i < count; i++)
        lost[i] = losers[i];
    *tied = false;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i && code == SERVET_OK && !must_end(on); j++) {
            on->batch[0] = lost[i];
            on->batch[1] = lost[j];
            if (known(on, lost[i], lost[j]) == SRV_PAIR_UNKNOWN)
                code = probe_pair(on);
            *tied = *tied || known(on, lost[i], lost[j]) == SRV_PAIR_SLOW;
        }
    return code;
}

/* Measures the batch at once; cores that keep their rate do not contend. */
static int probe_batch(srv_search *on, int size, bool *fine)
{
    int code = probe(on, size), kept = code == SERVET_OK ? keep(on, size) : 0;
    for (int i = 0; i < kept; i++)
        for (int j = 0; j < i; j++)
            settle(on, on->batch[i], on->batch[j], SRV_PAIR_FREE);
    *fine = kept == size;
    if (code == SERVET_OK && !*fine && size - kept <= LOSERS_MAX && size - kept <= kept)
        code = probe_losers(on, on->batch + kept, size - kept, fine);
    return code;
}

/* Cores at once in the first probe. */
enum { SIZE_FIRST = 4 };

/* --- selection -------------------------------------------------------------------------------- */

/* Unknown pairs with the batch; negative if it is tied to one of them. */
static int gain(const srv_search *on, int size, int place)
{
    int unknown = 0;
    for (int i = 0; i < size; i++) {
        if (place == on->batch[i] || on->tie[place] == on->tie[on->batch[i]])
            return -1;
        unknown += known(on, on->batch[i], place) == SRV_PAIR_UNKNOWN;
    }
    return unknown;
}

static bool coprime(int a, int b)
{
    for (int rest; b > 0; a = b, b = rest)
        rest = a % b;
    return a == 1;
}

/* Neighbours by number often share a resource: steps of this size scatter them. */
static int scatter(int n)
{
    static const double GOLDEN = 0.6180339887;
    int step = (int)(GOLDEN * n);
    while (step > 1 && !coprime(n, step))
        step--;
    return step > 0 ? step : 1;
}

/* The one that the most is learned from, the first about the core itself; -1: none. */
static int best_next(const srv_search *on, int size)
{
    int best = -1, most = 0;
    for (int i = 0; i < on->n; i++) {
        int place = (int)((on->batch[0] + (long long)(i + 1) * on->step) % on->n);
        int unknown = gain(on, size, place);
        if (unknown > most) {
            best = place;
            most = unknown;
        }
    }
    return best;
}

/* A core connected to this one by others only; -1: none. */
static int tied_next(const srv_search *on, int place)
{
    for (int i = 0; i < on->n; i++)
        if (i != place && on->tie[i] == on->tie[place] && known(on, place, i) == SRV_PAIR_UNKNOWN)
            return i;
    return -1;
}

/* Number of cores at once: doubled after a few successes, halved after a failure. The more often
 * the larger size failed, the more successes it needs to be tried again. */
typedef struct batching {
    int size, successes, patience;
} batching;

static int within(int size, int n)
{
    return size < 2 ? 2 : size > n ? n : size;
}

static void adapt(batching *pace, int size_now, bool success, int n)
{
    if (success && size_now == pace->size && ++pace->successes >= pace->patience) {
        pace->size = within(2 * size_now, n);
        pace->successes = 0;
    }
    if (!success) {
        if (pace->successes == 0 && pace->patience < n)
            pace->patience *= 2;
        pace->size = within(size_now / 2, n);
        pace->successes = 0;
    }
}

/* Measures one core with others that are not connected to it; `*done` if none are left. */
static int explore_others(srv_search *on, int place, batching *pace, bool *done)
{
    on->batch[0] = place;
    /* Fills the batch, which begins with one core. */
    int count = 1;
    for (int next; count < pace->size && (next = best_next(on, count)) >= 0;)
        on->batch[count++] = next;
    int other = on->batch[1];
    bool fine = true;
    *done = count < 2;
    if (*done)
        return SERVET_OK;
    int code = count > 2 ? probe_batch(on, count, &fine) : probe_pair(on);
    if (code == SERVET_OK && count == 2)
        fine = known(on, place, other) == SRV_PAIR_FREE;
    adapt(pace, count, fine, on->most);
    return code;
}

/* Settles all pairs of one core: those that it probably is slow with one by one. */
static int explore(srv_search *on, int place, batching *pace)
{
    int code = SERVET_OK;
    bool done = false;
    while (code == SERVET_OK && !done && !must_end(on)) {
        int tied = tied_next(on, place);
        on->batch[0] = place;
        on->batch[1] = tied;
        code = tied >= 0 ? probe_pair(on) : explore_others(on, place, pace, &done);
    }
    return code;
}

static int run(srv_search *on)
{
    int code = SERVET_OK;
    /* Number of cores at once whose arrays no cache holds. */
    int most = on->n;
    while (most > 2 && !srv_memory_suffices(on->plan, most))
        most--;
    on->most = most;
    batching pace = {SIZE_FIRST < on->most ? SIZE_FIRST : on->most, 0, 1};
    for (int i = 0; i < on->n; i++) {
        on->tie[i] = i;
        on->known[(size_t)i * (size_t)on->n + (size_t)i] = SRV_PAIR_FREE;
    }
    on->unknown = (size_t)on->n * (size_t)(on->n - 1) / 2;
    on->step = scatter(on->n);
    for (int i = 0; i < on->n && code == SERVET_OK; i++)
        code = explore(on, i, &pace);
    on->found->unmeasured = on->unknown;
    return code;
}

int srv_bench_contention(const srv_memory_plan *plan, const double *alone, double whole,
                         srv_contentions *found, servet_error *error)
{
    *found = (srv_contentions){0};
    srv_search on = {.plan = plan,
                     .alone = alone,
                     .whole = whole,
                     .n = plan->count,
                     .found = found,
                     .error = error};
    size_t n = plan->count > 2 ? (size_t)plan->count : 2;
    srv_room room = {0};
    on.known = srv_room_take(&room, n * n, sizeof *on.known);
    on.tie = srv_room_take(&room, n, sizeof *on.tie);
    on.batch = srv_room_take(&room, n, sizeof *on.batch);
    on.rates = srv_room_take(&room, n, sizeof *on.rates);
    int code = room.failed ? srv_fail_memory(error) : run(&on);
    srv_room_free(&room);
    if (code != SERVET_OK)
        srv_contentions_finish(found);
    return code;
}

void srv_contentions_finish(srv_contentions *found)
{
    free(found->pair);
    *found = (srv_contentions){0};
}
