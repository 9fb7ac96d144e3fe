/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/report.h"

#include <stdio.h>

#include "cli/report/advice.h"
#include "cli/report/parts.h"
#include "cli/report/text.h"
#include "core/error.h"

/* Writes " on efficiency cores" if there are several core types, otherwise "". */
static void name_kind(const servet_profile *profile, const servet_at *at, int index, char *of,
                      size_t size)
{
    servet_kind kind;
    *of = '\0';
    if (at->core == SERVET_ANY_CORE && servet_kind_get(profile, at, 1, &kind) == SERVET_OK &&
        servet_kind_get(profile, at, index, &kind) == SERVET_OK)
        snprintf(of, size, " on %s cores", kind.name);
}

void report_warnings(document *to, const servet_profile *profile, const servet_at *at)
{
    char of[SERVET_NAME_MAX + 16];
    servet_at of_kind;
    report_warn_run(to, profile, at);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++) {
        name_kind(profile, at, i, of, sizeof of);
        report_warn_caches(to, profile, &of_kind, of);
    }
    report_warn_node(to, profile, at);
    document_join_doubts(to);
}

/* Returns the reason why facts are missing, unless another line gives it; NULL: it is not known. */
static const char *recorded_reason(const servet_profile *profile)
{
    servet_run run;
    bool cut = servet_profile_run(profile, &run) == SERVET_OK && *run.cut;
    return cut ? "the time limit was used up" : NULL;
}

void report_results(document *to, const servet_profile *profile, const servet_at *at,
                    const char *reason)
{
    servet_at of_kind;
    reason = reason ? reason : recorded_reason(profile);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++)
        report_caches(to, profile, &of_kind, reason);
    for (int i = 0; report_kind(profile, at, i, &of_kind); i++)
        report_translation(to, profile, &of_kind);
    report_distances(to, profile, at);
    report_sync(to, profile, at);
    report_memory(to, profile, at);
    report_loaded(to, profile, at);
    report_peaks(to, profile, at);
    report_accelerators(to, profile, at);
    report_missing(to, profile, at, reason);
}

/* Prints and frees a document; it is NULL if memory was short. */
static int print(document *whole, servet_error *error)
{
    bool printed = whole && document_print(whole);
    document_free(whole);
    return printed ? SERVET_OK : srv_fail_memory(error);
}

int cli_report(const servet_profile *profile, const servet_at *at, const char *reason,
               servet_error *error)
{
    servet_at all = at ? *at : (servet_at){.node_class = NULL, .core = SERVET_ANY_CORE};
    document *whole = document_new();
    if (whole) {
        report_head(whole, profile, &all);
        report_warnings(whole, profile, &all);
        report_advice(whole, profile, &all);
        report_results(whole, profile, &all, reason);
    }
    return print(whole, error);
}

int cli_report_network(const servet_profile *profile, servet_error *error)
{
    document *whole = document_new();
    if (whole)
        report_network(whole, profile);
    return print(whole, error);
}
