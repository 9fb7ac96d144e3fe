/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "facts/geometry/detect_lines.h"
#include "stats/robust.h"

enum { POINTS_MIN = 3, POINTS_MAX = 128 };

/* Least error of a point, as a share of it: neighbouring numbers of lines differ by that much
 * through the loop around the loads and the place in memory. */
static const double ERROR_LEAST = 0.02;

/* Foreign lines that enter a set between two visits, on average by Poisson's law: lines of the
 * program, its system and a sibling thread. A full set misses with one of them, a set with a free
 * way with two. On quiet machines FOREIGN are usual: numbers are less likely by exp(-number /
 * FOREIGN). */
static const double foreign_lines[] = {0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8};
enum { FOREIGN_LINES = sizeof foreign_lines / sizeof *foreign_lines, FREE_MAX = 5 };
static const double FOREIGN = 0.15;

/* Share of a set's hits that one line too many destroys at least; with LRU it destroys all. */
static const double HARM_LEAST = 0.3;

/* Limits of a point's deviation, in standard errors, so that one disturbed point does not decide. A
 * point that is too fast may deviate more, because no disturbance makes a point faster. */
static const double ERRORS_MAX = 6, FASTER_MAX = 12;

/* Lines that are more than this share of the largest number most likely miss, because the largest
 * number is about twice the ways. The lower quartile of these times counts, because the slowest may
 * miss in a further cache, too. */
static const double MISSING = 0.65, QUARTILE = 0.25;

/* Largest cost of a miss, in the excess of the slower points over a hit: with 1.5 times the lines
 * that fit, every policy misses at least a third. */
static const double SLOWEST = 3;

/* Every known policy begins to miss half as steeply as it goes on; foreign lines do not. */
static const double STEEPNESS = 0.5;

/* Least excess of the slower points, as a share of a hit: a miss costs at least half of a hit, and
 * two thirds of the slower points miss. */
static const double SLOWER_LEAST = 0.33;

/* Advantage (ln) of a known law over an unknown policy. A known law predicts every point, an
 * unknown policy only limits the times. Other policies differ in about three numbers of lines, each
 * of which would have to equal the known law to 4 % by chance: 3 ln(1 / 0.04). */
static const double BY_CHANCE = 10;

/* Accuracy of a law: a simulation's, and no cache follows one exactly. */
static const double LAW_ERROR = 0.02;

/* Least share of its ways in which a set keeps lines of a cycle, under any policy and after few
 * rounds, at the number of lines of which it keeps most. */
static const double KEPT = 0.6;

/* Numbers of ways of the caches of processors sold since 1995, and how much less likely (ln)
 * another number is: it occurs in none of some hundred designs in the manuals of Intel, AMD, ARM,
 * IBM and Sun. A set that always holds a foreign line shows one way less. The 11 and 15 ways of
 * some last levels are not listed, because these levels are too large to be counted here. */
static const int built[] = {1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 18, 20, 24, 32};
enum { BUILT = sizeof built / sizeof *built };
static const double NEVER_BUILT = 4;

/* Foreign lines between two visits. */
typedef struct foreign {
    double lines;                   /* on average */
    double more_than[FREE_MAX + 1]; /* probability of more than 0, 1, ... of them */
} foreign;

/* The points that are explained, and the foreign lines that are tried for each explanation. */
typedef struct set_times {
    const srv_turns *points;
    int n, rounds;
    foreign foreign[FOREIGN_LINES];
} set_times;

/* An explanation of the points by a number of ways. */
typedef struct reading {
    int ways;
    double hit, gap; /* time of a hit, and least additional time of a miss */
    const foreign *foreign;
    double cost;     /* -ln likelihood */
    const char *law; /* the law by which more lines miss; static text */
} reading;

/* fmin() and fmax() are calls into another library, here for each point of each reading. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static double penalty(double away, double error)
{
    double x = greater(lesser(away / error, ERRORS_MAX), -FASTER_MAX);
    return (x * x) / 2;
}

static double error_of(const srv_turns *point)
{
    return greater(point->error, ERROR_LEAST * point->ns);
}

/* The time of points that most likely miss. */
static double slow_time(const srv_turns *points, int n, int ways)
{
    double ns[POINTS_MAX] = {0}, from = fmax(ways, MISSING * points[n - 1].lines);
    size_t slow = 0;
    for (int i = 0; i < n; i++)
        if (points[i].lines > from)
            ns[slow++] = points[i].ns;
    srv_sort(ns, slow);
    return slow > 0 ? srv_sorted_quantile(ns, slow, QUARTILE) : NAN;
}

/* Candidates for the time of a hit: the fastest point, lower quartile, median. */
static const double hit_quantiles[] = {0, 0.25, 0.5};
enum { HITS = sizeof hit_quantiles / sizeof *hit_quantiles, TRIED = HITS * FOREIGN_LINES };

static void find_hits(const srv_turns *points, int hits, double hit[HITS])
{
    double ns[POINTS_MAX];
    for (int i = 0; i < hits; i++)
        ns[i] = points[i].ns;
    srv_sort(ns, (size_t)hits);
    for (int i = 0; i < HITS; i++)
        hit[i] = srv_sorted_quantile(ns, (size_t)hits, hit_quantiles[i]);
}

/* The excess of a point over the expected time that foreign lines don't explain. */
static double distance(const reading *at, const srv_turns *point, double expected)
{
    int free = at->ways - point->lines;
    double most = free >= 0 && free <= FREE_MAX ? at->gap * at->foreign->more_than[free] : 0;
    double slower = point->ns - expected;
    return lesser(slower - HARM_LEAST * most, greater(slower - most, 0));
}

/* --- any policy ------------------------------------------------------------------------------- */

/* The largest cost of a further line, beyond the first that misses and up to `slow`; ns. */
static double steepest(const srv_turns *points, int n, int hits, double slow)
{
    double most = 0;
    for (int i = hits + 1; i < n; i++)
        most = fmax(most, (fmin(slow, points[i].ns) - points[i - 1].ns) /
                              (points[i].lines - points[i - 1].lines));
    return most;
}

/* The shortest time that these lines can take. */
static double least_time(const reading *at, const srv_turns *point, double steep)
{
    int beyond = point->lines - at->ways;
    if (beyond <= 0)
        return at->hit;
    return at->hit + fmax(at->gap * beyond / point->lines, STEEPNESS * steep);
}

static reading read_any(const set_times *times, int hits, int ways)
{
    const srv_turns *points = times->points;
    const int n = times->n;
    reading best = {.cost = INFINITY};
    double slow = slow_time(points, n, ways), steep = steepest(points, n, hits, slow), hit[HITS];
    find_hits(points, hits, hit);
    for (int i = 0; i < TRIED; i++) {
        reading at = {.ways = ways,
                      .hit = hit[i / FOREIGN_LINES],
                      .foreign = &times->foreign[i % FOREIGN_LINES],
                      .law = "unknown policy"};
        at.gap = isnan(slow) ? 0 : fmax(0, slow - at.hit);
        /* Cost of the points under any policy: a hit takes the time of a hit, other loads at
         * least the time with the best policy. A cost of `limit` or more may be too low: it does
         * not count. */
        double cost = at.foreign->lines / FOREIGN;
        for (int k = 0; k < n && cost < best.cost; k++) {
            double away = distance(&at, &points[k], least_time(&at, &points[k], steep));
            if (away < 0 || points[k].lines <= at.ways)
                cost += penalty(away, error_of(&points[k]));
        }
        at.cost = cost;
        best = at.cost < best.cost ? at : best;
    }
    return best;
}

/* --- known laws ------------------------------------------------------------------------------- */

/* NAN: not computed yet. Many points never need it, and it takes long to compute. */
static double settled_share(srv_turns *settled, int ways, const srv_miss_law *law)
{
    if (isnan(settled->ns))
        settled->ns = law->misses(0, ways, settled->lines);
    return settled->ns;
}

/* Cost of the points under a law, from an empty set or a settled one. */
static double cost_of_law(const srv_turns *points, const srv_turns *misses, srv_turns *settled,
                          int n, const reading *at, const srv_miss_law *law, double limit)
{
    double cost = at->foreign->lines / FOREIGN;
    for (int i = 0; i < n && cost < limit; i++) {
        double away = distance(at, &points[i], at->hit + misses[i].ns * at->gap);
        if (away < 0)
            away = lesser(distance(at, &points[i],
                                   at->hit + settled_share(&settled[i], at->ways, law) * at->gap),
                          0);
        cost += penalty(away, greater(error_of(&points[i]), LAW_ERROR * at->gap));
    }
    return cost;
}

/* Excess of a miss over such a hit, by the slower points. */
static double gap_of(const srv_turns *points, const srv_turns *misses, int n, int ways, double hit)
{
    srv_turns gap[POINTS_MAX];
    double slow = slow_time(points, n, ways) - hit;
    for (int i = 0; i < n; i++)
        gap[i] = (srv_turns){points[i].lines, (points[i].ns - hit) / misses[i].ns, 0};
    return fmax(0, fmin(SLOWEST * slow, slow_time(gap, n, ways)));
}

/* Its cost is only right if it is less than `limit`. */
static reading read_law(const set_times *times, int hits, int ways, const srv_miss_law *law,
                        double limit)
{
    const srv_turns *points = times->points;
    const int n = times->n;
    srv_turns misses[POINTS_MAX], settled[POINTS_MAX]; /* shares instead of times */
    reading best = {.cost = limit};
    double hit[HITS], gap[HITS];
    find_hits(points, hits, hit);
    for (int i = 0; i < n; i++) {
        int lines = points[i].lines;
        misses[i] = (srv_turns){lines, law->misses(times->rounds, ways, lines), 0};
        settled[i] = (srv_turns){lines, times->rounds > 0 ? NAN : misses[i].ns, 0};
    }
    for (int i = 0; i < HITS; i++)
        gap[i] = gap_of(points, misses, n, ways, hit[i]);
    for (int i = 0; i < TRIED; i++) {
        reading at = {.ways = ways,
                      .hit = hit[i / FOREIGN_LINES],
                      .gap = gap[i / FOREIGN_LINES],
                      .foreign = &times->foreign[i % FOREIGN_LINES],
                      .law = law->name};
        at.cost = cost_of_law(points, misses, settled, n, &at, law, best.cost);
        best = at.cost < best.cost ? at : best;
    }
    return best;
}

static double cost_before(int ways)
{
    for (int i = 0; i < BUILT; i++)
        if (built[i] == ways)
            return 0;
    return NEVER_BUILT;
}

/* Number of lines that a set keeps, at each number of lines, if the slower points all miss. */
static double kept_lines(const srv_turns *points, int n)
{
    double hit = INFINITY, slow = slow_time(points, n, 0), kept = 0;
    for (int i = 0; i < n; i++)
        hit = fmin(hit, points[i].ns);
    for (int i = 0; i < n; i++)
        kept = fmax(kept, points[i].lines * fmin(1, (slow - points[i].ns) / (slow - hit)));
    return kept;
}

/* The likeliest explanation by a number of ways, in which the first `hits` points hit. */
static reading read_number(const set_times *times, int hits, int ways, double kept)
{
    reading best = read_any(times, hits, ways);
    best.cost += BY_CHANCE;
    for (int i = 0; i < SRV_MISS_LAWS && KEPT * ways <= kept; i++) {
        reading at = read_law(times, hits, ways, &srv_miss_laws[i], best.cost);
        best = at.cost < best.cost ? at : best;
    }
    best.cost += cost_before(ways);
    return best;
}

/* The likeliest explanation in which `hits` points hit and the next one does not, with the measured
 * number of ways or a usual one between it and the next. */
static reading read_ways(const set_times *times, int hits)
{
    const srv_turns *points = times->points;
    const int n = times->n;
    int hit = points[hits - 1].lines, next = hits < n ? points[hits].lines : 0;
    double kept = kept_lines(points, n);
    if (hits == n) {
        reading all = read_any(times, n, hit);
        all.cost += BY_CHANCE;
        return all;
    }
    reading best = read_number(times, hits, hit, kept);
    for (int i = 0; i < BUILT; i++)
        if (built[i] > hit && built[i] < next) {
            reading at = read_number(times, hits, built[i], kept);
            best = at.cost < best.cost ? at : best;
        }
    return best;
}

/* The tail of Poisson's law, which is negligible beyond a few lines. */
static void find_foreign(foreign at[FOREIGN_LINES])
{
    for (int i = 0; i < FOREIGN_LINES; i++) {
        double lines = at[i].lines = foreign_lines[i], term = exp(-lines), sum = term;
        for (int k = 0; k <= FREE_MAX; sum += term *= lines / ++k)
            at[i].more_than[k] = lines > 0 ? fmax(0, 1 - sum) : 0;
    }
}

bool srv_detect_ways(const srv_turns *points, int n, int rounds, srv_ways *ways)
{
    set_times times = {points, n < POINTS_MAX ? n : POINTS_MAX, rounds, {{0}}};
    reading best = {.cost = INFINITY};
    double second = INFINITY;
    int end = 0;
    if (n < POINTS_MIN)
        return false;
    n = times.n;
    find_foreign(times.foreign);
    for (int hits = 1; hits <= n; hits++) {
        reading at = read_ways(&times, hits);
        second = fmin(second, fmax(best.cost, at.cost));
        end = at.cost < best.cost ? hits : end;
        best = at.cost < best.cost ? at : best;
    }
    if (end == n || slow_time(points, n, best.ways) - best.hit < SLOWER_LEAST * best.hit)
        return false;
    *ways = (srv_ways){points[end - 1].lines, points[end].lines, best.hit, best.hit + best.gap,
                       second - best.cost};
    return true;
}

/* Numbers of ways on each side of the best one that are listed with their cost. */
enum { LISTED = 2 };

/* Characters of the list of times, and of one time. */
enum { TIMES_MAX = 200, TIME_MAX = 20 };

static void list_times(const srv_turns *points, int n, const char *what, const srv_account *on)
{
    char times[TIMES_MAX];
    int length = 0, i = 0;
    for (; i < n && length < TIMES_MAX - TIME_MAX; i++)
        length += snprintf(times + length, sizeof times - (size_t)length, "%s%d: %.3g",
                           i > 0 ? ", " : "", points[i].lines, points[i].ns);
    srv_note(on, "mean ns, by number of %s: %s%s", what, times, i < n ? ", ..." : "");
}

static void explain_number(const reading *at, double above, double clear, bool all,
                           const srv_account *on)
{
    /* The outcome of this number: the answer, excluded, or nearly as likely as the answer. */
    srv_note_rule(
        on,
        (srv_rule){"CLEAR", above, clear,
                   above == 0       ? SERVET_OUTCOME_ACCEPTED
                   : above >= clear ? SERVET_OUTCOME_REJECTED
                                    : SERVET_OUTCOME_SEEN},
        "%d ways, %s, %.2g foreign lines between two visits%s; log-likelihood below the best model",
        at->ways, at->law, at->foreign->lines, all ? " (all measured numbers hit)" : "");
}

void srv_explain_ways(const srv_turns *points, int n, int rounds, const char *what, double clear,
                      const srv_account *on)
{
    set_times times = {points, n < POINTS_MAX ? n : POINTS_MAX, rounds, {{0}}};
    reading at[POINTS_MAX];
    int best = 0;
    if (!on->to || n < POINTS_MIN)
        return;
    n = times.n;
    find_foreign(times.foreign);
    list_times(points, n, what, on);
    for (int i = 0; i < n; i++) {
        at[i] = read_ways(&times, i + 1);
        best = at[i].cost < at[best].cost ? i : best;
    }
    for (int i = best > LISTED ? best - LISTED : 0; i < n && i <= best + LISTED; i++)
        explain_number(&at[i], at[i].cost - at[best].cost, clear, i == n - 1, on);
}
