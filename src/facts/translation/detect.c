/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/translation/detect.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/units.h"
#include "stats/robust.h"

/* A level costs at least the share RISE_FIRST of a load that hits the first cache, and raises
 * translation to RISE_NEXT times that of the previous level: page walks grow by less when their
 * tables outgrow the caches. */
static const double RISE_FIRST = 0.25, RISE_NEXT = 1.6;

/* Largest cost of a level that serves the misses of another, in loads that hit the first cache:
 * behind a more expensive one are page walks, whose tables outgrow one cache after the other. */
static const double SERVED_MAX = 8;

/* The largest TLBs of today have some thousands of entries. Where fewer pages were loaded, one more
 * level may be behind the last that was seen, unless that one's misses are too expensive for it. */
static const int ENTRIES_MOST = 4096;

/* A point within the share ON_PLATEAU of the rise from the level before belongs to its plateau; a
 * plateau stays within the share FLAT up to PLATEAU_LENGTH times as many pages. */
static const double ON_PLATEAU = 0.25, FLAT = 0.15, PLATEAU_LENGTH = 1.25;

/* Two levels are further apart than this, in pages; closer steps are one blurred level. */
static const double LEVELS_APART = 2.5;

/* Shares of a rise: none yet, begun, half of the loads miss. */
static const double CLEAN = 0.05, BEGUN = 0.1, HALF = 0.5;

/* If all pages share one set, one page more than its ways raises the misses from less than the one
 * share of all loads to more than the other: entries used by others only make fewer pages fit. */
static const double HITTING = 0.4, MISSING = 0.8;

enum { STRIDES_MAX = 16 };

/* The curve of one stride. */
typedef struct curve {
    double stride;
    int count;
    srv_page_point point[SRV_PAGE_POINTS_MAX];
} curve;

/* A rise from plateau to plateau; ns. */
typedef struct step {
    double before, after;
    double half; /* pages at which half of the loads miss */
    bool grows;  /* there are several plateaus, or none: the cost of a miss grows with the pages */
} step;

static bool leaves(const srv_page_point *point, double plateau)
{
    return point->ns > plateau + fmax(RISE_FIRST / 2 * point->control, ON_PLATEAU * plateau);
}

static bool is_level(const srv_page_point *point, double before, double hit)
{
    return before > 0 ? point->ns > RISE_NEXT * before && before < SERVED_MAX * hit
                      : point->ns > RISE_FIRST * hit;
}

/* Pages at which a share of a rise is reached (log scale); INFINITY: nowhere. */
static double crossing(const curve *on, double ns)
{
    for (int i = 0; i < on->count; i++) {
        const srv_page_point *at = &on->point[i];
        if (at->ns <= ns)
            continue;
        if (i == 0)
            return at->lines;
        double share = (ns - at[-1].ns) / (at->ns - at[-1].ns);
        return at[-1].lines * pow((double)at->lines / at[-1].lines, share);
    }
    return INFINITY;
}

/* Makes a rise a step of its own, or a part of the last one. */
static int add_step(const curve *on, step found, step steps[], int count)
{
    found.half = crossing(on, found.before + HALF * (found.after - found.before));
    if (count > 0 && found.half < LEVELS_APART * steps[count - 1].half) {
        step *last = &steps[count - 1];
        last->after = found.after;
        last->grows = true;
        last->half = crossing(on, last->before + HALF * (last->after - last->before));
        return count;
    }
    if (count < SRV_TRANSLATION_LEVELS_MAX)
        steps[count++] = found;
    return count;
}

/* A rise at the end of the series: all further pages miss, at a growing cost. */
static int add_last_rise(const curve *on, double plateau, step steps[], int count)
{
    const srv_page_point *end = &on->point[on->count - 1];
    if (on->count < 2)
        return count;
    const srv_page_point *last = end[-1].ns < end->ns ? &end[-1] : end;
    if (!leaves(last, plateau) || !is_level(last, plateau, on->point[0].control))
        return count;
    return add_step(on, (step){plateau, last->ns, 0, true}, steps, count);
}

static int find_steps(const curve *on, step steps[SRV_TRANSLATION_LEVELS_MAX])
{
    int count = 0;
    double plateau = 0;
    for (int i = 0; i < on->count; i++) {
        /* How high a plateau above `before` is that begins at point i; NaN where none does. */
        int k = i;
        double limit = on->point[i].ns + FLAT * (on->point[i].ns - plateau);
        while (k < on->count && on->point[k].lines < PLATEAU_LENGTH * on->point[i].lines &&
               on->point[k].ns <= limit)
            k++;
        double next = k < on->count && on->point[k].ns <= limit ? on->point[k].ns : NAN;
        if (isnan(next) || !leaves(&on->point[i], plateau))
            continue;
        if (is_level(&on->point[i], plateau, on->point[0].control))
            count = add_step(on, (step){plateau, next, 0, false}, steps, count);
        plateau = next;
    }
    return add_last_rise(on, plateau, steps, count);
}

/* --- a level at one stride -------------------------------------------------------------------- */

/* Pages at which a level begins to miss. */
typedef struct knee {
    double stride;
    int last, first;   /* of measured numbers: most pages that hit, fewest that do not */
    int least;         /* most that hit when others used most entries; else `last` */
    bool at_once;      /* of `first` next to nothing hits */
    bool clean;        /* of fewer pages nothing misses */
    double half;       /* pages at which half of the loads miss; INFINITY: not reached */
    int stays, leaves; /* most pages on the plateau before, fewest beyond; 0: none */
} knee;

/* The first point at which more than a share of a rise is reached; -1: none. */
static int first_above(const curve *on, const step *at, double share)
{
    double ns = at->before + share * (at->after - at->before);
    for (int i = 0; i < on->count; i++)
        if (on->point[i].ns > ns)
            return i;
    return -1;
}

static knee find_knee(const curve *on, const step *at)
{
    knee found = {.stride = on->stride,
                  .half = crossing(on, at->before + HALF * (at->after - at->before))};
    int begun = first_above(on, at, BEGUN), missing = first_above(on, at, MISSING),
        half = first_above(on, at, HITTING);
    found.at_once = missing > 0 && half == missing &&
                    on->point[missing].lines == on->point[missing - 1].lines + 1;
    int first = found.at_once ? missing : begun;
    found.clean = first > 0 && first_above(on, at, CLEAN) == first;
    if (first >= 0)
        found.first = on->point[first].lines;
    if (first > 0)
        found.last = found.least = on->point[first - 1].lines;
    /* Finds the end of the plateau before a level. */
    int i = on->count;
    while (i > 0 && leaves(&on->point[i - 1], at->before))
        i--;
    if (i > 0 && i < on->count) {
        found.stays = on->point[i - 1].lines;
        found.leaves = on->point[i].lines;
    }
    return found;
}

/* A level with LRU misses abruptly beyond its entries: half of the loads miss as soon as every
 * second of its sets has one page more than ways. Other levels miss gradually, and so does one
 * whose entries others use, too. */
static const double SHARP = 1.12;

/* Pages, in entries, at which half of the loads miss in a soft level: at least with hashed sets,
 * which begin to miss at the number of entries, and a fifth of them used by others, such as the
 * other thread of the core; at most with random replacement; typically. */
static const double HALF_LEAST = 0.8, HALF_MOST = 1.4, HALF_TYPICAL = 1.13;

/* Error of a sharp beginning: loads of a level with few ways begin to miss so much later than
 * measured, those of one that hashes, or with a few entries used by others, so much earlier. */
static const double LATE = 0.05, EARLY = 0.05;

/* A number of pages with its interval. */
typedef struct range {
    double value, low, high;
} range;

/* `indexed`: pages at twice the distance share half as many sets, so that none are hashed. */
static range sharp_range(const knee *at, bool indexed)
{
    double late = at->at_once ? 0 : LATE, early = at->clean && (at->at_once || indexed) ? 0 : EARLY;
    return (range){at->last, at->least - floor(late * at->least),
                   at->first - 1 + ceil(early * (at->first - 1))};
}

static range soft_range(double half)
{
    return (range){half / HALF_TYPICAL, half / HALF_MOST, half / HALF_LEAST};
}

/* Sizes that TLBs are built with: the odd part of the number, the commonest first. */
static const int odd_parts[] = {1, 3, 5, 9};
enum { ODD_PARTS = sizeof odd_parts / sizeof *odd_parts };

/* The built size nearest to the value within the interval, commonest kinds first. */
static double built_size(const range *of)
{
    double best = NAN, nearest = INFINITY;
    for (int i = 0; i < ODD_PARTS; i++) {
        double size = odd_parts[i] * exp2(round(log2(of->value / odd_parts[i])));
        double away = fabs(log2(size / of->value)) + 0.05 * i;
        if (size >= of->low && size <= of->high && away < nearest) {
            nearest = away;
            best = size;
        }
    }
    return isnan(best) ? of->value : best;
}

/* --- a level at all strides ------------------------------------------------------------------- */

/* A level at twice the distance begins at half the pages (sets), or at the same. */
static const double HALVED_LEAST = 0.35, HALVED_MOST = 0.7, SAME_LEAST = 0.8, SAME_MOST = 1.25;

/* A level shows at a stride if it begins so much later than the one before. */
static const double VISIBLE = 1.4;

/* No level that is not fully associative has more ways; larger numbers are neighbouring pages that
 * share an entry: pages further apart take one each. */
static const int WAYS_MAX = 32;

/* Largest number of ways of a level with several sets. A level that seems to have more may have a
 * number of sets that is no power of two: of 12 sets, pages at distances of powers of two share 3,
 * whose 24 entries look like ways. */
static const int WAYS_BUILT = 16;

/* How a level was read. */
typedef struct reading {
    range entries;
    double sets; /* that pages at the first stride use, as far as seen */
    int ways;    /* 0: not known */
    bool sharp;
    double shared; /* neighbouring pages with one entry */
    bool counted;  /* their number at the start of misses halves where their distance doubles */
    bool open;     /* counted, but by no policy that is known */
} reading;

/* The series of knees of one level: knees[0..halved] each begin at half the pages of the one
 * before, those up to knees[settled] at the same number. */
typedef struct course {
    int halved, settled;
} course;

static bool is_visible(const knee *knees, const knee *before, int k)
{
    return isfinite(knees[k].half) && (!before || knees[k].half > VISIBLE * before[k].half);
}

static bool goes_on(const knee *knees, const knee *before, int k, int count, double least,
                    double most)
{
    if (k >= count || !is_visible(knees, before, k))
        return false;
    double ratio = knees[k].half / knees[k - 1].half;
    return ratio >= least && ratio <= most;
}

static course follow(const knee *knees, const knee *before, int count)
{
    int k = 1;
    while (goes_on(knees, before, k, count, HALVED_LEAST, HALVED_MOST))
        k++;
    course on = {.halved = k - 1};
    while (goes_on(knees, before, k, count, SAME_LEAST, SAME_MOST))
        k++;
    on.settled = k - 1;
    return on;
}

/* True if another knee that begins at the same number agrees with knee k to the page. */
static bool is_confirmed(const knee *knees, course on, int k)
{
    for (int i = on.halved; i <= on.settled; i++)
        if (i != k && knees[i].at_once && knees[i].last == knees[k].last)
            return true;
    return false;
}

/* The most informative knee among those that begin at the same number: the first, if nothing missed
 * before and another one agrees; else the one that kept most, because interference only makes fewer
 * pages hit. */
static knee best_of(const knee *knees, course on)
{
    const knee *first = &knees[on.halved];
    knee best = *first;
    if (first->at_once && first->clean && is_confirmed(knees, on, on.halved))
        return best;
    for (int k = on.halved + 1; k <= on.settled; k++)
        if (knees[k].at_once && (!best.at_once || knees[k].last > best.last))
            best = knees[k];
    best.least = first->last < best.last ? first->last : best.last;
    best.clean = best.clean && !best.at_once;
    return best;
}

static double median_half(const knee *knees, int count)
{
    double half[STRIDES_MAX];
    for (int i = 0; i < count; i++)
        half[i] = knees[i].half * knees[i].stride / knees[0].stride;
    srv_sort(half, (size_t)count);
    return srv_sorted_quantile(half, (size_t)count, 0.5);
}

/* Number of doublings of the distance that prove that sets are indexed by the page number, and
 * thereby the number of entries. At each doubling the pages begin to miss at half the number, to
 * SAME_END, with any policy and any cost of a miss. At short distances a cache that the lines fill
 * is in the way; at long ones there are fewer lines. */
enum { HALVINGS = 2 };
static const double SAME_END = 0.03;

/* Curves whose ends of the plateau halve from each to the next: `times` from knee `from`. */
typedef struct halving {
    int from, times;
} halving;

static int count_halvings(const knee *knees, const knee *before, int from, int count)
{
    int k = from + 1;
    while (k < count && knees[k].stays > 0 &&
           (!before || knees[k].stays > VISIBLE * before[k].half) &&
           fabs(2.0 * knees[k].stays / knees[k - 1].stays - 1) <= SAME_END)
        k++;
    return k - 1 - from;
}

/* The first curves that are enough; 0 times: there are none. */
static halving find_halving(const knee *knees, const knee *before, int count)
{
    for (int from = 0; from + HALVINGS < count; from++) {
        int times = knees[from].stays > 0 ? count_halvings(knees, before, from, count) : 0;
        if (times >= HALVINGS)
            return (halving){from, times};
    }
    return (halving){0, 0};
}

static range scaled(range of, double factor)
{
    return (range){of.value * factor, of.low * factor, of.high * factor};
}

/* Reads a level from knees that halve, then stay. */
static reading follow_level(const knee *knees, course on, const knee *best)
{
    reading found = {.sets = exp2(on.halved),
                     .sharp = best->last > 0 && isfinite(best->half) &&
                              best->half <= SHARP * best->first,
                     .shared = 1};
    range of_set = found.sharp ? sharp_range(best, on.halved > 0)
                               : soft_range(median_half(knees, on.halved + 1) / found.sets);
    if (on.settled > on.halved && best->at_once)
        found.ways = (int)of_set.value;
    if (found.ways > WAYS_MAX && found.sets > 1)
        found = (reading){.sets = 1, .ways = found.ways, .sharp = true, .shared = found.sets};
    found.entries = scaled(of_set, found.sets);
    return found;
}

static bool agree(const range *a, const range *b)
{
    return a->low <= b->high && b->low <= a->high;
}

static reading read_level(const knee *knees, const knee *before, int count)
{
    course on = follow(knees, before, count);
    knee best = best_of(knees, on);
    reading found = follow_level(knees, on, &best);
    halving ends = find_halving(knees, before, count);
    /* The entries by the ends of plateaus that halve. */
    double stays = 0, leaves = INFINITY;
    for (int k = ends.from; k <= ends.from + ends.times; k++) {
        stays = fmax(stays, exp2(k) * knees[k].stays);
        leaves = fmin(leaves, exp2(k) * knees[k].leaves);
    }
    range counted = (range){stays, stays * (1 - SAME_END), fmax(stays, leaves)};
    /* hashed sets may look indexed from some distance on only */
    found.counted = ends.times > 0 && (ends.from == 0 || agree(&counted, &found.entries));
    if (found.counted && !found.sharp)
        found = (reading){.entries = counted,
                          .sets = exp2(ends.from + ends.times),
                          .sharp = true,
                          .shared = 1,
                          .counted = true,
                          .open = true};
    if (found.entries.low < found.entries.high)
        found.entries.value = built_size(&found.entries);
    return found;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Shares of the levels whose interval holds the true value, of random ones with and without
 * interference (tests/c/translation_detect.c makes them). */
static const double CONFIDENCE_SHARP = 0.9, CONFIDENCE_SOFT = 0.95;

/* Least number of base pages that count as sharing an entry. */
static const double SHARED_MIN = 4;

/* The curves of this stride and of its doubles, `most` of them; returns their number. */
static int read_curves(const srv_page_visits *series, bool packed, double first, int most,
                       curve *curves)
{
    int count = 0;
    for (double stride = first; count < most; stride *= 2) {
        curves[count].stride = stride;
        curves[count].count = srv_page_curve(series, stride, packed, curves[count].point);
        if (curves[count].count == 0)
            break;
        count++;
    }
    return count;
}

static servet_value value_of(range of, int samples, servet_unit unit, servet_method method)
{
    return (servet_value){of.value, of.low, of.high, samples, unit, method, true};
}

static servet_value time_of(range ns, int samples)
{
    return srv_value_in_seconds(value_of(ns, samples, SRV_UNIT_NANOSECOND, SERVET_METHOD_TIMED));
}

/* The last points have no points behind them that would show a disturbance. */
enum { UNCONFIRMED = 2 };

/* Points that are replaced by a median of them. */
enum { COSTS_LEAST = 3 };

/* Cost of translation from a step on to where the next level begins to miss: in the middle, because
 * around the end of a cache pages and their control do not outgrow it alike, first one, then the
 * other. */
static range cost_from(const curve *on, const step *at, const knee *next)
{
    double end = at->after, alone[SRV_PAGE_POINTS_MAX];
    size_t count = 0;
    for (int i = 0; i < on->count - UNCONFIRMED && (!next || on->point[i].lines < next->first);
         i++) {
        end = fmax(end, on->point[i].ns);
        if (on->point[i].lines > PLATEAU_LENGTH * at->half && !isnan(on->point[i].alone))
            alone[count++] = on->point[i].alone;
    }
    srv_sort(alone, count);
    double value = count >= COSTS_LEAST ? srv_sorted_quantile(alone, count, 0.5) : at->after;
    return (range){value, fmin(value, at->after), fmax(value, end)};
}

static srv_translation_level level_of(const reading *read, range miss, const curve *on)
{
    servet_method method = read->sharp ? SERVET_METHOD_CONFLICT : SERVET_METHOD_CURVE_FIT;
    srv_translation_level level = {
        .entries = value_of(read->entries, on->count, SERVET_UNIT_NONE, method),
        .ways = servet_value_unknown(SERVET_UNIT_NONE),
        .miss = time_of(miss, on->count),
        .confidence = read->sharp ? CONFIDENCE_SHARP : CONFIDENCE_SOFT,
        .counted = read->counted,
    };
    if (read->ways > 0) {
        level.ways =
            value_of(scaled(read->entries, 1 / read->sets), on->count, SERVET_UNIT_NONE, method);
        level.ways.trusted = read->sets == 1 || read->ways <= WAYS_BUILT;
    }
    return level;
}

/* Sets the memory that an entry translates, and thus the reach of the levels. */
static void set_granule(srv_translation *found, double granule)
{
    for (int i = 0; i < found->count; i++) {
        servet_value *reach = &found->level[i].reach;
        *reach = found->level[i].entries;
        reach->unit = SERVET_UNIT_BYTE;
        reach->value *= granule;
        reach->low *= granule;
        reach->high *= granule;
    }
    if (found->count > 0)
        found->granule =
            value_of((range){granule, granule, granule}, found->level[0].entries.samples,
                     SERVET_UNIT_BYTE, SERVET_METHOD_CONFLICT);
}

/* True if the cost is below half of a level's least: the control rose instead. */
static bool is_none(double cost, double served, double hit)
{
    return cost < (served > 0 ? (1 + (RISE_NEXT - 1) / 2) * served : RISE_FIRST / 2 * hit);
}

/* Levels of `count` > 0 curves, of which the first is that of pages side by side. */
static srv_translation read_levels(const curve *curves, int count)
{
    step steps[SRV_TRANSLATION_LEVELS_MAX];
    knee knees[SRV_TRANSLATION_LEVELS_MAX][STRIDES_MAX];
    const curve *on = &curves[0];
    double granule = on->stride, served = 0; /* served: what the level before costs */
    int rises = find_steps(on, steps);
    srv_translation found = {.pages_asked = on->point[on->count - 1].lines,
                             .granule = servet_value_unknown(SERVET_UNIT_BYTE),
                             .walk = servet_value_unknown(SERVET_UNIT_SECOND)};
    for (int i = 0; i < rises; i++)
        for (int k = 0; k < count; k++)
            knees[i][k] = find_knee(&curves[k], &steps[i]);
    for (int i = 0; i < rises; i++) {
        range cost = cost_from(on, &steps[i], i + 1 < rises ? knees[i + 1] : NULL);
        if (is_none(cost.value, served, on->point[0].control))
            continue;
        reading read = read_level(knees[i], i > 0 ? knees[i - 1] : NULL, count);
        range miss = {cost.value - served, fmax(0, cost.low - served), cost.high - served};
        served = cost.value;
        granule = found.count == 0 ? on->stride * read.shared : granule;
        /* where no policy is known, the plateau may be half of a rise */
        bool grows = steps[i].grows || read.open;
        if (grows && !read.counted)
            read.entries.low = fmin(read.entries.low, (1 - LATE) * knees[i][0].stays);
        srv_translation_level *level = &found.level[found.count++];
        *level = level_of(&read, miss, on);
        level->miss.trusted = !grows;
        level->entries.trusted = read.counted || read.sharp || !steps[i].grows;
        found.walk = time_of(cost, on->count);
        found.goes_on =
            found.pages_asked < ENTRIES_MOST && cost.value <= SERVED_MAX * on->point[0].control;
        found.walk.trusted = !grows && !found.goes_on;
    }
    set_granule(&found, granule);
    return found;
}

/* A cache ends where a control of NEAR times more or fewer lines takes another time by the share
 * CHANGED. Pages fill it in another way than lines side by side: a rise there is that cache, unless
 * it comes to the cost of a miss of the level, to the same share, at once or at last. */
static const double NEAR = 2, CHANGED = 0.25;

static bool is_a_cache(const curve *on, const srv_translation *base, const srv_translation *huge)
{
    if (huge->count == 0)
        return false;
    double miss = huge->level[0].miss.value;
    double first = base->level[0].miss.value / miss;
    double last = srv_seconds(on->point[on->count - 1].ns) / miss;
    double lines = base->level[0].entries.value;
    double least = INFINITY, most = 0;
    for (int i = 0; i < on->count; i++)
        if (on->point[i].lines <= NEAR * lines && lines <= NEAR * on->point[i].lines) {
            least = fmin(least, on->point[i].control);
            most = fmax(most, on->point[i].control);
        }
    return (most > (1 + CHANGED) * least) && fabs(first - 1) > CHANGED && fabs(last - 1) > CHANGED;
}

/* Joins the results for adjacent base pages in huge ones and for one line in each huge one. If the
 * first level has the same number of entries for both, an entry translates a base page, although
 * huge pages were requested. A rise whose end was not seen does not show the number. */
static srv_translation join_huge(const srv_translation *huge, const curve *side_by_side,
                                 double page_bytes)
{
    srv_translation found = *huge, base = read_levels(side_by_side, 1);
    if (base.count == 0 || !base.level[0].miss.trusted || is_a_cache(side_by_side, &base, huge))
        return found;
    double shared =
        huge->count > 0 ? base.level[0].entries.value / huge->level[0].entries.value : 1;
    if (shared < SHARED_MIN)
        return base;
    set_granule(&found, fmin(page_bytes, side_by_side->stride * exp2(round(log2(shared)))));
    return found;
}

srv_translation srv_detect_translation(const srv_page_visits *series, bool packed)
{
    curve curves[STRIDES_MAX], side_by_side;
    srv_translation nothing = {.granule = servet_value_unknown(SERVET_UNIT_BYTE),
                               .walk = servet_value_unknown(SERVET_UNIT_SECOND)};
    int count = read_curves(series, packed, series->page_bytes, STRIDES_MAX, curves);
    srv_translation found = count > 0 ? read_levels(curves, count) : nothing;
    if (series->page_bytes == series->base_bytes ||
        read_curves(series, packed, series->base_bytes, 1, &side_by_side) == 0)
        return found;
    return join_huge(&found, &side_by_side, series->page_bytes);
}
