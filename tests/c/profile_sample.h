/* SPDX-License-Identifier: BSD-3-Clause */
/** A profile in which every field is set, to something that no other field holds. */
#ifndef SRV_TESTS_PROFILE_SAMPLE_H
#define SRV_TESTS_PROFILE_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "servet/record.h"

static inline servet_value sample_value(double value, servet_unit unit)
{
    return (servet_value){value,        value * 0.75,
                          value * 1.25, (int)(value / 2) % 1000 + 3,
                          unit,         SERVET_METHOD_CURVE_FIT,
                          true};
}

static inline servet_run sample_run(void)
{
    servet_run run = {
        .version = "0.1.0",
        .started = "2026-11-20T12:00:00Z",
        .options = "--only cache -o \"a b\"\\c",
        .clock = "tsc",
        .clock_overhead = sample_value(11.25, SERVET_UNIT_NANOSECOND),
        .clock_resolution = sample_value(1.0 / 3.0, SERVET_UNIT_NANOSECOND),
        .frequency = sample_value(2.5e9, SERVET_UNIT_HERTZ),
        .huge_pages = sample_value(0.25, SERVET_UNIT_NONE),
        .duration = sample_value(21.7, SERVET_UNIT_SECOND),
        .noise = sample_value(0.03, SERVET_UNIT_NONE),
        .steal = sample_value(0, SERVET_UNIT_NONE),
        .seed = 9007199254740993, /* 2^53 + 1: no double holds it */
    };
    run.duration.trusted = false;
    run.duration.method = SERVET_METHOD_TIMED;
    return run;
}

static inline servet_machine sample_machine(const char *hostname)
{
    servet_machine machine = {
        .os = "Linux 6.1.0",
        .architecture = "x86_64",
        .cpu = "Example(R) CPU \xc3\xa9 @ 2.0 GHz",
        .cores = "0-3,8-11",
        .pu_count = 8,
        .core_count = 7,
        .package_count = 2,
        .numa_count = 3,
        .memory_bytes = 68719476736.0,
        .page_bytes = 4096,
    };
    snprintf(machine.hostname, sizeof machine.hostname, "%s", hostname);
    return machine;
}

/** Level `level` of three: a capacity, one the OS is silent on, and one that is turned over. */
static inline servet_cache sample_cache(int level)
{
    double scale = 1 << (5 * level);
    servet_cache cache = {
        .level = level,
        .kind = level == 3 ? SERVET_CACHE_TURNOVER : SERVET_CACHE_CAPACITY,
        .bytes = sample_value(1536 * scale, SERVET_UNIT_BYTE),
        .measured_bytes = sample_value(1500.5 * scale, SERVET_UNIT_BYTE),
        .reported_bytes = sample_value(level == 3 ? 5e8 : 1536 * scale, SERVET_UNIT_BYTE),
        .verdict = level == 3 ? SERVET_VERDICT_DIFFERS : SERVET_VERDICT_AGREES,
        .latency = sample_value(1.39 * level * level, SERVET_UNIT_NANOSECOND),
        .latency_cycles = sample_value(2.9 * level * level, SERVET_UNIT_CYCLE),
        .line = sample_value(64, SERVET_UNIT_BYTE),
        .confidence = 0.5 + 0.1 * level,
    };
    cache.reported_bytes.method = SERVET_METHOD_OS;
    if (level == 2) {
        cache.reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
        cache.latency_cycles = servet_value_unknown(SERVET_UNIT_CYCLE);
        cache.verdict = SERVET_VERDICT_NOT_VISIBLE;
    }
    return cache;
}

static inline servet_value sample_memory(void)
{
    return sample_value(187.5, SERVET_UNIT_NANOSECOND);
}

/** Who shares level 1 of "big". */
static const char *const sample_groups[] = {"0,2", "1", "3"};

/**
 * Two classes: "fat" (node01) with kinds "big" (0-3, three caches) and "little" (8-11, measured:
 * no caches at all), "thin" (node02) with an unmeasured kind "core".
 */
static inline int sample_profile(servet_profile **profile, servet_error *error)
{
    servet_profile *made = NULL;
    servet_run run = sample_run();
    servet_machine first = sample_machine("node01"), second = sample_machine("node02");
    servet_cache caches[3] = {sample_cache(1), sample_cache(2), sample_cache(3)};
    servet_value memory = sample_memory(), unknown = servet_value_unknown(SERVET_UNIT_NANOSECOND);
    int code, class, kind;
    if ((code = servet_profile_create(&made, error)) == 0 &&
        (code = servet_profile_set_run(made, &run, error)) == 0 &&
        (code = servet_profile_add_class(made, "fat", &first, &class, error)) == 0 &&
        (code = servet_profile_add_kind(made, class, "big", "0-3", &kind, error)) == 0 &&
        (code = servet_profile_set_caches(made, class, kind, caches, 3, &memory, error)) == 0 &&
        (code = servet_profile_set_cache_groups(made, class, kind, 1, sample_groups, 3, error)) ==
            0 &&
        (code = servet_profile_add_kind(made, class, "little", "8-11", &kind, error)) == 0 &&
        (code = servet_profile_set_caches(made, class, kind, NULL, 0, &unknown, error)) == 0 &&
        (code = servet_profile_add_class(made, "thin", &second, &class, error)) == 0 &&
        (code = servet_profile_add_kind(made, class, "core", "0-7", &kind, error)) == 0) {
        *profile = made;
        return SERVET_OK;
    }
    servet_profile_close(made);
    return code;
}

/** A name for a file that does not exist yet, in a folder of its own. */
static inline void sample_path(char path[64])
{
    strcpy(path, "/tmp/servet-test-XXXXXX");
    if (!mkdtemp(path))
        abort();
    strcat(path, "/profile.json");
}

/** Removes the file and its folder; fails if anything else was left there. */
static inline int sample_remove(const char path[64])
{
    char folder[64];
    strcpy(folder, path);
    *strrchr(folder, '/') = '\0';
    unlink(path);
    return rmdir(folder);
}

#endif
