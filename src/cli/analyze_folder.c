/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyze_folder.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli.h"
#include "explain_findings.h"
#include "output.h"
#include "report.h"
#include "servet/measure.h"

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A run's folder has its series in raw/. */
static const char *raw_of(const char *path, char *raw, size_t size)
{
    bool fits = snprintf(raw, size, "%s/raw", path) < (int)size;
    return fits && is_folder(raw) ? raw : path;
}

static void print_untold(void *context, servet_benchmark benchmark, const char *why)
{
    (void)context;
    fprintf(stderr, "servet: %s was cut short: %s\n", servet_benchmark_name(benchmark), why);
}

/* `findings` is NULL where nobody asked why. */
static int print(const servet_profile *profile, bool json, const servet_findings *findings,
                 servet_error *error)
{
    if (json && (findings ? explain_findings_dump(profile, findings, error)
                          : servet_profile_dump(profile, stdout, error)) != SERVET_OK)
        return cli_error(error);
    if (!json)
        cli_report(profile, NULL, "not on record");
    if (!json && findings)
        explain_findings_print(findings);
    return cli_finish_output();
}

static int decide(const char *folder, bool json, servet_findings *findings)
{
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    if (servet_explain_replay(folder, print_untold, NULL, &profile, findings, &error) !=
        SERVET_OK) {
        cli_error(&error);
        return CLI_FAILED;
    }
    int status = print(profile, json, findings, &error);
    servet_profile_close(profile);
    return status;
}

int analyze_folder(const char *path, bool json, bool explain)
{
    char raw[CLI_PATH_MAX];
    servet_findings findings = SERVET_FINDINGS_INIT;
    if (!is_folder(path))
        return cli_usage_error("analyze: '%s' is neither cache nor layers nor a folder", path);
    int status = decide(raw_of(path, raw, sizeof raw), json, explain ? &findings : NULL);
    servet_findings_free(&findings);
    return status;
}
