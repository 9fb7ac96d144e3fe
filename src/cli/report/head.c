/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/report/text.h"

static void print_machine(const servet_machine *machine)
{
    char memory[HUMAN_MAX], page[HUMAN_MAX], cores[64];
    human_bytes(machine->memory_bytes, memory);
    human_bytes(machine->page_bytes, page);
    report_set_text(machine->cores, cores, sizeof cores);
    printf("Machine   %s: %s%s%s, %s\n", machine->hostname, machine->cpu, *machine->cpu ? ", " : "",
           machine->architecture, machine->os);
    printf("          %d core%s, %d PU%s (%s), %d package%s, %d NUMA node%s, %s, pages of %s\n",
           machine->core_count, report_plural(machine->core_count), machine->pu_count,
           report_plural(machine->pu_count), cores, machine->package_count,
           report_plural(machine->package_count), machine->numa_count,
           report_plural(machine->numa_count), memory, page);
}

/* "LABEL 1.39 ns", or nothing where it is not known. */
static void print_known(const char *label, const servet_value *value, double scale,
                        const char *unit)
{
    if (servet_value_known(value))
        printf("%s%.3g %s", label, value->value * scale, unit);
}

static void print_run(const servet_run *run)
{
    printf("Measured  %s by Servet %s", run->started, run->version);
    print_known(" in ", &run->duration, 1, "s");
    printf("%s%s\n", *run->options ? ": " : "", run->options);
    printf("Clock     %s", *run->clock ? run->clock : "not measured"); /* a network alone */
    print_known(", overhead ", &run->clock_overhead, HUMAN_NS, "ns");
    print_known(", resolution ", &run->clock_resolution, HUMAN_NS, "ns");
    print_known("; noise ", &run->noise, 100, "%");
    print_known("; steal ", &run->steal, 100, "%");
    printf("; seed %lld\n", run->seed);
    if (*run->cut)
        printf("! Cut by the time limit: %s; what is missing or not trusted may need more time\n",
               run->cut);
    if (*run->unfinished)
        printf("! Unfinished: %s not measured yet; --resume continues\n", run->unfinished);
}

void report_head(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_run run;
    char path[CLI_CLEAN_MAX];
    if (*servet_profile_path(profile))
        printf("Profile   %s\n", cli_clean(servet_profile_path(profile), path));
    if (at->node_class || servet_profile_class_count(profile) > 1) {
        char name[SERVET_NAME_MAX] = "", nodes[32] = "";
        servet_profile_get(profile, at, "class.name", name, sizeof name, NULL);
        servet_profile_get(profile, at, "class.nodes", nodes, sizeof nodes, NULL);
        printf("Class     %s (%s node%s; %d class%s in the profile)\n", name, nodes,
               report_plural(atoi(nodes)), servet_profile_class_count(profile),
               servet_profile_class_count(profile) == 1 ? "" : "es");
    }
    if (servet_profile_machine(profile, at, &machine) == SERVET_OK)
        print_machine(&machine);
    if (servet_profile_run(profile, &run) == SERVET_OK)
        print_run(&run);
}
