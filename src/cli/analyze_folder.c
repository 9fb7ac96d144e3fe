/* SPDX-License-Identifier: BSD-3-Clause */
#include "analyze_folder.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli.h"
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

static int print(const servet_profile *profile, bool json, servet_error *error)
{
    if (json && servet_profile_dump(profile, stdout, error) != SERVET_OK)
        return cli_error(error);
    if (!json)
        cli_report(profile, NULL, "not on record");
    return cli_finish_output();
}

int analyze_folder(const char *path, bool json)
{
    char raw[CLI_PATH_MAX];
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile;
    if (!is_folder(path))
        return cli_usage_error("analyze: '%s' is neither cache nor layers nor a folder", path);
    const char *folder = raw_of(path, raw, sizeof raw);
    if (servet_replay(folder, print_untold, NULL, &profile, &error) != SERVET_OK) {
        cli_error(&error);
        return CLI_FAILED;
    }
    int status = print(profile, json, &error);
    servet_profile_close(profile);
    return status;
}
