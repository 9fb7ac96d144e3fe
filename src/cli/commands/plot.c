/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/message.h"
#include "cli/plot/draw.h"
#include "cli/plot/plots.h"
#include "core/error.h"

typedef struct plot_arguments {
    const char *operands[CLI_OPERANDS_MAX];
    const char *output, *node_class;
    int format;
    long long core;
} plot_arguments;

/* --- formats ---------------------------------------------------------------------------------- */

static const struct format {
    const char *name, *ending;
    draw_figure *draw;
    bool of_gnuplot; /* gnuplot draws it, which cannot draw boxes */
    bool is_run;     /* the output is a script that gnuplot runs */
} formats[] = {
    {"svg", ".svg", draw_svg, false, false},
    {"gnuplot", ".gp", draw_gnuplot, true, false},
    {"png", ".png", draw_gnuplot, true, true},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static const char *format_name(unsigned number)
{
    return number < FORMAT_COUNT ? formats[number].name : "?";
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), of_ending = strlen(ending);
    return length > of_ending && strcmp(text + length - of_ending, ending) == 0;
}

/* Returns the format: the one that is named, or else by the ending of the file's name; SVG if it
 * has none. Returns NULL for an unknown ending. */
static const struct format *find_format(const plot_arguments *arguments)
{
    if (arguments->format >= 0)
        return &formats[arguments->format];
    const char *name = arguments->output ? arguments->output : "", *slash = strrchr(name, '/');
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (ends_with(name, formats[i].ending))
            return &formats[i];
    return strchr(slash ? slash + 1 : name, '.') ? NULL : &formats[0];
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Passes the script as stdin to the process that is started next: gnuplot might misread a path. */
static bool begin_script(FILE *script, figure *drawn)
{
    if (!script)
        return false;
    fputs("set terminal pngcairo size 1000,640\n", script);
    draw_gnuplot(script, drawn);
    rewind(script);
    return !ferror(script) && dup2(fileno(script), STDIN_FILENO) == STDIN_FILENO;
}

static bool read_gnuplot(FILE *into)
{
    char part[4096];
    FILE *from = popen("gnuplot", "r");
    for (size_t n; from && (n = fread(part, 1, sizeof part, from)) > 0;)
        fwrite(part, 1, n, into);
    return from && pclose(from) == 0;
}

/* gnuplot prints its own errors; if it is missing, the shell prints one. */
static bool run_gnuplot(FILE *into, figure *drawn)
{
    FILE *script = tmpfile();
    bool done = begin_script(script, drawn) && read_gnuplot(into);
    if (script)
        fclose(script);
    return done;
}

/* A picture to write. */
typedef struct plot_file {
    const struct format *format;
    figure *drawn;
    const char *path;
} plot_file;

static int make_file(FILE *to, const void *context, servet_error *error)
{
    const plot_file *file = context;
    if (!file->format->is_run)
        file->format->draw(to, file->drawn);
    else if (!run_gnuplot(to, file->drawn))
        return srv_fail_at(error, SERVET_EIO, file->path ? file->path : "standard output", 0,
                           "cannot write: gnuplot is missing or failed (svg needs none)");
    return SERVET_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Lists all plots, and whether this profile has them. */
static int list_plots(const plot_source *source)
{
    for (int i = 0; i < PLOT_COUNT; i++) {
        servet_error error = SERVET_ERROR_INIT;
        figure drawn = {.form = FIGURE_CHART};
        int code = source ? plot_fill(&plots[i], source, &drawn, &error) : SERVET_OK;
        figure_finish(&drawn);
        printf("%-15s %s\n", plots[i].word, plots[i].help);
        if (code != SERVET_OK)
            printf("%-15s not in this profile: %s\n", "", error.text);
    }
    return cli_finish_output();
}

static int draw_plot(const plot *wanted, const plot_source *source, const struct format *format,
                     const char *path)
{
    servet_error error = SERVET_ERROR_INIT;
    figure drawn = {.form = FIGURE_CHART};
    int code = plot_fill(wanted, source, &drawn, &error);
    if (code == SERVET_OK && drawn.form == FIGURE_BOXES && format->of_gnuplot)
        code = srv_fail(&error, SERVET_EARGUMENT, "gnuplot cannot draw the %s: --format svg",
                        wanted->word);
    if (code == SERVET_OK)
        code = cli_write(path, make_file, &(plot_file){format, &drawn, path}, &error);
    figure_finish(&drawn);
    return code == SERVET_OK ? cli_finish_output() : cli_error(&error);
}

static int run(const void *parsed)
{
    const plot_arguments *arguments = parsed;
    servet_error error = SERVET_ERROR_INIT;
    servet_profile *profile = NULL;
    plot_source source;
    char name[SERVET_NAME_MAX];
    const char *word = arguments->operands[0];
    const struct format *format = find_format(arguments);
    const plot *wanted = word ? plot_find(word) : NULL;
    if (word && !wanted)
        return cli_usage_error("there is no plot '%s' (servet plot lists them)", word);
    if (!format)
        return cli_usage_error("'%s' ends neither with .svg, .gp nor .png: use --format",
                               arguments->output);
    if (format->is_run && !arguments->output && isatty(STDOUT_FILENO))
        return cli_usage_error("--format png needs --output: a terminal cannot show it");
    int code = servet_profile_open(&profile, arguments->operands[1], &error);
    if (code != SERVET_OK && !word)
        return list_plots(NULL);
    if (code != SERVET_OK)
        return cli_error(&error);
    servet_at at = {arguments->node_class, (int)arguments->core};
    plot_source_init(&source, profile, at.node_class, at.core);
    int status = CLI_OK;
    if (servet_profile_get(profile, &source.at, "class.name", name, sizeof name, &error) !=
        SERVET_OK)
        status = cli_error(&error);
    else
        status =
            wanted ? draw_plot(wanted, &source, format, arguments->output) : list_plots(&source);
    servet_profile_close(profile);
    return status;
}

static const cli_option options[] = {
    {"format", 0, CLI_WORD, offsetof(plot_arguments, format), "FORMAT",
     "output format (default: by the name of the output, or svg)", .word = format_name},
    {"output", 'o', CLI_FILE, offsetof(plot_arguments, output), "FILE",
     "output file (default: standard output)"},
    CLI_OPTION_CLASS(plot_arguments),
    CLI_OPTION_CORE(plot_arguments),
    {NULL, 0, CLI_FLAG, 0, NULL, NULL},
};

static const plot_arguments defaults = {
    .format = -1, .output = NULL, .node_class = NULL, .core = SERVET_ANY_CORE};

static bool complete(const char *name)
{
    bool picture = strcmp(name, "WHAT") == 0;
    for (int i = 0; picture && i < PLOT_COUNT; i++)
        cli_candidate(plots[i].word, plots[i].help);
    return picture;
}

const cli_command command_plot = {
    .name = "plot",
    .summary = "draw a picture of a profile, or list the pictures",
    .operands = "[WHAT [PROFILE]]",
    .operands_max = 2,
    .options = options,
    .size = sizeof(plot_arguments),
    .defaults = &defaults,
    .run = run,
    .complete = complete,
};
