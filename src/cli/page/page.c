/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/page/page.h"

#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/plot/draw.h"
#include "cli/report/advice.h"
#include "cli/report/report.h"
#include "cli/report/warnings.h"
#include "cli/report/text.h"
#include "core/human.h"
#include "core/memory_stream.h"
#include "core/words.h"
#include "servet/identity.h"
#include "servet/network.h"
#include "servet/node.h"

/* --- head ------------------------------------------------------------------------------------- */

static void put_machine(FILE *to, const servet_machine *machine)
{
    char text[SERVET_TEXT_MAX] = "";
    report_add_count(text, sizeof text, machine->core_count, "core", "");
    report_add_count(text, sizeof text, machine->pu_count, "PU", " (hardware threads)");
    report_add_count(text, sizeof text, machine->package_count, "package", "");
    report_add_count(text, sizeof text, machine->numa_count, "NUMA node", "");
    report_add_bytes(text, sizeof text, machine->memory_bytes, "memory of ");
    html_text(to, "p", "", "%s%s%s", machine->cpu, *machine->cpu && *text ? ": " : "", text);
}

static void put_fitness(FILE *to, const plot_source *source)
{
    servet_fitness fitness;
    if (servet_profile_fitness(source->profile, &source->at, &fitness) != SERVET_OK)
        return;
    if (fitness.fit) {
        html_text(to, "p", "fit", "Fit for use.");
        return;
    }
    bool doubts = fitness.doubtful_count > 0, noisy = *fitness.noise;
    char *doubtful = cli_report_doubtful(source->profile, &source->at);
    html_text(to, "p", "unfit", "Not fit for use: %s%s%s%s.%s", doubtful ? doubtful : "some facts",
              doubts ? " not trusted" : "", doubts && noisy ? ", " : "", fitness.noise,
              noisy ? " Measure again when the node is idle." : "");
    free(doubtful);
}

static void put_head(FILE *to, const plot_source *source)
{
    servet_machine machine;
    servet_network network;
    char title[SERVET_NAME_MAX + 32] = "Measured by Servet";
    bool has_machine = servet_profile_machine(source->profile, &source->at, &machine) == SERVET_OK;
    if (has_machine)
        snprintf(title, sizeof title, "%s, measured by Servet", machine.hostname);
    html_begin(to, title);
    html_heading(to, 1, title);
    if (has_machine)
        put_machine(to, &machine);
    if (has_machine && servet_profile_here(source->profile, NULL, NULL) != SERVET_OK)
        html_text(to, "p", "", "The page was made on a machine of another type.");
    if (servet_network_get(source->profile, &network) == SERVET_OK)
        html_text(to, "p", "", "Communication: %d processes on %d node%s.", network.ranks,
                  network.nodes, report_plural(network.nodes));
    put_fitness(to, source);
}

/* --- advice and disagreements ----------------------------------------------------------------- */

static void put_advice(FILE *to, const servet_advice *advice)
{
    char sentence[REPORT_SENTENCE_MAX];
    fputs("<li>", to);
    report_advice_sentence(advice, sentence);
    html_text(to, "b", "", "%s", sentence);
    report_advice_reason(advice, sentence);
    html_text(to, "span", "why", "%s", sentence);
    if (!advice->trusted)
        html_text(to, "span", "why doubt", "%s.", advice->doubt);
    fputs("</li>\n", to);
}

static int put_all_advice(FILE *to, const plot_source *source)
{
    servet_advice *advice;
    int count, code = report_advice_list(source->profile, &source->at, SERVET_ADVICE_FOR_NODE,
                                         &advice, &count);
    if (code == SERVET_OK && count > 0) {
        fputs("<ul>\n", to);
        for (int i = 0; i < count; i++)
            put_advice(to, &advice[i]);
        fputs("</ul>\n", to);
    } else if (code == SERVET_OK) {
        html_text(to, "p", "", "The profile has no results that lead to advice.");
    }
    free(advice);
    return code;
}

/* Prints the lines that begin with "! " and are doubts, or those that are not; returns true if
 * there are any. */
static bool put_lines(FILE *to, const char *lines, bool doubts)
{
    bool any = false;
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        const char *doubt = strstr(lines, "not trusted");
        bool is_doubt = doubt && doubt < lines + length;
        if (strncmp(lines, "! ", 2) == 0 && is_doubt == doubts) {
            fputs(any ? "" : doubts ? "<ul class=\"doubts\">\n" : "<ul>\n", to);
            any = true;
            html_text(to, "li", "", "%.*s", (int)length - 2, lines + 2);
        }
        lines += length + (lines[length] == '\n');
    }
    fputs(any ? "</ul>\n" : "", to);
    return any;
}

/* If the run is not recorded, its disturbances are unknown. */
static void put_warnings(FILE *to, const char *lines, bool has_run)
{
    bool disagrees = put_lines(to, lines, false), doubts = put_lines(to, lines, true);
    if (!disagrees && !doubts)
        html_text(to, "p", "", "%s",
                  has_run ? "No result differs from what the operating system reports, and nothing "
                            "disturbed the run."
                          : "Nothing is recorded that differs from what the operating system "
                            "reports, or that disturbed the run.");
}

static int put_disagreements(FILE *to, const plot_source *source)
{
    servet_run run;
    char *lines;
    srv_memory_stream memory;
    if (!srv_memory_stream_open(&memory))
        return SERVET_EMEMORY;
    report_write_warnings(memory.stream, source->profile, &source->at);
    report_write_warnings(memory.stream, source->profile, NULL);
    if (!srv_memory_stream_close(&memory, &lines, NULL))
        return SERVET_EMEMORY;
    put_warnings(to, lines, servet_profile_run(source->profile, &run) == SERVET_OK);
    free(lines);
    return SERVET_OK;
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

static void put_share(FILE *to, const char *what, const servet_value *share)
{
    if (servet_value_known(share))
        html_text(to, "li", "", "%s: %s %%", what, HUMAN(share->value * 100, 3));
}

static void put_run(FILE *to, const plot_source *source)
{
    servet_run run;
    char words[SERVET_TEXT_MAX], overhead[HUMAN_MAX], resolution[HUMAN_MAX];
    if (servet_profile_run(source->profile, &run) != SERVET_OK)
        return;
    srv_words_list(run.benchmarks, words, sizeof words);
    fputs("<ul>\n", to);
    html_text(to, "li", "", "Begun %s, by Servet %s%s%s", run.started, run.version,
              *run.options ? ", with " : "", run.options);
    if (servet_value_known(&run.duration))
        html_text(to, "li", "", "Duration: %s s", HUMAN(run.duration.value, 3));
    if (*run.benchmarks)
        html_text(to, "li", "", "Benchmarks: %s", words);
    srv_words_list(run.unfinished, words, sizeof words);
    if (*run.unfinished)
        html_text(to, "li", "doubt", "Not measured yet: %s; --resume continues", words);
    human_time(run.clock_overhead.value, overhead);
    human_time(run.clock_resolution.value, resolution);
    if (*run.clock)
        html_text(to, "li", "", "Clock: %s; overhead %s, resolution %s", run.clock, overhead,
                  resolution);
    put_share(to, "Time that other work took", &run.noise);
    put_share(to, "Time that the hypervisor reports as stolen", &run.steal);
    put_share(to, "Time that other processes had the core", &run.others);
    put_share(to, "Decrease of the core's frequency", &run.drift);
    fputs("</ul>\n", to);
}

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

int page_write(FILE *to, const plot_source *source, servet_error *error)
{
    put_head(to, source);
    html_heading(to, 2, "What programs should do");
    if (put_all_advice(to, source) != SERVET_OK)
        return figure_out_of_memory(error);
    html_heading(to, 2, "Disagreements and doubts");
    if (put_disagreements(to, source) != SERVET_OK)
        return figure_out_of_memory(error);
    html_heading(to, 2, "Pictures");
    if (put_pictures(to, source, error) != SERVET_OK)
        return error->code;
    html_heading(to, 2, "Results");
    page_caches(to, source);
    page_translation(to, source);
    page_distances(to, source);
    page_memory(to, source);
    page_layers(to, source);
    html_heading(to, 2, "How it was measured");
    put_run(to, source);
    put_methods(to);
    html_end(to);
    return SERVET_OK;
}
