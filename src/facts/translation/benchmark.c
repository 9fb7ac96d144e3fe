/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/translation/benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/grow.h"
#include "machine/order.h"
#include "sample/visit.h"

/* Lines, from fewer than any TLB has entries to somewhat more than the largest of today (4096). */
enum { LINES_MIN = 2, LINES_MAX = 12288 };

/* Distances of pages, each twice the one before: pages of as many sets as second TLBs have (256)
 * share one then. They are powers of two where the number of sets is one. */
enum { STRIDES_MAX = 10 };

/* Sets per octave before refinement: of the first stride and of the others. */
enum { DENSE_POINTS = 4, SPARSE_POINTS = 2 };

/* Few samples at many moments: two visits within AGREES are enough. */
static const double AGREES = 0.02;
enum { VISITS_MIN = 2, VISITS_MAX = 6 };

/* An interval over which translation rises by this share of what it costs behind it, and of what
 * the load takes besides, is halved, until neighbours are one line apart, or this share of their
 * number. So often at most. */
static const double RISES = 0.2, RISES_AT_FIRST = 0.1, CLOSE = 1.0 / 64;
enum { REFINEMENTS = 9 };

typedef struct working_set {
    double stride;
    int lines, visits;
    double fastest, second; /* ns */
} working_set;

typedef struct translation_bench {
    const srv_translation_plan *plan;
    srv_page_visits *series;
    working_set *set; /* ascending by lines, then by stride: sets to be compared are measured at
                         about the same moment */
    size_t count;
    double stride[STRIDES_MAX];
    int stride_count;
    uint64_t probes, packed_probes;
    bool packs; /* there is a packed control, too */
    servet_error *error;
} translation_bench;

static int order_of(const working_set *set, double stride, int lines)
{
    if (set->lines != lines)
        return set->lines < lines ? -1 : 1;
    return (set->stride > stride) - (set->stride < stride);
}

static int add_set(translation_bench *bench, double stride, int lines)
{
    size_t at = bench->count;
    while (at > 0 && order_of(&bench->set[at - 1], stride, lines) >= 0)
        at--;
    if (at < bench->count && order_of(&bench->set[at], stride, lines) == 0)
        return SERVET_OK;
    working_set *grown = srv_grow(bench->set, bench->count, sizeof *grown);
    if (!grown)
        return srv_fail_memory(bench->error);
    bench->set = grown;
    memmove(bench->set + at + 1, bench->set + at, (bench->count - at) * sizeof *bench->set);
    bench->set[at] =
        (working_set){.stride = stride, .lines = lines, .fastest = INFINITY, .second = INFINITY};
    bench->count++;
    return SERVET_OK;
}

static int add_controlled(translation_bench *bench, double stride, int lines)
{
    int code = add_set(bench, 0, lines);
    if (code == SERVET_OK && bench->packs)
        code = add_set(bench, srv_page_packed_stride(bench->series), lines);
    return code == SERVET_OK ? add_set(bench, stride, lines) : code;
}

static int lay_grid(translation_bench *bench, double stride, int points)
{
    double most = fmin(LINES_MAX, floor(bench->plan->max_bytes / stride));
    int code = SERVET_OK;
    for (int k = 0; code == SERVET_OK; k++) {
        int lines = (int)lrint(LINES_MIN * exp2((double)k / points));
        if (lines > most)
            break;
        code = add_controlled(bench, stride, lines);
    }
    return code;
}

static int lay_grids(translation_bench *bench)
{
    int code = SERVET_OK;
    for (int i = 0; i < bench->stride_count && code == SERVET_OK; i++) {
        bool main = bench->stride[i] <= bench->plan->page_bytes;
        code = lay_grid(bench, bench->stride[i], main ? DENSE_POINTS : SPARSE_POINTS);
    }
    return code;
}

static bool rises(const srv_page_point *a, const srv_page_point *b)
{
    return b->ns - a->ns > RISES * b->ns + RISES_AT_FIRST * b->control &&
           b->lines - a->lines > fmax(1, CLOSE * a->lines);
}

/* Halves the intervals of one stride that the curve rises over. */
static int refine(translation_bench *bench, double stride)
{
    srv_page_point point[SRV_PAGE_POINTS_MAX];
    int count = srv_page_curve(bench->series, stride, false, point), code = SERVET_OK;
    for (int i = 1; i < count && code == SERVET_OK; i++)
        if (rises(&point[i - 1], &point[i]))
            code = add_controlled(bench, stride, (point[i - 1].lines + point[i].lines) / 2);
    return code;
}

static int refine_all(translation_bench *bench)
{
    int code = SERVET_OK;
    for (int i = 0; i < bench->stride_count && code == SERVET_OK; i++)
        code = refine(bench, bench->stride[i]);
    return code;
}

/* --- visits ----------------------------------------------------------------------------------- */

static bool is_packed(const translation_bench *bench, const working_set *set)
{
    return set->stride == srv_page_packed_stride(bench->series);
}

/* Two visits to each set are planned; further ones are for sets whose visits differ. */
static srv_want want_visit(const translation_bench *bench, const working_set *set)
{
    if (is_packed(bench, set) && !bench->packs)
        return SRV_WANT_NOTHING;
    if (set->visits < VISITS_MIN)
        return SRV_WANT_VISIT;
    bool agrees = set->second - set->fastest <= AGREES * set->fastest;
    return agrees || set->visits == VISITS_MAX ? SRV_WANT_NOTHING : SRV_WANT_SPARE;
}

/* Lines in huge pages vary over all their base pages, too, which a host may translate one by one.
 * Their distance is an odd number of lines, so that they use all sets of a cache, like those of the
 * control. */
enum { HUGE_PHASES = 512 };

/* Seeds of packed sets: a recording made without these finds its own for all others. */
static const uint64_t PACKED_SEEDS = (uint64_t)1 << 32;

/* The traversal of a set, whose lines vary over all lines of a page. */
static srv_traversal traversal_of(translation_bench *bench, const working_set *set)
{
    const srv_translation_plan *plan = bench->plan;
    double window = fmin(set->stride, plan->page_bytes),
           apart = plan->line_bytes + (window > plan->base_bytes ? window / HUGE_PHASES : 0);
    uint64_t number =
        is_packed(bench, set) ? PACKED_SEEDS + bench->packed_probes++ : bench->probes++;
    srv_traversal traversal = {.core = plan->core,
                               .bytes = set->lines * plan->line_bytes,
                               .largest_bytes = plan->max_bytes,
                               .pattern = SRV_PATTERN_LINES,
                               .line_bytes = plan->line_bytes,
                               .chains = 1,
                               .pages = plan->pages,
                               .seed = srv_mix(bench->plan->seed + number),
                               .seconds = SRV_SPOT_SECONDS};
    if (set->stride > 0) {
        traversal.pattern = SRV_PATTERN_SPREAD;
        traversal.bytes = set->lines * set->stride;
        traversal.stride = set->stride;
        traversal.apart = is_packed(bench, set) ? 0 : apart;
        traversal.phases = is_packed(bench, set) ? 1 : (int)(window / apart);
    }
    return traversal;
}

static int visit(translation_bench *bench, working_set *set)
{
    srv_timing timing;
    srv_traversal traversal = traversal_of(bench, set);
    srv_machine *machine = bench->plan->sampler.machine;
    int code = machine->ops->traverse(machine, &traversal, 1, &timing, bench->error);
    if (code == SERVET_EUNMEASURED && is_packed(bench, set)) {
        bench->packs = false; /* recorded before there was this control */
        return SERVET_OK;
    }
    if (code != SERVET_OK)
        return code;
    set->visits++;
    set->second = fmin(set->second, fmax(set->fastest, timing.mean));
    set->fastest = fmin(set->fastest, timing.mean);
    if (traversal.bytes >= bench->plan->page_bytes)
        bench->series->huge_share = fmin(bench->series->huge_share, timing.huge_share);
    srv_page_visit made = {set->stride, set->lines, timing.mean};
    return srv_page_visits_add(bench->series, made, bench->error);
}

static double share_done(const translation_bench *bench)
{
    double done = 0;
    for (size_t i = 0; i < bench->count; i++)
        done += want_visit(bench, &bench->set[i]) == SRV_WANT_NOTHING;
    return done / (double)bench->count;
}

/* Visits once each incomplete set; `*visited` becomes the number of visits. */
static int go_round(translation_bench *bench, int *visited)
{
    const srv_sampler *sampler = &bench->plan->sampler;
    srv_loop loop = srv_loop_of(sampler, (int)bench->count, 1, bench->error);
    while (srv_loop_next(&loop)) {
        working_set *set = &bench->set[loop.row];
        double done = sampler->progress ? share_done(bench) : 0;
        if (srv_loop_due_at(&loop, want_visit(bench, set), 0, "", done))
            loop.code = visit(bench, set);
    }
    *visited = loop.visits;
    return loop.code;
}

static int run(translation_bench *bench)
{
    /* Adjacent base pages, then pages of the requested size at growing distances. */
    const srv_translation_plan *plan = bench->plan;
    bench->stride[bench->stride_count++] = plan->base_bytes;
    double next = plan->page_bytes > plan->base_bytes ? plan->page_bytes : 2 * plan->base_bytes;
    while (bench->stride_count < STRIDES_MAX && next * 2 * LINES_MIN <= plan->max_bytes) {
        bench->stride[bench->stride_count++] = next;
        next *= 2;
    }
    int code = lay_grids(bench);
    for (int i = 0; i <= REFINEMENTS && code == SERVET_OK; i++) {
        for (int visited = 1; visited > 0 && code == SERVET_OK;)
            code = go_round(bench, &visited);
        if (code == SERVET_OK)
            code = refine_all(bench);
    }
    return code;
}

int srv_bench_translation(const srv_translation_plan *plan, srv_page_visits *series,
                          servet_error *error)
{
    *series = (srv_page_visits){.base_bytes = plan->base_bytes,
                                .page_bytes = plan->page_bytes,
                                .line_bytes = plan->line_bytes,
                                .huge_share = INFINITY};
    translation_bench bench = {.plan = plan,
                               .series = series,
                               .packs = plan->page_bytes == plan->base_bytes,
                               .error = error};
    int code = run(&bench);
    free(bench.set);
    if (isinf(series->huge_share))
        series->huge_share = NAN;
    if (code != SERVET_OK)
        srv_page_visits_free(series);
    return code;
}
