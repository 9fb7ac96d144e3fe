/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/contention.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* Shares that differ by less say the same: medians of one question to the next differ by up to 3 %
 * on a virtual machine whose neighbours work. */
static const double SAME = 0.03;

/* Visits to a pair that would say something new. */
enum { VISITS_MAX = 3 };

/* Cores asked at once at first. */
enum { SIZE_FIRST = 4 };

/* Of those asked at once, so many may lose without being too many at once. */
enum { LOSERS_MAX = 4 };

/* What is known of a pair. */
enum { UNKNOWN, FREE, SLOW };

typedef struct search {
    srv_machine *machine;
    const srv_memory_plan *plan;
    const double *alone;
    double whole;
    int n, step;
    uint8_t *known;    /* by rows, symmetric */
    int *tie;          /* the same number: tied by slow pairs, directly or not */
    int *batch;        /* places that are asked at once */
    srv_spread *rates; /* of those */
    size_t room;       /* for found pairs */
    size_t unknown;    /* pairs */
    srv_contentions *found;
    servet_error *error;
} search;

/* --- what is known ------------------------------------------------------------------------------
 */

static int of_pair(const search *on, int a, int b)
{
    return on->known[(size_t)a * (size_t)on->n + (size_t)b];
}

static void settle(search *on, int a, int b, uint8_t state)
{
    size_t n = (size_t)on->n;
    on->unknown -= of_pair(on, a, b) == UNKNOWN;
    on->known[(size_t)a * n + (size_t)b] = on->known[(size_t)b * n + (size_t)a] = state;
}

static void tie(search *on, int a, int b)
{
    int from = on->tie[b], to = on->tie[a];
    for (int i = 0; i < on->n; i++)
        if (on->tie[i] == from)
            on->tie[i] = to;
}

static int add(search *on, const srv_contention *pair)
{
    srv_contentions *found = on->found;
    if (found->count == on->room) {
        size_t room = on->room ? 2 * on->room : 64;
        srv_contention *grown = realloc(found->pair, room * sizeof *grown);
        if (!grown)
            return srv_fail_memory(on->error);
        found->pair = grown;
        on->room = room;
    }
    found->pair[found->count++] = *pair;
    settle(on, pair->a, pair->b, SLOW);
    tie(on, pair->a, pair->b);
    return SERVET_OK;
}

/* A share that was not seen yet, or cores that nothing tied so far. */
static bool is_news(const search *on, const srv_contention *pair)
{
    if (on->tie[pair->a] != on->tie[pair->b])
        return true;
    for (size_t i = 0; i < on->found->count; i++)
        if (fabs(on->found->pair[i].share - pair->share) < SAME)
            return false;
    return true;
}

/* --- asking -------------------------------------------------------------------------------------
 */

static bool must_end(const search *on)
{
    return on->found->questions >= SRV_CONTENTION_QUESTIONS(on->n) ||
           srv_memory_late(on->machine, on->plan);
}

/* Asks the first `size` of the batch at once. */
static int ask(search *on, int size)
{
    char what[64];
    double pairs = 0.5 * on->n * (on->n - 1);
    snprintf(what, sizeof what, "core %d with %d others", on->plan->cores[on->batch[0]], size - 1);
    int code = srv_memory_tell(on->plan, what, 1 - (double)on->unknown / pairs, on->error);
    if (code != SERVET_OK)
        return code;
    on->found->questions++;
    return srv_memory_together(on->machine, on->plan, on->batch, size, on->rates, on->error);
}

/* The rate of a core alone, in these moments. */
static int ask_alone(search *on, int place, double *rate)
{
    srv_spread alone;
    on->found->questions++;
    int code = srv_memory_together(on->machine, on->plan, &place, 1, &alone, on->error);
    *rate = alone.median;
    return code;
}

/* The two in the batch at once, compared with these rates alone. */
static int visit(search *on, const double alone[2], srv_contention *pair)
{
    int code = ask(on, 2);
    if (code != SERVET_OK)
        return code;
    int slower = on->rates[0].median / alone[0] <= on->rates[1].median / alone[1] ? 0 : 1;
    const srv_spread *rate = &on->rates[slower];
    *pair = (srv_contention){.a = on->batch[0] < on->batch[1] ? on->batch[0] : on->batch[1],
                             .b = on->batch[0] < on->batch[1] ? on->batch[1] : on->batch[0],
                             .share = rate->median / alone[slower],
                             .rate = rate->median,
                             .low = rate->low,
                             .high = rate->high};
    return SERVET_OK;
}

/* Until the pair turns out not to be slow, or two answers agree. */
static int confirm(search *on, srv_contention *pair)
{
    bool agreed = false;
    int code = SERVET_OK;
    for (int k = 1; k < VISITS_MAX && !agreed && pair->share < on->whole && code == SERVET_OK;
         k++) {
        double alone[2];
        srv_contention again = *pair;
        code = ask_alone(on, on->batch[0], &alone[0]);
        if (code == SERVET_OK)
            code = ask_alone(on, on->batch[1], &alone[1]);
        if (code == SERVET_OK)
            code = visit(on, alone, &again);
        agreed = fabs(again.share - pair->share) < SAME;
        if (again.share > pair->share)
            *pair = again;
    }
    return code;
}

static int ask_pair(search *on)
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
        return add(on, &pair);
    settle(on, a, b, FREE);
    return SERVET_OK;
}

/* Moves those of the batch that kept their rate to its front; returns how many. */
static int keep(search *on, int size)
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

/* A few who lost, where most did not, are tied to each other, or else there were too many at once.
 */
static int ask_losers(search *on, const int *losers, int count, bool *tied)
{
    int code = SERVET_OK, lost[LOSERS_MAX];
    memcpy(lost, losers, (size_t)count * sizeof *lost);
    *tied = false;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i && code == SERVET_OK; j++) {
            on->batch[0] = lost[i];
            on->batch[1] = lost[j];
            if (of_pair(on, lost[i], lost[j]) == UNKNOWN)
                code = ask_pair(on);
            *tied = *tied || of_pair(on, lost[i], lost[j]) == SLOW;
        }
    return code;
}

/* Asks all of the batch at once; who keeps the whole rate is free of the others who do. `*fine`:
 * not too many were asked at once. */
static int ask_batch(search *on, int size, bool *fine)
{
    int code = ask(on, size), kept = code == SERVET_OK ? keep(on, size) : 0;
    for (int i = 0; i < kept; i++)
        for (int j = 0; j < i; j++)
            settle(on, on->batch[i], on->batch[j], FREE);
    *fine = kept == size;
    if (code == SERVET_OK && !*fine && size - kept <= LOSERS_MAX && size - kept <= kept)
        code = ask_losers(on, on->batch + kept, size - kept, fine);
    return code;
}

/* --- whom to ask --------------------------------------------------------------------------------
 */

/* How many of the batch this one is unknown to; negative where it is tied to one of them: they
 * would slow each other. */
static int gain(const search *on, int size, int place)
{
    int unknown = 0;
    for (int i = 0; i < size; i++) {
        if (place == on->batch[i] || on->tie[place] == on->tie[on->batch[i]])
            return -1;
        unknown += of_pair(on, on->batch[i], place) == UNKNOWN;
    }
    return unknown;
}

static bool coprime(int a, int b)
{
    for (int rest; b > 0; a = b, b = rest)
        rest = a % b;
    return a == 1;
}

/* Neighbours by number often share something: they are looked at in steps that scatter them. */
static int scatter(int n)
{
    static const double GOLDEN = 0.6180339887;
    int step = (int)(GOLDEN * n);
    while (step > 1 && !coprime(n, step))
        step--;
    return step > 0 ? step : 1;
}

/* The one that the most is learned from, the first about the core itself; -1: none. */
static int best_next(const search *on, int size)
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

/* Who is tied to a core by others only; -1: nobody. */
static int tied_next(const search *on, int place)
{
    for (int i = 0; i < on->n; i++)
        if (i != place && on->tie[i] == on->tie[place] && of_pair(on, place, i) == UNKNOWN)
            return i;
    return -1;
}

/* Fills the batch, which begins with one core, up to `size`; returns how many it has. */
static int fill(search *on, int size)
{
    int count = 1;
    for (int next; count < size && (next = best_next(on, count)) >= 0;)
        on->batch[count++] = next;
    return count;
}

/* How many are asked at once: twice as many after a few successes, half after a failure. The more
 * often the larger size failed, the more successes it takes to try it again. */
typedef struct batching {
    int size, successes, patience;
} batching;

static int within(int size, int n)
{
    return size < 2 ? 2 : size > n ? n : size;
}

static void adapt(batching *pace, int asked, bool success, int n)
{
    if (success && asked == pace->size && ++pace->successes >= pace->patience) {
        pace->size = within(2 * asked, n);
        pace->successes = 0;
    }
    if (!success) {
        if (pace->successes == 0 && pace->patience < n)
            pace->patience *= 2;
        pace->size = within(asked / 2, n);
        pace->successes = 0;
    }
}

/* Asks one core with others that nothing ties to it; `*done` where there are none left. */
static int explore_others(search *on, int place, batching *pace, bool *done)
{
    on->batch[0] = place;
    int count = fill(on, pace->size), other = on->batch[1];
    bool fine = true;
    *done = count < 2;
    if (*done)
        return SERVET_OK;
    int code = count > 2 ? ask_batch(on, count, &fine) : ask_pair(on);
    if (code == SERVET_OK && count == 2)
        fine = of_pair(on, place, other) == FREE;
    adapt(pace, count, fine, on->n);
    return code;
}

/* Settles all pairs of one core: those that it probably is slow with one by one. */
static int explore(search *on, int place, batching *pace)
{
    int code = SERVET_OK;
    bool done = false;
    while (code == SERVET_OK && !done && !must_end(on)) {
        int tied = tied_next(on, place);
        on->batch[0] = place;
        on->batch[1] = tied;
        code = tied >= 0 ? ask_pair(on) : explore_others(on, place, pace, &done);
    }
    return code;
}

/* --- life ---------------------------------------------------------------------------------------
 */

static bool allocate(search *on)
{
    size_t n = (size_t)on->n;
    on->known = calloc(n * n, sizeof *on->known);
    on->tie = calloc(n, sizeof *on->tie);
    on->batch = calloc(n > 2 ? n : 2, sizeof *on->batch);
    on->rates = calloc(n > 2 ? n : 2, sizeof *on->rates);
    return on->known && on->tie && on->batch && on->rates;
}

static int run(search *on)
{
    int code = SERVET_OK;
    batching pace = {SIZE_FIRST < on->n ? SIZE_FIRST : on->n, 0, 1};
    for (int i = 0; i < on->n; i++) {
        on->tie[i] = i;
        on->known[(size_t)i * (size_t)on->n + (size_t)i] = FREE;
    }
    on->unknown = (size_t)on->n * (size_t)(on->n - 1) / 2;
    on->step = scatter(on->n);
    for (int i = 0; i < on->n && code == SERVET_OK; i++)
        code = explore(on, i, &pace);
    on->found->unasked = on->unknown;
    return code;
}

int srv_bench_contention(srv_machine *machine, const srv_memory_plan *plan, const double *alone,
                         double whole, srv_contentions *found, servet_error *error)
{
    *found = (srv_contentions){0};
    search on = {.machine = machine,
                 .plan = plan,
                 .alone = alone,
                 .whole = whole,
                 .n = plan->count,
                 .found = found,
                 .error = error};
    int code = allocate(&on) ? run(&on) : srv_fail_memory(error);
    free(on.known);
    free(on.tie);
    free(on.batch);
    free(on.rates);
    if (code != SERVET_OK)
        srv_contentions_finish(found);
    return code;
}

void srv_contentions_finish(srv_contentions *found)
{
    free(found->pair);
    *found = (srv_contentions){0};
}
