/* SPDX-License-Identifier: BSD-3-Clause */
#include "findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/servet2010.h"
#include "core/ranges.h"
#include "detect/sharing2010.h"
#include "measure/measure.h"
#include "servet/analyze.h"

enum { CORES_MAX = 128 };
static const double MIN_BYTES = 4096, MAX_BYTES = 64 << 20;
static const double SHARING_RATIO = 1.5; /* requirement H4 */
static const uint64_t SEED = 2010;

/* --- the default method -------------------------------------------------------------------------
 */

static void read_caches(const servet_profile *profile, findings *found)
{
    servet_cache cache;
    servet_run run;
    found->code = servet_cache_count(profile, NULL, &found->count);
    for (int i = 0; i < found->count && found->code == SERVET_OK; i++) {
        found->code = servet_cache_get(profile, NULL, i + 1, &cache);
        found->bytes[i] = cache.bytes.value;
    }
    if (servet_profile_run(profile, &run) == SERVET_OK)
        found->seconds = run.duration.value;
}

static void ask_default(srv_machine *machine, double max_bytes, findings *found)
{
    servet_profile *profile;
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.max_bytes = max_bytes;
    found->code = srv_measure_on(machine, &options, &profile, NULL);
    if (found->code == SERVET_OK) {
        read_caches(profile, found);
        servet_profile_close(profile);
    }
}

/* --- the method of the papers -------------------------------------------------------------------
 */

static int list_cores(srv_machine *machine, int cores[CORES_MAX], int *count)
{
    srv_kind kinds[SRV_KINDS_MAX];
    int kind_count, first, last;
    int code = machine->ops->kinds(machine, kinds, &kind_count, NULL);
    if (code != SERVET_OK)
        return code;
    *count = 0;
    for (const char *rest = kinds[0].cores; srv_ranges_next(&rest, &first, &last);)
        for (int core = first; core <= last && *count < CORES_MAX; core++)
            cores[(*count)++] = core;
    return SERVET_OK;
}

/* Adds the cores of one group to the text, as ranges; cores ascend. */
static size_t add_group(char *text, size_t at, const int *cores, const int *group, int count,
                        int number)
{
    const char *separator = at > 0 ? " " : "";
    for (int i = 0; i < count && at < FINDINGS_TEXT_MAX; i++) {
        int last = i;
        if (group[i] != number)
            continue;
        while (last + 1 < count && group[last + 1] == number && cores[last + 1] == cores[last] + 1)
            last++;
        at += (size_t)snprintf(text + at, FINDINGS_TEXT_MAX - at, last > i ? "%s%d-%d" : "%s%d",
                               separator, cores[i], cores[last]);
        separator = ",";
        i = last;
    }
    return at < FINDINGS_TEXT_MAX ? at : FINDINGS_TEXT_MAX - 1;
}

static void write_groups(char *text, const int *cores, const int *group, int count, int groups)
{
    size_t at = 0;
    if (groups == count)
        snprintf(text, FINDINGS_TEXT_MAX, "private");
    else
        for (int number = 0; number < groups; number++)
            at = add_group(text, at, cores, group, count, number);
}

static int find_groups(srv_machine *machine, const int *cores, int count, double bytes, char *text)
{
    bool complete;
    int group[CORES_MAX];
    srv_pair *pairs = calloc(srv_pair_count(count) + 1, sizeof *pairs);
    srv_2010_sharing_plan plan = {
        .cores = cores, .core_count = count, .bytes = bytes, .seed = SEED};
    if (!pairs)
        return SERVET_EMEMORY;
    int code = srv_bench_2010_sharing(machine, &plan, pairs, &complete, NULL);
    if (code == SERVET_OK) {
        int groups = srv_2010_sharing(pairs, srv_pair_count(count), SHARING_RATIO, group, count);
        write_groups(text, cores, group, count, groups);
    }
    free(pairs);
    return code;
}

/* Where the curve rises most beyond `above` bytes. */
static double steepest_beyond(const servet_curve *curve, double above)
{
    double bytes = 0, most = 0;
    for (size_t i = 0; i + 1 < curve->n; i++) {
        double gradient = curve->latency[i + 1] / curve->latency[i];
        if (curve->bytes[i] > above && gradient > most) {
            most = gradient;
            bytes = curve->bytes[i];
        }
    }
    return bytes;
}

static int read_walk(const servet_curve *curve, double page_bytes, findings *found)
{
    servet_2010_options options = SERVET_2010_OPTIONS_INIT;
    servet_cache_analysis analysis;
    options.page_bytes = page_bytes;
    int code = servet_analyze_cache_2010(curve, &options, &analysis, NULL);
    if (code != SERVET_OK)
        return code;
    found->count = analysis.level_count;
    for (int i = 0; i < found->count; i++)
        found->bytes[i] = analysis.level[i].bytes.value;
    found->steepest = found->count > 0 ? steepest_beyond(curve, found->bytes[0]) : 0;
    return SERVET_OK;
}

static int walk(srv_machine *machine, int core, double max_bytes, findings *found)
{
    servet_machine description;
    srv_series series = {.curve = SERVET_CURVE_INIT};
    srv_curve_plan plan = srv_2010_curve_plan(core, MIN_BYTES, max_bytes);
    plan.seed = SEED;
    int code = machine->ops->describe(machine, &description, NULL);
    if (code == SERVET_OK)
        code = srv_bench_curve(machine, &plan, &series, NULL);
    if (code == SERVET_OK) {
        srv_2010_to_cycles(&series);
        code = read_walk(&series.curve, description.page_bytes, found);
    }
    srv_series_free(&series);
    return code;
}

static void ask_2010(srv_machine *machine, double max_bytes, findings *found)
{
    int cores[CORES_MAX], count = 0;
    found->code = list_cores(machine, cores, &count);
    if (found->code == SERVET_OK)
        found->code = walk(machine, cores[0], max_bytes, found);
    for (int i = 0; i < found->count && count > 1 && found->code == SERVET_OK; i++)
        found->code = find_groups(machine, cores, count, found->bytes[i], found->groups[i]);
    found->seconds = machine->ops->elapsed(machine);
}

/* --- both ---------------------------------------------------------------------------------------
 */

findings findings_of(srv_machine *machine, finding_method method, double max_bytes)
{
    static void (*const ask[METHOD_COUNT])(srv_machine *, double, findings *) = {
        [METHOD_2010] = ask_2010,
        [METHOD_DEFAULT] = ask_default,
    };
    findings found = {0};
    ask[method](machine, max_bytes > 0 ? max_bytes : MAX_BYTES, &found);
    return found;
}

const char *size_text(double bytes, char *text, size_t size)
{
    bool whole = fmod(bytes, 1 << 20) == 0;
    snprintf(text, size, "%.0f %s", bytes / (whole ? 1 << 20 : 1 << 10), whole ? "MiB" : "KiB");
    return text;
}
