/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/units.h"
#include "facts/geometry/stage_parts.h"
#include "run/raw_file.h"

/* Size of the cache in front if strides were not clear: today's largest first level. */
static const double FRONT_DEFAULT = 65536;

/* Share of a stage's time, and limit: far longer than an undisturbed core needs. */
static const double SHARE_MAX = 0.3, SECONDS_MAX = 12;

/* --- probes ----------------------------------------------------------------------------------- */

/* Without a limit, or with more time than it is worth, nothing is left out for lack of time. */
static srv_deadline deadline_of(const srv_stage *stage)
{
    double share = SHARE_MAX * fmax(0, srv_stage_left(stage));
    double now = stage->machine->ops->elapsed(stage->machine);
    return (srv_deadline){now + fmin(SECONDS_MAX, share),
                          share < SECONDS_MAX ? stage->slot.cut : NULL};
}

static int save_strides(const srv_stage *stage, const srv_strides *strides, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, stage->options->raw_dir, error, "geometry-%s-strides.csv",
                      stage->name)) {
        fprintf(file.stream, "stride,apart,phases,lines,ns\n");
        for (size_t i = 0; i < strides->count; i++) {
            const srv_stride_row *row = &strides->row[i];
            fprintf(file.stream, "%.0f,%.0f,%d,%d,%.4g\n", row->stride, row->apart, row->phases,
                    row->lines, row->ns);
        }
    }
    return srv_raw_end(&file, error);
}

/* Saves the pages of one level: the ramp, and times by elements of one colour. */
static int save_pages(const srv_stage *stage, int level, const srv_conflicts *found,
                      servet_error *error)
{
    srv_raw_file file;
    srv_turns turns[SRV_TURNS_MAX];
    int count = srv_turns_read(&found->turns, turns);
    if (srv_raw_begin(&file, stage->options->raw_dir, error, "geometry-%s-L%d.csv", stage->name,
                      level)) {
        fprintf(file.stream, "what,elements,value,error\n");
        for (int i = 0; i < found->ramp_count; i++)
            fprintf(file.stream, "slow_share,%d,%.4g,\n", found->ramp[i].walked,
                    found->ramp[i].slow_share);
        fprintf(file.stream, "colours,%d,%d,\nagreement,%d,%.4g,\n", found->trials.elements,
                found->colour_count, found->trials.trials, found->colours.agreement);
        for (int i = 0; i < count; i++)
            fprintf(file.stream, "turns_ns,%d,%.4g,%.2g\n", turns[i].lines, turns[i].ns,
                    turns[i].error);
    }
    return srv_raw_end(&file, error);
}

static int probe_first(const srv_stage *stage, const srv_geometry_plan *plan,
                       srv_geometry *geometry, servet_error *error)
{
    srv_strides strides = {0};
    srv_stage_progress(stage, "conflicts: lines at a stride", 0);
    int code = srv_probe_strides(stage->machine, plan, &strides, error);
    srv_stride_cache found = srv_detect_strides(&strides);
    if (code == SERVET_OK)
        code = save_strides(stage, &strides, error);
    srv_account account = srv_stage_account(stage, SERVET_TOPIC_STRIDES, 1);
    srv_explain_strides(&strides, &account);
    srv_strides_finish(&strides);
    double line = found.line_bytes > 0 ? found.line_bytes : plan->line_bytes;
    geometry->whole = found.ways > 0 && found.exact;
    if (geometry->whole)
        geometry->cache[geometry->count++] = (srv_geometry_cache){
            found.ways, (int)(found.way_bytes / line), line, found.hit_ns, found.odds};
    return code;
}

static void explain_next(const srv_stage *stage, const srv_geometry_plan *plan, int level,
                         const srv_conflicts *found, const srv_geometry_cache *cache, bool clear)
{
    char all[SRV_SIZE_TEXT_MAX], above[SRV_SIZE_TEXT_MAX];
    srv_account account = srv_stage_account(stage, SERVET_TOPIC_PAGES, level);
    srv_rule answer = {NULL, NAN, NAN, srv_outcome(clear)};
    srv_explain_pages(found, plan, &account);
    srv_size_text(srv_geometry_bytes(cache), all);
    if (clear)
        srv_note_rule(&account, answer, "%d ways x %d sets x %.0f B = %s (%d colours)", cache->ways,
                      cache->sets, cache->line_bytes, all, found->colour_count);
    else if (found->ways_clear && srv_geometry_bytes(cache) <= plan->above_bytes)
        srv_note_rule(&account, answer,
                      "%d ways x %d sets = %s, which does not exceed the cache above: %s",
                      cache->ways, cache->sets, all, srv_size_text(plan->above_bytes, above));
}

/* A count that is not clear is likely if every other one is less likely by this (ln). */
static const double LIKELY = 2;

/* The next cache behind `plan->above_bytes`; `*clear`: it was added. A cache that keeps a part of
 * larger sets shows in them a second time; that is no further cache. */
static int probe_next(const srv_stage *stage, const srv_geometry_plan *plan, int level,
                      srv_geometry *geometry, bool *clear, servet_error *error)
{
    srv_conflicts found = {0};
    int code = srv_probe_pages(stage->machine, plan, &found, error);
    if (code == SERVET_OK)
        code = save_pages(stage, level, &found, error);
    double lines = SRV_ELEMENT_BYTES / plan->line_bytes;
    srv_geometry_cache cache = (srv_geometry_cache){.ways = found.ways.ways,
                                                    .sets = (int)(found.colour_count * lines),
                                                    .line_bytes = plan->line_bytes,
                                                    .hit_ns = found.ways.hit_ns / lines,
                                                    .odds = found.ways.odds};
    bool likely = code == SERVET_OK && srv_conflicts_counted(&found) &&
                  srv_geometry_bytes(&cache) > plan->above_bytes;
    *clear = likely && found.ways_clear;
    if (*clear)
        geometry->cache[geometry->count++] = cache;
    else if (likely && cache.odds >= LIKELY)
        geometry->likely = cache;
    if (code == SERVET_OK)
        explain_next(stage, plan, level, &found, &cache, *clear);
    srv_conflicts_finish(&found);
    return code;
}

static int probe_all(const srv_stage *stage, int core, double line_bytes, double max_bytes,
                     srv_geometry *geometry, servet_error *error)
{
    bool late = false, clear = true;
    srv_deadline limit = deadline_of(stage);
    srv_geometry_plan plan = {.core = core,
                              .line_bytes = line_bytes,
                              .pages = stage->options->pages,
                              .seed = (uint64_t)stage->options->seed,
                              .deadline = {limit.at, &late},
                              .above_bytes = FRONT_DEFAULT,
                              .max_bytes = max_bytes,
                              .stage = stage};
    int code = geometry->count == 0 ? probe_first(stage, &plan, geometry, error) : SERVET_OK;
    int next = geometry->count > 0 ? geometry->count + 1 : 2;
    for (int level = next; level <= SRV_CACHES_MAX && clear && code == SERVET_OK; level++) {
        if (geometry->count > 0)
            plan.above_bytes = srv_geometry_bytes(&geometry->cache[geometry->count - 1]);
        srv_stage_progress(stage, "conflicts: pages that evict each other", 0);
        code = probe_next(stage, &plan, level, geometry, &clear, error);
    }
    if (late && !clear && limit.cut) /* a first attempt might have been clear */
        *limit.cut = true;
    return code;
}

int srv_measure_geometry(const srv_stage *stage, int core, double line_bytes, double max_bytes,
                         srv_geometry *geometry, servet_error *error)
{
    servet_error failed = SERVET_ERROR_INIT;
    int code = probe_all(stage, core, line_bytes, max_bytes, geometry, &failed);
    if (code == SERVET_OK || code == SERVET_EUNMEASURED) /* a recording without these probes */
        return SERVET_OK;
    return srv_fail_at(error, code, failed.file, failed.line, "%s", failed.text);
}

/* --- an earlier look -------------------------------------------------------------------------- */

static bool is_counted(const servet_cache *cache)
{
    return cache->kind == SERVET_CACHE_CAPACITY && cache->bytes.trusted &&
           servet_value_known(&cache->ways) && servet_value_known(&cache->sets);
}

srv_geometry srv_geometry_of(const srv_cache_facts *facts)
{
    srv_geometry known = {.count = 0};
    for (int i = 0; i < facts->count && known.count < SRV_CACHES_MAX; i++) {
        const servet_cache *cache = &facts->cache[i];
        /* a larger one is not the first: that was not found */
        if (!is_counted(cache) || (i == 0 && cache->bytes.value > FRONT_DEFAULT))
            break;
        known.cache[known.count++] = (srv_geometry_cache){
            .ways = (int)cache->ways.value,
            .sets = (int)cache->sets.value,
            .line_bytes = cache->bytes.value / cache->ways.value / cache->sets.value,
            .hit_ns = srv_nanoseconds(cache->latency.value),
            .odds = -log1p(-cache->confidence)};
    }
    known.whole = known.count > 0;
    return known;
}

/* --- joining ---------------------------------------------------------------------------------- */

double srv_geometry_bytes(const srv_geometry_cache *cache)
{
    return (double)cache->ways * cache->sets * cache->line_bytes;
}

static bool is_reported(double bytes, const srv_reported *reported)
{
    for (int i = 0; i < reported->count; i++)
        if (reported->level[i].bytes == bytes)
            return true;
    return false;
}

void srv_geometry_settle(srv_geometry *geometry, const srv_reported *reported,
                         const srv_account *on)
{
    char size[SRV_SIZE_TEXT_MAX];
    double bytes = srv_geometry_bytes(&geometry->likely);
    if (!(bytes > 0) || geometry->count == SRV_CACHES_MAX || !is_reported(bytes, reported))
        return;
    geometry->cache[geometry->count++] = geometry->likely;
    geometry->likely = (srv_geometry_cache){0};
    srv_note_rule(on, (srv_rule){NULL, NAN, NAN, SERVET_OUTCOME_ACCEPTED},
                  "%s by conflicts that are not clear alone: the operating system reports the same",
                  srv_size_text(bytes, size));
}

/* Distance (octaves) from an exact capacity within which the knee of a curve is the same cache:
 * others use a part of it, and sums of two caches show as one. */
static const double SAME_OCTAVES = 1.3;

/* Distance, in octaves, from which on a knee is not that of the cache. */
static const double DISPLACED = 0.65;

/* Confidence from which on a level of the curve disputes the result of conflicts. */
static const double DISPUTED = 0.9;

static double octaves_between(const srv_geometry_cache *cache, const servet_cache *level)
{
    return fabs(log2(level->reachable_bytes.value / srv_geometry_bytes(cache)));
}

/* The level from number `from` on whose knee is nearest to the cache; -1 if none is near. */
static int level_of(const srv_geometry_cache *cache, const srv_cache_facts *facts, int from)
{
    int best = -1;
    double nearest = SAME_OCTAVES;
    for (int i = from; i < facts->count; i++) {
        double octaves = octaves_between(cache, &facts->cache[i]);
        if (octaves < nearest) {
            nearest = octaves;
            best = i;
        }
    }
    return best;
}

static servet_value counted(double value, double low, double high, servet_unit unit)
{
    return (servet_value){value, low, high, 1, unit, SERVET_METHOD_CONFLICT, true};
}

static void set_geometry(servet_cache *fact, const srv_geometry_cache *cache)
{
    double bytes = srv_geometry_bytes(cache), half_way = bytes / cache->ways / 2;
    fact->kind = SERVET_CACHE_CAPACITY;
    fact->bytes = counted(bytes, bytes - half_way, bytes + half_way, SERVET_UNIT_BYTE);
    fact->ways = counted(cache->ways, cache->ways, cache->ways, SERVET_UNIT_NONE);
    fact->sets = counted(cache->sets, cache->sets, cache->sets, SERVET_UNIT_NONE);
    fact->confidence = fmax(fact->confidence, 1 - exp(-cache->odds));
}

/* A cache that the curve does not show: hardly more than one way is known to be reachable of it. */
static servet_cache unseen(const srv_geometry_cache *cache)
{
    double hit = srv_seconds(cache->hit_ns);
    servet_value latency = {hit, hit, hit, 1, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED, false};
    servet_cache fact = {.latency = latency,
                         .latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE),
                         .reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE),
                         .line = servet_value_unknown(SERVET_UNIT_BYTE)};
    set_geometry(&fact, cache);
    fact.reachable_bytes = fact.bytes;
    fact.reachable_bytes.low = fact.bytes.value / cache->ways;
    fact.reachable_bytes.trusted = false;
    return fact;
}

/* Largest usual error of a count that is not clear, in ways. If the size of the curve is farther
 * away, either may be wrong. */
static const double WAYS_OFF = 2;

static bool contradicts(const srv_geometry_cache *likely, const servet_cache *level)
{
    double bytes = srv_geometry_bytes(likely), off = WAYS_OFF * bytes / likely->ways;
    return bytes + off < level->bytes.low || bytes - off > level->bytes.high;
}

/* The level behind `counted` ones whose size the likely count contradicts; NULL: there is none. */
static servet_cache *contradicted(const srv_geometry_cache *likely, srv_cache_facts *facts,
                                  int counted)
{
    int level = likely->ways > 0 ? level_of(likely, facts, counted) : -1;
    return level >= 0 && contradicts(likely, &facts->cache[level]) ? &facts->cache[level] : NULL;
}

/* The curve shows one plateau for a cache that it does not show and the next. */
static void doubt_plateau(srv_cache_facts *facts, int behind)
{
    if (behind < facts->count) {
        facts->cache[behind].latency.trusted = false;
        facts->cache[behind].latency_cycles.trusted = false;
    }
}

/* True if the curve is sure of a level in front of the one that conflicts give as the first: one of
 * them is wrong. A few lines more than the ways that a cache keeps look like its ways at half the
 * stride. */
static bool is_disputed(const srv_cache_facts *facts, int level)
{
    for (int i = 0; i < level; i++)
        if (facts->cache[i].bytes.trusted && facts->cache[i].confidence >= DISPUTED)
            return true;
    return false;
}

/* True if the curve gives exactly one way more or less: one counted a line too many. */
static bool is_a_way_off(const srv_geometry_cache *cache, const servet_cache *level)
{
    double way = srv_geometry_bytes(cache) / cache->ways;
    return fabs(level->bytes.value - srv_geometry_bytes(cache)) == way;
}

static int first_beyond(const srv_geometry_cache *cache, const srv_cache_facts *facts, int from)
{
    int i = from;
    while (i < facts->count && facts->cache[i].reachable_bytes.value <= srv_geometry_bytes(cache))
        i++;
    return i;
}

void srv_geometry_join(const srv_geometry *geometry, srv_cache_facts *facts)
{
    int at = 0;
    for (int i = 0; i < geometry->count && at < SERVET_CACHE_LEVELS_MAX; i++, at++) {
        const srv_geometry_cache *cache = &geometry->cache[i];
        int level = level_of(cache, facts, at);
        int beyond = level >= 0 ? level + 1 : first_beyond(cache, facts, at);
        servet_cache fact = level >= 0 ? facts->cache[level] : unseen(cache);
        bool disputed = i == 0 && geometry->whole && is_disputed(facts, level);
        if (disputed || (i == 0 && !geometry->whole)) /* levels of the curve in front of it stay */
            at = level >= 0 ? level : beyond;
        if (at == SERVET_CACHE_LEVELS_MAX)
            break;
        set_geometry(&fact, cache);
        if (disputed || (level >= 0 && is_a_way_off(cache, &facts->cache[level])))
            fact.bytes.trusted = false;
        bool displaced = level < 0 || octaves_between(cache, &facts->cache[level]) > DISPLACED;
        /* Replaces levels first..last-1 by one. */
        int behind = facts->count - beyond;
        if (at + 1 + behind > SERVET_CACHE_LEVELS_MAX)
            behind = SERVET_CACHE_LEVELS_MAX - at - 1;
        memmove(facts->cache + at + 1, facts->cache + beyond,
                (size_t)behind * sizeof *facts->cache);
        facts->cache[at] = fact;
        facts->count = at + 1 + behind;
        if (displaced)
            doubt_plateau(facts, at + 1);
    }
    servet_cache *doubtful = contradicted(&geometry->likely, facts, at);
    if (doubtful)
        doubtful->bytes.trusted = false;
    for (int i = 0; i < facts->count; i++)
        facts->cache[i].level = i + 1;
}

/* --- why -------------------------------------------------------------------------------------- */

/* The level of the curve that a joined one was; joining leaves its knee. */
static const servet_cache *origin_of(const servet_cache *joined, const srv_cache_facts *curve)
{
    for (int i = 0; i < curve->count; i++)
        if (curve->cache[i].reachable_bytes.value == joined->reachable_bytes.value &&
            curve->cache[i].latency.value == joined->latency.value)
            return &curve->cache[i];
    return NULL;
}

static void explain_same(const srv_geometry_cache *cache, const servet_cache *level,
                         const srv_account *on)
{
    char all[SRV_SIZE_TEXT_MAX], knee[SRV_SIZE_TEXT_MAX], said[SRV_SIZE_TEXT_MAX];
    double octaves = octaves_between(cache, level);
    srv_note_rule(on, (srv_rule){"SAME_OCTAVES", octaves, SAME_OCTAVES, SERVET_OUTCOME_ACCEPTED},
                  "%s found by conflicts is L%d of the curve; octaves from its knee at %s",
                  srv_size_text(srv_geometry_bytes(cache), all), level->level,
                  srv_size_text(level->reachable_bytes.value, knee));
    bool agrees = level->bytes.low <= srv_geometry_bytes(cache) &&
                  srv_geometry_bytes(cache) <= level->bytes.high;
    srv_note_rule(
        on, (srv_rule){NULL, NAN, NAN, srv_outcome(agrees)},
        "the curve alone gives %s; its interval %s the size found by conflicts, which is stored",
        srv_size_text(level->bytes.value, said), agrees ? "contains" : "excludes");
}

static const srv_geometry_cache *counted_as(const srv_geometry *geometry, const servet_cache *level)
{
    for (int i = 0; i < geometry->count; i++)
        if (level->bytes.method == SERVET_METHOD_CONFLICT &&
            srv_geometry_bytes(&geometry->cache[i]) == level->bytes.value)
            return &geometry->cache[i];
    return NULL;
}

static void explain_level(const srv_geometry *geometry, const srv_cache_facts *curve,
                          const servet_cache *level, const srv_account *on)
{
    char said[SRV_SIZE_TEXT_MAX];
    const srv_geometry_cache *cache = counted_as(geometry, level);
    const servet_cache *origin = origin_of(level, curve);
    if (!cache)
        srv_note(on, "%s by L%d of the curve alone: conflicts determined no cache there",
                 srv_size_text(level->bytes.value, said), origin ? origin->level : 0);
    else if (origin)
        explain_same(cache, origin, on);
    if (!cache || origin)
        return;
    /* A cache that the curve does not show: how far its nearest knee is. */
    double nearest = INFINITY;
    for (int i = 0; i < curve->count; i++)
        nearest = fmin(nearest, octaves_between(cache, &curve->cache[i]));
    srv_note_rule(on, (srv_rule){"SAME_OCTAVES", nearest, SAME_OCTAVES, SERVET_OUTCOME_REJECTED},
                  "%s found by conflicts is added; octaves from the nearest knee of the curve",
                  srv_size_text(srv_geometry_bytes(cache), said));
}

/* A size that a count which is not clear makes doubtful. */
static void explain_contradiction(const srv_geometry *geometry, const srv_cache_facts *joined,
                                  const srv_account *on)
{
    char likely[SRV_SIZE_TEXT_MAX], said[SRV_SIZE_TEXT_MAX];
    srv_cache_facts levels = *joined;
    int counted = levels.count;
    while (counted > 0 && !counted_as(geometry, &levels.cache[counted - 1]))
        counted--;
    const servet_cache *doubtful = contradicted(&geometry->likely, &levels, counted);
    if (doubtful)
        srv_note_rule(
            on, (srv_rule){NULL, NAN, NAN, SERVET_OUTCOME_REJECTED},
            "%s of the curve alone is not trusted: %d ways, which were not counted clearly, "
            "give %s",
            srv_size_text(doubtful->bytes.value, said), geometry->likely.ways,
            srv_size_text(srv_geometry_bytes(&geometry->likely), likely));
}

void srv_geometry_explain(const srv_geometry *geometry, const srv_cache_facts *curve,
                          const srv_cache_facts *joined, const srv_account *on)
{
    srv_account account = *on;
    for (int i = 0; i < joined->count; i++) {
        account.level = i + 1;
        explain_level(geometry, curve, &joined->cache[i], &account);
    }
    account.level = 0;
    explain_contradiction(geometry, joined, &account);
    /* A level of the curve that the joined ones do not have. */
    for (int i = 0; i < curve->count; i++) {
        char said[SRV_SIZE_TEXT_MAX];
        if (!origin_of(&curve->cache[i], joined))
            srv_note_rule(&account, (srv_rule){NULL, NAN, NAN, SERVET_OUTCOME_REJECTED},
                          "L%d of the curve, %s, is dropped: between two caches found by conflicts "
                          "there is no other",
                          curve->cache[i].level, srv_size_text(curve->cache[i].bytes.value, said));
    }
}
