/* SPDX-License-Identifier: BSD-3-Clause */
#include "known.h"

#include <string.h>

servet_value known_value(int k, servet_unit unit, servet_method method)
{
    return (servet_value){k + 0.5, k + 0.25, k + 0.75, k, unit, method, k % 2 == 1};
}

servet_value known_around(double value, servet_unit unit, servet_method method)
{
    return (servet_value){value, 0.9375 * value, 1.0625 * value, 25, unit, method, true};
}

void known_fill_value(servet_value *value)
{
    *value = known_value(7, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_CURVE_FIT);
}

void known_fill_modes(servet_modes *modes)
{
    *modes = (servet_modes){2, {30.5, 120.25}, {0.75, 0.25}};
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
    FILL(run->unfinished, "curves,access");
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
    cache->ways = known_value(37, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT);
    cache->sets = known_value(38, SERVET_UNIT_NONE, SERVET_METHOD_CONFLICT);
    cache->reachable_bytes = known_value(32, SERVET_UNIT_BYTE, SERVET_METHOD_CURVE_FIT);
    cache->reported_bytes = known_value(33, SERVET_UNIT_BYTE, SERVET_METHOD_OS);
    cache->verdict = SERVET_VERDICT_DIFFERS;
    cache->latency = known_value(34, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    cache->latency_cycles = known_value(35, SERVET_UNIT_CYCLE, SERVET_METHOD_TIMED);
    cache->line = known_value(36, SERVET_UNIT_BYTE, SERVET_METHOD_OS);
    cache->confidence = 0.875;
}

void known_fill_sharing(servet_sharing *sharing)
{
    sharing->confidence = 0.625;
    sharing->verdict = SERVET_VERDICT_NOT_VISIBLE;
}

void known_fill_coherence(servet_coherence *coherence)
{
    coherence->line = known_value(41, SERVET_UNIT_BYTE, SERVET_METHOD_TIMED);
    coherence->level = 2;
    coherence->reported = known_value(42, SERVET_UNIT_BYTE, SERVET_METHOD_OS);
    coherence->verdict = SERVET_VERDICT_DIFFERS;
}

void known_fill_distance_layer(servet_distance_layer *layer)
{
    layer->latency = known_value(43, SERVET_UNIT_NANOSECOND, SERVET_METHOD_TIMED);
    layer->confidence = 0.5;
    layer->verdict = SERVET_VERDICT_DIFFERS;
}

void known_fill_memory_level(servet_memory_level *level)
{
    level->bandwidth = known_value(44, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED);
    level->saturation = 5;
    level->verdict = SERVET_VERDICT_NOT_VISIBLE;
}

void known_fill_numa(servet_numa *numa)
{
    numa->number = 6;
    numa->cores = "12-15";
}

void known_fill_concurrency(servet_concurrency *concurrency)
{
    concurrency->requests = 7;
    concurrency->requests_low = 46;
    concurrency->requests_high = 47;
    concurrency->best = known_value(45, SERVET_UNIT_BYTE_PER_SECOND, SERVET_METHOD_TIMED);
    concurrency->chains = 8;
    concurrency->threads = 9;
}

void known_fill_matrix(servet_matrix *matrix)
{
    static double costs[] = {0, 2.5, 3.5, 0};
    matrix->n = 2;
    matrix->cost = costs;
    matrix->unit = SERVET_UNIT_SECOND;
}

/* The last layer, to show that all before have the right size. */
void known_fill_layers(servet_layers *layers)
{
    static int group[] = {0, 1};
    layers->n = 2;
    layers->layer_count = SERVET_LAYERS_MAX;
    layers->layer[SERVET_LAYERS_MAX - 1] = (servet_layer){
        .cost = known_value(46, SERVET_UNIT_NANOSECOND, SERVET_METHOD_CURVE_FIT),
        .near = 46.125,
        .far = 46.875,
        .confidence = 0.25,
        .group_count = 2,
        .group = group,
    };
}

size_t known_size(const char *name)
{
    static const struct {
        const char *name;
        size_t size;
    } table[] = {
#define ROW(type) {#type, sizeof(type)}
        ROW(servet_value),
        ROW(servet_modes),
        ROW(servet_error),
        ROW(servet_at),
        ROW(servet_run),
        ROW(servet_kind),
        ROW(servet_machine),
        ROW(servet_cache),
        ROW(servet_sharing),
        ROW(servet_coherence),
        ROW(servet_distance_layer),
        ROW(servet_memory_level),
        ROW(servet_numa),
        ROW(servet_concurrency),
        ROW(servet_saturation),
        ROW(servet_matrix),
        ROW(servet_layer),
        ROW(servet_layers),
        ROW(servet_map_request),
        ROW(servet_map_process),
        ROW(servet_map_cost),
        ROW(servet_map_idle),
        ROW(servet_map_seat),
        ROW(servet_network),
        ROW(servet_place),
        ROW(servet_network_layer),
        ROW(servet_message),
        ROW(servet_protocol),
        ROW(servet_together),
        ROW(servet_gather),
        ROW(servet_gathering),
        ROW(servet_ratios),
        ROW(servet_ratio),
        ROW(degr_desc),
#undef ROW
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].size;
    return 0;
}
