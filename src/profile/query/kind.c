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

/* The ways to the fact and to its bandwidths. */
typedef struct loads {
    srv_way memory, cache;
} loads;
static const loads found = {
    {SRV_OF_KIND, {offsetof(srv_core_kind, memory_concurrency)}},
    {SRV_OF_KIND, {offsetof(srv_core_kind, caches), offsetof(srv_cache, concurrency)}}};
static const loads of_chains = {
    {SRV_OF_KIND,
     {offsetof(srv_core_kind, memory_concurrency), offsetof(srv_concurrency, of_chains)}},
    {SRV_OF_KIND,
     {offsetof(srv_core_kind, caches), offsetof(srv_cache, concurrency),
      offsetof(srv_concurrency, of_chains)}}};
static const loads of_threads = {
    {SRV_OF_KIND,
     {offsetof(srv_core_kind, memory_concurrency), offsetof(srv_concurrency, of_threads)}},
    {SRV_OF_KIND,
     {offsetof(srv_core_kind, caches), offsetof(srv_cache, concurrency),
      offsetof(srv_concurrency, of_threads)}}};

/* Level 0 is memory. */
static int bandwidth_of(const servet_profile *profile, const servet_at *at, const loads *which,
                        int level, int number, servet_value *bandwidth)
{
    return level == 0
               ? srv_fetch_value(profile, at, &which->memory, (long[]){number}, bandwidth)
               : srv_fetch_value(profile, at, &which->cache, (long[]){level, number}, bandwidth);
}

int servet_concurrency_get(const servet_profile *profile, const servet_at *at, int level,
                           servet_concurrency *concurrency)
{
    srv_site site;
    int code =
        srv_locate(profile, at, level ? &found.cache : &found.memory, (long[]){level}, &site);
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
    return bandwidth_of(profile, at, &of_chains, level, chains, bandwidth);
}

int servet_concurrency_of_threads(const servet_profile *profile, const servet_at *at, int level,
                                  int threads, servet_value *bandwidth)
{
    return bandwidth_of(profile, at, &of_threads, level, threads, bandwidth);
}

/* --- translation ------------------------------------------------------------------------------ */

static const srv_way translations[SERVET_PAGES_COUNT] = {
    [SERVET_PAGES_BASE] = {SRV_OF_KIND, {offsetof(srv_core_kind, translation[SERVET_PAGES_BASE])}},
    [SERVET_PAGES_HUGE] = {SRV_OF_KIND, {offsetof(srv_core_kind, translation[SERVET_PAGES_HUGE])}},
};
static const srv_way tlbs[SERVET_PAGES_COUNT] = {
    [SERVET_PAGES_BASE] = {SRV_OF_KIND,
                           {offsetof(srv_core_kind, translation[SERVET_PAGES_BASE]),
                            offsetof(srv_translation_facts, tlbs)}},
    [SERVET_PAGES_HUGE] = {SRV_OF_KIND,
                           {offsetof(srv_core_kind, translation[SERVET_PAGES_HUGE]),
                            offsetof(srv_translation_facts, tlbs)}},
};

static bool are_pages(servet_pages pages)
{
    return (unsigned)pages < SERVET_PAGES_COUNT;
}

int servet_translation_get(const servet_profile *profile, const servet_at *at, servet_pages pages,
                           servet_translation *translation)
{
    return are_pages(pages) ? srv_fetch(profile, at, &translations[pages], NULL, translation,
                                        sizeof *translation)
                            : SERVET_ERANGE;
}

int servet_tlb_count(const servet_profile *profile, const servet_at *at, servet_pages pages,
                     int *count)
{
    return are_pages(pages) ? srv_fetch_count(profile, at, &tlbs[pages], NULL, count)
                            : SERVET_ERANGE;
}

int servet_tlb_get(const servet_profile *profile, const servet_at *at, servet_pages pages,
                   int level, servet_tlb *tlb)
{
    return are_pages(pages)
               ? srv_fetch(profile, at, &tlbs[pages], (long[]){level}, tlb, sizeof *tlb)
               : SERVET_ERANGE;
}
