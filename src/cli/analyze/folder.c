/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/folder.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/print/explain_findings.h"
#include "cli/output/output.h"
#include "cli/report/report.h"
#include "core/error.h"
#include "servet/measure.h"

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Returns the folder of the series: raw/ in the folder of a run, or the folder itself. */
static const char *raw_of(const char *path, char *raw, size_t size)
{
    bool fits = snprintf(raw, size, "%s/raw", path) < (int)size;
    return fits && is_folder(raw) ? raw : path;
}

static void print_cut(void *context, const char *benchmark, const char *why)
{
    (void)context;
    fprintf(stderr, "servet: %s is incomplete: %s\n", benchmark, why);
}

static void print_missing(void *context, servet_benchmark benchmark, const char *why)
{
    print_cut(context, servet_benchmark_name(benchmark), why);
}

/* Prints the result; `findings` is NULL without --explain. */
static int print(const servet_profile *profile, bool json, const servet_findings *findings,
                 servet_error *error)
{
    if (json && (findings ? explain_findings_dump(profile, findings, error)
                          : servet_profile_dump(profile, stdout, error)) != SERVET_OK)
        return cli_error(error);
    if (!json && (cli_report(profile, NULL, "not on record", error) != SERVET_OK ||
                  cli_report_network(profile, error) != SERVET_OK))
        return cli_error(error);
    if (!json && findings)
        explain_findings_print(findings);
    return cli_finish_output();
}

/* Replays a node, the network of a job, or both. One of them must be there. */
static int replay(const char *folder, servet_profile **profile, servet_findings *findings,
                  servet_error *error)
{
    servet_error other = SERVET_ERROR_INIT;
    int node = servet_explain_replay(folder, print_missing, NULL, profile, findings, error);
    if (node != SERVET_OK && node != SERVET_ENOTFOUND)
        return node;
    int network = servet_replay_network(folder, print_cut, NULL, profile, &other);
    if (network == SERVET_OK || (network == SERVET_ENOTFOUND && node == SERVET_OK))
        return SERVET_OK;
    if (network == SERVET_ENOTFOUND) {
        other = (servet_error)SERVET_ERROR_INIT;
        (void)srv_fail_at(
            &other, network, folder, 0,
            "the folder has no raw measurements (servet measure -o FOLDER keeps them)");
    }
    *error = other;
    return network;
}

static int decide(const char *folder, bool json, servet_findings *findings)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    int code = replay(folder, &profile, findings, &error);
    int status = code == SERVET_OK ? print(profile, json, findings, &error) : cli_error(&error);
    servet_profile_close(profile);
    return status;
}

int analyze_folder(const char *path, bool json, bool explain)
{
    char raw[CLI_PATH_MAX];
    servet_findings findings = SERVET_FINDINGS_INIT;
    if (!is_folder(path))
        return cli_usage_error(
            "analyze: expected cache, layers, loaded, messages, scaling or a folder, not '%s'",
            path);
    int status = decide(raw_of(path, raw, sizeof raw), json, explain ? &findings : NULL);
    servet_findings_free(&findings);
    return status;
}
