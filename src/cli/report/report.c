/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/report/advice.h"
#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "cli/report/wrap.h"

/* " on efficiency cores" where there are several kinds, else nothing. */
static void tell_apart(const servet_profile *profile, const servet_at *at, int index, char *of,
                       size_t size)
{
    servet_kind kind;
    *of = '\0';
    if (at->core == SERVET_ANY_CORE && servet_kind_get(profile, at, 1, &kind) == SERVET_OK &&
        servet_kind_get(profile, at, index, &kind) == SERVET_OK)
        snprintf(of, size, " on %s cores", kind.name);
}

/* Before all tables, for there they would be overlooked. */
void cli_report_warnings(FILE *to, const servet_profile *profile, const servet_at *at)
{
    char of[SERVET_NAME_MAX + 16];
    servet_at of_kind;
    report_warn_run(to, profile);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++) {
        tell_apart(profile, at, i, of, sizeof of);
        report_warn_caches(to, profile, &of_kind, of);
    }
    report_warn_node(to, profile, at);
}

/* Lines, those of the table's width or less as they are. */
static void print_lines(const char *lines)
{
    for (; *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        report_print_wrapped("", 2, lines);
}

static void write_warnings(FILE *to, const servet_profile *profile, const servet_at *at)
{
    if (at)
        cli_report_warnings(to, profile, at);
    else
        cli_report_network_warnings(to, profile);
}

void report_warnings_print(const servet_profile *profile, const servet_at *at)
{
    char *lines = NULL;
    size_t size;
    FILE *memory = open_memstream(&lines, &size);
    if (memory)
        write_warnings(memory, profile, at);
    if (memory && fclose(memory) == 0 && lines)
        print_lines(lines);
    else
        write_warnings(stdout, profile, at);
    free(lines);
}

/* Why something is missing, where no other line tells; NULL: it is not known. */
static const char *recorded_reason(const servet_profile *profile)
{
    servet_run run;
    bool cut = servet_profile_run(profile, &run) == SERVET_OK && *run.cut;
    return cut ? "the time limit was used up" : NULL;
}

void cli_report(const servet_profile *profile, const servet_at *at, const char *reason)
{
    reason = reason ? reason : recorded_reason(profile);
    servet_at all = at ? *at : (servet_at){.node_class = NULL, .core = SERVET_ANY_CORE}, of_kind;
    report_head(profile, &all);
    report_warnings_print(profile, &all);
    report_advice_print(profile, &all);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_caches(profile, &of_kind, reason);
    for (int i = 0; report_kind(profile, &all, i, &of_kind); i++)
        report_translation(profile, &of_kind);
    report_distances(profile, &all);
    report_memory(profile, &all);
    report_missing(profile, &all, reason);
}
