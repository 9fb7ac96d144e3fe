/* SPDX-License-Identifier: BSD-3-Clause */
#include "known.h"

#include <stdio.h>
#include <string.h>

#define FILL(member, text) snprintf(member, sizeof(member), "%s", text)

/* --- structs ---------------------------------------------------------------- */

servet_value known_value(int k, servet_unit unit, servet_method method)
{
    return (servet_value){k + 0.5, k + 0.25, k + 0.75, k, unit, method, k % 2 == 1};
}

void known_fill_value(servet_value *value)
{
    *value = known_value(7, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_CURVE_FIT);
}

void known_fill_error(servet_error *error)
{
    error->code = SERVET_EFORMAT;
    error->line = 42;
    FILL(error->file, "profile.json");
    FILL(error->text, "what is wrong");
}

void known_fill_at(servet_at *at)
{
    at->node_class = "fat";
    at->core = 17;
}

void known_fill_run(servet_run *run)
{
    FILL(run->version, "9.8.7");
    FILL(run->started, "2026-11-20T12:00:00Z");
    FILL(run->options, "--only cache");
    FILL(run->clock, "tsc");
    run->clock_overhead = known_value(21, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    run->clock_resolution = known_value(22, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    run->frequency = known_value(24, SERVET_UNIT_HERTZ, SERVET_METHOD_TIMED);
    run->huge_pages = known_value(0, SERVET_UNIT_NONE, SERVET_METHOD_OS);
    run->huge_pages.value = 0.625;
    run->duration = known_value(23, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED);
    run->noise = known_value(0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED);
    run->steal = known_value(0, SERVET_UNIT_NONE, SERVET_METHOD_OS);
    run->noise.value = 0.375;
    run->others = known_value(0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED);
    run->others.value = 0.625;
    run->drift = known_value(0, SERVET_UNIT_NONE, SERVET_METHOD_TIMED);
    run->drift.value = 0.25;
    FILL(run->benchmarks, "cache,line");
    run->seed = 8589934592;
}

void known_fill_kind(servet_kind *kind)
{
    kind->name = "efficient";
    kind->cores = "4-7";
}

void known_fill_machine(servet_machine *machine)
{
    FILL(machine->hostname, "node17");
    FILL(machine->os, "Linux 6.1.0");
    FILL(machine->architecture, "x86_64");
    FILL(machine->cpu, "A CPU of the tests");
    FILL(machine->cores, "0-3,8");
    machine->pu_count = 8;
    machine->core_count = 4;
    machine->package_count = 2;
    machine->numa_count = 3;
    machine->memory_bytes = 17179869184.0;
    machine->page_bytes = 4096.0;
}

void known_fill_cache(servet_cache *cache)
{
    cache->level = 3;
    cache->kind = SERVET_CACHE_TURNOVER;
    cache->bytes = known_value(31, SERVET_UNIT_BYTE, SERVET_METHOD_TURNOVER);
    cache->measured_bytes = known_value(32, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT);
    cache->reported_bytes = known_value(33, SERVET_UNIT_BYTE, SERVET_METHOD_OS);
    cache->verdict = SERVET_VERDICT_DIFFERS;
    cache->latency = known_value(34, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    cache->latency_cycles = known_value(35, SERVET_UNIT_CYCLE, SERVET_METHOD_TIMED);
    cache->line = known_value(36, SERVET_UNIT_BYTE, SERVET_METHOD_OS);
    cache->confidence = 0.875;
}

size_t known_size(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } table[] = {
        {"servet_value", sizeof(servet_value)}, {"servet_error", sizeof(servet_error)},
        {"servet_at", sizeof(servet_at)},       {"servet_run", sizeof(servet_run)},
        {"servet_kind", sizeof(servet_kind)},   {"servet_machine", sizeof(servet_machine)},
        {"servet_cache", sizeof(servet_cache)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].size;
    return 0;
}

/* --- a profile ---------------------------------------------------------------- */

static servet_value around(double value, servet_unit unit, servet_method method)
{
    return (servet_value){value, 0.9375 * value, 1.0625 * value, 25, unit, method, true};
}

static servet_cache level(int number, double bytes, double ns)
{
    return (servet_cache){
        .level = number,
        .kind = SERVET_CACHE_CAPACITY,
        .bytes = around(bytes, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT),
        .measured_bytes = around(1.03125 * bytes, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT),
        .reported_bytes = around(bytes, SERVET_UNIT_BYTE, SERVET_METHOD_OS),
        .verdict = SERVET_VERDICT_AGREES,
        .latency = around(ns, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED),
        .latency_cycles = around(2 * ns, SERVET_UNIT_CYCLE, SERVET_METHOD_TIMED),
        .line = around(64, SERVET_UNIT_BYTE, SERVET_METHOD_OS),
        .confidence = 0.875,
    };
}

/* Shared with other machines' work: what it reaches is not what the operating system reports. */
static servet_cache churned_level(int number, double bytes, double ns)
{
    servet_cache cache = level(number, bytes, ns);
    cache.kind = SERVET_CACHE_TURNOVER;
    cache.bytes.method = SERVET_METHOD_TURNOVER;
    cache.bytes.trusted = false;
    cache.reported_bytes = servet_value_unknown(SERVET_UNIT_BYTE);
    cache.verdict = SERVET_VERDICT_NOT_VISIBLE;
    return cache;
}

static int add_thin(servet_profile *profile, servet_error *error)
{
    const servet_cache big[] = {level(1, 49152, 1.5), level(2, 2097152, 4.5),
                                churned_level(3, 8388608, 37.5)};
    const char *const pairs[] = {"0,2", "1,3"};
    const servet_cache little[] = {level(1, 32768, 2.5)};
    const servet_value memory = around(100, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    const servet_value unknown = servet_value_unknown(SERVET_UNIT_NANOSECOND);
    servet_machine machine;
    memset(&machine, 0, sizeof machine);
    known_fill_machine(&machine);
    FILL(machine.cores, "0-7");

    int thin, kind, code;
    code = servet_profile_add_class(profile, "thin", &machine, &thin, error);
    if (!code)
        code = servet_profile_add_kind(profile, thin, "big", "0-3", &kind, error);
    if (!code)
        code = servet_profile_set_caches(profile, thin, kind, big, 3, &memory, error);
    if (!code)
        code = servet_profile_set_cache_groups(profile, thin, kind, 2, pairs, 2, NULL, error);
    if (!code)
        code = servet_profile_add_kind(profile, thin, "little", "4-7", &kind, error);
    if (!code)
        code = servet_profile_set_caches(profile, thin, kind, little, 1, &unknown, error);
    return code;
}

static int add_fat(servet_profile *profile, servet_error *error)
{
    servet_machine machine;
    memset(&machine, 0, sizeof machine);
    known_fill_machine(&machine);
    FILL(machine.hostname, "node18");
    FILL(machine.cpu, "Another CPU of the tests");
    FILL(machine.cores, "0-15");

    int fat, kind;
    int code = servet_profile_add_class(profile, "fat", &machine, &fat, error);
    return code ? code : servet_profile_add_kind(profile, fat, "all", "0-15", &kind, error);
}

int known_write_profile(const char *path)
{
    servet_profile *profile = NULL;
    servet_error error = SERVET_ERROR_INIT;
    servet_run run;
    memset(&run, 0, sizeof run);
    known_fill_run(&run);

    int code = servet_profile_create(&profile, &error);
    if (!code)
        code = servet_profile_set_run(profile, &run, &error);
    if (!code)
        code = add_thin(profile, &error);
    if (!code)
        code = add_fat(profile, &error);
    if (!code)
        code = servet_profile_write(profile, path, &error);
    servet_profile_close(profile);
    if (code)
        fprintf(stderr, "known profile: %s\n", error.text);
    return code;
}
