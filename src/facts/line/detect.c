/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/line/detect.h"

#include <math.h>
#include <string.h>

#include "stats/robust.h"

/* Contention multiplies the time of an increment by 6 here and more elsewhere; interference on a
 * machine that is half busy changes medians by a tenth. */
static const double CONTENDED = 1.5;

/* Least ratio of a miss to a hit: neighbouring levels differ by a factor of 2.5. */
static const double MISSES = 1.3;

/* Latencies of neighbouring levels differ by 2.5 and more, known to a few percent. */
static const double PREFETCHED = 0.6, HIT_WITHIN = 1.25;

enum { POINTS_MAX = 32 };

/* The number of points that are on the wrong side if the change comes before point `at`. */
static int wrong_at(const bool *near, int count, int at)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += near[i] != (i < at);
    return wrong;
}

/* The distance of the change from near points (in one line) to far points that contradicts the
 * fewest points; its interval contains the points that contradict it. Unknown if all are near or
 * far. */
static servet_value change_of(const double *distance, const bool *near, int count)
{
    int best = 0, first_far = count, last_near = -1;
    for (int at = 1; at <= count; at++)
        if (wrong_at(near, count, at) < wrong_at(near, count, best))
            best = at;
    for (int i = 0; i < count; i++) {
        first_far = !near[i] && first_far == count ? i : first_far;
        last_near = near[i] ? i : last_near;
    }
    if (best == 0 || best == count)
        return servet_value_unknown(SERVET_UNIT_BYTE);
    int high = last_near + 1 < count ? last_near + 1 : count - 1;
    return (servet_value){.value = distance[best],
                          .low = fmin(distance[first_far], distance[best]),
                          .high = fmax(distance[high], distance[best]),
                          .samples = count,
                          .unit = SERVET_UNIT_BYTE,
                          .method = SERVET_METHOD_TIMED,
                          .trusted = wrong_at(near, count, best) == 0};
}

static double median_of(const double *values, int count)
{
    double sorted[POINTS_MAX];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    srv_sort(sorted, (size_t)count);
    return srv_sorted_quantile(sorted, (size_t)count, 0.5);
}

/* A point counts at most like one of the other side, so that outliers have little influence. */
static double off_by(double median, const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += fmin(fabs(log(values[i] / median)), log(CONTENDED));
    return sum;
}

/* Geometric mean of contended and other increments, for the cut that leaves both sides nearest to
 * their medians; NaN if no cut has sides that differ. */
static double border_of(const double *ns, int count)
{
    double border = NAN, least = INFINITY;
    for (int cut = 1; cut < count; cut++) {
        double contended = median_of(ns, cut), calm = median_of(ns + cut, count - cut);
        double off = off_by(contended, ns, cut) + off_by(calm, ns + cut, count - cut);
        if (contended > CONTENDED * calm && off < least) {
            least = off;
            border = sqrt(contended * calm);
        }
    }
    return border;
}

servet_value srv_detect_block(const double *apart, const double *ns, int count)
{
    bool near[POINTS_MAX];
    double border = count <= POINTS_MAX ? border_of(ns, count) : NAN;
    if (isnan(border))
        return servet_value_unknown(SERVET_UNIT_BYTE);
    for (int i = 0; i < count; i++)
        near[i] = ns[i] > border;
    return change_of(apart, near, count);
}

/* Part of the logarithmic distance from a hit to a first load that is neither: other lines evict
 * some of the lines of a first level before second loads come. */
static const double UNDECIDED_FROM = 0.35, UNDECIDED_TO = 0.65;

/* A second load that hits takes this share of a first one at most. */
static const double NEAREST = 0.8;

/* The longest time of a second load that hits the line of the first: a hit of this level, or what
 * the second load takes at the first stride, which lies in the line. That is longer where first
 * loads are fast, too: loads of both in turn keep less of the set, or meet no prefetcher. If it is
 * no hit, the series shows nothing: 0. */
static double near_ns(const srv_line_evidence *evidence)
{
    if (evidence->count == 0 || evidence->second[0] > NEAREST * evidence->first[0])
        return 0;
    return fmax(evidence->hit_ns, evidence->second[0]);
}

/* The line by the times of second loads: those of a hit in this level or one above, or of first
 * loads. Strides at which the sparse set fits the level after all are no evidence. */
static servet_value seen(const srv_line_evidence *evidence)
{
    bool near[POINTS_MAX] = {false}, undecided[POINTS_MAX] = {false};
    int count = 0;
    double hit = near_ns(evidence);
    while (hit > 0 && count < evidence->count && count < POINTS_MAX &&
           evidence->first[count] >= MISSES * evidence->hit_ns) {
        double first = evidence->first[count], second = evidence->second[count];
        double way = log(second / hit) / log(first / hit);
        near[count] = second < sqrt(hit * first);
        undecided[count] = evidence->above <= 0 && way > UNDECIDED_FROM && way < UNDECIDED_TO;
        count++;
    }
    servet_value line = change_of(evidence->stride, near, count);
    for (int i = 1; i < count; i++)
        if (evidence->stride[i] == line.value && (undecided[i] || undecided[i - 1]))
            line.trusted = false;
    return line;
}

/* Loads behind the line of the level above, but within the apparent line. */
typedef struct behind {
    bool any, hits, prefetched;
} behind;

/* If the line is really larger, these loads are hits in this very level. A faster load found its
 * line in a level above, where only a prefetcher can have brought it. A slower load was only partly
 * a hit. A time below that of a load of the same line is no time of a load: a prefetcher that
 * follows the ascending pairs has made first loads faster, with lines of any size. */
static behind levels_behind(const srv_line_evidence *evidence, double line)
{
    behind seen = {.hits = true};
    double nearest = 0;
    for (int i = 0; i < evidence->count && evidence->stride[i] < line; i++) {
        double ns = evidence->second[i], share = ns / evidence->hit_ns;
        if (evidence->stride[i] < evidence->above) {
            nearest = ns;
            continue;
        }
        seen.any = true;
        seen.hits = seen.hits && share > 1 / HIT_WITHIN && share < HIT_WITHIN;
        seen.prefetched = seen.prefetched || (share < PREFETCHED && ns * HIT_WITHIN > nearest);
    }
    return seen;
}

static servet_value no_larger(const srv_line_evidence *evidence, servet_value line, bool sure)
{
    double high = sure ? evidence->above : line.value;
    return (servet_value){.value = evidence->above,
                          .low = evidence->above,
                          .high = high,
                          .samples = line.samples,
                          .unit = line.unit,
                          .method = line.method,
                          .trusted = sure};
}

/* Cores that share this level have no block as evidence. */
static servet_value without_block(const srv_line_evidence *evidence, servet_value line, bool *pairs)
{
    behind seen = levels_behind(evidence, line.value);
    bool twice = line.value == 2 * evidence->above;
    if (evidence->above <= 0 || !seen.any)
        return line;
    *pairs = *pairs || seen.prefetched;
    if (twice || !seen.hits)
        return no_larger(evidence, line, twice && *pairs && line.value != evidence->reported);
    return line;
}

servet_value srv_detect_line(const srv_line_evidence *evidence, bool *pairs)
{
    servet_value line = seen(evidence);
    double above = evidence->above, block = evidence->block;
    if (!servet_value_known(&line) || line.value < above)
        return servet_value_unknown(SERVET_UNIT_BYTE);
    if (block <= 0)
        return without_block(evidence, line, pairs);
    bool more = line.value > block && block >= above;
    *pairs = *pairs || more;
    if (more)
        line.value = line.low = line.high = block;
    return line;
}
