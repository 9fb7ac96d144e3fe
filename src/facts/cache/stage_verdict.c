/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches measured levels with those that the operating system reports, and compares them. */
#include "facts/cache/stage_parts.h"

#include <float.h>
#include <math.h>

/* Cost of two levels without partners: that of matching sizes that differ by a factor of 16. Levels
 * of one core are closer to each other than the error of an OS about one of them. */
static const double UNMATCHED_OCTAVES = 2.0;

/* Ways, hashing and pages blur a capacity by a few percent, whatever the fit's interval. */
static const double AGREES_WITHIN = 0.1;

/* Sizes are whole bytes: without this, a way that is no whole number of bytes would never match. */
static const double WAY_ROUNDING = 0.01;

enum { N = SERVET_CACHE_LEVELS_MAX };

/* Octaves between two levels; any fraction of a level with turnover may be reachable. */
static double octaves_apart(const servet_cache *cache, double reported)
{
    double octaves = log2(reported / cache->reachable_bytes.value);
    return cache->kind == SERVET_CACHE_TURNOVER && octaves > 0 ? 0 : fabs(octaves);
}

/* Cost of equating the i-th measured and the j-th reported level. A guest sees the size of all of
 * its host's last cache and gets a small part: two last levels match at any ratio, which costs
 * slightly less than leaving both alone. */
static double mismatch(const srv_reported *reported, const srv_cache_facts *facts, int i, int j)
{
    const servet_cache *cache = &facts->cache[i - 1];
    double bytes = reported->level[j - 1].bytes, octaves = octaves_apart(cache, bytes);
    bool is_last = i == facts->count && j == reported->count;
    bool is_part = is_last && bytes > cache->reachable_bytes.value;
    return is_part ? fmin(octaves, 1.9 * UNMATCHED_OCTAVES) : octaves;
}

/* The alignment of least cost of the first i measured with the first j reported levels, and its
 * last step: the i-th stays alone, the j-th does, or they are partners. */
typedef struct alignment {
    double cost;
    enum { START, MEASURED_ALONE, REPORTED_ALONE, PARTNERS } step;
} alignment;

static void improve(alignment *best, const alignment *before, double octaves, int step)
{
    if (before->cost + octaves < best->cost)
        *best = (alignment){before->cost + octaves, step};
}

/* partner[i]: the reported level that matches measured level i, or -1. Order is kept; the sum of
 * the octaves between partners and of the cost of levels without partners is least (alignment by
 * dynamic programming). */
static void match(const srv_reported *reported, const srv_cache_facts *facts, int partner[N])
{
    alignment best[N + 1][N + 1];
    for (int i = 0; i <= facts->count; i++)
        for (int j = 0; j <= reported->count; j++) {
            best[i][j] = (alignment){i == 0 && j == 0 ? 0 : DBL_MAX, START};
            if (i > 0 && j > 0)
                improve(&best[i][j], &best[i - 1][j - 1], mismatch(reported, facts, i, j),
                        PARTNERS);
            if (i > 0)
                improve(&best[i][j], &best[i - 1][j], UNMATCHED_OCTAVES, MEASURED_ALONE);
            if (j > 0)
                improve(&best[i][j], &best[i][j - 1], UNMATCHED_OCTAVES, REPORTED_ALONE);
        }
    for (int i = facts->count, j = reported->count; i > 0;) {
        int step = best[i][j].step;
        if (step != REPORTED_ALONE)
            partner[--i] = step == PARTNERS ? j - 1 : -1;
        j -= step != MEASURED_ALONE;
    }
}

static servet_value os_says(double bytes)
{
    return (servet_value){bytes, bytes, bytes, 1, SERVET_UNIT_BYTE, SERVET_METHOD_OS, false};
}

/* Conflicts count a capacity; a curve finds the part of it that one core reaches. The rest may be
 * in use by cores outside the job, by another guest on the same core, or by devices. */
static servet_verdict compare(const servet_cache *cache, double reported)
{
    bool counted = servet_value_known(&cache->ways);
    if (cache->kind == SERVET_CACHE_TURNOVER && !counted)
        return SERVET_VERDICT_NOT_COMPARABLE;
    double low = fmin(cache->bytes.low, cache->bytes.value * (1 - AGREES_WITHIN));
    double high = fmax(cache->bytes.high, cache->bytes.value * (1 + AGREES_WITHIN));
    if (low <= reported && reported <= high)
        return SERVET_VERDICT_AGREES;
    return !counted && high < reported ? SERVET_VERDICT_NOT_COMPARABLE : SERVET_VERDICT_DIFFERS;
}

/* Operating systems of guests hide levels; none is known to report one that the processor lacks. */
static const double SYSTEM_ODDS = 20;

void srv_take_last_as_share(const srv_reported *reported, double exists, srv_cache_facts *facts)
{
    servet_cache *last = facts->count > 0 ? &facts->cache[facts->count - 1] : NULL;
    if (!last || reported->count == 0 || last->verdict != SERVET_VERDICT_NOT_COMPARABLE ||
        last->reported_bytes.value != reported->level[reported->count - 1].bytes)
        return;
    last->kind = SERVET_CACHE_TURNOVER;
    last->bytes.trusted = false;
    last->confidence = SYSTEM_ODDS * exists / (SYSTEM_ODDS * exists + 1 - exists);
}

static int largest_alone(const srv_reported *reported, const int partner[N], int count)
{
    int largest = -1;
    for (int j = 0; j < reported->count; j++) {
        bool found = false;
        for (int i = 0; i < count; i++)
            found |= partner[i] == j;
        if (!found && (largest < 0 || reported->level[j].bytes > reported->level[largest].bytes))
            largest = j;
    }
    return largest;
}

/* Two caches near each other may show as one. */
static bool may_hide(const servet_cache *cache, double unseen_bytes)
{
    double octaves = log2(cache->bytes.value / unseen_bytes);
    return unseen_bytes > 0 && octaves > 0 && octaves < UNMATCHED_OCTAVES &&
           !servet_value_known(&cache->ways);
}

/* No two levels are so near each other, octaves: one that the OS does not report is then a part of
 * the other, and one behind the last that it reports may have joined that. If conflicts counted it,
 * only a capacity that the OS reports speaks against the count. */
static const double PART_OCTAVES = 1, PART_CONFIDENCE = 0.25;

static bool may_be_part(const srv_cache_facts *facts, const int partner[N], int i)
{
    const servet_cache *cache = facts->cache;
    bool counted = servet_value_known(&cache[i].ways);
    for (int j = 0; j < facts->count; j++)
        if (j != i && fabs(log2(cache[j].bytes.value / cache[i].bytes.value)) < PART_OCTAVES &&
            (!counted || (partner[j] >= 0 && cache[j].kind == SERVET_CACHE_CAPACITY)))
            return true;
    return false;
}

/* A victim cache adds its lines to those of the level in front. An addition of less than an octave
 * cannot be distinguished from the level's own capacity by a curve. */
static bool may_be_sum(const servet_cache *cache, double reported)
{
    return cache->verdict == SERVET_VERDICT_DIFFERS && cache->bytes.value > reported &&
           log2(cache->bytes.value / reported) < PART_OCTAVES && !servet_value_known(&cache->ways);
}

/* Lines that a cache in front keeps, and foreign ones, make a count of ways wrong by one. Where
 * that is all by which it differs from the report, the report is right more often. */
static bool may_be_a_way_off(const servet_cache *cache, double reported)
{
    double ways = reported / cache->bytes.value * cache->ways.value;
    return servet_value_known(&cache->ways) &&
           fabs(fabs(ways - cache->ways.value) - 1) < WAY_ROUNDING;
}

/* With an unknown replacement policy, lines may hit for a while beyond the ways, like those of a
 * cache with more ways that foreign lines disturb. If the curve and the report agree, their size is
 * more likely then. */
static bool is_outvoted(const servet_cache *cache, double reported)
{
    const servet_value *reach = &cache->reachable_bytes;
    return servet_value_known(&cache->ways) && cache->verdict == SERVET_VERDICT_DIFFERS &&
           servet_value_known(reach) &&
           reported >= fmin(reach->low, reach->value * (1 - AGREES_WITHIN)) &&
           reported <= fmax(reach->high, reach->value * (1 + AGREES_WITHIN));
}

/* A TLB's reach shows twice as far; where translation was not measured, it looks like a cache. */
static bool may_be_translation(const srv_cache_facts *facts, int i)
{
    const servet_cache *cache = &facts->cache[i];
    return i > 0 && facts->translated_bytes > 0 &&
           facts->translated_bytes < 2 * cache->reachable_bytes.value &&
           !servet_value_known(&cache->ways);
}

static void doubt_size(servet_cache *cache, srv_cache_facts *facts)
{
    cache->bytes.trusted = cache->ways.trusted = cache->sets.trusted = false;
    cache->confidence = fmin(cache->confidence, PART_CONFIDENCE);
    facts->doubtful_bytes = cache->bytes.value;
}

void srv_compare_caches(const srv_reported *reported, srv_cache_facts *facts)
{
    int partner[N];
    match(reported, facts, partner);
    int alone = largest_alone(reported, partner, facts->count);
    facts->doubtful_bytes = 0;
    facts->unseen_bytes = alone < 0 ? 0 : reported->level[alone].bytes;
    for (int i = 0; i < facts->count; i++) {
        servet_cache *cache = &facts->cache[i];
        cache->reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
        cache->line = servet_value_unknown(SERVET_UNIT_BYTE);
        cache->verdict = SERVET_VERDICT_NOT_VISIBLE;
        if (partner[i] < 0) {
            if ((reported->count > 0 && may_be_part(facts, partner, i)) ||
                may_be_translation(facts, i))
                doubt_size(cache, facts);
            if (reported->count > 0 && !cache->bytes.trusted)
                facts->doubtful_bytes = cache->bytes.value;
            continue;
        }
        double bytes = reported->level[partner[i]].bytes,
               line = reported->level[partner[i]].line_bytes;
        cache->reported_bytes = os_says(bytes);
        cache->verdict = compare(cache, bytes);
        cache->bytes.trusted &= cache->verdict != SERVET_VERDICT_NOT_COMPARABLE &&
                                !may_hide(cache, facts->unseen_bytes) &&
                                !may_be_a_way_off(cache, bytes) && !is_outvoted(cache, bytes);
        cache->ways.trusted &= cache->bytes.trusted;
        if (may_be_sum(cache, bytes))
            doubt_size(cache, facts);
        if (line > 0)
            cache->line = os_says(line);
    }
}
