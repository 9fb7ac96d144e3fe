/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/stage_parts.h"

#include <math.h>

#include "core/units.h"

/* Sets, as shares of the capacity; the one that shows sharing best is used. The papers' is 2/3
 * (IPDPS'10, Fig. 5). With pages placed at random, a smaller set overflows less when alone; with
 * large caches above, or lines that move between levels, only larger sets overflow together. */
static const double TRAVERSAL_SHARES[] = {0.5, 2.0 / 3, 0.84};
enum { TRAVERSAL_SHARES_COUNT = sizeof TRAVERSAL_SHARES / sizeof *TRAVERSAL_SHARES };

/* The lines of a set to be read have together the geometric mean of the capacities above and here,
 * so that most of them are here when the other core reads; for a first level, a part of it. A cache
 * with turnover keeps few modified lines (here, with 480 MiB reported and 12 MiB reached by loads,
 * 5 MiB). The lines span twice that many bytes, which must fit, too. The reference for a miss is a
 * traversal well beyond this cache and not beyond the next one. */
static const double READ_OF_FIRST = 0.35, READ_OF_ABOVE = 1.5, READ_SPAN_MOST = 0.8;
static const double BEYOND_HERE = 2.5, BEYOND_NEXT = 0.84;

bool srv_sharing_level_of(const servet_profile *profile, const servet_at *at, int level,
                          srv_sharing_level *found)
{
    servet_cache other;
    if (servet_cache_get(profile, at, level, &found->cache) != SERVET_OK)
        return false;
    bool first = level == 1 || servet_cache_get(profile, at, level - 1, &other) != SERVET_OK;
    found->above_bytes = first ? 0 : other.bytes.value;
    bool last = servet_cache_get(profile, at, level + 1, &other) != SERVET_OK;
    found->beyond_bytes = last ? INFINITY : other.bytes.value;
    return true;
}

/* Time of a core alone, if there is still time to measure it. */
static int traverse_alone(const srv_stage *stage, const srv_sharing_layout *layout,
                          srv_traversed_set set, double *mean, double *deviation,
                          servet_error *error)
{
    if (!srv_stage_fits(stage, 0))
        return SRV_UNDECIDED;
    return srv_bench_alone(stage->machine, layout, &set, mean, deviation, error);
}

static int double_sets(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                       srv_doubling *doubling, servet_error *error)
{
    int code = traverse_alone(stage, layout, (srv_traversed_set){core, doubling->bytes},
                              &doubling->once, &doubling->once_spread, error);
    if (code == SERVET_OK)
        code = traverse_alone(stage, layout, (srv_traversed_set){core, 2 * doubling->bytes},
                              &doubling->twice, &doubling->twice_spread, error);
    return code;
}

static int prepare_traversal(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                             const srv_sharing_level *level, double most_bytes,
                             srv_sharing_view *view, servet_error *error)
{
    srv_doubling doublings[TRAVERSAL_SHARES_COUNT];
    int count = 0, code = SERVET_OK;
    for (int i = 0; i < TRAVERSAL_SHARES_COUNT && code == SERVET_OK; i++) {
        double bytes = TRAVERSAL_SHARES[i] * level->cache.bytes.value;
        if (2 * bytes > most_bytes)
            continue;
        doublings[count].bytes = bytes;
        code = double_sets(stage, layout, core, &doublings[count++], error);
    }
    if (code != SERVET_OK)
        return code;
    int best = srv_sharing_choose(doublings, count, level->above_bytes);
    if (best < 0)
        return SERVET_OK;
    view->alone = doublings[best];
    view->traversal_bytes = doublings[best].bytes;
    view->traversal = srv_interference(&doublings[best], level->above_bytes);
    return SERVET_OK;
}

srv_sharing_layout srv_sharing_read_layout(const srv_sharing_layout *layout)
{
    srv_sharing_layout every_second = *layout;
    every_second.line_bytes *= 2;
    return every_second;
}

static int prepare_read(const srv_stage *stage, const srv_sharing_layout *traversed, int core,
                        const srv_sharing_level *level, double most_bytes, srv_sharing_view *view,
                        servet_error *error)
{
    srv_sharing_layout layout = srv_sharing_read_layout(traversed);
    double capacity = level->cache.bytes.value, above = level->above_bytes;
    bool has_turnover = level->cache.bytes.method == SERVET_METHOD_TURNOVER;
    double lines = above > 0 ? sqrt(above * capacity) : READ_OF_FIRST * capacity;
    if (has_turnover && above > 0)
        lines = fmin(lines, READ_OF_ABOVE * above);
    double bytes = fmin(2 * lines, READ_SPAN_MOST * capacity);
    double beyond = fmin(BEYOND_HERE * capacity, BEYOND_NEXT * level->beyond_bytes);
    double here_ns, beyond_ns, spread;
    if (beyond > most_bytes)
        return SERVET_OK;
    int code =
        traverse_alone(stage, &layout, (srv_traversed_set){core, bytes}, &here_ns, &spread, error);
    if (code == SERVET_OK)
        code = traverse_alone(stage, &layout, (srv_traversed_set){core, beyond}, &beyond_ns,
                              &spread, error);
    if (code != SERVET_OK)
        return code;
    /* A part of the traversal was in caches above. */
    here_ns = fmax(here_ns, srv_nanoseconds(level->cache.latency.value));
    double near = has_turnover ? 0 : fmin(1, above / lines);
    view->read = srv_reuse(here_ns, beyond_ns, near, has_turnover);
    view->read_bytes = view->read.shared.spread > 0 ? bytes : 0;
    return SERVET_OK;
}

/* If the capacity is exact, one core can evict the lines of another. */
static int prepare_evict(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                         const srv_sharing_level *level, double most_bytes, srv_sharing_view *view,
                         servet_error *error)
{
    double capacity = level->cache.bytes.value, kept, lost;
    if (!servet_value_known(&level->cache.ways) || srv_bench_eviction_bytes(capacity) > most_bytes)
        return SERVET_OK;
    int code = srv_bench_eviction(stage->machine, layout, core, SRV_NO_INTRUDER, capacity, 0, &kept,
                                  error);
    if (code == SERVET_OK)
        code =
            srv_bench_eviction(stage->machine, layout, core, SRV_ITSELF, capacity, 0, &lost, error);
    if (code != SERVET_OK)
        return code;
    view->kept_ns = kept;
    view->lost_ns = lost;
    view->evict = srv_evicted(kept, lost);
    view->evict_bytes = view->evict.shared.spread > 0 ? capacity : 0;
    return SERVET_OK;
}

int srv_sharing_prepare(const srv_stage *stage, const srv_sharing_layout *layout, int core,
                        const srv_sharing_level *level, double most_bytes, srv_sharing_view *view,
                        servet_error *error)
{
    *view = (srv_sharing_view){.has_turnover = level->cache.bytes.method == SERVET_METHOD_TURNOVER};
    int code = prepare_read(stage, layout, core, level, most_bytes, view, error);
    if (code == SERVET_OK)
        code = prepare_evict(stage, layout, core, level, most_bytes, view, error);
    if (code != SERVET_OK || view->has_turnover)
        return code;
    return prepare_traversal(stage, layout, core, level, most_bytes, view, error);
}
