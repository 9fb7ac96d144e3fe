/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/sharing/stage_parts.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"

/* Neighbouring groups that are measured again: sets may hide that they share. */
enum { BETWEEN_MAX = 8 };

/* Log odds if the tests contradict each other: three to one for reads, which found the lines of the
 * other core. Traversals do not show a cache if each core has a part of its capacity. */
static const double CONTRADICTION = 1.1;

static void rest_on(srv_sharing_search *on, double odds)
{
    on->weakest = fmin(on->weakest, fabs(odds));
}

static void explain_couple(const srv_sharing_search *on, const srv_couple *couple,
                           const char *tests, double odds)
{
    const srv_sharing_probe *probe = &on->probe;
    srv_account account = srv_stage_account(probe->stage, SERVET_TOPIC_SHARING, probe->level);
    bool settled = fabs(odds) >= SRV_ODDS_SETTLED;
    srv_note_rule(&account,
                  (srv_rule){"ODDS_SETTLED", odds, SRV_ODDS_SETTLED,
                             settled ? srv_outcome(odds > 0) : SERVET_OUTCOME_SEEN},
                  "log odds that cores %d and %d share the cache, by %s",
                  probe->cores[couple->a].number, probe->cores[couple->b].number, tests);
}

static void explain_set(const srv_sharing_search *on, const double *odds, int n)
{
    srv_account account = srv_stage_account(on->probe.stage, SERVET_TOPIC_SHARING, on->probe.level);
    int slowed = 0;
    for (int i = 0; i < n; i++)
        slowed += odds[i] > 0;
    srv_note(&account,
             "%d cores, from core %d on, traverse working sets at once: %d of them are slower than "
             "alone",
             n, on->probe.cores[on->room[0]].number, slowed);
}

static const srv_sharing_view *view_of(const srv_sharing_search *on, int core)
{
    return &on->probe.view[on->probe.cores[core].kind];
}

static bool traversals_tell(const srv_sharing_search *on, const srv_couple *couple)
{
    return view_of(on, couple->a)->traversal_bytes > 0 &&
           view_of(on, couple->b)->traversal_bytes > 0;
}

static int add_traversals(srv_sharing_search *on, const srv_couple *couple, double *odds)
{
    double both[2];
    if (!traversals_tell(on, couple))
        return SERVET_OK;
    int code = srv_probe_traversals(&on->probe, (const int[]){couple->a, couple->b}, 2, both);
    if (code == SERVET_OK)
        *odds = srv_odds_of_tests(*odds, fmin(both[0], both[1]));
    return code;
}

static int add_evictions(srv_sharing_search *on, const srv_couple *couple, double *odds)
{
    double own;
    int code = srv_probe_evictions(&on->probe, couple, &own);
    if (code == SERVET_OK)
        *odds = srv_odds_of_tests(*odds, own);
    return code;
}

/* True if odds are an answer: on a cache with turnover only "shared" is one. */
static int accept(const srv_sharing_search *on, const srv_couple *couple, double odds)
{
    bool has_turnover =
        view_of(on, couple->a)->has_turnover || view_of(on, couple->b)->has_turnover;
    return has_turnover && odds < SRV_ODDS_SETTLED ? SRV_UNDECIDED : SERVET_OK;
}

/* The remaining tests if reads did not settle it. */
static int probe_further(srv_sharing_search *on, const srv_couple *couple, double *odds)
{
    int code = SERVET_OK;
    explain_couple(on, couple, "reads", *odds);
    if (fabs(*odds) < SRV_ODDS_SETTLED) {
        code = add_evictions(on, couple, odds);
        explain_couple(on, couple, "reads and evictions", *odds);
    }
    if (code == SERVET_OK && fabs(*odds) < SRV_ODDS_SETTLED) {
        code = add_traversals(on, couple, odds);
        explain_couple(on, couple, "reads, evictions and traversals", *odds);
    }
    return code;
}

static int probe_couples(void *context, const srv_couple *couples, int n, double *odds)
{
    srv_sharing_search *on = context;
    srv_couple *cores = calloc((size_t)n, sizeof *cores);
    if (!cores)
        return srv_fail_memory(on->probe.error);
    for (int i = 0; i < n; i++)
        cores[i] = (srv_couple){on->thing[couples[i].a], on->thing[couples[i].b]};
    int code = srv_probe_reads(&on->probe, cores, n, odds);
    for (int i = 0; i < n && code == SERVET_OK; i++) {
        code = probe_further(on, &cores[i], &odds[i]);
        if (code == SERVET_OK)
            code = accept(on, &cores[i], odds[i]);
        rest_on(on, odds[i]);
    }
    free(cores);
    return code;
}

static int probe_set(void *context, const int *things, int n, double *odds)
{
    srv_sharing_search *on = context;
    for (int i = 0; i < n; i++)
        on->room[i] = on->thing[things[i]];
    int code = srv_probe_traversals(&on->probe, on->room, n, odds);
    if (code == SERVET_OK)
        explain_set(on, odds, n);
    for (int i = 0; i < n && code == SERVET_OK; i++)
        if (odds[i] < 0)
            rest_on(on, odds[i]);
    return code;
}

static int probe_again(srv_sharing_search *on, const srv_couple *couple, double *odds)
{
    double traversals = 0;
    int code = srv_probe_reads(&on->probe, couple, 1, odds);
    if (code == SERVET_OK)
        code = add_traversals(on, couple, &traversals);
    if (code == SERVET_OK)
        code = add_evictions(on, couple, &traversals);
    if (code != SERVET_OK)
        return code;
    bool contradict = fabs(*odds) >= SRV_ODDS_SETTLED && *odds * traversals < 0;
    *odds = contradict ? copysign(CONTRADICTION, *odds) : srv_odds_of_tests(*odds, traversals);
    explain_couple(on, couple,
                   contradict
                       ? "a repetition of all tests, which contradict each other (CONTRADICTION)"
                       : "a repetition of all tests",
                   *odds);
    return SERVET_OK;
}

/* Measures couples again, with all tests. `*wrong`: the groups contradict them. */
static int check(srv_sharing_search *on, bool *wrong)
{
    int code = SERVET_OK;
    int count =
        srv_groups_checks(on->group, on->core_count, on->group_count, BETWEEN_MAX, on->checks);
    *wrong = false;
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        const srv_groups_check *again = &on->checks[i];
        double odds;
        code = probe_again(on, &again->couple, &odds);
        if (code != SERVET_OK)
            break;
        *wrong = *wrong || (again->together ? odds < 0 : odds > 0);
        code = accept(on, &again->couple, odds);
        on->weakest = fmin(on->weakest, again->together ? odds : -odds);
    }
    return code;
}

static int find(srv_sharing_search *on, bool sets)
{
    const srv_groups_plan plan = {on->thing_count, on->hint, sets, probe_couples, probe_set, on};
    on->weakest = INFINITY;
    int code = srv_bench_groups(&plan, on->found, &on->group_count, on->probe.error);
    for (int i = 0; i < on->core_count && code == SERVET_OK; i++)
        on->group[i] = on->above[i] < 0 ? -1 : on->found[on->above[i]];
    return code;
}

/* Searches again, with couples alone, if the repetition contradicts the groups: sets hide a cache
 * of which each core has a part, and a hypervisor moves cores. */
int srv_sharing_groups(srv_sharing_search *on)
{
    bool wrong = false;
    int code = find(on, on->sets);
    if (code == SERVET_OK)
        code = check(on, &wrong);
    if (!wrong || (code != SERVET_OK && code != SRV_UNDECIDED))
        return code;
    code = find(on, false);
    return code == SERVET_OK ? check(on, &wrong) : code;
}
