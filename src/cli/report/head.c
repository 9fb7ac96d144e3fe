/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/report/text.h"
#include "core/human.h"

static void add_counts(document *to, const servet_machine *machine)
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
    document_entry(to, "", "%s", *text ? text : "cores and memory are not known");
}

static void add_machine(document *to, const servet_machine *machine)
{
    document_entry(to, "Machine", "%s: %s%s%s, %s", machine->hostname, machine->cpu,
                   *machine->cpu ? ", " : "", machine->architecture, machine->os);
    add_counts(to, machine);
}

enum { KNOWN_MAX = HUMAN_MAX + 64 };

/* Returns "LABEL 1.39 ns", or "" if the value is not known. */
static const char *known(const char *label, const servet_value *value, double scale,
                         const char *unit, char text[KNOWN_MAX])
{
    *text = '\0';
    if (servet_value_known(value))
        snprintf(text, KNOWN_MAX, "%s%s %s", label, HUMAN(value->value * scale, 3), unit);
    return text;
}

static void add_run(document *to, const servet_run *run)
{
    char duration[KNOWN_MAX], overhead[KNOWN_MAX], resolution[KNOWN_MAX], noise[KNOWN_MAX],
        steal[KNOWN_MAX], others[KNOWN_MAX], drift[KNOWN_MAX];
    document_entry(to, "Measured", "%s by Servet %s%s%s%s", run->started, run->version,
                   known(" in ", &run->duration, 1, "s", duration), *run->options ? ": " : "",
                   run->options);
    /* The profile of a job that measured only the network has no clock. */
    document_entry(to, "Clock", "%s%s%s; seed %lld", *run->clock ? run->clock : "not measured",
                   known(", overhead ", &run->clock_overhead, HUMAN_NS, "ns", overhead),
                   known(", resolution ", &run->clock_resolution, HUMAN_NS, "ns", resolution),
                   run->seed);
    if (servet_value_known(&run->noise))
        document_entry(to, "Noise", "%s%s%s%s", known("", &run->noise, 100, "% of the time", noise),
                       known("; steal ", &run->steal, 100, "%", steal),
                       known("; other processes ", &run->others, 100, "%", others),
                       known("; decrease of frequency ", &run->drift, 100, "%", drift));
}

void report_head(document *to, const servet_profile *profile, const servet_at *at)
{
    servet_machine machine;
    servet_run run;
    int classes = servet_profile_class_count(profile);
    if (at->node_class || classes > 1) {
        char name[SERVET_NAME_MAX] = "", nodes[32] = "";
        servet_profile_get(profile, at, "class.name", name, sizeof name, NULL);
        servet_profile_get(profile, at, "class.nodes", nodes, sizeof nodes, NULL);
        document_entry(to, "Class", "%s (%s node%s; %d node class%s in the profile)", name, nodes,
                       report_plural(atoi(nodes)), classes, classes == 1 ? "" : "es");
    }
    if (servet_profile_machine(profile, at, &machine) == SERVET_OK)
        add_machine(to, &machine);
    if (servet_profile_run(profile, &run) == SERVET_OK)
        add_run(to, &run);
}
