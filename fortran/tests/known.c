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

void known_fill_run(servet_run *run)
{
    FILL(run->version, "9.8.7");
    FILL(run->started, "2026-11-20T12:00:00Z");
    FILL(run->options, "--only cache");
    FILL(run->clock, "tsc");
    run->clock_overhead = known_value(21, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED);
    run->clock_resolution = known_value(22, SERVET_UNIT_SECOND, SERVET_METHOD_TIMED);
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
    FILL(run->cut, "layers,distance");
    run->seed = 8589934592;
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
    FILL(machine->fingerprint, "arch=known64 cpu=Known/1");
}
