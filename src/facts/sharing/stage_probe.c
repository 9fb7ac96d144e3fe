/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/sharing/stage_parts.h"

/* Visits of one probe: a few overcome interference, more would only repeat them. */
enum { VISITS_MAX = 5 };

/* Cores that look shared in a set are measured again in couples, so this need not be certain. */
static const double SET_SHARED = 2;

/* Largest number of couples per core and level. One to three are usual; more are needed only if
 * sets cannot be used and no cores share (turnover), or the report of the OS is wrong. */
static const double COUPLES_MAX = 12, COUPLES_USUAL = 2;

/* A first cache keeps all lines that are loaded. Caches behind it may drop unmodified lines that
 * leave the cache above, as some third caches do with lines that were loaded once, but keep
 * modified lines. */
enum { MODIFIED_FROM = 2 };

/* --- time ------------------------------------------------------------------------------------- */

static double now(const srv_sharing_probe *probe)
{
    return probe->stage->machine->ops->elapsed(probe->stage->machine);
}

static bool is_late(const srv_sharing_probe *probe)
{
    return !srv_stage_fits(probe->stage, probe->longest_s);
}

/* Counts a probe of `couples` couples, and reports progress. */
static int begin(srv_sharing_probe *probe, const char *test, int couples)
{
    char what[96];
    double most = COUPLES_MAX * probe->core_count;
    if (probe->sent + couples > most || is_late(probe))
        return SRV_UNDECIDED;
    probe->sent += couples;
    snprintf(what, sizeof what, "sharing of L%d: %s, %d sent", probe->level, test, probe->sent);
    if (srv_stage_progress(probe->stage, what,
                           fmin(1, probe->sent / (COUPLES_USUAL * probe->core_count))))
        return srv_fail(probe->error, SERVET_EINTERRUPTED, "interrupted");
    return SERVET_OK;
}

static bool settled(const double *odds, int count)
{
    double shared = count > 2 ? SET_SHARED : SRV_ODDS_SETTLED;
    for (int i = 0; i < count; i++)
        if (odds[i] > -SRV_ODDS_SETTLED && odds[i] < shared)
            return false;
    return true;
}

static const srv_sharing_view *view_of(const srv_sharing_probe *probe, int core)
{
    return &probe->view[probe->cores[core].kind];
}

static int visit_traversals(srv_sharing_probe *probe, const int *cores, int count,
                            srv_traversed_set *sets, double *ns, double *odds)
{
    double began = now(probe);
    if (is_late(probe))
        return SRV_UNDECIDED;
    for (int i = 0; i < count; i++)
        sets[i] = (srv_traversed_set){probe->cores[cores[i]].number,
                                      view_of(probe, cores[i])->traversal_bytes};
    int code = srv_bench_together(probe->stage->machine, &probe->layout, sets, count,
                                  probe->visits++, ns, probe->error);
    probe->longest_s = fmax(probe->longest_s, now(probe) - began);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        odds[i] += srv_contrast_odds(&view_of(probe, cores[i])->traversal, ns[i]);
    if (code == SERVET_OK) {
        for (int i = 0; i < count && probe->raw; i++) {
            fprintf(probe->raw, "walk,%d,", probe->cores[cores[i]].number);
            if (count == 2)
                fprintf(probe->raw, "%d", probe->cores[cores[1 - i]].number);
            fprintf(probe->raw, ",%d,%.4g,%.3g\n", count, ns[i], odds[i]);
        }
    }
    return code;
}

int srv_probe_traversals(srv_sharing_probe *probe, const int *cores, int count, double *odds)
{
    srv_traversed_set *sets = calloc((size_t)count, sizeof *sets);
    double *ns = calloc((size_t)count, sizeof *ns);
    int code = sets && ns ? begin(probe, "traversals", count / 2) : srv_fail_memory(probe->error);
    for (int i = 0; i < count; i++)
        odds[i] = 0;
    for (int i = 0; i < VISITS_MAX && code == SERVET_OK && !settled(odds, count); i++)
        code = visit_traversals(probe, cores, count, sets, ns, odds);
    free(sets);
    free(ns);
    return code;
}

/* --- reads ------------------------------------------------------------------------------------ */

/* Couples to be measured, with scratch memory. */
typedef struct reads {
    srv_sharing_probe *probe;
    const srv_couple *couples;
    double *odds;
    int *open;                     /* couples whose odds are not final yet */
    srv_sharing_reading *readings; /* of those */
    double *ns;
} reads;

static double set_of(const srv_sharing_probe *probe, const srv_couple *couple)
{
    return fmin(view_of(probe, couple->a)->read_bytes, view_of(probe, couple->b)->read_bytes);
}

static int list_open(reads *on, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        const srv_couple *couple = &on->couples[i];
        if (fabs(on->odds[i]) >= SRV_ODDS_SETTLED || set_of(on->probe, couple) == 0)
            continue;
        on->readings[n] = (srv_sharing_reading){.owner = on->probe->cores[couple->a].number,
                                                .reader = on->probe->cores[couple->b].number,
                                                .bytes = set_of(on->probe, couple),
                                                .modified = on->probe->level >= MODIFIED_FROM};
        on->open[n++] = i;
    }
    return n;
}

static void note_reads(const reads *on, int from, int count)
{
    const srv_sharing_probe *probe = on->probe;
    for (int i = from; i < from + count && probe->raw; i++)
        fprintf(probe->raw, "read,%d,%d,%d,%.4g,%.3g\n", on->readings[i].reader,
                on->readings[i].owner, 2 * count, on->ns[i], on->odds[on->open[i]]);
}

/* Time in which a modified line passes between the two; NaN if not known. */
static double transfer_ns(const srv_sharing_probe *probe, const srv_couple *couple)
{
    servet_at at = {.node_class = probe->node_class, .core = probe->cores[couple->a].number};
    int layer, other = probe->cores[couple->b].number;
    servet_distance_layer distance;
    if (servet_distance_layer_of(probe->profile, &at, other, &layer) != SERVET_OK ||
        servet_distance_layer_get(probe->profile, &at, layer, &distance) != SERVET_OK)
        return NAN;
    return srv_nanoseconds(distance.latency.value);
}

static int visit_reads(reads *on, int from, int count)
{
    srv_sharing_probe *probe = on->probe;
    double began = now(probe);
    if (is_late(probe))
        return SRV_UNDECIDED;
    srv_sharing_layout layout = srv_sharing_read_layout(&probe->layout);
    int code = srv_bench_reuse(probe->stage->machine, &layout, on->readings + from, count,
                               probe->visits++, on->ns + from, probe->error);
    probe->longest_s = fmax(probe->longest_s, now(probe) - began);
    for (int i = from; i < from + count && code == SERVET_OK; i++) {
        const srv_couple *couple = &on->couples[on->open[i]];
        srv_contrast reuse =
            srv_reuse_of_pair(view_of(probe, couple->b)->read, transfer_ns(probe, couple));
        on->odds[on->open[i]] += srv_contrast_odds(&reuse, log(on->ns[i]));
    }
    if (code == SERVET_OK)
        note_reads(on, from, count);
    return code;
}

/* Measures as many couples at once as memory permits: only "shared" is an answer. */
static int visit_in_company(reads *on, int count)
{
    int code = SERVET_OK, open = list_open(on, count), n;
    for (int from = 0; from < open && code == SERVET_OK; from += n) {
        double most = on->probe->memory_bytes / (on->readings[from].bytes);
        n = (int)fmax(1, fmin(open - from, most));
        code = visit_reads(on, from, n);
    }
    for (int i = 0; i < count; i++)
        if (on->odds[i] < SRV_ODDS_SETTLED)
            on->odds[i] = 0;
    return code;
}

static int visit_alone(reads *on, int count)
{
    int code = SERVET_OK, open = list_open(on, count);
    for (int i = 0; i < open && code == SERVET_OK; i++)
        code = visit_reads(on, i, 1);
    return code;
}

int srv_probe_reads(srv_sharing_probe *probe, const srv_couple *couples, int count, double *odds)
{
    size_t room = (size_t)count;
    reads on = {probe,
                couples,
                odds,
                calloc(room, sizeof *on.open),
                calloc(room, sizeof *on.readings),
                calloc(room, sizeof *on.ns)};
    int code = on.open && on.readings && on.ns ? begin(probe, "reads", count)
                                               : srv_fail_memory(probe->error);
    for (int i = 0; i < count; i++)
        odds[i] = 0;
    if (code == SERVET_OK && count > 1)
        code = visit_in_company(&on, count);
    for (int i = 0; i < VISITS_MAX && code == SERVET_OK && list_open(&on, count) > 0; i++)
        code = visit_alone(&on, count);
    free(on.open);
    free(on.readings);
    free(on.ns);
    return code;
}

int srv_probe_evictions(srv_sharing_probe *probe, const srv_couple *couple, double *odds)
{
    const srv_sharing_view *view = view_of(probe, couple->a);
    int core = probe->cores[couple->a].number, other = probe->cores[couple->b].number;
    double least = INFINITY;
    *odds = 0;
    int code = view->evict_bytes > 0 ? begin(probe, "evictions", 1) : SERVET_OK;
    for (int i = 0; i < VISITS_MAX && code == SERVET_OK && view->evict_bytes > 0 &&
                    fabs(*odds) < SRV_ODDS_SETTLED;
         i++) {
        double ns, began = now(probe);
        if (is_late(probe))
            return SRV_UNDECIDED;
        code = srv_bench_eviction(probe->stage->machine, &probe->layout, core, other,
                                  view->evict_bytes, probe->visits++, &ns, probe->error);
        probe->longest_s = fmax(probe->longest_s, now(probe) - began);
        if (code != SERVET_OK)
            return code;
        least = fmin(least, ns);
        *odds = srv_evicted_odds(&view->evict, least, i + 1);
        if (probe->raw)
            fprintf(probe->raw, "evict,%d,%d,2,%.4g,%.3g\n", core, other, ns, *odds);
    }
    return code;
}
