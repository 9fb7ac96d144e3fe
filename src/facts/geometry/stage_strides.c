/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/geometry/stage_parts.h"

#include <math.h>

#include "machine/order.h"
#include "sample/visit.h"

/* Strides from half a way of a small cache (4 KiB and 4 ways) to more than the largest ones (16 KiB
 * of the first-level caches with 64 KiB and 4 ways, 32 KiB with 2). */
static const double STRIDE_MIN = 512, STRIDE_MAX = 65536;

/* Numbers of ways of first levels, and one more; those between are measured later. */
static const int lines_probed[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 32, 33, 48, 65};
enum { LINES_PROBED = sizeof lines_probed / sizeof *lines_probed };

/* Passes are at other places and moments: interference lasts milliseconds. */
enum { PASSES_MIN = 2, PASSES_MAX = 8, PLACES_LAST = 8 };

/* Lines of a control are spread over CONTROL_PHASES sets, at CONTROL_PLACES places. */
enum { CONTROL_PHASES = 64, CONTROL_PLACES = 1 };

/* Shifts that determine the line; unshifted lines begin at multiples of the largest. */
static const double APART_MIN = 16, APART_MAX = 512;

typedef struct strides_bench {
    srv_machine *machine;
    const srv_geometry_plan *plan;
    srv_strides *strides;
    uint64_t probes;
    int pass; /* from 1 */
    servet_error *error;
} strides_bench;

/* Further passes are to be surer. */
static bool has_time(const strides_bench *bench)
{
    srv_sampler limit = {.machine = bench->machine, .deadline = bench->plan->deadline};
    return srv_sampler_due(&limit, bench->pass > PASSES_MIN ? SRV_WANT_SPARE : SRV_WANT_VISIT, 0);
}

/* The fastest sample of a visit, because interference only makes it slower. */
static int probe(strides_bench *bench, srv_stride_row row, int places)
{
    srv_traversal traversal = {.core = bench->plan->core,
                               .bytes = row.lines * row.stride,
                               .pattern = SRV_PATTERN_SETS,
                               .line_bytes = row.phases == 2 ? APART_MAX : bench->plan->line_bytes,
                               .stride = row.stride,
                               .apart = row.apart,
                               .phases = row.phases,
                               .chains = 1,
                               .pages = bench->plan->pages,
                               .seconds = SRV_SPOT_SECONDS};
    int code = SERVET_OK;
    for (int i = 0; i < places && has_time(bench) && code == SERVET_OK; i++) {
        srv_timing timing;
        traversal.seed = srv_mix(bench->plan->seed + ++bench->probes);
        code = bench->machine->ops->traverse(bench->machine, &traversal, 1, &timing, bench->error);
        row.ns = timing.spread.minimum;
        if (code == SERVET_OK)
            code = srv_strides_add(bench->strides, row, bench->error);
    }
    return code;
}

/* Lines that share sets and, if they are slower than few, as many that share none. */
static int probe_lines(strides_bench *bench, double stride, int lines, int places)
{
    srv_stride_row row = {.stride = stride, .phases = 1, .lines = lines};
    int code = probe(bench, row, places);
    if (code != SERVET_OK || !srv_strides_slower(bench->strides, stride, lines))
        return code;
    row.apart = bench->plan->line_bytes;
    row.phases = (int)fmin(CONTROL_PHASES, stride / row.apart);
    return row.phases > 2 ? probe(bench, row, CONTROL_PLACES) : SERVET_OK;
}

/* At a stride more and more lines, until they have missed for a while. */
static int probe_stride(strides_bench *bench, double stride)
{
    srv_ways ways;
    int code = SERVET_OK;
    for (int i = 0; i < LINES_PROBED && code == SERVET_OK; i++) {
        code = probe_lines(bench, stride, lines_probed[i], 1);
        if (srv_strides_end(bench->strides, stride, &ways) && lines_probed[i] >= 2 * ways.next)
            break;
    }
    return code;
}

static int probe_around(strides_bench *bench, const srv_stride_cache *found)
{
    int code = SERVET_OK;
    srv_ways ways;
    for (double stride = found->way_bytes; stride <= 2 * found->way_bytes; stride *= 2) {
        if (!srv_strides_end(bench->strides, stride, &ways))
            continue;
        for (int lines = ways.ways - 1; lines <= ways.next + 1 && code == SERVET_OK; lines++)
            code = lines > 1 ? probe_lines(bench, stride, lines, PLACES_LAST) : SERVET_OK;
    }
    return code;
}

/* All shifts at one place, then at the next: interference then affects all of them. */
static int probe_line(strides_bench *bench, const srv_stride_cache *found)
{
    int code = SERVET_OK;
    for (int place = 0; place < PLACES_LAST; place++)
        for (double apart = APART_MIN; apart <= APART_MAX && code == SERVET_OK; apart *= 2)
            if (apart < found->way_bytes)
                code = probe(bench,
                             (srv_stride_row){found->way_bytes, apart, 2, found->ways + 2, 0}, 1);
    return code;
}

int srv_probe_strides(srv_machine *machine, const srv_geometry_plan *plan, srv_strides *strides,
                      servet_error *error)
{
    strides_bench bench = {.machine = machine, .plan = plan, .strides = strides, .error = error};
    int code = SERVET_OK;
    for (bench.pass = 1; bench.pass <= PASSES_MAX && code == SERVET_OK && has_time(&bench);
         bench.pass++) {
        for (double stride = STRIDE_MIN; stride <= STRIDE_MAX && code == SERVET_OK; stride *= 2)
            code = probe_stride(&bench, stride);
        if (bench.pass >= PASSES_MIN && srv_detect_strides(strides).ways > 0)
            break;
    }
    srv_stride_cache found = srv_detect_strides(strides);
    if (code == SERVET_OK && found.way_bytes > 0)
        code = probe_around(&bench, &found);
    found = srv_detect_strides(strides);
    if (code == SERVET_OK && found.ways > 1)
        code = probe_line(&bench, &found);
    return code;
}
