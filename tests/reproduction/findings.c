/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700 /* nftw() */
#include "findings.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/measure.h"
#include "servet/analyze.h"

enum { PATH_SIZE = 160 };

/* --- what the profile says -------------------------------------------------------------------- */

typedef int get_set(const servet_profile *profile, const servet_at *at, int level, int index,
                    const char **cores);

/* The sets of a level as one text; "private" where each core has its own. */
static void write_sets(const servet_profile *profile, const servet_at *at, int level, int count,
                       get_set *get, char *text)
{
    const char *cores;
    int shared = 0;
    size_t used = 0;
    for (int i = 0; i < count && used < FINDINGS_TEXT_MAX; i++)
        if (get(profile, at, level, i, &cores) == SERVET_OK) {
            shared += strpbrk(cores, ",-") != NULL;
            used += (size_t)snprintf(text + used, FINDINGS_TEXT_MAX - used, "%s%s",
                                     used > 0 ? " " : "", cores);
        }
    if (shared == 0)
        snprintf(text, FINDINGS_TEXT_MAX, "private");
}

static void read_groups(const servet_profile *profile, const servet_at *at, int level, char *text)
{
    int count;
    if (servet_cache_group_count(profile, at, level, &count) == SERVET_OK)
        write_sets(profile, at, level, count, servet_cache_group, text);
}

static void read_memory(const servet_profile *profile, const servet_at *at, findings *found)
{
    servet_value single;
    servet_memory_level level;
    int groups;
    if (servet_memory_level_count(profile, at, &found->memory_count) != SERVET_OK ||
        servet_memory_single(profile, at, &single) != SERVET_OK)
        return;
    for (int i = 0; i < found->memory_count && i < FINDINGS_MEMORY_MAX; i++)
        if (servet_memory_level_get(profile, at, i + 1, &level) == SERVET_OK &&
            servet_memory_group_count(profile, at, i + 1, &groups) == SERVET_OK) {
            found->memory_share[i] = level.bandwidth.value / single.value;
            write_sets(profile, at, i + 1, groups, servet_memory_group, found->memory_groups[i]);
        }
}

static void read_node(const servet_profile *profile, const servet_at *at, findings *found)
{
    servet_coherence coherence;
    found->block = found->distance_count = found->memory_count = -1;
    if (servet_coherence_get(profile, at, &coherence) == SERVET_OK &&
        servet_value_known(&coherence.line))
        found->block = (int)coherence.line.value;
    servet_distance_layer_count(profile, at, &found->distance_count);
    read_memory(profile, at, found);
}

static void read_kind(const servet_profile *profile, const servet_at *at, findings *found)
{
    servet_cache cache;
    servet_value memory;
    found->code = servet_cache_count(profile, at, &found->count);
    for (int i = 0; i < found->count && found->code == SERVET_OK; i++) {
        found->code = servet_cache_get(profile, at, i + 1, &cache);
        found->bytes[i] = cache.bytes.value;
        read_groups(profile, at, i + 1, found->groups[i]);
    }
    if (servet_memory_latency(profile, at, &memory) == SERVET_OK && servet_value_known(&memory))
        found->memory_ns = memory.value;
    read_node(profile, at, found);
}

/* The size beyond `above` bytes at which the curve rises most. */
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

/* Reads the levels that one would read off the stored curve without the probabilistic algorithm. */
static void read_walk(const char *folder, const char *kind, findings *found)
{
    char path[PATH_SIZE];
    servet_curve curve = SERVET_CURVE_INIT;
    snprintf(path, sizeof path, "%s/cache-%s-servet2010.csv", folder, kind);
    if (found->count > 0 && servet_curve_read(path, &curve, NULL) == SERVET_OK)
        found->steepest = steepest_beyond(&curve, found->bytes[0]);
    servet_curve_free(&curve);
}

static void read_profile(const servet_profile *profile, const char *folder, findings *found,
                         int count)
{
    servet_kind kind;
    servet_run run;
    for (int i = 0; i < count; i++) {
        found[i].code = servet_kind_get(profile, NULL, i, &kind);
        if (found[i].code != SERVET_OK)
            continue;
        read_kind(profile, &(servet_at){NULL, atoi(kind.cores)}, &found[i]);
        read_walk(folder, kind.name, &found[i]);
        if (servet_profile_run(profile, &run) == SERVET_OK)
            found[i].seconds = run.duration.value;
    }
}

/* --- measuring -------------------------------------------------------------------------------- */

static servet_measure_options options_of(const finding_plan *plan)
{
    servet_measure_options options = SERVET_MEASURE_OPTIONS_INIT;
    options.max_bytes = plan->max_bytes;
    if (plan->method == METHOD_2010) {
        options.approach = SERVET_APPROACH_SERVET2010;
        options.pages = SERVET_PAGES_BASE;
    }
    if (!plan->node)
        options.only = 1u << SERVET_BENCHMARK_CACHE;
    return options;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status, (void)type, (void)at;
    return remove(path);
}

void findings_of_kinds(srv_machine *machine, const finding_plan *plan, findings *found, int count)
{
    servet_profile *profile;
    servet_measure_options options = options_of(plan);
    char folder[] = "/tmp/servet-findings-XXXXXX";
    options.raw_dir = mkdtemp(folder);
    int code = options.raw_dir ? srv_measure_on(machine, &options, &profile, NULL) : SERVET_EIO;
    for (int i = 0; i < count; i++)
        found[i] = (findings){.code = code};
    if (code == SERVET_OK) {
        read_profile(profile, folder, found, count);
        servet_profile_close(profile);
    }
    if (options.raw_dir)
        nftw(folder, remove_one, 2, FTW_DEPTH | FTW_PHYS);
}

findings findings_of(srv_machine *machine, finding_method method, double max_bytes)
{
    findings found;
    finding_plan plan = {method, max_bytes, false};
    findings_of_kinds(machine, &plan, &found, 1);
    return found;
}

const char *size_text(double bytes, char *text, size_t size)
{
    bool whole = fmod(bytes, 1 << 20) == 0;
    snprintf(text, size, "%.0f %s", bytes / (whole ? 1 << 20 : 1 << 10), whole ? "MiB" : "KiB");
    return text;
}
