/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "facts/cache/stage_parts.h"
#include "facts/servet2010/stage.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "run/stage.h"

static const double MAX_BYTES_LEAST = 64.0 * (1 << 20);
static const double MAX_BYTES_FACTOR = 4; /* times the largest cache that the OS reports */

/* The last plateau is memory if the curve is BEHIND_CACHES times as long as all caches of a core
 * together, as the OS reports them: each may hold lines that the others do not. */
static const double BEHIND_CACHES = 2;

/* The largest size is rounded to the grid's unit: a curve that gets this far was not cut. */
static const double NEAR_END = 0.9;

/* --- where to measure ------------------------------------------------------------------------- */

static double first_reported(srv_machine *machine, int core)
{
    srv_reported reported;
    int code = machine->ops->reported(machine, core, &reported, NULL);
    return code == SERVET_OK && reported.count > 0 ? reported.level[0].bytes : 0;
}

double srv_largest_working_set(srv_machine *machine, const servet_measure_options *options,
                               int core, double memory)
{
    srv_reported reported;
    double largest = 0;
    if (machine->ops->reported(machine, core, &reported, NULL) == SERVET_OK)
        for (int i = 0; i < reported.count; i++)
            largest = fmax(largest, reported.level[i].bytes);
    double wanted = fmax(MAX_BYTES_LEAST, MAX_BYTES_FACTOR * largest);
    return options->max_bytes > 0 ? options->max_bytes
                                  : fmin(wanted, SRV_MEMORY_SHARE_MAX * memory);
}

static int choose_max_bytes(srv_machine *machine, const servet_measure_options *options, int core,
                            double *max_bytes, servet_error *error)
{
    double memory;
    int code = machine->ops->memory(machine, &memory, error);
    if (code != SERVET_OK)
        return code;
    *max_bytes = srv_largest_working_set(machine, options, core, memory);
    if (*max_bytes > memory)
        return srv_fail(error, SERVET_EMACHINE,
                        "working sets of %.0f MiB exceed the %.0f MiB this job may use",
                        *max_bytes / (1 << 20), memory / (1 << 20));
    if (*max_bytes < SRV_RANGE_MIN * options->min_bytes)
        return srv_fail(error, SERVET_EMACHINE,
                        "working sets end at %.0f KiB here: %.0f KiB is too large a smallest one",
                        *max_bytes / 1024, options->min_bytes / 1024);
    return SERVET_OK;
}

/* --- one type after the other ----------------------------------------------------------------- */

typedef int measure_caches(const srv_stage *stage, int core, double max_bytes,
                           srv_cache_facts *facts, servet_error *error);

static measure_caches *const approaches[SERVET_APPROACH_COUNT] = {
    [SERVET_APPROACH_DEFAULT] = srv_measure_caches,
    [SERVET_APPROACH_SERVET2010] = srv_measure_caches_2010,
};

/* The run's frequency and pages are those of the first type. */
static int note_run(servet_profile *profile, const srv_cache_facts *facts, servet_error *error)
{
    servet_run run;
    if (servet_profile_run(profile, &run) != SERVET_OK || servet_value_known(&run.frequency))
        return SERVET_OK;
    run.frequency = facts->frequency;
    run.huge_pages = facts->huge_share;
    return servet_profile_set_run(profile, &run, error);
}

/* True if the curve was cut before it could show a cache. */
static bool is_undecided(const srv_cache_facts *facts, double max_bytes)
{
    return facts->count == 0 && facts->reached_bytes < NEAR_END * max_bytes;
}

/* Facts about the core types measured so far. */
typedef struct types_told {
    bool any;
    double reached_bytes;  /* largest working set of all */
    double reported_bytes; /* the largest first level, as the OS reports it; 0: unknown */
} types_told;

/* Length of a curve, in sizes of the first level, that is enough to show this level. */
static const double SHOWS = 4;

/* A cache that larger sets would show may pass for memory: if too little memory or time cut the
 * curve, neither the number of levels nor the latency behind them is certain. If the OS reports no
 * caches, only the whole curve shows them. */
static int doubt_end(const srv_stage *stage, const srv_stage_place *place, int core, int number,
                     double max_bytes, const srv_cache_facts *facts, servet_error *error)
{
    char reason[SERVET_TEXT_MAX], size[SRV_SIZE_TEXT_MAX];
    srv_reported caches;
    double reported = 0;
    if (stage->machine->ops->reported(stage->machine, core, &caches, NULL) == SERVET_OK)
        for (int i = 0; i < caches.count; i++)
            reported += caches.level[i].bytes;
    double enough = reported > 0 ? BEHIND_CACHES * reported : max_bytes;
    srv_size_text(facts->reached_bytes, size);
    if (facts->may_hide_cache)
        snprintf(reason, sizeof reason,
                 SRV_HIDDEN_CACHE
                 ": working sets of more than %s were not measured (--max-bytes 1G, with the "
                 "memory and time that it takes, would tell)",
                 size);
    else if (facts->reached_bytes < NEAR_END * enough)
        snprintf(reason, sizeof reason, "working sets of more than %s were not measured", size);
    else
        return SERVET_OK;
    return srv_doubt_facts(SRV_PLACE(place), reason, error,
                           "kinds.%d.caches.count kinds.%d.memory.latency_ns", number + 1,
                           number + 1);
}

/* A level that the OS reports may be hidden, because others leave a small part of it. A level that
 * it does not report may be a part of another, or lie in front of one that it hides. */
static int doubt_count(const srv_stage_place *place, int number, const srv_cache_facts *facts,
                       servet_error *error)
{
    char reason[SERVET_TEXT_MAX], size[SRV_SIZE_TEXT_MAX];
    bool unseen = facts->unseen_bytes > 0;
    if (!unseen && facts->doubtful_bytes <= 0)
        return SERVET_OK;
    srv_size_text(unseen ? facts->unseen_bytes : facts->doubtful_bytes, size);
    snprintf(reason, sizeof reason,
             unseen ? "the cache of %s that the system reports was not seen"
                    : "the system reports no level of %s, and that size is not trusted",
             size);
    return srv_doubt_facts(SRV_PLACE(place), reason, error, "kinds.%d.caches.count", number + 1);
}

/* The levels of a core type that the profile has from an earlier look. */
static void recall(const srv_stage_place *place, int core, srv_cache_facts *facts)
{
    servet_at at = srv_place_at(place, core);
    while (facts->count < SERVET_CACHE_LEVELS_MAX &&
           servet_cache_get(place->profile, &at, facts->count + 1, &facts->cache[facts->count]) ==
               SERVET_OK)
        facts->count++;
}

static int measure_core_type(const srv_stage *stage, const srv_stage_place *place, int number,
                             const char *cores, types_told *told, servet_error *error)
{
    srv_cache_facts facts = {0};
    double max_bytes = 0;
    int core = 0;
    int code = srv_quietest_core(stage->machine, cores, &core, error);
    if (code == SERVET_OK)
        recall(place, core, &facts);
    if (code == SERVET_OK)
        code = choose_max_bytes(stage->machine, stage->options, core, &max_bytes, error);
    if (code == SERVET_OK)
        code = approaches[stage->options->approach](stage, core, max_bytes, &facts, error);
    if (code == SERVET_OK)
        code = note_run(place->profile, &facts, error);
    told->reached_bytes = fmax(told->reached_bytes, facts.reached_bytes);
    told->reported_bytes = fmax(told->reported_bytes, first_reported(stage->machine, core));
    if (code != SERVET_OK || is_undecided(&facts, max_bytes))
        return code;
    told->any = true;
    code = srv_store(SRV_PLACE(place), facts.cache, sizeof *facts.cache, facts.count, error,
                     "kinds.%d.caches", number + 1);
    if (code == SERVET_OK)
        code = srv_store(SRV_PLACE(place), &facts.memory_latency, sizeof facts.memory_latency, 1,
                         error, "kinds.%d.memory.latency_ns", number + 1);
    if (code == SERVET_OK)
        code = doubt_count(place, number, &facts, error);
    return code == SERVET_OK ? doubt_end(stage, place, core, number, max_bytes, &facts, error)
                             : code;
}

/* Measures the caches of each core type with the approach's function, and stores them; a type whose
 * curve is too short has no facts. Errors: SERVET_EUNMEASURED (not one curve was long enough to
 * show a cache), those of srv_measure_caches(). */
int srv_measure_core_types(const srv_stage *stage, const srv_stage_place *place,
                           servet_error *error)
{
    srv_core_type core_types[SRV_CORE_TYPES_MAX];
    types_told told = {0};
    int count;
    int code = stage->machine->ops->core_types(stage->machine, core_types, &count, error);
    for (int i = 0; i < count && code == SERVET_OK; i++) {
        srv_stage part = srv_stage_part(stage, (double)i / count, (double)(i + 1) / count);
        part.name = core_types[i].name;
        code = measure_core_type(&part, place, i, core_types[i].cores, &told, error);
    }
    if (code != SERVET_OK || told.any)
        return code;
    /* Seconds within which a cache shows, where a budget was too short: as many sizes take as
     * long as those that were visited. Where that many were visited, all took too long to be
     * repeated. */
    double wanted = SHOWS * (told.reported_bytes > 0 ? told.reported_bytes : MAX_BYTES_LEAST);
    double sizes = log2(wanted / stage->options->min_bytes) /
                   fmax(1, log2(told.reached_bytes / stage->options->min_bytes));
    return srv_fail(error, SERVET_EUNMEASURED,
                    "too little time to tell: the budget of %g s was used up at working sets of "
                    "%.0f KiB, and no cache had shown; it takes %.0f s at least",
                    stage->options->budget_seconds, told.reached_bytes / 1024,
                    ceil(2 * stage->options->budget_seconds * fmax(1, sizes)));
}
