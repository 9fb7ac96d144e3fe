/* SPDX-License-Identifier: BSD-3-Clause */
/* Records facts of a core type. */
#include "servet/record.h"

#include "profile/record/edit.h"

static const srv_way kind_way = {SRV_OF_PROFILE,
                                 {offsetof(servet_profile, classes), offsetof(srv_class, kinds)}};
static const srv_way cache_way = {SRV_OF_PROFILE,
                                  {offsetof(servet_profile, classes), offsetof(srv_class, kinds),
                                   offsetof(srv_core_kind, caches)}};

static srv_core_kind *begin_kind(srv_edit *edit, servet_profile *profile, int node_class, int kind,
                                 servet_error *error)
{
    return srv_edit_begin(edit, profile, &kind_way, (long[]){node_class + 1L, kind + 1L}, error);
}

static srv_cache *begin_cache(srv_edit *edit, servet_profile *profile, int node_class, int kind,
                              int level, servet_error *error)
{
    return srv_edit_begin(edit, profile, &cache_way, (long[]){node_class + 1L, kind + 1L, level},
                          error);
}

int servet_profile_set_caches(servet_profile *profile, int node_class, int kind,
                              const servet_cache *caches, int count,
                              const servet_value *memory_latency, servet_error *error)
{
    srv_edit edit;
    if (count < 0 || count > SERVET_CACHE_LEVELS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d cache levels", count);
    srv_core_kind *changed = begin_kind(&edit, profile, node_class, kind, error);
    changed->memory_latency = *memory_latency;
    srv_edit_items(&edit, &changed->caches, caches, sizeof *caches, count, sizeof(srv_cache));
    return srv_edit_end(&edit);
}

/* --- of one level ----------------------------------------------------------------------------- */

int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind, int level,
                                    const char *const *groups, int count,
                                    const servet_sharing *sharing, servet_error *error)
{
    srv_edit edit;
    srv_cache *changed = begin_cache(&edit, profile, node_class, kind, level, error);
    srv_edit_texts(&edit, &changed->groups, groups, count);
    changed->sharing = (srv_list){0};
    if (sharing)
        srv_edit_items(&edit, &changed->sharing, sharing, sizeof *sharing, 1, sizeof *sharing);
    return srv_edit_end(&edit);
}

int servet_profile_set_cache_line(servet_profile *profile, int node_class, int kind, int level,
                                  const servet_value *line, servet_error *error)
{
    srv_edit edit;
    srv_cache *changed = begin_cache(&edit, profile, node_class, kind, level, error);
    changed->fact.line = *line;
    return srv_edit_end(&edit);
}

/* --- memory-level parallelism ----------------------------------------------------------------- */

int servet_profile_set_concurrency(servet_profile *profile, int node_class, int kind, int level,
                                   const servet_concurrency *concurrency,
                                   const servet_value *of_chains, const servet_value *of_threads,
                                   servet_error *error)
{
    srv_edit edit;
    srv_list *list =
        level == 0 ? &begin_kind(&edit, profile, node_class, kind, error)->memory_concurrency
                   : &begin_cache(&edit, profile, node_class, kind, level, error)->concurrency;
    srv_concurrency *made = srv_edit_list(&edit, list, 1, sizeof *made);
    if (made) {
        made->fact = *concurrency;
        srv_edit_values(&edit, &made->of_chains, of_chains, concurrency->chains);
        srv_edit_values(&edit, &made->of_threads, of_threads, concurrency->threads);
    }
    return srv_edit_end(&edit);
}

/* --- translation ------------------------------------------------------------------------------ */

int servet_profile_set_translation(servet_profile *profile, int node_class, int kind,
                                   servet_pages pages, const servet_translation *translation,
                                   const servet_tlb *tlbs, int count, servet_error *error)
{
    srv_edit edit;
    if ((unsigned)pages >= SERVET_PAGES_COUNT)
        return srv_fail(error, SERVET_EARGUMENT, "there are no such pages");
    srv_core_kind *changed = begin_kind(&edit, profile, node_class, kind, error);
    srv_translation_facts *made =
        srv_edit_list(&edit, &changed->translation[pages], 1, sizeof *made);
    if (made) {
        made->fact = *translation;
        srv_edit_items(&edit, &made->tlbs, tlbs, sizeof *tlbs, count, sizeof *tlbs);
    }
    return srv_edit_end(&edit);
}
