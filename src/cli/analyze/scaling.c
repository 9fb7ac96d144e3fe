/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/analyze/scaling.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/cli.h"
#include "core/error.h"
#include "core/human.h"
#include "servet/analyze.h"

/* --- output ----------------------------------------------------------------------------------- */

static int print_json(const servet_scaling *scaling, const servet_scaling_analysis *analysis)
{
    json_t *json = json_pack("{s:i, s:i, s:i, s:i, s:f, s:o}", "cores", analysis->enough, "low",
                             analysis->fewest, "high", analysis->most, "best_cores",
                             analysis->best_cores, "best", analysis->best, "unit",
                             *scaling->unit ? json_string(scaling->unit) : json_null());
    return cli_print_json(json, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) ? cli_finish_output()
                                                                         : cli_memory_error();
}

static int print_table(const servet_scaling *scaling, const servet_scaling_analysis *analysis)
{
    printf("%5s  %12s%s%s  %s\n", "cores", "bandwidth", *scaling->unit ? ", " : "", scaling->unit,
           "of the best");
    for (size_t i = 0; i < scaling->n; i++) {
        const servet_scaling_point *point = &scaling->points[i];
        printf("%5d  %12s  %9.0f %%%s\n", point->cores, HUMAN(point->bandwidth, 4),
               100 * (point->bandwidth / analysis->best),
               point->cores == analysis->enough ? "  enough" : "");
    }
    printf("saturated at %d core%s", analysis->enough, analysis->enough == 1 ? "" : "s");
    if (analysis->fewest < analysis->most)
        printf(" (95 %% interval %d-%d)", analysis->fewest, analysis->most);
    printf(": 95 %% or more of the best, %s%s%s with %d\n", HUMAN(analysis->best, 4),
           *scaling->unit ? " " : "", scaling->unit, analysis->best_cores);
    return cli_finish_output();
}

/* --- the command ------------------------------------------------------------------------------ */

int analyze_scaling(const char *path, const char *unit, bool json)
{
    servet_scaling scaling = SERVET_SCALING_INIT;
    servet_scaling_analysis analysis;
    servet_error error = SERVET_ERROR_INIT;
    int code = servet_scaling_read(path, &scaling, &error);
    if (code == SERVET_OK && unit && *scaling.unit)
        code = srv_fail_at(&error, SERVET_EARGUMENT, path, 0,
                           "it names the unit of its bandwidths: leave --unit out");
    if (code == SERVET_OK && unit)
        snprintf(scaling.unit, sizeof scaling.unit, "%s", unit);
    if (code == SERVET_OK)
        code = servet_analyze_scaling(&scaling, &analysis, &error);
    int status = CLI_FAILED;
    if (code != SERVET_OK) {
        if (!*error.file)
            snprintf(error.file, sizeof error.file, "%s", path);
        cli_error(&error);
    } else {
        status = json ? print_json(&scaling, &analysis) : print_table(&scaling, &analysis);
    }
    servet_scaling_free(&scaling);
    return status;
}
