/* SPDX-License-Identifier: BSD-3-Clause */
/* The coherence block, and the lines of all caches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/units.h"
#include "facts/line/benchmark.h"
#include "facts/line/detect.h"
#include "facts/stages.h"
#include "facts/store.h"
#include "run/cores.h"
#include "run/raw_file.h"

/* The set for the line of a level is between that level and the next, where neither page placement
 * nor replacement matters; in memory it is IN_MEMORY times the last level. */
static const double IN_MEMORY = 4;
static const double OUTGROWN = 1.4; /* times a level that loads must miss, at least */

/* The block is measured first, and takes this share of the time at most. */
static const double BLOCK_SHARE = 0.3;

/* Strides go from the smallest pair of pointers for the first level, else from half a line of the
 * level above, which is no line here, to four of them. */
static const double STRIDE_LEAST = sizeof(void *);
enum { FIRST_STRIDES = SRV_LINE_STRIDES, NEXT_STRIDES = 4 };

/* Seconds to find the quietest core. */
static const double GLANCES_SECONDS = 0.2;

/* A series that contradicts itself is continued, so often at most. */
enum { ATTEMPTS = 3 };

typedef struct lines {
    const srv_stage *stage;
    const srv_stage_place *place;
    servet_coherence coherence;
    bool pairs; /* a prefetcher that fetches pairs of lines was seen */
} lines;

/* A cache level of a core. */
typedef struct subject {
    int kind, core, level;
    const char *cores; /* of the kind: all are alike */
    servet_cache cache;
    bool is_last; /* before memory */
    double bytes; /* of a set that exceeds it; 0: there is none */
    double largest_bytes;
    servet_value above; /* line of the level above; 0 B: there is none, or it is unknown */
    double reported;    /* line by the operating system; 0: unknown */
} subject;

static int save_block(const lines *on, const srv_block_series *series, servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, error, "coherence.csv")) {
        fprintf(file.stream, "# increments of core %d beside core %d\napart,ns\n", series->core,
                series->other);
        for (int i = 0; i < series->count; i++)
            fprintf(file.stream, "%g,%.5g\n", series->apart[i], series->ns[i]);
    }
    return srv_raw_end(&file, error);
}

static int save_line(const lines *on, const subject *of, const srv_line_series *series,
                     servet_error *error)
{
    srv_raw_file file;
    if (srv_raw_begin(&file, on->stage->options->raw_dir, error, "line-core%d-L%d.csv", of->core,
                      of->level)) {
        fputs("stride,first,second\n", file.stream);
        for (int i = 0; i < series->count; i++)
            fprintf(file.stream, "%g,%.5g,%.5g\n", series->stride[i], series->first[i],
                    series->second[i]);
    }
    return srv_raw_end(&file, error);
}

/* Characters of a series, and of one of its points. */
enum { SERIES_MAX = 200, POINT_MAX = 28 };

/* A series as "64: 4.1, 128: 15". */
static void list_points(const double *bytes, const double *ns, int count, char text[SERIES_MAX])
{
    int length = 0;
    *text = '\0';
    for (int i = 0; i < count && length < SERIES_MAX - POINT_MAX; i++)
        length += snprintf(text + length, (size_t)(SERIES_MAX - length), "%s%.0f: %.3g",
                           i > 0 ? ", " : "", bytes[i], ns[i]);
}

/* The result of a series; a series that contradicts itself is not trusted. */
static void explain_bytes(const srv_account *on, const servet_value *line)
{
    srv_rule trust = {NULL, NAN, NAN, srv_outcome(servet_value_known(line) && line->trusted)};
    if (!servet_value_known(line))
        srv_note_rule(on, trust, "not determined: the times show no clear step");
    else
        srv_note_rule(on, trust, "%.0f B (%.0f to %.0f)%s", line->value, line->low, line->high,
                      line->trusted ? "" : ", not trusted: some times contradict it");
}

static void explain_line(const lines *on, const subject *of, const srv_line_series *series,
                         double block, const servet_value *line)
{
    char points[SERIES_MAX];
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_LINE, of->level);
    account.cores = of->cores;
    list_points(series->stride, series->first, series->count, points);
    srv_note(&account, "ns of the first load, by bytes to the second: %s", points);
    list_points(series->stride, series->second, series->count, points);
    srv_note(&account, "ns of the second load (a hit takes %.3g ns): %s",
             srv_nanoseconds(of->cache.latency.value), points);
    if (block > 0)
        srv_note(&account, "upper bound: the coherence block, %.0f B", block);
    else if (of->above.value > 0)
        srv_note(&account, "no upper bound by a coherence block; lines of the level above: %.0f B",
                 of->above.value);
    explain_bytes(&account, line);
}

/* --- the block -------------------------------------------------------------------------------- */

/* The line that the OS reports of a level, or the largest where the level is unknown. */
static double reported_line(const srv_reported *reported, int level)
{
    double largest = 0;
    if (level >= 1 && level <= reported->count)
        return reported->level[level - 1].line_bytes;
    for (int i = 0; i < reported->count; i++)
        largest = fmax(largest, reported->level[i].line_bytes);
    return largest;
}

static int compare_block(lines *on, int core, servet_error *error)
{
    servet_coherence *coherence = &on->coherence;
    srv_reported reported;
    srv_machine *machine = on->stage->machine;
    int code = machine->ops->reported(machine, core, &reported, error);
    if (code != SERVET_OK)
        return code;
    double bytes = reported_line(&reported, coherence->level);
    coherence->reported =
        bytes > 0
            ? (servet_value){bytes, bytes, bytes, 1, SERVET_UNIT_BYTE, SERVET_METHOD_OS, false}
            : servet_value_unknown(SERVET_UNIT_BYTE);
    coherence->verdict = bytes <= 0                       ? SERVET_VERDICT_NOT_VISIBLE
                         : bytes == coherence->line.value ? SERVET_VERDICT_AGREES
                                                          : SERVET_VERDICT_DIFFERS;
    return SERVET_OK;
}

static int store_block(lines *on, const srv_block_series *series, servet_error *error)
{
    on->coherence.level = srv_cores_apart(on->place, series->core, series->other);
    int code = compare_block(on, series->core, error);
    if (code != SERVET_OK)
        return code;
    return srv_store(SRV_PLACE(on->place), &on->coherence, sizeof on->coherence, 1, error,
                     "coherence");
}

static int measure_block(lines *on, servet_error *error)
{
    srv_stage_task task = {srv_stage_part(on->stage, 0, BLOCK_SHARE), "coherence block"};
    srv_sampler sampler = srv_stage_sampler(&task);
    srv_block_series series;
    int *cores, count;
    int code = srv_cores_of(on->place, &cores, &count, error);
    if (code == SERVET_OK)
        code = srv_bench_block(&sampler, cores, count, &series, error);
    free(cores);
    if (code == SERVET_OK && series.count > 0)
        code = save_block(on, &series, error);
    if (code != SERVET_OK)
        return code;
    on->coherence.line = srv_detect_block(series.apart, series.ns, series.count);
    char points[SERIES_MAX];
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_LINE, 0);
    list_points(series.apart, series.ns, series.count, points);
    srv_note(&account, "ns per increment, by bytes to the other core's increments: %s", points);
    explain_bytes(&account, &on->coherence.line);
    return servet_value_known(&on->coherence.line) ? store_block(on, &series, error) : SERVET_OK;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The working set in which loads miss a level and hit the next one, or memory; 0: there is none. */
static double outgrowing(const servet_cache *cache, const servet_cache *next, double most)
{
    double bytes = cache->bytes.value;
    double between = next ? sqrt(bytes * next->bytes.value) : IN_MEMORY * bytes;
    double set = fmin(between, most);
    return set >= OUTGROWN * bytes ? set : 0;
}

/* The block bounds the lines of levels that the two cores do not share. */
static double block_of(const lines *on, const subject *of)
{
    const servet_coherence *coherence = &on->coherence;
    bool tells = servet_value_known(&coherence->line) && of->level <= coherence->level;
    return tells ? coherence->line.value : 0;
}

static servet_value line_of(const lines *on, const subject *of, const srv_line_series *series,
                            bool *pairs)
{
    *pairs = on->pairs;
    srv_line_evidence evidence = {.count = series->count,
                                  .stride = series->stride,
                                  .first = series->first,
                                  .second = series->second,
                                  .hit_ns = srv_nanoseconds(of->cache.latency.value),
                                  .above = of->above.value,
                                  .block = block_of(on, of),
                                  .reported = of->reported};
    return srv_detect_line(&evidence, pairs);
}

/* A line is no smaller than those above it, and no larger than the block. Where these are certain
 * and alike, nothing is measured, and prefetchers cannot feign longer lines. */
static bool is_bounded(const lines *on, const subject *of, servet_value *line)
{
    if (!of->above.trusted || !on->coherence.line.trusted || of->above.value != block_of(on, of))
        return false;
    *line = on->coherence.line;
    srv_account account = srv_stage_account(on->stage, SERVET_TOPIC_LINE, of->level);
    account.cores = of->cores;
    srv_note(&account, "the line of the level above and the coherence block are alike: %.0f B",
             line->value);
    return true;
}

/* Unknown without time or without a change. */
static int measure_level(lines *on, const srv_stage *part, const subject *of, servet_value *line,
                         servet_error *error)
{
    double above = of->above.value;
    srv_line_series series = {0};
    srv_line_plan plan = {.like = {.core = of->core,
                                   .bytes = of->bytes,
                                   .largest_bytes = of->largest_bytes,
                                   .pages = part->options->pages,
                                   .seed = (uint64_t)part->options->seed},
                          .from = fmax(above / 2, STRIDE_LEAST),
                          .count = above > 0 ? NEXT_STRIDES : FIRST_STRIDES,
                          .grows_from = above > 0 && of->is_last ? above : INFINITY};
    srv_stage_task task = {.stage = *part};
    snprintf(task.what, sizeof task.what, "line of L%d of core %d", of->level, of->core);
    srv_sampler sampler = srv_stage_sampler(&task);
    int code = SERVET_OK, before = -1;
    bool pairs = false;
    for (int i = 0; i < ATTEMPTS && !line->trusted && series.visits > before; i++) {
        before = series.visits;
        code = srv_bench_line(&sampler, &plan, &series, error);
        if (code != SERVET_OK || series.count == 0)
            return code;
        *line = line_of(on, of, &series, &pairs);
    }
    on->pairs = on->pairs || (pairs && line->trusted); /* only a trusted series is evidence */
    line->trusted &= of->cache.latency.trusted;        /* which tells a hit from a miss */
    explain_line(on, of, &series, block_of(on, of), line);
    return save_line(on, of, &series, error);
}

/* Reads the known facts of a level; false: there is no such level. */
static bool recall(const lines *on, subject *of, double memory)
{
    servet_profile *profile = on->place->profile;
    servet_at at = srv_place_at(on->place, of->core);
    servet_cache next;
    if (servet_cache_get(profile, &at, of->level, &of->cache) != SERVET_OK)
        return false;
    of->is_last = servet_cache_get(profile, &at, of->level + 1, &next) != SERVET_OK;
    of->largest_bytes = SRV_MEMORY_SHARE_MAX * memory;
    of->bytes = outgrowing(&of->cache, of->is_last ? NULL : &next, of->largest_bytes);
    return true;
}

/* Level by level, because the strides of a level begin with the line of the previous one. */
static int measure_core(lines *on, const srv_stage *part, int kind, int core, const char *cores,
                        servet_error *error)
{
    subject of = {.kind = kind, .core = core, .cores = cores, .level = 1};
    double memory;
    srv_reported reported;
    int code = part->machine->ops->memory(part->machine, &memory, error);
    if (code == SERVET_OK)
        code = part->machine->ops->reported(part->machine, core, &reported, error);
    for (; code == SERVET_OK && recall(on, &of, memory); of.level++) {
        servet_value line = servet_value_unknown(SERVET_UNIT_BYTE);
        of.reported = reported_line(&reported, of.level);
        /* nothing is measured in a turnover: others change what it holds, and no load is surely
         * a hit */
        if (!is_bounded(on, &of, &line) && of.bytes > 0 && of.cache.kind == SERVET_CACHE_CAPACITY)
            code = measure_level(on, part, &of, &line, error);
        if (code != SERVET_OK || !servet_value_known(&line))
            continue;
        of.above = line;
        code = srv_store(SRV_PLACE(on->place), &line, sizeof line, 1, error,
                         "kinds.%d.caches.%d.line", kind + 1, of.level);
    }
    return code;
}

static int count_kinds(const srv_stage_place *place, const servet_at *at)
{
    servet_kind kind;
    int count = 0;
    while (servet_kind_get(place->profile, at, count, &kind) == SERVET_OK)
        count++;
    return count;
}

static int measure_core_types(lines *on, servet_error *error)
{
    servet_at at = srv_place_at(on->place, SERVET_ANY_CORE);
    srv_stage rest = srv_stage_part(on->stage, BLOCK_SHARE, 1);
    int count = count_kinds(on->place, &at), code = SERVET_OK;
    for (int i = 0; i < count && code == SERVET_OK && srv_stage_fits(&rest, GLANCES_SECONDS); i++) {
        srv_stage part = srv_stage_part(&rest, (double)i / count, (i + 1.0) / count);
        servet_kind kind;
        int core;
        code = servet_kind_get(on->place->profile, &at, i, &kind);
        if (code == SERVET_OK)
            code = srv_quietest_core(part.machine, kind.cores, &core, error);
        if (code == SERVET_OK)
            code = measure_core(on, &part, i, core, kind.cores, error);
    }
    return code;
}

int srv_measure_lines(const srv_stage *stage, const srv_stage_place *place, servet_error *error)
{
    lines on = {.stage = stage,
                .place = place,
                .coherence = {.line = servet_value_unknown(SERVET_UNIT_BYTE)}};
    int code = measure_block(&on, error);
    return code == SERVET_OK ? measure_core_types(&on, error) : code;
}
