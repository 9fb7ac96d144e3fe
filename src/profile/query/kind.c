/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of runs, classes, core types and the facts of their cores. */
#include <stddef.h>
#include <string.h>

#include "profile/query/find.h"
#include "profile/types.h"

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

/* Copies the struct, but only the used part of its two long lists of cores, which are most of it.
 */
static void copy_machine(const servet_machine *from, servet_machine *to)
{
    const size_t behind_cores = offsetof(servet_machine, pu_count);
    memcpy(to, from, offsetof(servet_machine, cores));
    memcpy(to->cores, from->cores, strlen(from->cores) + 1);
    memcpy(&to->pu_count, &from->pu_count, offsetof(servet_machine, logical_order) - behind_cores);
    memcpy(to->logical_order, from->logical_order, strlen(from->logical_order) + 1);
}

int servet_profile_machine(const servet_profile *profile, const servet_at *at,
                           servet_machine *machine)
{
    const srv_class *class = srv_class_named(profile, at);
    if (!class)
        return srv_no_class(profile, at, NULL);
    copy_machine(&class->machine, machine);
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
    if (!class)
        return srv_no_class(profile, at, NULL);
    if (index < 0 || index >= class->kinds.count)
        return SERVET_ERANGE;
    const srv_core_kind *found = (const srv_core_kind *)class->kinds.items + index;
    *kind = (servet_kind){.name = found->name, .cores = found->cores};
    return SERVET_OK;
}

/* --- caches and memory of a core -------------------------------------------------------------- */

static const srv_way caches = {SRV_OF_KIND, {offsetof(srv_core_kind, caches)}};
static const srv_way groups = {SRV_OF_KIND,
                               {offsetof(srv_core_kind, caches), offsetof(srv_cache, groups)}};
static const srv_way sharings = {SRV_OF_KIND,
                                 {offsetof(srv_core_kind, caches), offsetof(srv_cache, sharing)}};

SRV_LEVEL_QUERIES(servet_cache_count, servet_cache_get, servet_cache, caches)
SRV_GROUP_QUERIES(servet_cache_group_count, servet_cache_group, servet_cache_group_of, groups)

int servet_cache_sharing(const servet_profile *profile, const servet_at *at, int level,
                         servet_sharing *sharing)
{
    return srv_fetch(profile, at, &sharings, (long[]){level}, sharing, sizeof *sharing);
}

int servet_memory_latency(const servet_profile *profile, const servet_at *at, servet_value *latency)
{
    const void *kind;
    static const srv_way kinds = {SRV_OF_KIND, {0}};
    int code = srv_find(profile, at, &kinds, NULL, &kind);
    return code == SERVET_OK
               ? srv_answer_value(profile, &((const srv_core_kind *)kind)->memory_latency, latency)
               : code;
}

/* --- memory-level parallelism ----------------------------------------------------------------- */

/* The way to the loads in flight from a level (0: memory) or, if `list` is the offset of one, to a
 * list of their bandwidths. */
static srv_way loads_way(int level, size_t list)
{
    return level == 0 ? (srv_way){SRV_OF_KIND, {offsetof(srv_core_kind, memory_concurrency), list}}
                      : (srv_way){SRV_OF_KIND,
                                  {offsetof(srv_core_kind, caches),
                                   offsetof(srv_cache, concurrency), list}};
}

static int bandwidth_of(const servet_profile *profile, const servet_at *at, size_t list, int level,
                        int number, servet_value *bandwidth)
{
    const srv_way way = loads_way(level, list);
    const long of_memory[] = {number}, of_cache[] = {level, number};
    return srv_fetch_value(profile, at, &way, level ? of_cache : of_memory, bandwidth);
}

int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
                           servet_concurrency *concurrency)
{
    srv_site site;
    const srv_way way = loads_way(level, 0);
    int code = srv_locate(profile, at, &way, (long[]){level}, &site);
    bool trusted = code == SERVET_OK && srv_trusts_item(profile, &site);
    if (code == SERVET_OK)
        code = srv_demand(profile, trusted);
    if (code != SERVET_OK)
        return code;
    const srv_concurrency *stored = site.item;
    *concurrency = stored->fact;
    concurrency->chains = stored->of_chains.count;
    concurrency->threads = stored->of_threads.count;
    concurrency->trusted = trusted;
    return SERVET_OK;
}

int servet_concurrency_of_chains(const servet_profile *profile, const servet_at *at, int level,
                                 int chains, servet_value *bandwidth)
{
    return bandwidth_of(profile, at, offsetof(srv_concurrency, of_chains), level, chains,
                        bandwidth);
}

int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at, int level,
                                  int threads, servet_value *bandwidth)
{
    return bandwidth_of(profile, at, offsetof(srv_concurrency, of_threads), level, threads,
                        bandwidth);
}

/* --- translation ------------------------------------------------------------------------------ */

/* The way to translation with pages of a size or, if `list` is the offset of one, to a list of it.
 */
static srv_way pages_way(servet_pages pages, size_t list)
{
    return (srv_way){SRV_OF_KIND,
                     {offsetof(srv_core_kind, translation) + pages * sizeof(srv_list), list}};
}

static srv_way tlbs_way(servet_pages pages)
{
    return pages_way(pages, offsetof(srv_translation_facts, tlbs));
}

static bool are_pages(servet_pages pages)
{
    return (unsigned)pages < SERVET_PAGES_COUNT;
}

int servet_translation_get(const servet_profile *profile, const servet_at *at, servet_pages pages,
                           servet_translation *translation)
{
    const srv_way way = pages_way(pages, 0);
    return are_pages(pages) ? srv_fetch(profile, at, &way, NULL, translation, sizeof *translation)
                            : SERVET_ERANGE;
}

int servet_tlb_count(const servet_profile *profile, const servet_at *at, servet_pages pages,
                     int *count)
{
    const srv_way way = tlbs_way(pages);
    return are_pages(pages) ? srv_fetch_count(profile, at, &way, NULL, count) : SERVET_ERANGE;
}

int servet_tlb_get(const servet_profile *profile, const servet_at *at, servet_pages pages,
                   int level, servet_tlb *tlb)
{
    const srv_way way = tlbs_way(pages);
    return are_pages(pages) ? srv_fetch(profile, at, &way, (long[]){level}, tlb, sizeof *tlb)
                            : SERVET_ERANGE;
}
