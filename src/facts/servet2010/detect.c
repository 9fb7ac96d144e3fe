/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache levels as the papers find them (IPDPS'10, Fig. 4). */
#include "facts/servet2010/detect.h"

#include <math.h>

#include "core/error.h"
#include "facts/cache/detect_parts.h"
#include "stats/binomial.h"
#include "stats/grid2010.h"

/* --- pages placed at random ------------------------------------------------------------------- */

/* The probabilistic algorithm for physically indexed caches (IPDPS'10, Fig. 3), as it is
 * printed. It reads large caches 6 to 12 % low: P(X > K) counts the page sets that overflow, not
 * the accesses that miss. A page misses if at least K *others* share its set, P(Y >= K) with Y ~
 * B(NP - 1, K PS / CS), and that is reached by smaller sizes. The bias belongs to the method and
 * is not corrected; the default method has none. */

/* Real caches have 2 to 24 ways; neighbouring values support each other in the vote. */
enum { WAYS_MIN = 2, WAYS_MAX = 24 };

/* Steps of 1 MiB times points: seconds. A longer stretch is no cache's. */
static const double COMPARISONS_MAX = 0x1p21, STEP = 0x1p20;

/* The smallest capacity to try: a page, as the sizes of Fig. 1 are. */
static const double CAPACITY_MIN = 4096;

/* The fits that differ least, best first. */
typedef struct ranking {
    int count, max;
    struct {
        double capacity, divergence;
    } fit[SERVET_2010_VOTES_MAX];
} ranking;

/* The stretch as the algorithm sees it. */
typedef struct stretch {
    const servet_curve *curve;
    size_t first, last;
    double hit_time, miss_overhead, page_bytes;
} stretch;

/* Sum of |MR - P(X > K)|; ends early once it is above `limit`. */
static double divergence(const stretch *on, double capacity, int ways, double limit)
{
    double p = ways * on->page_bytes / capacity, sum = 0;
    for (size_t i = on->first; i <= on->last && sum <= limit; i++) {
        double miss_rate = (on->curve->latency[i] - on->hit_time) / on->miss_overhead;
        long pages = (long)(on->curve->bytes[i] / on->page_bytes);
        sum += fabs(miss_rate - srv_binomial_above(pages, p, ways));
    }
    return sum;
}

static double limit_of(const ranking *best)
{
    return best->count < best->max ? INFINITY : best->fit[best->count - 1].divergence;
}

static void keep(ranking *best, double capacity, double divergence)
{
    if (divergence >= limit_of(best))
        return;
    if (best->count < best->max)
        best->count++;
    int at = best->count - 1;
    for (; at > 0 && best->fit[at - 1].divergence > divergence; at--)
        best->fit[at] = best->fit[at - 1];
    best->fit[at].capacity = capacity;
    best->fit[at].divergence = divergence;
}

static int votes_for(const ranking *best, double capacity)
{
    int votes = 0;
    for (int i = 0; i < best->count; i++)
        votes += best->fit[i].capacity == capacity;
    return votes;
}

/* The statistical mode; of capacities with as many votes, the one that fits best. */
static srv_2010_size elect(const ranking *best)
{
    srv_2010_size size = {best->fit[0].capacity, INFINITY, 0, 0, true};
    for (int i = 0; i < best->count; i++) {
        double capacity = best->fit[i].capacity;
        if (votes_for(best, capacity) > votes_for(best, size.bytes))
            size.bytes = capacity;
        size.low = fmin(size.low, capacity);
        size.high = fmax(size.high, capacity);
    }
    size.share = (double)votes_for(best, size.bytes) / best->count;
    return size;
}

bool srv_2010_probabilistic(const servet_curve *curve, size_t first, size_t last, double above,
                            const servet_2010_options *options, srv_2010_size *size)
{
    double steps = (curve->bytes[last] - curve->bytes[first]) / STEP;
    if (steps * (double)(last - first + 1) > COMPARISONS_MAX)
        return false;
    double least = INFINITY, most = 0;
    for (size_t i = first; i <= last; i++) {
        least = fmin(least, curve->latency[i]);
        most = fmax(most, curve->latency[i]);
    }
    stretch on = (stretch){curve, first, last, least, most - least, options->page_bytes};
    ranking best = {.max = options->votes};
    double capacity = CAPACITY_MIN;
    while (capacity < curve->bytes[first] || capacity <= above)
        capacity = srv_grid2010_next(capacity);
    for (; capacity <= curve->bytes[last]; capacity = srv_grid2010_next(capacity))
        for (int ways = WAYS_MIN; ways <= WAYS_MAX; ways++)
            if (ways * on.page_bytes <= capacity)
                keep(&best, capacity, divergence(&on, capacity, ways, limit_of(&best)));
    if (best.count > 0)
        *size = elect(&best);
    return best.count > 0;
}

/* "Gradient > 1" has to exceed noise. A gradient of average cycles scatters by 1 to 3 %; a higher
 * threshold ends the wide peaks of large caches early, whose steps of 1 MiB rise little each. */
static const double RISES = 1.04;

/* Least rise of the curve for a peak. The closest levels of the papers' machines (L2 and L3 of the
 * Itanium 2) are a factor 2 apart, half a miss rate between them is 1.5, and noise and address
 * translation stay below 1.2. */
static const double PEAK = 1.25;

/* A gradient this small (in logarithms) against those on both sides is a valley between two peaks:
 * that between L2 and L3 of the model of Dunnington is 0.31 of its sides, and at 0.5 random
 * placement splits the one L2 of the A64FX. The first peak is that of a virtually indexed L1, one
 * step wide: behind it every valley counts. */
static const double VALLEY = 1.0 / 3;

/* "Clearly located only in one array size": the share of the rise that one step makes. Under random
 * placement no step of the papers' grid makes more than two thirds, with colouring one makes all.
 */
static const double SINGLE = 0.8;

/* --- peaks ------------------------------------------------------------------------------------ */

static double rise(const servet_curve *curve, size_t first, size_t last)
{
    return log(curve->latency[last] / curve->latency[first]);
}

static double gradient(const servet_curve *curve, size_t k)
{
    return rise(curve, k, k + 1);
}

static size_t steepest(const servet_curve *curve, size_t first, size_t last)
{
    size_t top = first;
    for (size_t k = first; k < last; k++)
        if (gradient(curve, k) > gradient(curve, top))
            top = k;
    return top;
}

/* The first deep valley between two peaks, from `first` to `last`; `last`: none. */
static size_t first_valley(const servet_curve *curve, size_t first, size_t last, double depth)
{
    double top = 0;
    size_t valley = first;
    for (size_t k = first; k < last; k++) {
        double here = gradient(curve, k);
        if (valley > first && gradient(curve, valley) < depth * fmin(top, here) &&
            rise(curve, first, valley) >= log(PEAK) && rise(curve, valley, last) >= log(PEAK))
            return valley;
        if (here >= top) {
            top = here;
            valley = first;
        } else if (valley == first || here < gradient(curve, valley)) {
            valley = k;
        }
    }
    return last;
}

/* Finds the point at which the curve stops rising from `first` on. */
static size_t end_of_rise(const servet_curve *curve, size_t first)
{
    size_t last = first;
    while (last + 1 < curve->n && gradient(curve, last) > log(RISES))
        last++;
    return last;
}

int srv_2010_peaks(const servet_curve *curve, srv_2010_peak *peaks, int max)
{
    int count = 0;
    for (size_t first = 0; first + 1 < curve->n && count < max;) {
        size_t end = end_of_rise(curve, first);
        size_t last = first_valley(curve, first, end, count == 0 ? 1 : VALLEY);
        if (last > first && rise(curve, first, last) >= log(PEAK))
            peaks[count++] = (srv_2010_peak){first, last, steepest(curve, first, last)};
        first = last > first ? last : first + 1;
    }
    return count;
}

/* Share (0..1) of the peak's rise that its steepest step makes. */
static double top_share(const servet_curve *curve, const srv_2010_peak *peak)
{
    return gradient(curve, peak->top) / rise(curve, peak->first, peak->last);
}

static srv_2010_size size_of(const servet_curve *curve, const srv_2010_peak *peak, double above,
                             const servet_2010_options *options)
{
    srv_2010_size size;
    bool single = top_share(curve, peak) >= SINGLE && peak->last + 1 < curve->n;
    if (above > 0 && !single &&
        srv_2010_probabilistic(curve, peak->first, peak->last, above, options, &size))
        return size;
    /* The level ends between two neighbouring sizes; the papers name the smaller one. */
    return (srv_2010_size){curve->bytes[peak->top], curve->bytes[peak->top],
                           curve->bytes[peak->top + 1], top_share(curve, peak), false};
}

static servet_value latency_at(const servet_curve *curve, size_t i)
{
    double latency = curve->latency[i];
    return (servet_value){latency,
                          curve->low ? fmin(curve->low[i], latency) : latency,
                          curve->high ? fmax(curve->high[i], latency) : latency,
                          1,
                          curve->unit,
                          SERVET_METHOD_SERVET2010,
                          true};
}

/* If the curve ends in mid-rise, the capacity is where it would end. */
static servet_cache_level level_of(const servet_curve *curve, const srv_2010_peak *peak,
                                   const srv_2010_size *size, int number)
{
    return (servet_cache_level){
        .level = number,
        .kind = SERVET_CACHE_CAPACITY,
        .bytes = {size->bytes, size->low, size->high, (int)(peak->last - peak->first + 1),
                  SERVET_UNIT_BYTE,
                  size->voted ? SERVET_METHOD_SERVET2010 : SERVET_METHOD_SERVET2010_STEP,
                  peak->last + 1 < curve->n},
        .reachable_bytes = size->bytes,
        .latency = latency_at(curve, peak->first),
        .exists = size->share,
        .confidence = size->share,
    };
}

static int check_options(const servet_2010_options *options, servet_error *error)
{
    if (!(options->page_bytes >= 1) || isinf(options->page_bytes))
        return srv_fail(error, SERVET_EARGUMENT, "the page size must be at least 1 byte");
    if (options->votes < 1 || options->votes > SERVET_2010_VOTES_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "votes must be between 1 and %d",
                        SERVET_2010_VOTES_MAX);
    return SERVET_OK;
}

int servet_analyze_cache_2010(const servet_curve *curve, const servet_2010_options *options,
                              servet_cache_analysis *analysis, servet_error *error)
{
    int code = srv_curve_check(curve, "curve", error);
    if (code == SERVET_OK)
        code = check_options(options, error);
    if (code != SERVET_OK)
        return code;
    srv_2010_peak peaks[SERVET_CACHE_LEVELS_MAX];
    int count = srv_2010_peaks(curve, peaks, SERVET_CACHE_LEVELS_MAX);
    double above = 0;
    *analysis = (servet_cache_analysis){.memory_latency = servet_value_unknown(curve->unit)};
    for (int i = 0; i < count; i++) {
        srv_2010_size size = size_of(curve, &peaks[i], above, options);
        if (size.bytes <= above)
            continue;
        above = size.bytes;
        analysis->level[analysis->level_count] =
            level_of(curve, &peaks[i], &size, analysis->level_count + 1);
        analysis->level_count++;
    }
    if (count > 0 && peaks[count - 1].last + 1 < curve->n)
        analysis->memory_latency = latency_at(curve, curve->n - 1);
    return SERVET_OK;
}
