/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/ranges.h"
#include "profile/shape.h"

const char *servet_verdict_name(servet_verdict verdict)
{
    return (unsigned)verdict < SERVET_VERDICT_COUNT ? srv_verdict_words.text[verdict] : "?";
}

/* --- what is meant ---------------------------------------------------------------------------- */

/* Some systems give "node7", some "node7.cluster.org", and profiles are copied between them. */
static bool same_host(const char *a, const char *b)
{
    size_t short_a = strcspn(a, "."), short_b = strcspn(b, ".");
    if (a[short_a] && b[short_b])
        return strcmp(a, b) == 0;
    return short_a == short_b && strncmp(a, b, short_a) == 0;
}

static bool class_lists(const srv_class *class, const char *host)
{
    char *const *nodes = class->nodes.items;
    for (int i = 0; i < class->nodes.count; i++)
        if (same_host(nodes[i], host))
            return true;
    return false;
}

int servet_profile_class_of(const servet_profile *profile, const char *host, int *index)
{
    const srv_class *classes = profile->classes.items;
    for (int i = 0; i < profile->classes.count; i++)
        if (class_lists(&classes[i], host)) {
            *index = i;
            return SERVET_OK;
        }
    return SERVET_ENOTFOUND;
}

int srv_class_here(const servet_profile *profile)
{
    char host[256] = ""; /* POSIX: no host name is longer than 255 bytes */
    int index = 0;
    if (gethostname(host, sizeof host - 1) == 0)
        (void)servet_profile_class_of(profile, host, &index);
    return index;
}

static const srv_class *find_class(const servet_profile *profile, const char *name)
{
    const srv_class *classes = profile->classes.items;
    if (!name)
        return profile->classes.count ? &classes[profile->here] : NULL;
    for (int i = 0; i < profile->classes.count; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}

static const srv_core_kind *find_kind(const srv_class *class, int core)
{
    const srv_core_kind *kinds = class->kinds.items;
    for (int i = 0; i < class->kinds.count; i++)
        if (core == SERVET_ANY_CORE || srv_ranges_contain(kinds[i].cores, core))
            return &kinds[i];
    return NULL;
}

int srv_target_find(const servet_profile *profile, const servet_at *at, srv_target *target,
                    servet_error *error)
{
    const char *name = at ? at->node_class : NULL;
    int core = at ? at->core : SERVET_ANY_CORE;
    const srv_class *class = find_class(profile, name);
    if (!class && name)
        return srv_fail(error, SERVET_ERANGE, "the profile has no node class '%.64s'", name);
    if (!class)
        return srv_fail(error, SERVET_ERANGE, "the profile has no node classes");
    const srv_core_kind *kind = find_kind(class, core);
    if (!kind && core != SERVET_ANY_CORE)
        return srv_fail(error, SERVET_ERANGE, "node class '%s' has no core %d", class->name, core);
    *target = (srv_target){class, kind};
    return SERVET_OK;
}

/* --- questions -------------------------------------------------------------------------------- */

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
    const srv_class *class = find_class(profile, at ? at->node_class : NULL);
    if (!class)
        return SERVET_ERANGE;
    *machine = class->machine;
    return SERVET_OK;
}

const char *servet_profile_node(const servet_profile *profile, const servet_at *at, int index)
{
    const srv_class *class = find_class(profile, at ? at->node_class : NULL);
    if (!class || index < 0 || index >= class->nodes.count)
        return NULL;
    return ((char *const *)class->nodes.items)[index];
}

int servet_kind_get(const servet_profile *profile, const servet_at *at, int index,
                    servet_kind *kind)
{
    const srv_class *class = find_class(profile, at ? at->node_class : NULL);
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
    if (!target.kind || !target.kind->caches.known)
        return SERVET_EUNMEASURED;
    *count = target.kind->caches.count;
    return SERVET_OK;
}

int srv_level_find(const servet_profile *profile, const servet_at *at, int level,
                   const srv_cache **cache)
{
    srv_target target;
    int code = srv_target_find(profile, at, &target, NULL);
    if (code != SERVET_OK)
        return code;
    if (!target.kind || !target.kind->caches.known)
        return SERVET_EUNMEASURED;
    if (level < 1 || level > target.kind->caches.count)
        return SERVET_ERANGE;
    *cache = (const srv_cache *)target.kind->caches.items + level - 1;
    return SERVET_OK;
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
    if (!target.kind || !servet_value_known(&target.kind->memory_latency))
        return SERVET_EUNMEASURED;
    *latency = target.kind->memory_latency;
    return SERVET_OK;
}
