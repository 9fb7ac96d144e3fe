/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists all advice that follows from a profile: applies each rule to each core type, to the node or
 * to each communication layer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/say.h"
#include "core/names.h"
#include "place/thread_cores.h"
#include "profile/types.h"
#include "servet/network.h"

SRV_NAMES(servet_advice_topic_name, servet_advice_topic, SERVET_ADVICE_LIST)
SRV_NAMES(servet_advice_for_name, servet_advice_for, SERVET_ADVICE_FOR_LIST)

/* The list that receives the advice. */
typedef struct output {
    servet_advice *advice;
    int size, count;
} output;

static void apply(srv_advice_rule *const rules[], const srv_subject *on, output *to)
{
    for (; *rules; rules++) {
        servet_advice advice = {.value = servet_value_unknown(SERVET_UNIT_NONE), .trusted = true};
        snprintf(advice.kind, sizeof advice.kind, "%s", on->kind);
        if (!(*rules)(on, &advice))
            continue;
        advice.value.trusted = advice.value.trusted && advice.trusted;
        if (to->count < to->size)
            to->advice[to->count] = advice;
        to->count++;
    }
}

/* Applies the rules to the core type of on->at.core; `several`: there are other core types. */
static void advise_kind(srv_subject *on, const char *name, bool several, output *to)
{
    int levels = 0;
    on->kind = several ? name : "";
    *on->on_kind = '\0';
    if (several)
        snprintf(on->on_kind, sizeof on->on_kind, " on %s cores", name);
    (void)servet_cache_count(on->profile, &on->at, &levels);
    for (on->level = 1; on->level <= levels; on->level++)
        apply(srv_cache_rules, on, to);
    apply(srv_kind_rules, on, to);
}

static void advise_kinds(srv_subject on, int core, output *to)
{
    servet_kind kind;
    const servet_at class = {.node_class = on.at.node_class, .core = SERVET_ANY_CORE};
    bool several = servet_kind_get(on.profile, &class, 1, &kind) == SERVET_OK;
    char name[SERVET_NAME_MAX] = "";
    if (core != SERVET_ANY_CORE) {
        on.at.core = core;
        (void)servet_profile_get(on.profile, &on.at, "kind.name", name, sizeof name, NULL);
        advise_kind(&on, name, several, to);
        return;
    }
    for (int i = 0; servet_kind_get(on.profile, &class, i, &kind) == SERVET_OK; i++) {
        on.at.core = i == 0 ? SERVET_ANY_CORE : atoi(kind.cores);
        advise_kind(&on, kind.name, several, to);
    }
}

static void advise_layers(srv_subject on, output *to)
{
    int layers = 0;
    (void)servet_network_layer_count(on.profile, &layers);
    for (on.level = 1; on.level <= layers; on.level++) {
        int before = to->count;
        apply(srv_layer_rules, &on, to);
        for (int i = before; i < to->count && i < to->size; i++)
            to->advice[i].level = on.level;
    }
}

/* Finds the PUs for which the advice is. */
static void find_cores(srv_subject *on, const srv_class *class)
{
    const srv_class *classes = on->profile->classes.items;
    srv_thread_cores usable = {0};
    snprintf(on->cores, sizeof on->cores, "%s", class->machine.cores);
    if (on->whom == SERVET_ADVICE_FOR_PROCESS &&
        srv_thread_cores_begin(&usable, on->profile, (int)(class - classes), SERVET_CODE_MEMORY,
                               NULL, 0, NULL) == SERVET_OK &&
        servet_cores_to_text(usable.class.cores, usable.class.core_count, on->cores,
                             sizeof on->cores) != SERVET_OK)
        *on->cores = '\0';
    srv_thread_cores_finish(&usable);
}

int servet_advise(const servet_profile *profile, const servet_at *at, servet_advice_for whom,
                  servet_advice advice[], int size, int *count)
{
    srv_subject on = {.profile = profile, .whom = whom, .kind = ""};
    output to = {advice, size, 0};
    srv_target target;
    if ((unsigned)whom >= SERVET_ADVICE_FOR_COUNT || size < 0)
        return SERVET_EARGUMENT;
    if (servet_profile_class_count(profile) > 0) {
        int code = srv_target_find(profile, at, &target, NULL);
        if (code != SERVET_OK)
            return code;
        on.at = (servet_at){.node_class = target.node_class->name, .core = SERVET_ANY_CORE};
        find_cores(&on, target.node_class);
        advise_kinds(on, at ? target.core : SERVET_ANY_CORE, &to);
        apply(srv_node_rules, &on, &to);
    }
    advise_layers(on, &to);
    *count = to.count;
    return SERVET_OK;
}
