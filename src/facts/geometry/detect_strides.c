/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/grow.h"
#include "facts/geometry/detect_lines.h"
#include "stats/robust.h"

enum { POINTS_MAX = 128, PLACES_MAX = 64, STRIDES_MAX = 16 };

/* At half the stride the lines fall on two sets: the median place holds half as many again. */
static const double HALVED = 1.25;

/* Share of the places of a set that fits which are undisturbed at worst. */
static const double QUIET = 0.25;

/* Least ratio of times at different levels of the hierarchy. */
static const double SLOWER = 1.1;

/* Odds (ln) from which a number of ways is clear: one error in 150, if two strides agree. */
static const double CLEAR = 5;

/* At least AGREEING of the places must miss with one line more than the ways; at most LATE of them
 * may miss with as many lines as ways. */
static const double AGREEING = 0.95, LATE = 0.5;

int srv_strides_add(srv_strides *strides, srv_stride_row row, servet_error *error)
{
    srv_stride_row *grown = srv_grow(strides->row, strides->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    strides->row = grown;
    strides->row[strides->count++] = row;
    return SERVET_OK;
}

void srv_strides_finish(srv_strides *strides)
{
    free(strides->row);
    *strides = (srv_strides){0};
}

/* --- one stride ------------------------------------------------------------------------------- */

static size_t places_of(const srv_strides *strides, const srv_stride_row *like,
                        double ns[PLACES_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < strides->count && n < PLACES_MAX; i++) {
        const srv_stride_row *row = &strides->row[i];
        bool shifted = like->phases > 1 && row->apart != like->apart;
        if (row->stride == like->stride && row->lines == like->lines &&
            row->phases == like->phases && !shifted)
            ns[n++] = row->ns;
    }
    srv_sort(ns, n);
    return n;
}

/* The time of the faster places: interference only slows down. NaN: none was measured. */
static double quiet_time(const srv_strides *strides, const srv_stride_row *like)
{
    double ns[PLACES_MAX];
    size_t n = places_of(strides, like, ns);
    return n > 0 ? srv_sorted_quantile(ns, n, QUIET) : NAN;
}

/* Time of lines that do not share a set, beyond that of the fewest ones: translation. */
static double control(const srv_strides *strides, double stride, int lines, double fewest)
{
    double least = INFINITY;
    for (size_t i = 0; i < strides->count; i++) {
        const srv_stride_row *row = &strides->row[i];
        if (row->stride == stride && row->lines == lines && row->phases > 2)
            least = fmin(least, row->ns);
    }
    return isinf(least) ? 0 : fmax(0, least - fewest);
}

/* The time of a set, of which `extra` is translation. If the lines are too many at every place,
 * their time is that at the median place: the lines that a policy keeps depend on its initial
 * state. */
static double settled_time(const srv_strides *strides, const srv_stride_row *like, double fewest,
                           double extra)
{
    double ns[PLACES_MAX];
    size_t n = places_of(strides, like, ns);
    double q = n > 0 && ns[0] - extra > SLOWER * fewest ? 0.5 : QUIET;
    return srv_sorted_quantile(ns, n, q) - extra;
}

static int points_of(const srv_strides *strides, double stride, srv_turns points[POINTS_MAX])
{
    int n = 0;
    bool measured[POINTS_MAX] = {false};
    /* Finds the numbers of lines that were measured in one set. */
    for (size_t i = 0; i < strides->count; i++) {
        const srv_stride_row *row = &strides->row[i];
        if (row->stride == stride && row->phases == 1 && row->lines > 0 && row->lines < POINTS_MAX)
            measured[row->lines] = true;
    }
    for (int lines = 1; lines < POINTS_MAX; lines++) {
        if (!measured[lines])
            continue;
        srv_stride_row like = {stride, 0, 1, lines, 0};
        double fewest = n > 0 ? points[0].ns : quiet_time(strides, &like);
        double extra = control(strides, stride, lines, fewest);
        points[n++] = (srv_turns){lines, settled_time(strides, &like, fewest, extra), 0};
    }
    return n;
}

bool srv_strides_slower(const srv_strides *strides, double stride, int lines)
{
    double here = quiet_time(strides, &(srv_stride_row){stride, 0, 1, lines, 0}), least = INFINITY;
    for (int fewest = 1; fewest < lines && isinf(least); fewest++) {
        double ns = quiet_time(strides, &(srv_stride_row){stride, 0, 1, fewest, 0});
        least = isnan(ns) ? INFINITY : ns;
    }
    return here > SLOWER * least;
}

bool srv_strides_end(const srv_strides *strides, double stride, srv_ways *ways)
{
    srv_turns points[POINTS_MAX];
    return srv_detect_ways(points, points_of(strides, stride, points), 0, ways);
}

/* --- all strides ------------------------------------------------------------------------------ */

static int strides_of(const srv_strides *strides, double stride[STRIDES_MAX])
{
    int n = 0;
    for (size_t i = 0; i < strides->count; i++) {
        int at = 0;
        while (at < n && stride[at] < strides->row[i].stride)
            at++;
        if ((at < n && stride[at] == strides->row[i].stride) || n == STRIDES_MAX)
            continue;
        for (int k = n++; k > at; k--)
            stride[k] = stride[k - 1];
        stride[at] = strides->row[i].stride;
    }
    return n;
}

static void find_ends(const srv_strides *strides, const double *stride, int n,
                      srv_ways end[STRIDES_MAX])
{
    for (int i = 0; i < n; i++)
        if (!srv_strides_end(strides, stride[i], &end[i]))
            end[i] = (srv_ways){0};
}

/* The smallest stride that holds as many lines as most larger ones; -1 where no two do. */
static int find_way(const srv_ways *end, int n, srv_ways *ways)
{
    int most = 1, at = -1;
    for (int i = 0; i < n; i++) {
        srv_ways here;
        /* The ends from number `from` on with as many lines, and the clearest of them. */
        int alike = 0;
        here = end[i];
        for (int k = i; k < n && here.ways > 0; k++)
            if (end[k].ways == here.ways) {
                alike++;
                here = end[k].odds > here.odds ? end[k] : here;
            }
        if (alike > most) {
            most = alike;
            at = i;
            *ways = here;
        }
    }
    return at;
}

/* True if half of that stride holds more lines, which then fall on two sets. */
static bool is_halved(const srv_strides *strides, double stride, const srv_ways *ways)
{
    srv_ways half;
    return !srv_strides_end(strides, stride, &half) || half.ways > HALVED * ways->ways;
}

/* Places at which `lines` lines are slower than `ns` and translation; `*all` counts places. */
static double slow_places(const srv_strides *strides, double stride, int lines,
                          const srv_ways *ways, double ns, size_t *all)
{
    double place[PLACES_MAX], slow = 0;
    size_t n = places_of(strides, &(srv_stride_row){stride, 0, 1, lines, 0}, place);
    double cut = ns + control(strides, stride, lines, ways->hit_ns);
    for (size_t i = 0; i < n; i++)
        slow += place[i] > cut;
    *all += n;
    return slow;
}

/* Places at which as many lines as ways miss, and at which more do, of how many each. */
typedef struct slow_count {
    double late, slow;
    size_t within, beyond;
} slow_count;

static slow_count count_slow(const srv_strides *strides, double stride, const srv_ways *ways)
{
    double gap = ways->miss_ns - ways->hit_ns;
    double cut = ways->hit_ns + 0.5 * gap * (ways->next - ways->ways) / ways->next;
    slow_count count = {0};
    count.late = slow_places(strides, stride, ways->ways, ways, cut, &count.within);
    for (int lines = ways->next; lines <= 2 * ways->next && lines < POINTS_MAX; lines++)
        count.slow += slow_places(strides, stride, lines, ways, cut, &count.beyond);
    return count;
}

/* True if as many lines as there are ways hit at most places, and more of them miss at nearly all:
 * interference makes lines miss, but nothing makes more lines than ways hit. Lines that are indexed
 * by physical addresses beyond the page conflict at some places only. */
static bool places_agree(const srv_strides *strides, double stride, const srv_ways *ways)
{
    slow_count count = count_slow(strides, stride, ways);
    return count.late <= LATE * (double)count.within &&
           count.slow >= AGREEING * (double)count.beyond;
}

static double find_line(const srv_strides *strides, const srv_ways *ways, double stride)
{
    double line = 0, largest = 0, fast = (ways->hit_ns + ways->miss_ns) / 2;
    for (size_t i = 0; i < strides->count; i++) {
        const srv_stride_row *row = &strides->row[i];
        if (row->stride != stride || row->phases != 2)
            continue;
        double ns = quiet_time(strides, row) - control(strides, stride, row->lines, ways->hit_ns);
        double least = ways->hit_ns +
                       (ways->miss_ns - ways->hit_ns) * (row->lines - ways->ways) / row->lines / 2;
        if (ns < fmin(fast, least))
            line = line > 0 ? fmin(line, row->apart) : row->apart;
        else
            largest = fmax(largest, row->apart);
    }
    return line > largest ? line : 0; /* all smaller shifts stay in the set */
}

static srv_stride_cache unclear(const char *why)
{
    return (srv_stride_cache){.why = why};
}

srv_stride_cache srv_detect_strides(const srv_strides *strides)
{
    double stride[STRIDES_MAX];
    srv_ways ways = {0}, end[STRIDES_MAX];
    int n = strides_of(strides, stride), at;
    find_ends(strides, stride, n, end);
    at = find_way(end, n, &ways);
    if (at < 0)
        return unclear("no two strides at which lines begin to miss alike");
    if (at == 0)
        return unclear("lines already conflict at the smallest stride measured");
    if (ways.odds < CLEAR)
        return unclear("another number of ways explains the times nearly as well");
    if (!is_halved(strides, stride[at - 1], &ways))
        return unclear("half the stride holds no more lines than the stride");
    if (!places_agree(strides, stride[at], &ways))
        return unclear("lines at one stride conflict in some places of memory and not in others");
    return (srv_stride_cache){.ways = ways.ways,
                              .way_bytes = stride[at],
                              .line_bytes = find_line(strides, &ways, stride[at]),
                              .hit_ns = ways.hit_ns,
                              .miss_ns = ways.miss_ns,
                              .odds = ways.odds,
                              .exact = ways.next == ways.ways + 1};
}

static void explain_stride(const srv_strides *strides, double stride, const srv_account *on)
{
    srv_ways ways;
    char size[SRV_SIZE_TEXT_MAX];
    srv_size_text(stride, size);
    if (srv_strides_end(strides, stride, &ways))
        srv_note(on, "lines %s apart: %d hit (%.3g ns), %d miss (%.3g ns)", size, ways.ways,
                 ways.hit_ns, ways.next, ways.miss_ns);
    else
        srv_note(on, "lines %s apart: all hit", size);
}

static void explain_rules(const srv_strides *strides, double stride, double half,
                          const srv_ways *ways, const srv_account *on)
{
    srv_ways spread;
    srv_turns points[POINTS_MAX];
    slow_count count = count_slow(strides, stride, ways);
    double late = count.late / fmax(1, (double)count.within),
           slow = count.slow / fmax(1, (double)count.beyond);
    double ratio =
        srv_strides_end(strides, half, &spread) ? (double)spread.ways / ways->ways : INFINITY;
    srv_explain_ways(points, points_of(strides, stride, points), 0, "lines", CLEAR, on);
    srv_note_rule(on, (srv_rule){"CLEAR", ways->odds, CLEAR, srv_outcome(ways->odds >= CLEAR)},
                  "log odds of %d ways against every other number", ways->ways);
    srv_note_rule(on, (srv_rule){"HALVED", ratio, HALVED, srv_outcome(ratio > HALVED)},
                  "lines that hit at half the stride, divided by those at the stride");
    srv_note_rule(on, (srv_rule){"LATE", late, LATE, srv_outcome(late <= LATE)},
                  "share of the places in memory at which %d lines miss", ways->ways);
    srv_note_rule(on, (srv_rule){"AGREEING", slow, AGREEING, srv_outcome(slow >= AGREEING)},
                  "share of the places in memory at which more lines miss");
}

static void explain_answer(const srv_stride_cache *found, const srv_account *on)
{
    char way[SRV_SIZE_TEXT_MAX], all[SRV_SIZE_TEXT_MAX], line[SRV_SIZE_TEXT_MAX];
    srv_rule answer = {NULL, NAN, NAN, srv_outcome(found->ways > 0 && found->exact)};
    if (found->ways == 0)
        srv_note_rule(on, answer, "not determined: %s", found->why);
    else if (!found->exact)
        srv_note_rule(on, answer,
                      "not determined: the numbers of lines next to %d were not measured",
                      found->ways);
    else
        srv_note_rule(on, answer, "%d ways x %s = %s, line %s", found->ways,
                      srv_size_text(found->way_bytes, way),
                      srv_size_text(found->ways * found->way_bytes, all),
                      found->line_bytes > 0 ? srv_size_text(found->line_bytes, line)
                                            : "not determined");
}

void srv_explain_strides(const srv_strides *strides, const srv_account *on)
{
    double stride[STRIDES_MAX];
    srv_ways ways = {0}, end[STRIDES_MAX];
    if (!on->to)
        return;
    srv_stride_cache found = srv_detect_strides(strides);
    int n = strides_of(strides, stride), at;
    find_ends(strides, stride, n, end);
    at = find_way(end, n, &ways);
    if (strides->count == 0) {
        srv_note_rule(on, (srv_rule){NULL, NAN, NAN, SERVET_OUTCOME_REJECTED},
                      "not determined: nothing was measured, for lack of time or of a recording");
        return;
    }
    srv_note(on, "%zu times of lines that should share a set", strides->count);
    for (int i = 0; i < n; i++)
        explain_stride(strides, stride[i], on);
    if (at > 0)
        explain_rules(strides, stride[at], stride[at - 1], &ways, on);
    explain_answer(&found, on);
}
