/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what a core of a kind sees. */
#include "servet/record.h"

#include "profile/record/change.h"

static srv_core_kind *kind_at(servet_profile *profile, int node_class, int kind,
                              servet_error *error)
{
    srv_class *class = srv_class_at(profile, node_class, NULL);
    if (class && kind >= 0 && kind < class->kinds.count)
        return (srv_core_kind *)class->kinds.items + kind;
    srv_fail(error, SERVET_EARGUMENT, "no core kind has number %d in node class %d", kind,
             node_class);
    return NULL;
}

int servet_profile_set_caches(servet_profile *profile, int node_class, int kind,
                              const servet_cache *caches, int count,
                              const servet_value *memory_latency, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_core_kind *stored = kind_at(profile, node_class, kind, error);
    if (!stored)
        return SERVET_EARGUMENT;
    if (count < 0 || count > SERVET_CACHE_LEVELS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d cache levels", count);
    srv_core_kind changed = *stored;
    int code =
        srv_copy_items(caches, sizeof *caches, count, sizeof(srv_cache), &changed.caches, error);
    changed.memory_latency = *memory_latency;
    return srv_change(&srv_kind_shape, stored, &changed, code, &where);
}

/* --- of one level ----------------------------------------------------------------------------- */

/* A cache level and a path that leads to it. NULL with SERVET_EARGUMENT in `error`. */
static srv_cache *cache_at(servet_profile *profile, int node_class, int kind, int level,
                           srv_json_path *where)
{
    srv_core_kind *stored = kind_at(profile, node_class, kind, where->error);
    if (!stored)
        return NULL;
    srv_json_path_enter(where, "caches");
    srv_json_path_enter_item(where, level - 1);
    if (level >= 1 && level <= stored->caches.count)
        return (srv_cache *)stored->caches.items + level - 1;
    srv_fail(where->error, SERVET_EARGUMENT, "there is no cache level %d", level);
    return NULL;
}

int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind, int level,
                                    const char *const *groups, int count,
                                    const servet_sharing *sharing, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_cache *stored = cache_at(profile, node_class, kind, level, &where);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_cache changed = *stored;
    changed.sharing = (srv_list){0};
    int code = srv_copy_sets(groups, count, &changed.groups, error);
    if (code == SERVET_OK && sharing)
        code = srv_new_list(1, sizeof *sharing, &changed.sharing, error);
    if (code == SERVET_OK && sharing)
        *(servet_sharing *)changed.sharing.items = *sharing;
    return srv_change(&srv_cache_shape, stored, &changed, code, &where);
}

int servet_profile_set_cache_line(servet_profile *profile, int node_class, int kind, int level,
                                  const servet_value *line, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_cache *stored = cache_at(profile, node_class, kind, level, &where);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_cache changed = *stored;
    changed.fact.line = *line;
    return srv_change(&srv_cache_shape, stored, &changed, SERVET_OK, &where);
}

/* --- memory-level parallelism ------------------------------------------------------------------
 */

static int make_concurrency(const servet_concurrency *concurrency, const servet_value *of_chains,
                            const servet_value *of_threads, srv_list *list, servet_error *error)
{
    int code = srv_new_list(1, sizeof(srv_concurrency), list, error);
    if (code != SERVET_OK)
        return code;
    srv_concurrency *made = list->items;
    made->requests = concurrency->requests;
    made->requests_low = concurrency->requests_low;
    made->requests_high = concurrency->requests_high;
    made->best = concurrency->best;
    code = srv_copy_values(of_chains, concurrency->chains, &made->of_chains, error);
    return code == SERVET_OK
               ? srv_copy_values(of_threads, concurrency->threads, &made->of_threads, error)
               : code;
}

int servet_profile_set_concurrency(servet_profile *profile, int node_class, int kind, int level,
                                   const servet_concurrency *concurrency,
                                   const servet_value *of_chains, const servet_value *of_threads,
                                   servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    if (level == 0) {
        srv_core_kind *stored = kind_at(profile, node_class, kind, error);
        if (!stored)
            return SERVET_EARGUMENT;
        srv_core_kind changed = *stored;
        int code = make_concurrency(concurrency, of_chains, of_threads, &changed.memory_concurrency,
                                    error);
        return srv_change(&srv_kind_shape, stored, &changed, code, &where);
    }
    srv_cache *stored = cache_at(profile, node_class, kind, level, &where);
    if (!stored)
        return SERVET_EARGUMENT;
    srv_cache changed = *stored;
    int code = make_concurrency(concurrency, of_chains, of_threads, &changed.concurrency, error);
    return srv_change(&srv_cache_shape, stored, &changed, code, &where);
}

/* --- translation ------------------------------------------------------------------------------ */

int servet_profile_set_translation(servet_profile *profile, int node_class, int kind,
                                   servet_pages pages, const servet_translation *translation,
                                   const servet_tlb *tlbs, int count, servet_error *error)
{
    srv_json_path where = srv_no_file(error);
    srv_core_kind *stored = kind_at(profile, node_class, kind, error);
    if (!stored)
        return SERVET_EARGUMENT;
    if ((unsigned)pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "there are no such pages");
    srv_core_kind changed = *stored;
    srv_list *list = &changed.translation[pages];
    int code = srv_new_list(1, sizeof(srv_translation_facts), list, error);
    if (code == SERVET_OK) {
        srv_translation_facts *made = list->items;
        made->fact = *translation;
        code = srv_copy_items(tlbs, sizeof *tlbs, count, sizeof *tlbs, &made->tlbs, error);
    }
    return srv_change(&srv_kind_shape, stored, &changed, code, &where);
}
