/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/names.h"
#include "facts/cache/detect_parts.h"
#include "servet/analyze.h"

SRV_NAMES(servet_cache_kind_name, servet_cache_kind, SERVET_CACHE_KIND_LIST)

SRV_NAMES(servet_reason_kind_name, servet_reason_kind, SERVET_REASON_LIST)

/* Texts of a reason: before its first number, before its second, and the verdicts. */
static const struct phrase {
    const char *value, *limit, *yes, *no;
} phrases[SERVET_REASON_KIND_COUNT] = {
    [SERVET_REASON_PATTERN] = {"cost of the fit as random loads", "as a pointer chase",
                               ": random loads", ": a pointer chase"},
    [SERVET_REASON_RISE] = {"latency rises by a factor of", "required", ": a cache", ": no cache"},
    [SERVET_REASON_JOIN] = {"octaves from the step before", "one boundary below", "",
                            ": a part of it"},
    [SERVET_REASON_ANOTHER] = {"one more step lowers the cost by", "required", "", ": rejected"},
    [SERVET_REASON_TURNOVER] = {"at other access rates the step moves by a factor of", "required",
                                ": turnover", ""},
};

const char *servet_reason_text(const servet_reason *reason, char *text, size_t size)
{
    const struct phrase *phrase = &phrases[reason->kind];
    if (reason->kind == SERVET_REASON_CAPACITY)
        snprintf(text, size, "cost +%-8.3g log prior %-5.2g probability %5.1f %%%s", reason->value,
                 reason->prior, 100 * reason->share, reason->accepted ? "  chosen" : "");
    else
        snprintf(text, size, "%s %.3g, %s %.3g%s", phrase->value, reason->value, phrase->limit,
                 reason->limit, reason->accepted ? phrase->yes : phrase->no);
    return text;
}

void servet_explanation_free(servet_explanation *explanation)
{
    if (!explanation)
        return;
    free(explanation->reason);
    *explanation = (servet_explanation)SERVET_EXPLANATION_INIT;
}

/* Sizes less likely than this are not listed. */
static const double LISTED = 0.01;

/* A pattern, a rise or join of each step, the sizes of each, one step more, one turnover. */
enum { REASONS_MAX = 3 + SRV_STEPS_MAX * (1 + SRV_CANDIDATES_MAX) };

static void add(servet_explanation *list, servet_reason reason)
{
    list->reason[list->n++] = reason;
}

/* The level that a part of a boundary belongs to. */
static int level_before(const srv_reading *reading, int k)
{
    while (k > 0 && reading->verdict[k].apart > 0)
        k--;
    return reading->level[k];
}

static void add_step(const srv_reading *reading, int k, servet_explanation *list)
{
    const srv_step_verdict *verdict = &reading->verdict[k];
    bool part = verdict->apart > 0;
    add(list, (servet_reason){
                  .kind = part ? SERVET_REASON_JOIN : SERVET_REASON_RISE,
                  .level = part ? level_before(reading, k) : reading->level[k],
                  .bytes = exp2(reading->fit.step[k].knee),
                  .value = part ? verdict->apart : verdict->rise,
                  .limit = part ? verdict->apart_max : verdict->needed,
                  .rule = verdict->rule,
                  .accepted = verdict->cache,
              });
}

static servet_reason reason_of(const srv_candidates *all, int i)
{
    const srv_candidate *one = &all->candidate[i];
    return (servet_reason){.kind = SERVET_REASON_CAPACITY,
                           .bytes = one->bytes,
                           .value = one->cost - all->least,
                           .limit = all->scale,
                           .prior = one->prior,
                           .share = one->share,
                           .rule = one->simple ? "MODEL_COST" : "OTHER"};
}

/* The candidates from `i` to before `end` as one: where they cost least, with the share of all. */
static servet_reason reason_of_others(const srv_candidates *all, int i, int end)
{
    servet_reason best = reason_of(all, i);
    double share = best.share;
    while (++i < end) {
        servet_reason next = reason_of(all, i);
        share += next.share;
        if (next.value < best.value)
            best = next;
    }
    best.share = share;
    return best;
}

static void add_level(srv_reading *reading, int k, const servet_cache_analysis *analysis,
                      servet_explanation *list)
{
    srv_candidates all;
    int level = reading->level[k];
    if (level == 0 || level > analysis->level_count) /* a level with turnover has no capacity */
        return;
    const servet_cache_level *said = &analysis->level[level - 1];
    double above = level > 1 ? analysis->level[level - 2].reachable_bytes : 0;
    srv_step_candidates(reading->fitter, &reading->fit, k, reading->verdict[k].last, above, &all);
    /* Sizes that caches are built with one by one, and all that lie between two of them as one. */
    for (int i = 0, end; i < all.n; i = end) {
        bool simple = all.candidate[i].simple;
        for (end = i + 1; !simple && end < all.n && !all.candidate[end].simple;)
            end++;
        servet_reason reason = simple ? reason_of(&all, i) : reason_of_others(&all, i, end);
        reason.level = level;
        reason.accepted =
            simple && reason.bytes == (said->kind == SERVET_CACHE_CAPACITY ? said->bytes.value : 0);
        if (reason.share >= LISTED || reason.accepted)
            add(list, reason);
    }
}

static void add_another(srv_reading *reading, servet_explanation *list)
{
    srv_fit more;
    if (reading->fit.n == SRV_STEPS_MAX)
        return;
    srv_fit_another(reading->fitter, &reading->fit, &more);
    int at = 0;
    while (at < reading->fit.n && fabs(more.step[at].knee - reading->fit.step[at].knee) < 0.25)
        at++;
    add(list, (servet_reason){.kind = SERVET_REASON_ANOTHER,
                              .bytes = exp2(more.step[at].knee),
                              .value = reading->fit.cost - more.cost,
                              .limit = SRV_STEP_PENALTY,
                              .rule = "STEP_PENALTY"});
}

int srv_explain(srv_reading *reading, const servet_cache_analysis *analysis,
                servet_explanation *explanation, servet_error *error)
{
    servet_explanation list = {.n = 0, .reason = malloc(REASONS_MAX * sizeof *list.reason)};
    if (!list.reason)
        return srv_fail_memory(error);
    if (reading->fitter->as_chase > 0)
        add(&list,
            (servet_reason){.kind = SERVET_REASON_PATTERN,
                            .value = reading->fitter->as_random,
                            .limit = reading->fitter->as_chase,
                            .rule = "FREE_SHAPE",
                            .accepted = reading->fitter->as_random <= reading->fitter->as_chase});
    for (int k = 0; k < reading->fit.n; k++) {
        add_step(reading, k, &list);
        add_level(reading, k, analysis, &list);
    }
    if (reading->turned_over)
        add(&list, (servet_reason){.kind = SERVET_REASON_TURNOVER,
                                   .level = analysis->level_count,
                                   .bytes = analysis->level[analysis->level_count - 1].bytes.value,
                                   .value = reading->moved,
                                   .limit = SRV_MOVED_MIN,
                                   .rule = "MOVED_MIN",
                                   .accepted = true});
    add_another(reading, &list);
    *explanation = list;
    return SERVET_OK;
}
