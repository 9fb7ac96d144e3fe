/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions about runs, classes, kinds and caches. */
#include "profile/shape.h"

const char *servet_verdict_name(servet_verdict verdict)
{
    return (unsigned)verdict < SERVET_VERDICT_COUNT ? srv_verdict_words.text[verdict] : "?";
}

int servet_profile_run(const servet_profile *profile, servet_run *run)
{
    if (!profile->run.known)
        return SERVET_EUNMEASURED;
    *run = *(const servet_run *)profile->run.items;
    return SERVET_OK;
}

int servet_profile_class_count(const servet_profile *profile)
{
    return profile->classes.count;
}

const char *servet_profile_class_name(const servet_profile *profile, int index)
{
    const srv_class *classes = profile->classes.items;
    return index >= 0 && index < profile->classes.count ? classes[index].name : NULL;
}

int servet_profile_machine(const servet_profile *profile, const servet_at *at,
                           servet_machine *machine)
{
    const srv_class *class = srv_class_named(profile, at);
    if (!class)
        return SERVET_ERANGE;
    *machine = class->machine;
    return SERVET_OK;
}

const char *servet_profile_node(const servet_profile *profile, const servet_at *at, int index)
{
    const srv_class *class = srv_class_named(profile, at);
    if (!class || index < 0 || index >= class->nodes.count)
        return NULL;
    return ((char *const *)class->nodes.items)[index];
}

int servet_kind_get(const servet_profile *profile, const servet_at *at, int index,
                    servet_kind *kind)
{
    const srv_class *class = srv_class_named(profile, at);
    if (!class || index < 0 || index >= class->kinds.count)
        return SERVET_ERANGE;
    const srv_core_kind *found = (const srv_core_kind *)class->kinds.items + index;
    *kind = (servet_kind){found->name, found->cores};
    return SERVET_OK;
}

int servet_cache_count(const servet_profile *profile, const servet_at *at, int *count)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    return target.kind ? srv_list_count(&target.kind->caches, count) : SERVET_EUNMEASURED;
}

int servet_cache_get(const servet_profile *profile, const servet_at *at, int level,
                     servet_cache *cache)
{
    const srv_cache *found;
    int code = srv_level_find(profile, at, level, &found);
    if (code == SERVET_OK)
        *cache = found->fact;
    return code;
}

int servet_memory_latency(const servet_profile *profile, const servet_at *at, servet_value *latency)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    return target.kind ? srv_value_known(&target.kind->memory_latency, latency)
                       : SERVET_EUNMEASURED;
}
