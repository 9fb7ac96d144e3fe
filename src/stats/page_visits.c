/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats/page_visits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"

int srv_page_visits_add(srv_page_visits *series, srv_page_visit visit, servet_error *error)
{
    srv_page_visit *grown = srv_grow(series->visit, series->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(error);
    series->visit = grown;
    series->visit[series->count++] = visit;
    return SERVET_OK;
}

void srv_page_visits_free(srv_page_visits *series)
{
    free(series->visit);
    series->visit = NULL;
    series->count = 0;
}

/* The fastest visit to a working set and the one after it. */
typedef struct fastest {
    int lines;
    double ns, second;
} fastest;

/* Returns the position of the set with `lines` lines among `count` sets, or the position for it. */
static int find(const fastest *set, int count, int lines)
{
    int at = count;
    while (at > 0 && set[at - 1].lines >= lines)
        at--;
    return at;
}

static void put(fastest *set, int *count, const srv_page_visit *visit)
{
    int at = find(set, *count, visit->lines);
    if (at == *count || set[at].lines != visit->lines) {
        if (*count == SRV_PAGE_POINTS_MAX)
            return;
        memmove(set + at + 1, set + at, (size_t)(*count - at) * sizeof *set);
        set[at] = (fastest){visit->lines, INFINITY, INFINITY};
        ++*count;
    }
    set[at].second = fmin(set[at].second, fmax(set[at].ns, visit->ns));
    set[at].ns = fmin(set[at].ns, visit->ns);
}

static int gather(const srv_page_visits *series, double stride, fastest set[SRV_PAGE_POINTS_MAX])
{
    int count = 0;
    for (size_t i = 0; i < series->count; i++)
        if (series->visit[i].stride == stride)
            put(set, &count, &series->visit[i]);
    return count;
}

/* Largest number of packed lines in a base page; least distance of packed lines, in lines. */
enum { PACKED = 16, APART_LEAST = 3 };

/* The stride is an odd number of lines, so that all offsets in a page occur. */
double srv_page_packed_stride(const srv_page_visits *series)
{
    int lines = (int)(series->base_bytes / PACKED / series->line_bytes);
    return (lines > APART_LEAST ? lines | 1 : APART_LEAST) * series->line_bytes;
}

/* Returns the cost of translating the control's own pages, ns. The control returns to each page
 * many times in a round, so that in a level with `lines` entries the share lines / pages of its
 * loads hits. */
static double control_pages(const srv_page_point *base, int count, double pages)
{
    double ns = 0, before = 0;
    for (int i = 0; i < count && base[i].lines < pages; i++) {
        ns += (base[i].ns - before) * (1 - base[i].lines / pages);
        before = base[i].ns;
    }
    return ns;
}

/* Share of the control's time by which a set and its control differ for other reasons than
 * translation: random pages fill caches differently than adjacent lines. */
static const double UNLIKE = 0.05;

/* Returns the second smallest cost of the points behind point i that are known well enough. */
static double second_behind(const srv_page_point *point, int count, int i)
{
    double least = INFINITY, second = INFINITY;
    for (int k = i + 1; k < count; k++) {
        double ns = point[k].ns + UNLIKE * (point[k].control - point[i].control);
        second = fmin(second, fmax(least, ns));
        least = fmin(least, ns);
    }
    return second;
}

/* Subtracts the controls with as many lines; `base` is the cost of their pages. */
static int subtract(const srv_page_visits *series, double stride, bool packed,
                    const srv_page_point *base, int base_count, srv_page_point *point)
{
    fastest set[SRV_PAGE_POINTS_MAX], control[SRV_PAGE_POINTS_MAX];
    double from = packed ? srv_page_packed_stride(series) : 0,
           apart = packed ? from : series->line_bytes;
    int count = gather(series, stride, set), controls = gather(series, from, control), n = 0;
    /* Makes times ascend: a set with more lines is not faster. */
    for (int i = controls - 2; i >= 0; i--)
        control[i].ns = fmin(control[i].ns, control[i + 1].ns);
    for (int i = 0; i < count; i++) {
        int at = find(control, controls, set[i].lines);
        if (at == controls || control[at].lines != set[i].lines)
            continue;
        double pages = set[i].lines * apart / series->base_bytes;
        double own = base ? control_pages(base, base_count, pages) : control_pages(point, n, pages);
        double ns = fmax(0, set[i].ns - control[at].ns + own);
        double doubt = fmax(set[i].second - set[i].ns, control[at].second - control[at].ns);
        point[n++] = (srv_page_point){set[i].lines, ns, control[at].ns, packed ? ns : NAN, doubt};
    }
    /* Makes costs ascend: the costs of two larger sets limit the cost of a smaller one. One
     * larger set is not enough, because others may have made its control slower. */
    for (int i = 0; i < n; i++)
        point[i].ns = fmin(point[i].ns, second_behind(point, n, i));
    for (int i = 1; i < n; i++)
        point[i].ns = fmax(point[i].ns, point[i - 1].ns);
    return n;
}

bool srv_page_is_packed(const srv_page_visits *series, double stride)
{
    fastest set[SRV_PAGE_POINTS_MAX], packed[SRV_PAGE_POINTS_MAX];
    int count = gather(series, stride, set), n = 0;
    int most = gather(series, srv_page_packed_stride(series), packed);
    for (int i = 0; i < count; i++) {
        int at = find(packed, most, set[i].lines);
        n += at < most && packed[at].lines == set[i].lines;
    }
    return count > 0 && n == count;
}

static int curve_beside(const srv_page_visits *series, double stride, bool packed,
                        srv_page_point point[SRV_PAGE_POINTS_MAX])
{
    srv_page_point base[SRV_PAGE_POINTS_MAX];
    if (stride == series->base_bytes)
        return subtract(series, stride, packed, NULL, 0, point);
    int count = subtract(series, series->base_bytes, packed, NULL, 0, base);
    return subtract(series, stride, packed, base, count, point);
}

int srv_page_curve(const srv_page_visits *series, double stride, bool packed,
                   srv_page_point point[SRV_PAGE_POINTS_MAX])
{
    int count = curve_beside(series, stride, packed, point);
    srv_page_point beside_packed[SRV_PAGE_POINTS_MAX];
    if (!packed && srv_page_is_packed(series, stride) &&
        curve_beside(series, stride, true, beside_packed) == count)
        for (int i = 0; i < count; i++)
            point[i].alone = beside_packed[i].alone;
    return count;
}
