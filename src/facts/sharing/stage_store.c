/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/ranges.h"
#include "core/room.h"
#include "facts/sharing/stage_parts.h"
#include "facts/store.h"
#include "run/cores.h"

/* The groups of a level, and those that a kind is in as texts. */
typedef struct storing {
    srv_machine *machine;
    const srv_stage_place *place;
    int level;
    const srv_group_member *members;
    int count;
    const double *confidence;
    int *numbers; /* of one group */
    char (*sets)[SERVET_CORES_MAX];
    const char **texts;
    servet_error *error;
} storing;

static bool has_kind(const storing *on, int group, int kind)
{
    for (int i = 0; i < on->count; i++)
        if (on->members[i].group == group && on->members[i].kind == kind)
            return true;
    return false;
}

/* Writes the set of one group as set `at`. False where it does not fit. */
static bool write_set(storing *on, int group, int at)
{
    int n = 0;
    for (int i = 0; i < on->count; i++)
        if (on->members[i].group == group)
            on->numbers[n++] = on->members[i].number;
    on->texts[at] = on->sets[at];
    return srv_ranges_write(on->numbers, n, on->sets[at], sizeof on->sets[at]);
}

/* The reported instances of the level for a kind's cores. */
static int gather_instances(const storing *on, int kind, srv_sets *instances)
{
    int code = SERVET_OK;
    for (int i = 0; i < on->count && code == SERVET_OK; i++) {
        srv_reported reported = {0};
        servet_cache cache;
        servet_at at = srv_place_at(on->place, on->members[i].number);
        if (on->members[i].kind == kind &&
            servet_cache_get(on->place->profile, &at, on->level, &cache) == SERVET_OK)
            code = on->machine->ops->reported(on->machine, at.core, &reported, on->error);
        for (int k = 0; k < reported.count && code == SERVET_OK; k++)
            if (reported.level[k].bytes == cache.reported_bytes.value && *reported.level[k].cores)
                code = srv_sets_add(instances, reported.level[k].cores, on->error);
    }
    return code;
}

static int compare(const storing *on, int kind, int groups, servet_sharing *facts)
{
    srv_sets instances = {NULL, 0};
    int code = gather_instances(on, kind, &instances);
    *facts = (servet_sharing){.confidence = *on->confidence,
                              .verdict = srv_compare_instances(&instances, on->texts, groups)};
    srv_sets_finish(&instances);
    return code;
}

/* Confidence of groups that differ from the report: two methods, not one (75 %). */
static const double SURE_AGAINST = 0.9;

int srv_doubt_cache_groups(const srv_stage_place *place, int kind, int level, const char *reason,
                           servet_error *error)
{
    return srv_doubt_facts(SRV_PLACE(place), reason, error,
                           "kinds.%d.caches.%d.groups kinds.%d.caches.%d.sharing", kind + 1, level,
                           kind + 1, level);
}

/* The limit follows from the size; with turnover from the reach. */
static bool is_size_known(const storing *on, int kind)
{
    servet_cache cache = {.bytes.trusted = false};
    for (int i = 0; i < on->count; i++)
        if (on->members[i].kind == kind) {
            servet_at at = {
                .node_class = servet_profile_class_name(on->place->profile, on->place->node_class),
                .core = on->members[i].number};
            (void)servet_cache_get(on->place->profile, &at, on->level, &cache);
            break;
        }
    return cache.bytes.trusted || cache.kind == SERVET_CACHE_TURNOVER;
}

static int doubt_against(const storing *on, int kind, const servet_sharing *facts)
{
    const char *reason = NULL;
    if (facts->verdict == SERVET_VERDICT_DIFFERS && facts->confidence < SURE_AGAINST)
        reason = "the operating system reports other groups, and only one method says these";
    else if (facts->verdict == SERVET_VERDICT_DIFFERS && !is_size_known(on, kind))
        reason = "the operating system reports other groups, and the size is not trusted";
    return reason ? srv_doubt_cache_groups(on->place, kind, on->level, reason, on->error)
                  : SERVET_OK;
}

static int store_kind(storing *on, int kind)
{
    int n = 0, code = SERVET_OK;
    servet_sharing facts;
    for (int group = 0; group < on->count; group++)
        if (has_kind(on, group, kind) && !write_set(on, group, n++))
            return srv_fail(on->error, SERVET_EMACHINE, "the list of cores is too long");
    if (n > 0 && on->confidence)
        code = compare(on, kind, n, &facts);
    if (n == 0 || code != SERVET_OK)
        return code;
    code = srv_store(SRV_PLACE(on->place), on->texts, sizeof *on->texts, n, on->error,
                     "kinds.%d.caches.%d.groups", kind + 1, on->level);
    if (code == SERVET_OK)
        code = srv_store(SRV_PLACE(on->place), &facts, sizeof facts, on->confidence ? 1 : 0,
                         on->error, "kinds.%d.caches.%d.sharing", kind + 1, on->level);
    return code == SERVET_OK && on->confidence ? doubt_against(on, kind, &facts) : code;
}

int srv_store_cache_groups(srv_machine *machine, const srv_stage_place *place, int level,
                           const srv_group_member *members, int count, const double *confidence,
                           servet_error *error)
{
    size_t room = (size_t)count;
    srv_room arrays = {0};
    storing on = {machine,
                  place,
                  level,
                  members,
                  count,
                  confidence,
                  srv_room_take(&arrays, room, sizeof *on.numbers),
                  srv_room_take(&arrays, room, sizeof *on.sets),
                  srv_room_take(&arrays, room, sizeof *on.texts),
                  error};
    int code = arrays.failed ? srv_fail_memory(error) : SERVET_OK;
    for (int kind = 0; kind < SRV_CORE_TYPES_MAX && code == SERVET_OK; kind++)
        code = store_kind(&on, kind);
    srv_room_free(&arrays);
    return code;
}
