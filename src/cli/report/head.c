/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/report/text.h"
#include "cli/report/wrap.h"
#include "core/human.h"
#include "core/words.h"

/* Indentation of the second and later lines of an entry. */
enum { INDENT = 10 };

static void print_counts(const servet_machine *machine)
{
    char cores[64], text[4 * SERVET_TEXT_MAX] = "", pus[128];
    report_set_text(machine->cores, cores, sizeof cores);
    snprintf(pus, sizeof pus, " (%s)", cores);
    report_add_count(text, sizeof text, machine->core_count, "core", "");
    report_add_count(text, sizeof text, machine->pu_count, "PU", pus);
    report_add_count(text, sizeof text, machine->package_count, "package", "");
    report_add_count(text, sizeof text, machine->numa_count, "NUMA node", "");
    report_add_bytes(text, sizeof text, machine->memory_bytes, "");
    report_add_bytes(text, sizeof text, machine->page_bytes, "pages of ");
    report_print_wrapped("          ", INDENT, *text ? text : "cores and memory are not known");
}

static void print_machine(const servet_machine *machine)
{
    char text[4 * SERVET_TEXT_MAX];
    snprintf(text, sizeof text, "%s: %s%s%s, %s", machine->hostname, machine->cpu,
             *machine->cpu ? ", " : "", machine->architecture, machine->os);
    report_print_wrapped("Machine   ", INDENT, text);
    print_counts(machine);
}

/* "LABEL 1.39 ns", or nothing where it is not known. */
static void print_known(const char *label, const servet_value *value, double scale,
                        const char *unit)
{
    char digits[HUMAN_MAX];
    human_digits(value->value * scale, 3, digits);
    if (servet_value_known(value))
        printf("%s%s %s", label, digits, unit);
}

static void print_start(const servet_run *run)
{
    char text[2 * SERVET_TEXT_MAX], duration[HUMAN_MAX] = "";
    if (servet_value_known(&run->duration))
        snprintf(duration, sizeof duration, " in %s s", HUMAN(run->duration.value, 3));
    snprintf(text, sizeof text, "%s by Servet %s%s%s%s", run->started, run->version, duration,
             *run->options ? ": " : "", run->options);
    report_print_wrapped("Measured  ", INDENT, text);
}

/* Prints the facts that the run omitted. */
static void print_gaps(const servet_run *run)
{
    char list[SERVET_TEXT_MAX], text[2 * SERVET_TEXT_MAX];
    if (*run->cut) {
        srv_words_list(run->cut, list, sizeof list);
        snprintf(
            text, sizeof text,
            "Cut by the time limit: %s; facts that are missing, or may be from fewer measurements, "
            "are listed at the end",
            list);
        report_print_wrapped("! ", 2, text);
    }
    if (*run->unfinished) {
        srv_words_list(run->unfinished, list, sizeof list);
        snprintf(text, sizeof text, "Unfinished: %s not measured yet; --resume continues", list);
        report_print_wrapped("! ", 2, text);
    }
}

static void print_run(const servet_run *run)
{
    print_start(run);
    printf("Clock     %s", *run->clock ? run->clock : "not measured"); /* a network alone */
    print_known(", overhead ", &run->clock_overhead, HUMAN_NS, "ns");
    print_known(", resolution ", &run->clock_resolution, HUMAN_NS, "ns");
    print_known("; noise ", &run->noise, 100, "%");
    print_known("; steal ", &run->steal, 100, "%");
    printf("; seed %lld\n", run->seed);
    print_gaps(run);
}

void report_head(const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_run run;
    if (at->node_class || servet_profile_class_count(profile) > 1) {
        char name[SERVET_NAME_MAX] = "", nodes[32] = "";
        servet_profile_get(profile, at, "class.name", name, sizeof name, NULL);
        servet_profile_get(profile, at, "class.nodes", nodes, sizeof nodes, NULL);
        printf("Class     %s (%s node%s; %d node class%s in the profile)\n", name, nodes,
               report_plural(atoi(nodes)), servet_profile_class_count(profile),
               servet_profile_class_count(profile) == 1 ? "" : "es");
    }
    if (servet_profile_machine(profile, at, &machine) == SERVET_OK)
        print_machine(&machine);
    if (servet_profile_run(profile, &run) == SERVET_OK)
        print_run(&run);
}
