/* SPDX-License-Identifier: BSD-3-Clause */
#include "detect/ways.h"

#include <math.h>
#include <stdio.h>

enum { POINTS_MIN = 3, POINTS_MAX = 128, PASSES = 4 };

/* A point is never known better than this share of itself, for neighbouring numbers of lines differ
 * by what the loop around the loads and the place in memory cost; nor than this share of a miss: a
 * set that is just full has no room for any of the lines that a program and its system use besides,
 * and each of them costs a few misses. */
static const double ERROR_LEAST = 0.02, FOREIGN = 0.03;

/* A single point that others disturbed does not decide: beyond so many errors it counts no more. */
static const double ERRORS_MAX = 6, HUBER = 2;

/* Points are asked for up to about twice as many lines as there are ways: beyond this share of the
 * most lines all miss. So many times what the fastest of these takes is a miss in a further cache,
 * or a core that was taken away. */
static const double BEYOND = 1.5, MISSING = 0.65;

/* Of twice as many lines as there are ways no policy misses less than half: a miss costs no more
 * than so many times what the slowest point is slower than a hit. */
static const double SLOWEST = 2;

/* A miss that costs less than this share of a hit is no other level of the hierarchy. */
static const double MISS_LEAST = 0.5;

/* Policies: of c > W lines the share (W / c)^p hits. p = 1 is the best that any policy can do, 2 is
 * close to random replacement, LRU keeps nothing. */
static const double powers[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 14, 20, 30, 60, 200};
enum { POWERS = sizeof powers / sizeof *powers };

static double squared(double x)
{
    return x * x;
}

static double misses(int ways, int lines, double power)
{
    return lines <= ways ? 0 : 1 - pow((double)ways / lines, power);
}

/* Times of a hit and of a miss, and how far the points are from them. */
typedef struct law {
    int ways;
    double power;
    double hit, gap;
    double cost; /* half the sum of the squares of errors, each ERRORS_MAX at most */
} law;

/* What takes longer than a miss was disturbed, and says no more than that it missed. */
static double undisturbed(const law *at, const srv_turns *point)
{
    return at->gap > 0 ? fmin(point->ns, at->hit + at->gap) : point->ns;
}

/* A point's distance from the law, in errors. One that was disturbed is off by a few of them at
 * least: else a law of small times could call all misses disturbed. */
static double distance(const law *at, const srv_turns *point)
{
    double expected = at->hit + at->gap * misses(at->ways, point->lines, at->power);
    double error = fmax(point->error, fmax(ERROR_LEAST * point->ns, FOREIGN * at->gap));
    double far = fabs(point->ns - expected) / error;
    return fmin(far, fmax(HUBER, fabs(undisturbed(at, point) - expected) / error));
}

static double slowest_of(const srv_turns *points, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, points[i].ns);
    return most;
}

/* Least squares for hit and gap, in which points far off count less (Huber). */
static void fit(law *at, const srv_turns *points, int n)
{
    double most = slowest_of(points, n), w0 = 0, wm = 0, wmm = 0, wt = 0, wmt = 0;
    for (int i = 0; i < n; i++) {
        double m = misses(at->ways, points[i].lines, at->power),
               far = at->gap > 0 ? distance(at, &points[i]) : 0;
        double w =
            1 / squared(fmax(points[i].error, ERROR_LEAST * points[i].ns)) / fmax(1, far / HUBER);
        double ns = undisturbed(at, &points[i]);
        w0 += w, wm += w * m, wmm += w * m * m, wt += w * ns, wmt += w * m * ns;
    }
    double determinant = w0 * wmm - wm * wm;
    at->gap = determinant > 1e-9 * w0 * wmm ? (w0 * wmt - wm * wt) / determinant : 0;
    at->hit = (wt - at->gap * wm) / w0;
    if (at->gap > SLOWEST * (most - at->hit)) {
        at->gap = SLOWEST * (most - at->hit);
        at->hit = (wt - at->gap * wm) / w0;
    }
}

static law law_of(const srv_turns *points, int n, int ways, double power)
{
    law at = {.ways = ways, .power = power};
    for (int pass = 0; pass < PASSES; pass++)
        fit(&at, points, n);
    for (int i = 0; i < n; i++)
        at.cost += squared(fmin(ERRORS_MAX, distance(&at, &points[i]))) / 2;
    return at;
}

static bool is_level(const law *at)
{
    return at->gap >= MISS_LEAST * at->hit;
}

/* The policy that suits best. Where points are as slow as a level, a law of smaller times would
 * call them disturbed. */
static law best_law(const srv_turns *points, int n, int ways)
{
    law best = {.cost = INFINITY};
    bool all_hit = ways == points[n - 1].lines;
    for (int p = 0; p < POWERS; p++) {
        law at = law_of(points, n, ways, powers[p]);
        bool slow = slowest_of(points, n) - at.hit >= MISS_LEAST * at.hit;
        if (at.cost < best.cost && (all_hit || !slow || is_level(&at)))
            best = at;
    }
    return best;
}

static void clip(const srv_turns *points, int n, srv_turns *clipped)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        if (points[i].lines > MISSING * points[n - 1].lines)
            least = fmin(least, points[i].ns);
    for (int i = 0; i < n; i++) {
        clipped[i] = points[i];
        clipped[i].ns = fmin(points[i].ns, BEYOND * least);
    }
}

bool srv_detect_ways(const srv_turns *asked, int n, srv_ways *ways)
{
    srv_turns points[POINTS_MAX];
    n = n < POINTS_MAX ? n : POINTS_MAX;
    if (n < POINTS_MIN)
        return false;
    clip(asked, n, points);
    law best = {.cost = INFINITY};
    double second = INFINITY;
    int end = 0;
    for (int flat = 1; flat <= n; flat++) {
        law at = best_law(points, n, points[flat - 1].lines);
        second = fmin(second, fmax(best.cost, at.cost));
        end = at.cost < best.cost ? flat : end;
        best = at.cost < best.cost ? at : best;
    }
    if (end == n || !is_level(&best))
        return false;
    *ways =
        (srv_ways){best.ways, points[end].lines, best.hit, best.hit + best.gap, second - best.cost};
    return true;
}

/* --- why ----------------------------------------------------------------------------------------
 */

/* Numbers of ways to either side of the best that are listed with their cost. */
enum { LISTED = 2 };

/* Characters of the times, and of one of them. */
enum { TIMES_MAX = 200, TIME_MAX = 20 };

static void list_times(const srv_turns *points, int n, const char *what, const srv_account *on)
{
    char times[TIMES_MAX];
    int length = 0, i = 0;
    for (; i < n && length < TIMES_MAX - TIME_MAX; i++)
        length += snprintf(times + length, sizeof times - (size_t)length, "%s%d: %.3g",
                           i > 0 ? ", " : "", points[i].lines, points[i].ns);
    srv_note(on, "ns by %s in turn: %s%s", what, times, i < n ? ", ..." : "");
}

/* Whether this many are the answer, are excluded, or might have been it nearly as well. */
static servet_outcome outcome_of(double above, double clear)
{
    return above == 0       ? SERVET_OUTCOME_ACCEPTED
           : above >= clear ? SERVET_OUTCOME_REJECTED
                            : SERVET_OUTCOME_SEEN;
}

void srv_explain_ways(const srv_turns *asked, int n, const char *what, double clear,
                      const srv_account *on)
{
    srv_turns points[POINTS_MAX];
    double cost[POINTS_MAX];
    int best = 0;
    n = n < POINTS_MAX ? n : POINTS_MAX;
    if (!on->to || n < POINTS_MIN)
        return;
    list_times(asked, n, what, on);
    clip(asked, n, points);
    for (int i = 0; i < n; i++) {
        cost[i] = best_law(points, n, points[i].lines).cost;
        best = cost[i] < cost[best] ? i : best;
    }
    for (int i = best > LISTED ? best - LISTED : 0; i < n && i <= best + LISTED; i++) {
        double above = cost[i] - cost[best];
        srv_note_rule(on, (srv_rule){"CLEAR", above, clear, outcome_of(above, clear)},
                      "%d ways cost more than the best by%s", points[i].lines,
                      i == n - 1 ? " (all that were asked: no end of the hits)" : "");
    }
}
