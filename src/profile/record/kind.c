/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording what a core of a kind sees. */
#include "servet/record.h"

#include "profile/record/edit.h"

static const srv_way kind_way = {SRV_OF_PROFILE, {"classes", "kinds"}};
static const srv_way cache_way = {SRV_OF_PROFILE, {"classes", "kinds", "caches"}};

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
    srv_core_kind *changed = begin_kind(&edit, profile, node_class, kind, error);
    if (!changed)
        return SERVET_EARGUMENT;
    if (count < 0 || count > SERVET_CACHE_LEVELS_MAX)
        return srv_fail(error, SERVET_EARGUMENT, "%d cache levels", count);
    changed->memory_latency = *memory_latency;
    return srv_edit_end(&edit, srv_copy_items(caches, sizeof *caches, count, sizeof(srv_cache),
                                              &changed->caches, error));
}

/* --- of one level ----------------------------------------------------------------------------- */

int servet_profile_set_cache_groups(servet_profile *profile, int node_class, int kind, int level,
                                    const char *const *groups, int count,
                                    const servet_sharing *sharing, servet_error *error)
{
    srv_edit edit;
    srv_cache *changed = begin_cache(&edit, profile, node_class, kind, level, error);
    if (!changed)
        return SERVET_EARGUMENT;
    changed->sharing = (srv_list){0};
    int code = srv_copy_sets(groups, count, &changed->groups, error);
    if (code == SERVET_OK && sharing)
        code =
            srv_copy_items(sharing, sizeof *sharing, 1, sizeof *sharing, &changed->sharing, error);
    return srv_edit_end(&edit, code);
}

int servet_profile_set_cache_line(servet_profile *profile, int node_class, int kind, int level,
                                  const servet_value *line, servet_error *error)
{
    srv_edit edit;
    srv_cache *changed = begin_cache(&edit, profile, node_class, kind, level, error);
    if (!changed)
        return SERVET_EARGUMENT;
    changed->fact.line = *line;
    return srv_edit_end(&edit, SERVET_OK);
}

/* --- memory-level parallelism ----------------------------------------------------------------- */

static int make_concurrency(const servet_concurrency *concurrency, const servet_value *of_chains,
                            const servet_value *of_threads, srv_list *list, servet_error *error)
{
    int code = SRV_CHECK_RESERVED(servet_concurrency, concurrency, error);
    if (code == SERVET_OK)
        code = srv_new_list(1, sizeof(srv_concurrency), list, error);
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
    srv_edit edit;
    srv_core_kind *of_kind = NULL;
    srv_cache *of_level = NULL;
    if (level == 0)
        of_kind = begin_kind(&edit, profile, node_class, kind, error);
    else
        of_level = begin_cache(&edit, profile, node_class, kind, level, error);
    if (!of_kind && !of_level)
        return SERVET_EARGUMENT;
    srv_list *list = of_kind ? &of_kind->memory_concurrency : &of_level->concurrency;
    return srv_edit_end(&edit, make_concurrency(concurrency, of_chains, of_threads, list, error));
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
    if (!changed)
        return SERVET_EARGUMENT;
    srv_list *list = &changed->translation[pages];
    int code = srv_new_list(1, sizeof(srv_translation_facts), list, error);
    if (code != SERVET_OK)
        return srv_edit_end(&edit, code);
    srv_translation_facts *made = list->items;
    made->fact = *translation;
    return srv_edit_end(
        &edit, srv_copy_items(tlbs, sizeof *tlbs, count, sizeof *tlbs, &made->tlbs, error));
}
