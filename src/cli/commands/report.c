/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "cli/message.h"
#include "cli/plot/draw.h"
#include "cli/plot/plots.h"
#include "cli/plot/svg.h"
#include "cli/report/advice.h"
#include "cli/report/document.h"
#include "cli/report/parts.h"
#include "cli/report/report.h"
#include "cli/report/text.h"
#include "core/error.h"
#include "servet/identity.h"

/* Wide tables and pictures scroll in their own box, so that the page does not scroll sideways. */
static const char style[] =
    "body{font:16px/1.5 sans-serif;color:#1d1d1f;background:#f4f4f1;margin:0}\n"
    "main{max-width:1120px;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}\n"
    "h2{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:2px solid #b9c2cc}\n"
    "h3{font-size:1rem;margin:1.2rem 0 .4rem}\n"
    "p,li{max-width:75ch;overflow-wrap:anywhere}li{margin:.5rem 0}\n"
    ".why{display:block;color:#55585c;font-size:.9rem}\n"
    ".doubt{color:#6a4a00}.doubt::before{content:'Not trusted: ';font-weight:bold}\n"
    ".fit,.unfit{padding:.5rem .8rem;border-radius:6px;background:#d9f0df}\n"
    ".unfit{background:#ffe1d6}\n"
    ".pictures{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,"
    "440px),1fr))}\n"
    "figure{margin:0;background:#fff;border-radius:6px;padding:.3rem;overflow-x:auto;min-width:0}\n"
    "figure.wide{grid-column:1/-1}figure.wide svg{max-width:none}\n"
    "svg{max-width:100%;height:auto;display:block}\n"
    "figure:not(.wide) svg{width:100%;max-width:560px}\n"
    ".table{overflow-x:auto}\n"
    "table{border-collapse:collapse;background:#fff;font-size:.9rem}\n"
    "th,td{padding:.25rem .6rem;border:1px solid #d5d8dc;text-align:left;white-space:nowrap}\n"
    "th{background:#e9ecef}\n"
    "@media print{body{background:#fff;font-size:11pt}main{max-width:none;padding:0}"
    "figure,table,li{break-inside:avoid}h2,h3{break-after:avoid}"
    ".pictures{grid-template-columns:1fr 1fr}figure{padding:0}"
    "figure.wide svg{max-width:100%}figure,.table{overflow:visible}"
    "th,td{white-space:normal;padding:.15rem .3rem}}\n";

static void put(FILE *to, const char *text)
{
    svg_escape(to, text, (int)strlen(text));
}

/* Writes an element with a text; with a label, "LABEL: TEXT". */
static void put_element(FILE *to, const char *tag, const char *class, const char *label,
                        const char *text)
{
    fprintf(to, *class ? "<%s class=\"%s\">" : "<%s>", tag, class);
    put(to, label);
    fputs(*label && *text ? ": " : "", to);
    put(to, text);
    fprintf(to, "</%s>", tag);
}

/* Writes the page up to its body, with styles for screens, phones and paper. */
static void html_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    put(to, title);
    fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

static void html_heading(FILE *to, int level, const char *text)
{
    fprintf(to, "<h%d>", level);
    put(to, text);
    fprintf(to, "</h%d>\n", level);
}

/* Writes an element `tag`, with class `class` unless that is "". */
static void html_text(FILE *to, const char *tag, const char *class, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_element(to, tag, class, "", text);
    fputc('\n', to);
}

/* --- documents -------------------------------------------------------------------------------- */

static void put_row(FILE *to, const char *tag, const report_table *table, int row)
{
    fputs("<tr>", to);
    for (int i = 0; i < table->columns; i++)
        put_element(to, tag, "", "", table->cell[row][i]);
    fputs("</tr>\n", to);
}

static void put_table(FILE *to, const document_block *block)
{
    const report_table *table = block->table;
    if (table->rows < 2)
        return;
    if (*block->text)
        html_text(to, "p", "", "%s", block->text);
    fputs("<div class=\"table\"><table>\n", to);
    for (int i = 0; i < table->rows; i++)
        put_row(to, i ? "td" : "th", table, i);
    fputs("</table></div>\n", to);
}

static void put_advice(FILE *to, const document_block *block)
{
    fputs("<li>", to);
    html_text(to, "b", "", "%s", block->text);
    html_text(to, "span", "why", "%s", block->label);
    if (*block->doubt)
        html_text(to, "span", "why doubt", "%s.", block->doubt);
    fputs("</li>\n", to);
}

/* Writes a block. Most kinds are one element; advice and tables have several. */
static void put_block(FILE *to, const document_block *block)
{
    static const struct {
        const char *tag, *class;
    } elements[] = {
        [DOCUMENT_ENTRY] = {"p", ""},    [DOCUMENT_HEADING] = {"h2", ""},
        [DOCUMENT_LINE] = {"p", ""},     [DOCUMENT_NOTE] = {"p", ""},
        [DOCUMENT_WARNING] = {"li", ""}, [DOCUMENT_DOUBT] = {"li", "doubt"},
    };
    if (block->kind == DOCUMENT_ADVICE) {
        put_advice(to, block);
    } else if (block->kind == DOCUMENT_TABLE) {
        put_table(to, block);
    } else {
        put_element(to, elements[block->kind].tag, elements[block->kind].class, block->label,
                    block->text);
        fputc('\n', to);
    }
}

static bool is_item(const document_block *block)
{
    return block->kind == DOCUMENT_WARNING || block->kind == DOCUMENT_DOUBT ||
           block->kind == DOCUMENT_ADVICE;
}

/* Writes the blocks of a document. */
static void html_document(FILE *to, const document *whole)
{
    bool listed = false;
    for (int i = 0; i < whole->count; i++) {
        const document_block *block = &whole->block[i];
        if (is_item(block) != listed)
            fputs(listed ? "</ul>\n" : "<ul>\n", to);
        listed = is_item(block);
        put_block(to, block);
    }
    fputs(listed ? "</ul>\n" : "", to);
}

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
    fputs("</main>\n</body>\n</html>\n", to);
    return code;
}

/* Errors: SERVET_EMEMORY. */
static int make_page(FILE *to, const void *context, servet_error *error)
{
    const plot_source *source = context;
    document *part[PARTS];
    bool failed = false;
    for (int i = 0; i < PARTS; i++)
        failed = !(part[i] = document_new()) || failed;
    if (!failed)
        fill(part, source);
    for (int i = 0; i < PARTS && !failed; i++)
        failed = part[i]->failed;
    int code = failed ? srv_fail_memory(error) : write_parts(to, part, source, error);
    for (int i = 0; i < PARTS; i++)
        document_free(part[i]);
    return code;
}

typedef struct report_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *node_class;
} report_arguments;

static int write_page(servet_profile *profile, const void *parsed, servet_error *error)
{
    const report_arguments *arguments = parsed;
    char name[SERVET_NAME_MAX];
    plot_source source;
    plot_source_init(&source, profile, arguments->node_class, SERVET_ANY_CORE);
    int code = servet_profile_get(profile, &source.at, "class.name", name, sizeof name, error);
    return code == SERVET_OK ? cli_write(arguments->output, make_page, &source, error) : code;
}

static int run(const void *parsed)
{
    return cli_with_profile(((const report_arguments *)parsed)->operands[0], write_page, parsed);
}

static const cli_option options[] = {
    {"output", 'o', CLI_FILE, offsetof(report_arguments, output), "FILE",
     "output file (default: standard output)"},
    CLI_OPTION_CLASS(report_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

const cli_command command_report = {
    .name = "report",
    .summary = "write a profile as a page of HTML with pictures",
    .operands = "[PROFILE]",
    .operands_max = 1,
    .options = options,
    .size = sizeof(report_arguments),
    .run = run,
};
