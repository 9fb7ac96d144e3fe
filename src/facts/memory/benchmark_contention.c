/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the cores to measure at once. */
#include "facts/memory/benchmark_contention.h"

#include <stdlib.h>

#include "core/error.h"
#include "facts/memory/benchmark_contention_probe.h"

/* Cores at once in the first probe. */
enum { SIZE_FIRST = 4 };

/* --- selection -------------------------------------------------------------------------------- */

/* How many of the batch this one is unknown to; negative where it is tied to one of them: they
 * would slow each other. */
static int gain(const srv_search *on, int size, int place)
{
    int unknown = 0;
    for (int i = 0; i < size; i++) {
        if (place == on->batch[i] || on->tie[place] == on->tie[on->batch[i]])
            return -1;
        unknown += srv_search_known(on, on->batch[i], place) == SRV_PAIR_UNKNOWN;
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
        if (i != place && on->tie[i] == on->tie[place] &&
            srv_search_known(on, place, i) == SRV_PAIR_UNKNOWN)
            return i;
    return -1;
}

/* Fills the batch, which begins with one core, up to `size`; returns how many it has. */
static int fill(srv_search *on, int size)
{
    int count = 1;
    for (int next; count < size && (next = best_next(on, count)) >= 0;)
        on->batch[count++] = next;
    return count;
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
    int count = fill(on, pace->size), other = on->batch[1];
    bool fine = true;
    *done = count < 2;
    if (*done)
        return SERVET_OK;
    int code = count > 2 ? srv_search_probe_batch(on, count, &fine) : srv_search_probe_pair(on);
    if (code == SERVET_OK && count == 2)
        fine = srv_search_known(on, place, other) == SRV_PAIR_FREE;
    adapt(pace, count, fine, on->most);
    return code;
}

/* Settles all pairs of one core: those that it probably is slow with one by one. */
static int explore(srv_search *on, int place, batching *pace)
{
    int code = SERVET_OK;
    bool done = false;
    while (code == SERVET_OK && !done && !srv_search_must_end(on)) {
        int tied = tied_next(on, place);
        on->batch[0] = place;
        on->batch[1] = tied;
        code = tied >= 0 ? srv_search_probe_pair(on) : explore_others(on, place, pace, &done);
    }
    return code;
}

/* --- life ------------------------------------------------------------------------------------- */

static bool allocate(srv_search *on)
{
    size_t n = (size_t)on->n;
    on->known = calloc(n * n, sizeof *on->known);
    on->tie = calloc(n, sizeof *on->tie);
    on->batch = calloc(n > 2 ? n : 2, sizeof *on->batch);
    on->rates = calloc(n > 2 ? n : 2, sizeof *on->rates);
    return on->known && on->tie && on->batch && on->rates;
}

/* Number of cores at once whose arrays no cache holds. */
static int most_at_once(const srv_search *on)
{
    int most = on->n;
    while (most > 2 && !srv_memory_suffices(on->plan, most))
        most--;
    return most;
}

static int run(srv_search *on)
{
    int code = SERVET_OK;
    on->most = most_at_once(on);
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
