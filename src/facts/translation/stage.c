/* SPDX-License-Identifier: BSD-3-Clause */
/* Translation of addresses: the TLBs of each core type, with base pages and with huge ones. */
#include <math.h>
#include <stdio.h>

#include "facts/stages.h"
#include "facts/store.h"
#include "facts/translation/benchmark.h"
#include "facts/translation/detect.h"
#include "run/cores.h"
#include "run/raw_file.h"

/* Largest number of pages. The largest current TLBs have some thousands of entries for base pages,
 * and a level shows only when it is exceeded; for huge pages memory sets the limit. */
static const double BASE_PAGES = 12288, HUGE_BYTES = 1 << 30;
static const double PAGES_LEAST = 64; /* fewer show no level */

/* If a smaller share of the arrays is on huge pages, their translation was not measured. */
static const double HUGE_SHARE_LEAST = 0.9;

/* One core and one size of pages. */
typedef struct subject {
    srv_stage_task task;
    const srv_stage_place *place;
    int kind; /* its number */
    srv_translation_plan plan;
} subject;

/* Returns false if memory has no room for enough pages. */
static bool make_plan(subject *on, servet_pages pages, double base_bytes, double memory)
{
    /* A huge page is what one page of page tables, with entries of 8 bytes, translates. */
    double page = pages == SERVET_PAGES_HUGE ? base_bytes * (base_bytes / 8) : base_bytes;
    double most = pages == SERVET_PAGES_HUGE ? HUGE_BYTES : BASE_PAGES * page;
    on->plan.pages = pages;
    on->plan.base_bytes = base_bytes;
    on->plan.page_bytes = page;
    on->plan.max_bytes = fmin(most, SRV_MEMORY_SHARE_MAX * memory);
    on->plan.seed = (uint64_t)on->task.stage.options->seed;
    snprintf(on->task.what, sizeof on->task.what, "translation on core %d, %s pages", on->plan.core,
             servet_pages_name(pages));
    on->plan.sampler = srv_stage_sampler(&on->task);
    return on->plan.max_bytes >= PAGES_LEAST * page;
}

static int save(const subject *on, const srv_page_visits *visits, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->task.stage.options->raw_dir, error, "translation-%s-%s.csv",
                      on->task.stage.name, servet_pages_name(on->plan.pages))) {
        fprintf(file.stream,
                "# pages of %.0f B, lines of %.0f B, on huge pages: %.3g\nstride,lines,ns\n",
                visits->page_bytes, visits->line_bytes, visits->huge_share);
        for (size_t i = 0; i < visits->count; i++)
            fprintf(file.stream, "%.0f,%d,%.6g\n", visits->visit[i].stride, visits->visit[i].lines,
                    visits->visit[i].ns);
    }
    return srv_raw_end(&file, error);
}

/* A level of translation that begins to miss where its lines fill a part of a cache, and whose ways
 * no distance between pages shows, may be the end of that cache. One line of each page outgrows a
 * cache earlier than adjacent lines do: prefetched neighbours, which only adjacent lines use, take
 * half of the cache, page tables take a line for eight pages, and pages at random fill some sets
 * before others. Beside packed lines only the last two remain. */
static const double FILLED_LEAST = 0.2, FILLED_MOST = 1, PAGE_TABLES = 1 / 8.0;
static const double DOUBTFUL = 0.4; /* confidence */

/* Share of the lines that may be in sets that are over-full, beside packed lines. Half of the loads
 * miss where a level is said to end. */
static const double OVERFLOW_MOST = 0.1;

/* The fewest ways of any second level today. */
static const double WAYS_LEAST = 4;

/* Share of the lines whose set has at least `ways` others: a part of the sets is `filled` on
 * average, and pages at random fill them by Poisson's law. */
static double overflow(double filled, double ways)
{
    double others = filled * ways, term = exp(-others), sum = 0;
    for (int k = 0; k < ways; term *= others / ++k)
        sum += term;
    return 1 - sum;
}

static bool may_fill(const servet_cache *cache, double lines_bytes, bool packed)
{
    double filled = lines_bytes / cache->bytes.value;
    double ways = servet_value_known(&cache->ways) ? cache->ways.value : WAYS_LEAST;
    bool enough = packed ? overflow((1 + PAGE_TABLES) * filled, ways) > OVERFLOW_MOST
                         : filled >= FILLED_LEAST;
    return enough && filled <= FILLED_MOST;
}

static bool fills_a_cache(const subject *on, double lines, bool packed)
{
    servet_at at = srv_place_at(on->place, on->plan.core);
    bool fills = false;
    servet_cache cache;
    for (int i = 1; servet_cache_get(on->place->profile, &at, i, &cache) == SERVET_OK; i++)
        fills |= may_fill(&cache, lines * on->plan.line_bytes, packed);
    return fills;
}

static bool may_be_a_cache(const subject *on, const srv_translation_level *level, bool packed)
{
    return !servet_value_known(&level->ways) && fills_a_cache(on, level->entries.value, packed);
}

/* A level that remains is certain if it begins at half the number where the distance doubles. With
 * adjacent lines as the control, the cost of misses contains a part of the cache. */
static void doubt(srv_translation_level *level, bool packed)
{
    level->miss.trusted = level->miss.trusted && level->counted && packed;
    if (level->counted)
        return;
    level->entries.trusted = level->ways.trusted = level->reach.trusted = false;
    level->confidence = fmin(level->confidence, DOUBTFUL);
}

static void doubt_caches(const subject *on, srv_translation *found, bool packed)
{
    bool shared = found->count > 0 && found->granule.value > on->plan.base_bytes &&
                  found->granule.value < on->plan.page_bytes;
    /* Neighbouring base pages that seem to share an entry begin to miss together. */
    if (shared &&
        fills_a_cache(on,
                      found->level[0].entries.value * found->granule.value / on->plan.base_bytes,
                      false)) {
        found->granule.trusted = false;
        for (int i = 0; i < found->count; i++)
            found->level[i].reach.trusted = false;
    }
    for (int i = 0; i < found->count; i++) {
        srv_translation_level *level = &found->level[i];
        if (may_be_a_cache(on, level, packed)) {
            doubt(level, packed);
            found->walk.trusted = found->walk.trusted && level->miss.trusted;
        }
    }
}

/* Reads with adjacent lines as the control; in doubt with packed ones. */
static srv_translation detect(const subject *on, const srv_page_visits *visits)
{
    srv_translation found = srv_detect_translation(visits, false);
    bool doubtful = false;
    for (int i = 0; i < found.count; i++)
        doubtful |= may_be_a_cache(on, &found.level[i], false);
    bool packed = doubtful && srv_page_is_packed(visits, visits->page_bytes);
    if (packed)
        found = srv_detect_translation(visits, true);
    doubt_caches(on, &found, packed);
    return found;
}

static const char *pages_word(const subject *on)
{
    return on->plan.pages == SERVET_PAGES_HUGE ? "_huge" : "";
}

static int store(const subject *on, const srv_translation *found, servet_error *error)
{
    servet_translation translation = {
        .page_bytes = {on->plan.page_bytes, on->plan.page_bytes, on->plan.page_bytes, 1,
                       SERVET_UNIT_BYTE, SERVET_METHOD_OS, true},
        .granule_bytes = found->granule,
        .walk = found->walk,
        .pages_asked = found->pages_asked,
    };
    servet_tlb tlbs[SRV_TRANSLATION_LEVELS_MAX];
    for (int i = 0; i < found->count; i++) {
        const srv_translation_level *level = &found->level[i];
        tlbs[i] = (servet_tlb){.entries = level->entries,
                               .ways = level->ways,
                               .reach_bytes = level->reach,
                               .latency = level->miss,
                               .confidence = level->confidence};
    }
    const char *pages = pages_word(on);
    int code = srv_store(SRV_PLACE(on->place), &translation, sizeof translation, 1, error,
                         "kinds.%d.translation%s", on->kind + 1, pages);
    return code == SERVET_OK ? srv_store(SRV_PLACE(on->place), tlbs, sizeof *tlbs, found->count,
                                         error, "kinds.%d.translation%s.tlbs", on->kind + 1, pages)
                             : code;
}

static int measure_pages(subject *on, servet_error *error)
{
    srv_page_visits visits = {0};
    int code = srv_bench_translation(&on->plan, &visits, error);
    if (code != SERVET_OK)
        return code;
    srv_translation found = detect(on, &visits);
    bool has_pages = on->plan.pages == SERVET_PAGES_BASE || !(visits.huge_share < HUGE_SHARE_LEAST);
    bool stored = has_pages && found.pages_asked >= PAGES_LEAST;
    code = save(on, &visits, error);
    if (code == SERVET_OK && stored)
        code = store(on, &found, error);
    if (code == SERVET_OK && stored && found.goes_on) {
        char reason[SERVET_TEXT_MAX];
        snprintf(reason, sizeof reason, "a level with more than %d entries would not show",
                 found.pages_asked);
        code = srv_doubt_facts(SRV_PLACE(on->place), reason, error,
                               "kinds.%d.translation%s.tlbs.count", on->kind + 1, pages_word(on));
    }
    srv_page_visits_free(&visits);
    return code;
}

static int measure_core(subject *on, const srv_stage *part, const char *cores, double memory,
                        servet_error *error)
{
    servet_machine machine;
    srv_reported reported = {0};
    int code = part->machine->ops->describe(part->machine, &machine, error);
    if (code == SERVET_OK)
        code = srv_quietest_core(part->machine, cores, &on->plan.core, error);
    if (code == SERVET_OK)
        code = part->machine->ops->reported(part->machine, on->plan.core, &reported, error);
    on->plan.line_bytes = srv_reported_line(&reported);
    for (int pages = 0; pages < SERVET_PAGES_COUNT && code == SERVET_OK; pages++) {
        on->task.stage = srv_stage_part(part, (double)pages / SERVET_PAGES_COUNT,
                                        (pages + 1.0) / SERVET_PAGES_COUNT);
        if (make_plan(on, (servet_pages)pages, machine.page_bytes, memory))
            code = measure_pages(on, error);
    }
    return code;
}

int srv_measure_translation(const srv_stage *stage, const srv_stage_place *place,
                            servet_error *error)
{
    srv_core_type types[SRV_CORE_TYPES_MAX];
    double memory = 0;
    int count = 0;
    int code = stage->machine->ops->core_types(stage->machine, types, &count, error);
    if (code == SERVET_OK)
        code = stage->machine->ops->memory(stage->machine, &memory, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        subject on = {.place = place, .kind = i};
        srv_stage part = srv_stage_part(stage, (double)i / count, (i + 1.0) / count);
        part.name = types[i].name;
        code = measure_core(&on, &part, types[i].cores, memory, error);
    }
    return code;
}
