/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/measure.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Leaving two levels without partners costs as much as calling sizes the same that are 16 times
 * apart: levels of one core lie closer to each other than an OS errs about one of them. */
static const double UNMATCHED_OCTAVES = 2.0;

/* Ways, hashing and the placement of pages blur a capacity by a few percent even where the interval
 * of the fit is narrower than that. */
static const double AGREES_WITHIN = 0.1;

enum { N = SERVET_CACHE_LEVELS_MAX };

/* How badly a measured and a reported level fit. Of a churned cache any fraction may be reachable. */
static double octaves_apart(const servet_cache *cache, double reported)
{
    double octaves = log2(reported / cache->measured_bytes.value);
    return cache->kind == SERVET_CACHE_TURNOVER && octaves > 0 ? 0 : fabs(octaves);
}

/* partner[i]: the reported level that measured level i is, or -1. Order is kept; the sum of octaves
 * between partners and of what is left unmatched is least (alignment by dynamic programming). */
static void match(const srv_reported *reported, const srv_cache_facts *facts, int partner[N])
{
    double cost[N + 1][N + 1];
    int rows = facts->count, columns = reported->count;
    for (int i = 0; i <= rows; i++)
        for (int j = 0; j <= columns; j++) {
            double best = i == 0 && j == 0 ? 0 : DBL_MAX;
            if (i > 0)
                best = fmin(best, cost[i - 1][j] + UNMATCHED_OCTAVES);
            if (j > 0)
                best = fmin(best, cost[i][j - 1] + UNMATCHED_OCTAVES);
            if (i > 0 && j > 0)
                best = fmin(best, cost[i - 1][j - 1] +
                                      octaves_apart(&facts->cache[i - 1],
                                                    reported->level[j - 1].bytes));
            cost[i][j] = best;
        }
    for (int i = rows, j = columns; i > 0;) {
        bool leaves = cost[i][j] == cost[i - 1][j] + UNMATCHED_OCTAVES;
        bool skips = !leaves && j > 0 && cost[i][j] == cost[i][j - 1] + UNMATCHED_OCTAVES;
        partner[i - 1] = leaves || skips ? -1 : j - 1;
        i -= !skips;
        j -= !leaves;
    }
}

static servet_value os_says(double bytes)
{
    return (servet_value){bytes, bytes, bytes, 1, SERVET_UNIT_BYTE, SERVET_METHOD_OS, false};
}

static servet_verdict judge(const servet_cache *cache, double reported)
{
    if (cache->kind == SERVET_CACHE_TURNOVER)
        return SERVET_VERDICT_DIFFERS;
    double low = fmin(cache->bytes.low, cache->bytes.value * (1 - AGREES_WITHIN));
    double high = fmax(cache->bytes.high, cache->bytes.value * (1 + AGREES_WITHIN));
    return low <= reported && reported <= high ? SERVET_VERDICT_AGREES : SERVET_VERDICT_DIFFERS;
}

void srv_judge_caches(const srv_reported *reported, srv_cache_facts *facts)
{
    int partner[N];
    match(reported, facts, partner);
    for (int i = 0; i < facts->count; i++) {
        servet_cache *cache = &facts->cache[i];
        cache->reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
        cache->line = servet_value_unknown(SERVET_UNIT_BYTE);
        cache->verdict = SERVET_VERDICT_NOT_VISIBLE;
        if (partner[i] < 0)
            continue;
        double bytes = reported->level[partner[i]].bytes, line = reported->level[partner[i]].line_bytes;
        cache->reported_bytes = os_says(bytes);
        cache->verdict = judge(cache, bytes);
        if (line > 0)
            cache->line = os_says(line);
    }
}
