/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/plot/draw.h"
#include "cli/report/advice.h"
#include "cli/report/parts.h"
#include "cli/report/report.h"
#include "cli/report/text.h"
#include "servet/identity.h"

/* --- head ------------------------------------------------------------------------------------- */

static void put_title(FILE *to, const plot_source *source)
{
    servet_machine machine;
    char title[SERVET_NAME_MAX + 32] = "Measured by Servet";
    bool has_machine = servet_profile_machine(source->profile, &source->at, &machine) == SERVET_OK;
    if (has_machine)
        snprintf(title, sizeof title, "%s, measured by Servet", machine.hostname);
    html_begin(to, title);
    html_heading(to, 1, title);
    if (has_machine && servet_profile_here(source->profile, NULL, NULL) != SERVET_OK)
        html_text(to, "p", "", "The page was made on a machine of another type.");
}

static void put_fitness(FILE *to, const plot_source *source)
{
    bool fit;
    char *text = cli_report_fitness(source->profile, &source->at, &fit);
    if (text)
        html_text(to, "p", fit ? "fit" : "unfit", "%s", text);
    free(text);
}

/* --- disagreements ---------------------------------------------------------------------------- */

static bool has_warnings(const document *part)
{
    return document_has(part, DOCUMENT_WARNING) || document_has(part, DOCUMENT_DOUBT);
}

/* If the run is not recorded, its disturbances are unknown. */
static void put_no_warnings(FILE *to, const servet_profile *profile)
{
    servet_run run;
    html_text(to, "p", "", "%s",
              servet_profile_run(profile, &run) == SERVET_OK
                  ? "No result differs from what the operating system reports, and nothing "
                    "disturbed the run."
                  : "Nothing is recorded that differs from what the operating system reports, or "
                    "that disturbed the run.");
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Draws a picture of each core type, or a single one. */
static int put_picture(FILE *to, const plot *what, const plot_source *source, servet_error *error)
{
    figure drawn = {.form = FIGURE_CHART};
    servet_error none = SERVET_ERROR_INIT;
    int code = plot_fill(what, source, &drawn, &none);
    if (code == SERVET_OK) {
        fputs(drawn.form == FIGURE_BOXES ? "<figure class=\"wide\">\n" : "<figure>\n", to);
        draw_svg(to, &drawn);
        fputs("</figure>\n", to);
    } else if (code == SERVET_EMEMORY)
        *error = none;
    figure_finish(&drawn);
    return code == SERVET_EMEMORY ? code : SERVET_OK;
}

static int put_pictures(FILE *to, const plot_source *source, servet_error *error)
{
    int code = SERVET_OK;
    fputs("<div class=\"pictures\">\n", to);
    for (int i = 0; i < PLOT_COUNT && code == SERVET_OK; i++) {
        plot_source of_kind = *source;
        int kinds = plots[i].of_kind ? SERVET_CACHE_LEVELS_MAX : 1;
        for (int k = 0; k < kinds && code == SERVET_OK; k++) {
            if (plots[i].of_kind && !report_kind(source->profile, &source->at, k, &of_kind.at))
                break;
            code = put_picture(to, &plots[i], &of_kind, error);
        }
    }
    fputs("</div>\n", to);
    return code;
}

/* --- how it was measured ---------------------------------------------------------------------- */

static void put_methods(FILE *to)
{
    html_text(
        to, "p", "",
        "Caches are measured by the time of loads in working sets of growing size and by "
        "conflicts of lines and pages; sharing, distances and memory by cores that work at "
        "once; communication by messages between processes. Intervals contain the value "
        "with a probability of 95 %%. A verdict compares it with what the operating system "
        "reports, which is never used as a result. What is not trusted (?) was measured while "
        "others disturbed it, or had too little evidence.");
    html_text(to, "p", "",
              "servet get KEY prints each result for programs, servet plot WHAT a "
              "picture, servet show the report as text.");
}

/* --- the page --------------------------------------------------------------------------------- */

enum { HEAD, ADVICE, WARNINGS, RESULTS, PARTS };

/* Fills the parts of the report; pictures and remarks are between them. */
static void fill(document *part[PARTS], const plot_source *source)
{
    const servet_profile *profile = source->profile;
    report_head(part[HEAD], profile, &source->at);
    report_advice(part[ADVICE], profile, &source->at);
    document_heading(part[WARNINGS], "Disagreements and doubts");
    report_warnings(part[WARNINGS], profile, &source->at);
    report_results(part[RESULTS], profile, &source->at, NULL);
    report_network(part[RESULTS], profile);
}

static int write_parts(FILE *to, document *part[PARTS], const plot_source *source,
                       servet_error *error)
{
    put_title(to, source);
    html_document(to, part[HEAD]);
    put_fitness(to, source);
    html_document(to, part[ADVICE]);
    html_document(to, part[WARNINGS]);
    if (!has_warnings(part[WARNINGS]) && !has_warnings(part[RESULTS]))
        put_no_warnings(to, source->profile);
    html_heading(to, 2, "Pictures");
    int code = put_pictures(to, source, error);
    html_document(to, part[RESULTS]);
    html_heading(to, 2, "How it was measured");
    put_methods(to);
    html_end(to);
    return code;
}

int page_write(FILE *to, const plot_source *source, servet_error *error)
{
    document *part[PARTS];
    bool failed = false;
    for (int i = 0; i < PARTS; i++)
        failed = !(part[i] = document_new()) || failed;
    if (!failed)
        fill(part, source);
    for (int i = 0; i < PARTS && !failed; i++)
        failed = part[i]->failed;
    int code = failed ? figure_out_of_memory(error) : write_parts(to, part, source, error);
    for (int i = 0; i < PARTS; i++)
        document_free(part[i]);
    return code;
}
