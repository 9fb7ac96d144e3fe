/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines cache sharing level by level from the first. Cores that share a level share all levels
 * behind it, so that one of them represents them there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "facts/sharing/stage_parts.h"
#include "facts/stages.h"
#include "run/raw_file.h"

/* Share of the job's memory that the sets of all cores together may take. */
static const double MEMORY_SHARE = 0.5;

/* Least time for the expectations of a level; that of the next is longer by PREPARE_GROWTH. */
static const double PREPARE_SECONDS = 0.15, PREPARE_GROWTH = 2;

typedef struct sharing {
    srv_room room;
    const srv_stage *stage;
    const srv_stage_place *place;
    const char *node_class;
    srv_sets objects;
    const char *kind_cores[SRV_CORE_TYPES_MAX];
    int kind_count, level, level_count;
    bool has_level[SRV_CORE_TYPES_MAX];
    double prepared_s; /* that the last level's expectations took */
    srv_sharing_view view[SRV_CORE_TYPES_MAX];
    srv_sharing_core *cores; /* ascending */
    int core_count;
    int *above, *thing, *hint; /* see srv_sharing_search */
    int *group;                /* of the level before, until the new ones are found */
    srv_sharing_search search;
    srv_group_member *members;
    servet_error *error;
} sharing;

/* --- what there is ---------------------------------------------------------------------------- */

static servet_at kind_at(const sharing *on, int kind)
{
    return (servet_at){.node_class = on->node_class, .core = atoi(on->kind_cores[kind])};
}

/* The core types, and the most levels that one of them has. */
static void recall(sharing *on)
{
    servet_at at = {.node_class = on->node_class, .core = SERVET_ANY_CORE};
    servet_kind kind;
    int levels;
    while (on->kind_count < SRV_CORE_TYPES_MAX &&
           servet_kind_get(on->place->profile, &at, on->kind_count, &kind) == SERVET_OK) {
        on->kind_cores[on->kind_count++] = kind.cores;
        servet_at core = kind_at(on, on->kind_count - 1);
        on->core_count += srv_ranges_count(kind.cores);
        if (servet_cache_count(on->place->profile, &core, &levels) == SERVET_OK)
            on->level_count = levels > on->level_count ? levels : on->level_count;
    }
}

static int by_number(const void *a, const void *b)
{
    return ((const srv_sharing_core *)a)->number - ((const srv_sharing_core *)b)->number;
}

static void list_cores(sharing *on)
{
    int n = 0;
    for (int i = 0; i < on->kind_count; i++) {
        const char *rest = on->kind_cores[i];
        for (int first, last; srv_ranges_next(&rest, &first, &last);)
            for (int core = first; core <= last; core++)
                on->cores[n++] = (srv_sharing_core){core, i};
    }
    qsort(on->cores, (size_t)n, sizeof *on->cores, by_number);
    for (int i = 0; i < n; i++)
        on->group[i] = -1;
}

static int init(sharing *on)
{
    on->node_class = servet_profile_class_name(on->place->profile, on->place->node_class);
    recall(on);
    size_t n = (size_t)on->core_count;
    on->cores = srv_room_take(&on->room, n, sizeof *on->cores);
    on->above = srv_room_take(&on->room, n, sizeof *on->above);
    on->thing = srv_room_take(&on->room, n, sizeof *on->thing);
    on->hint = srv_room_take(&on->room, n, sizeof *on->hint);
    on->group = srv_room_take(&on->room, n, sizeof *on->group);
    on->search.room = srv_room_take(&on->room, n, sizeof *on->search.room);
    on->search.found = srv_room_take(&on->room, n, sizeof *on->search.found);
    on->search.checks = srv_room_take(&on->room, n, sizeof *on->search.checks);
    on->members = srv_room_take(&on->room, n, sizeof *on->members);
    if (on->room.failed)
        return srv_fail_memory(on->error);
    list_cores(on);
    return on->stage->machine->ops->objects(on->stage->machine, &on->objects, on->error);
}

static double line_of(const sharing *on)
{
    double line = 0;
    servet_cache cache;
    for (int i = 0; i < on->kind_count; i++) {
        servet_at at = kind_at(on, i);
        for (int level = 1; servet_cache_get(on->place->profile, &at, level, &cache) == SERVET_OK;
             level++)
            if (servet_value_known(&cache.line))
                line = fmax(line, cache.line.value);
    }
    return line > 0 ? line : SRV_LINE_DEFAULT;
}

/* --- preparing a level ------------------------------------------------------------------------ */

/* A group of cores of the level before becomes one thing; other cores are things of their own. */
static void list_things(sharing *on)
{
    int things = 0;
    for (int i = 0; i < on->core_count; i++) {
        int before = 0;
        on->above[i] = -1;
        if (!on->has_level[on->cores[i].kind])
            continue;
        while (before < i && (on->above[before] < 0 || on->group[before] < 0 ||
                              on->group[before] != on->group[i]))
            before++;
        on->above[i] = before < i ? on->above[before] : things;
        if (before == i)
            on->thing[things++] = i;
    }
    on->search.thing_count = things;
}

/* The number of cores that are in a set; with `hint`, those get the set's number. */
static int mark(const sharing *on, int set, int *hint)
{
    int inside = 0;
    for (int i = 0; i < on->search.thing_count; i++)
        if (srv_ranges_contain(on->objects.set[set], on->cores[on->thing[i]].number)) {
            inside++;
            if (hint)
                hint[i] = set;
        }
    return inside;
}

/* Expected times of each test; a test without evidence is not used. */
static void explain_expected(const sharing *on, int kind)
{
    const srv_sharing_view *view = &on->view[kind];
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_SHARING, on->level);
    char size[SRV_SIZE_TEXT_MAX];
    if (on->kind_count > 1)
        account.cores = on->kind_cores[kind];
    if (view->read_bytes > 0)
        srv_note(&account, "reads of %s: at most %.3g ns if shared, at least %.3g ns if not",
                 srv_size_text(view->read_bytes, size), exp(view->read.shared.high),
                 exp(view->read.apart.low));
    if (view->evict_bytes > 0)
        srv_note(&account,
                 "evictions of half of %s: at least %.3g ns if shared, at most %.3g ns if not",
                 srv_size_text(view->evict_bytes, size), exp(view->evict.shared.low),
                 exp(view->evict.apart.high));
    else if (view->kept_ns > 0)
        srv_note_rule(
            &account, (srv_rule){"FACTOR_LEAST", NAN, NAN, SERVET_OUTCOME_REJECTED},
            "evictions are not used: %.3g ns with no line evicted, %.3g ns with all lines evicted",
            view->kept_ns, view->lost_ns);
    if (view->traversal_bytes > 0)
        srv_note(&account, "traversals of %s: about %.3g ns if shared, %.3g ns if not",
                 srv_size_text(view->traversal_bytes, size), view->alone.twice, view->alone.once);
}

static void save_expected(const sharing *on, int kind)
{
    const srv_sharing_view *view = &on->view[kind];
    FILE *raw = on->search.probe.raw;
    if (!raw)
        return;
    fprintf(raw, "# cores %s: traversal of %.0f B alone %.4g ns, of twice as much %.4g ns; ",
            on->kind_cores[kind], view->traversal_bytes, view->alone.once, view->alone.twice);
    fprintf(raw, "read of %.0f B up to %.4g ns here, from %.4g ns on from elsewhere\n",
            view->read_bytes, exp(view->read.shared.high), exp(view->read.apart.low));
}

/* Prepares the tests for the cores of each core type. */
static int prepare_kinds(sharing *on)
{
    srv_sharing_probe *probe = &on->search.probe;
    int code = SERVET_OK;
    on->search.sets = true;
    for (int i = 0; i < on->kind_count && code == SERVET_OK; i++) {
        srv_sharing_level level;
        servet_at at = kind_at(on, i);
        on->has_level[i] = srv_sharing_level_of(on->place->profile, &at, on->level, &level);
        if (!on->has_level[i])
            continue;
        code = srv_sharing_prepare(probe->stage, &probe->layout, at.core, &level,
                                   probe->memory_bytes, &on->view[i], on->error);
        on->search.sets = on->search.sets && on->view[i].traversal_bytes > 0;
        if (code == SERVET_OK) {
            save_expected(on, i);
            explain_expected(on, i);
        }
        if (code == SERVET_OK && on->view[i].traversal_bytes == 0 && on->view[i].read_bytes == 0)
            code = SRV_UNDECIDED;
    }
    return code;
}

/* True if there is memory for the sets of all cores at once. */
static bool fits(const sharing *on)
{
    double bytes = 0;
    for (int i = 0; i < on->search.thing_count; i++)
        bytes += on->view[on->cores[on->thing[i]].kind].traversal_bytes;
    return bytes <= on->search.probe.memory_bytes;
}

static int begin_level(sharing *on, const srv_stage *stage)
{
    double memory;
    int code = on->stage->machine->ops->memory(on->stage->machine, &memory, on->error);
    srv_sharing_search *search = &on->search;
    search->core_count = on->core_count;
    search->above = on->above;
    search->thing = on->thing;
    search->hint = on->hint;
    search->group = on->group;
    search->probe = (srv_sharing_probe){
        .stage = stage,
        .level = on->level,
        .layout = {line_of(on), on->stage->options->pages, (uint64_t)on->stage->options->seed},
        .cores = on->cores,
        .core_count = on->core_count,
        .view = on->view,
        .profile = on->place->profile,
        .node_class = on->node_class,
        .memory_bytes = MEMORY_SHARE * memory,
        .error = on->error};
    return code;
}

static int probe_level(sharing *on)
{
    srv_machine *machine = on->stage->machine;
    double begun = machine->ops->elapsed(machine);
    double needed = fmax(PREPARE_SECONDS, PREPARE_GROWTH * on->prepared_s);
    if (!srv_stage_fits(on->search.probe.stage, needed))
        return SRV_UNDECIDED;
    int code = prepare_kinds(on);
    on->prepared_s = machine->ops->elapsed(machine) - begun;
    if (code != SERVET_OK)
        return code;
    list_things(on);
    /* First tries the smallest sets of at least two items that the OS reports. */
    int things = on->search.thing_count;
    for (int i = 0; i < things; i++)
        on->hint[i] = -1 - i;
    for (int size = things; size > 1; size--)
        for (int set = 0; set < on->objects.count; set++)
            if (mark(on, set, NULL) == size)
                mark(on, set, on->hint);
    on->search.sets = on->search.sets && fits(on);
    return srv_sharing_groups(&on->search);
}

static int count_cores(const sharing *on)
{
    srv_sharing_level level;
    int count = 0;
    for (int i = 0; i < on->kind_count; i++) {
        servet_at at = kind_at(on, i);
        if (srv_sharing_level_of(on->place->profile, &at, on->level, &level))
            count += srv_ranges_count(on->kind_cores[i]);
    }
    return count;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* True if cores of a kind without this level may have it nevertheless. */
static bool may_lack_cores(const sharing *on)
{
    servet_trust trust;
    for (int i = 0; i < on->kind_count; i++) {
        servet_at at = kind_at(on, i);
        if (!on->has_level[i] &&
            servet_profile_trust(on->place->profile, &at, "caches.count", &trust, NULL) ==
                SERVET_OK &&
            !trust.trusted)
            return true;
    }
    return false;
}

static int doubt_groups(const sharing *on)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->kind_count && may_lack_cores(on) && code == SERVET_OK; i++)
        if (on->has_level[i])
            code =
                srv_doubt_cache_groups(on->place, i, on->level,
                                       "cores of another type may have this level, too", on->error);
    return code;
}

static int store(sharing *on)
{
    double confidence = srv_odds_probability(on->search.weakest);
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_SHARING, on->level);
    if (isfinite(on->search.weakest))
        srv_note(&account, "least log odds on which the groups rest: %.3g; confidence %.3g",
                 on->search.weakest, confidence);
    for (int i = 0; i < on->core_count; i++)
        on->members[i] = (srv_group_member){on->cores[i].number, on->cores[i].kind, on->group[i]};
    int code = srv_store_cache_groups(on->stage->machine, on->place, on->level, on->members,
                                      on->core_count, &confidence, on->error);
    return code == SERVET_OK ? doubt_groups(on) : code;
}

/* A recording that lacks an answer explains that in the error; a lack of time leaves none. */
static bool is_unanswered(const sharing *on)
{
    return on->error && on->error->code == SERVET_EUNMEASURED;
}

/* Couples without time stay unmeasured; the next level then starts from single cores. */
static int conclude(sharing *on, int code)
{
    if (code == SERVET_OK)
        return store(on);
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_SHARING, on->level);
    srv_note_rule(&account, (srv_rule){NULL, NAN, NAN, SERVET_OUTCOME_REJECTED},
                  count_cores(on) < 2
                      ? "not measured: only one core may be used"
                      : "not determined: no test distinguishes the cases, or the time was over");
    for (int i = 0; i < on->core_count; i++)
        on->group[i] = -1;
    return code == SRV_UNDECIDED && !is_unanswered(on) ? SERVET_OK : code;
}

static int measure_level(sharing *on)
{
    srv_raw_file file;
    double levels = on->level_count;
    srv_stage stage = srv_stage_part(on->stage, (on->level - 1) / levels, on->level / levels);
    int code = begin_level(on, &stage);
    if (code != SERVET_OK)
        return code;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, on->error, "sharing-L%d.csv",
                      on->level)) {
        on->search.probe.raw = file.stream;
        fputs("test,core,other,at_once,ns,odds\n", file.stream);
    }
    /* One core alone cannot be tested: "private" would be a guess. */
    if (file.code == SERVET_OK)
        file.code = conclude(on, count_cores(on) < 2 ? SRV_UNDECIDED : probe_level(on));
    return srv_raw_end(&file, on->error);
}

int srv_measure_sharing(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    sharing on = {.stage = stage, .place = place, .error = error};
    int code = init(&on);
    for (on.level = 1; on.level <= on.level_count && code == SERVET_OK; on.level++)
        code = measure_level(&on);
    srv_sets_finish(&on.objects);
    srv_room_free(&on.room);
    return code;
}
