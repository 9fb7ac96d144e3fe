/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/memory/benchmark_contention_probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"

/* Shares that differ by less are equal: medians of two probes differ by up to 3 % on a virtual
 * machine with busy neighbours. */
static const double SAME = 0.03;

/* Visits to a pair with a new result. */
enum { VISITS_MAX = 3 };

/* Number of cores that may lose bandwidth in a probe of many. */
enum { LOSERS_MAX = 4 };

/* --- what is known ---------------------------------------------------------------------------- */

int srv_search_known(const srv_search *on, int a, int b)
{
    return on->known[(size_t)a * (size_t)on->n + (size_t)b];
}

static void settle(srv_search *on, int a, int b, uint8_t state)
{
    size_t n = (size_t)on->n;
    on->unknown -= srv_search_known(on, a, b) == SRV_PAIR_UNKNOWN;
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

bool srv_search_must_end(const srv_search *on)
{
    return on->found->probes >= SRV_CONTENTION_PROBES(on->n) ||
           !srv_sampler_fits(&on->plan->sampler, 0);
}

/* Measures the first `size` of the batch at once. */
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

/* The rate of a core alone, in these moments. */
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
                             .rate = rate->median,
                             .low = rate->low,
                             .high = rate->high};
    return SERVET_OK;
}

/* Until the pair turns out not to be slow, or two answers agree. */
static int confirm(srv_search *on, srv_contention *pair)
{
    bool agreed = false;
    int code = SERVET_OK;
    for (int k = 1; k < VISITS_MAX && !agreed && pair->share < on->whole && code == SERVET_OK &&
                    !srv_search_must_end(on);
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
    double alone = pair->rate / pair->share;
    return pair->high >= on->whole * alone && srv_search_must_end(on);
}

int srv_search_probe_pair(srv_search *on)
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

/* A few cores that lost bandwidth, while most did not, contend with each other, or else there were
 * too many at once. */
static int probe_losers(srv_search *on, const int *losers, int count, bool *tied)
{
    int code = SERVET_OK, lost[LOSERS_MAX];
    for (int i = 0; i < count; i++)
        lost[i] = losers[i];
    *tied = false;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i && code == SERVET_OK && !srv_search_must_end(on); j++) {
            on->batch[0] = lost[i];
            on->batch[1] = lost[j];
            if (srv_search_known(on, lost[i], lost[j]) == SRV_PAIR_UNKNOWN)
                code = srv_search_probe_pair(on);
            *tied = *tied || srv_search_known(on, lost[i], lost[j]) == SRV_PAIR_SLOW;
        }
    return code;
}

/* Measures all of the batch at once; cores that keep their rate do not contend with each other.
 * `*fine`: not too many ran at once. */
int srv_search_probe_batch(srv_search *on, int size, bool *fine)
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
