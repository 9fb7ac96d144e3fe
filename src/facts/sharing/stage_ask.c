/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/stage_ask.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* Looks at one question: a few settle what disturbances left open, more would only repeat them. */
enum { VISITS_MAX = 5 };

/* Who looks shared in a set is asked again in couples, so that it need not be certain. */
static const double SET_SHARED = 2;

/* Couples a core and level that may be asked before the question counts as too dear. It takes one
 * to three, and more only where sets cannot be asked and nobody shares (others churn a cache), or
 * the OS misleads. */
static const double COUPLES_MAX = 12, COUPLES_USUAL = 2;

/* A first cache takes whatever is loaded. One behind it may drop lines that leave the cache above
 * as they came, as some third caches do with what was loaded once, but keeps those that were
 * modified. */
enum { MODIFIED_FROM = 2 };

/* --- time ---------------------------------------------------------------------------------------
 */

static double now(const srv_asker *asker)
{
    return asker->stage->machine->ops->elapsed(asker->stage->machine);
}

static bool is_late(const srv_asker *asker)
{
    return now(asker) + asker->longest_s > srv_stage_deadline(asker->stage);
}

/* Notes a question of so many couples, and says where it is. */
static int begin(srv_asker *asker, const char *test, int couples)
{
    char what[96];
    double most = COUPLES_MAX * asker->core_count;
    if (asker->asked + couples > most || is_late(asker))
        return SRV_UNTOLD;
    asker->asked += couples;
    snprintf(what, sizeof what, "sharing of L%d: %s, %d asked", asker->level, test, asker->asked);
    if (srv_stage_progress(asker->stage, what,
                           fmin(1, asker->asked / (COUPLES_USUAL * asker->core_count))))
        return srv_fail(asker->error, SERVET_EINTERRUPTED, "interrupted");
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

/* --- walks --------------------------------------------------------------------------------------
 */

static const srv_sharing_view *view_of(const srv_asker *asker, int core)
{
    return &asker->view[asker->cores[core].kind];
}

static void note_walks(const srv_asker *asker, const int *cores, int count, const double *ns,
                       const double *odds)
{
    for (int i = 0; i < count && asker->raw; i++) {
        fprintf(asker->raw, "walk,%d,", asker->cores[cores[i]].number);
        if (count == 2)
            fprintf(asker->raw, "%d", asker->cores[cores[1 - i]].number);
        fprintf(asker->raw, ",%d,%.4g,%.3g\n", count, ns[i], odds[i]);
    }
}

static int visit_walks(srv_asker *asker, const int *cores, int count, srv_walker_set *sets,
                       double *ns, double *odds)
{
    double began = now(asker);
    if (is_late(asker))
        return SRV_UNTOLD;
    for (int i = 0; i < count; i++)
        sets[i] =
            (srv_walker_set){asker->cores[cores[i]].number, view_of(asker, cores[i])->walk_bytes};
    int code = srv_bench_together(asker->stage->machine, &asker->layout, sets, count,
                                  asker->visits++, ns, asker->error);
    asker->longest_s = fmax(asker->longest_s, now(asker) - began);
    for (int i = 0; i < count && code == SERVET_OK; i++)
        odds[i] += srv_contrast_odds(&view_of(asker, cores[i])->walk, ns[i]);
    if (code == SERVET_OK)
        note_walks(asker, cores, count, ns, odds);
    return code;
}

int srv_ask_walks(srv_asker *asker, const int *cores, int count, double *odds)
{
    srv_walker_set *sets = calloc((size_t)count, sizeof *sets);
    double *ns = calloc((size_t)count, sizeof *ns);
    int code = sets && ns ? begin(asker, "walks", count / 2) : srv_fail_memory(asker->error);
    for (int i = 0; i < count; i++)
        odds[i] = 0;
    for (int i = 0; i < VISITS_MAX && code == SERVET_OK && !settled(odds, count); i++)
        code = visit_walks(asker, cores, count, sets, ns, odds);
    free(sets);
    free(ns);
    return code;
}

/* --- reads --------------------------------------------------------------------------------------
 */

/* What is asked of couples, and room for it. */
typedef struct reads {
    srv_asker *asker;
    const srv_couple *couples;
    double *odds;
    int *open;             /* couples whose odds are not clear yet */
    srv_sharing_reading *readings; /* of those */
    double *ns;
} reads;

static double set_of(const srv_asker *asker, const srv_couple *couple)
{
    return fmin(view_of(asker, couple->a)->read_bytes, view_of(asker, couple->b)->read_bytes);
}

/* The couples in doubt, and what they are asked. */
static int list_open(reads *on, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        const srv_couple *couple = &on->couples[i];
        if (fabs(on->odds[i]) >= SRV_ODDS_SETTLED || set_of(on->asker, couple) == 0)
            continue;
        on->readings[n] = (srv_sharing_reading){.owner = on->asker->cores[couple->a].number,
                                        .reader = on->asker->cores[couple->b].number,
                                        .bytes = set_of(on->asker, couple),
                                        .modified = on->asker->level >= MODIFIED_FROM};
        on->open[n++] = i;
    }
    return n;
}

static void note_reads(const reads *on, int from, int count)
{
    const srv_asker *asker = on->asker;
    for (int i = from; i < from + count && asker->raw; i++)
        fprintf(asker->raw, "read,%d,%d,%d,%.4g,%.3g\n", on->readings[i].reader,
                on->readings[i].owner, 2 * count, on->ns[i], on->odds[on->open[i]]);
}

/* Asks `count` of the open couples at once. */
static int visit_reads(reads *on, int from, int count)
{
    srv_asker *asker = on->asker;
    double began = now(asker);
    if (is_late(asker))
        return SRV_UNTOLD;
    srv_sharing_layout layout = srv_sharing_read_layout(&asker->layout);
    int code = srv_bench_reuse(asker->stage->machine, &layout, on->readings + from, count,
                               asker->visits++, on->ns + from, asker->error);
    asker->longest_s = fmax(asker->longest_s, now(asker) - began);
    for (int i = from; i < from + count && code == SERVET_OK; i++)
        on->odds[on->open[i]] +=
            srv_contrast_odds(&view_of(asker, on->couples[on->open[i]].b)->read, log(on->ns[i]));
    if (code == SERVET_OK)
        note_reads(on, from, count);
    return code;
}

/* As many at once as there is memory for. Only "shared" is an answer in company. */
static int visit_in_company(reads *on, int count)
{
    int code = SERVET_OK, open = list_open(on, count), n;
    for (int from = 0; from < open && code == SERVET_OK; from += n) {
        double most = on->asker->memory_bytes / (on->readings[from].bytes);
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

int srv_ask_reads(srv_asker *asker, const srv_couple *couples, int count, double *odds)
{
    size_t room = (size_t)count;
    reads on = {asker,
                couples,
                odds,
                calloc(room, sizeof *on.open),
                calloc(room, sizeof *on.readings),
                calloc(room, sizeof *on.ns)};
    int code = on.open && on.readings && on.ns ? begin(asker, "reads", count)
                                               : srv_fail_memory(asker->error);
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

/* --- evictions ----------------------------------------------------------------------------------
 */

int srv_ask_evictions(srv_asker *asker, const srv_couple *couple, double *odds)
{
    const srv_sharing_view *view = view_of(asker, couple->a);
    int core = asker->cores[couple->a].number, other = asker->cores[couple->b].number;
    double least = INFINITY;
    *odds = 0;
    int code = view->evict_bytes > 0 ? begin(asker, "evictions", 1) : SERVET_OK;
    for (int i = 0; i < VISITS_MAX && code == SERVET_OK && view->evict_bytes > 0 && fabs(*odds) < SRV_ODDS_SETTLED; i++) {
        double ns, began = now(asker);
        if (is_late(asker))
            return SRV_UNTOLD;
        code = srv_bench_eviction(asker->stage->machine, &asker->layout, core, other, view->evict_bytes,
                                  asker->visits++, &ns, asker->error);
        asker->longest_s = fmax(asker->longest_s, now(asker) - began);
        if (code != SERVET_OK)
            return code;
        least = fmin(least, ns);
        *odds = srv_evicted_odds(&view->evict, least, i + 1);
        if (asker->raw)
            fprintf(asker->raw, "evict,%d,%d,2,%.4g,%.3g\n", core, other, ns, *odds);
    }
    return code;
}
