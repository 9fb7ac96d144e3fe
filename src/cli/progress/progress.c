/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/progress/interrupt.h"

/* The remaining time of a simulation is estimated from this share on: the first part takes longer
 * than its share, depending on the caches of the model. */
static const double ESTIMATED_FROM = 0.1;

static const double BAR_EVERY = 0.1, LINE_EVERY = 5; /* seconds */
enum { BAR_WIDTH = 24, WIDTH_MAX = 256, WIDTH_USUAL = 80 };

enum { TIME_TEXT_MAX = 64 };

static double seconds_here(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns true if the terminal can move its cursor; otherwise it would show all states of the bar
 * side by side. */
static bool can_clear(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* Returns the number of columns of the terminal, which may change. */
static int columns(void)
{
    struct winsize size = {0};
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    int width = known ? size.ws_col : WIDTH_USUAL;
    return width < WIDTH_MAX ? width : WIDTH_MAX;
}

void cli_progress_begin(cli_progress *progress, bool quiet, bool simulated, double expected)
{
    double now = seconds_here();
    *progress = (cli_progress){quiet, can_clear(), simulated, expected, now, now - LINE_EVERY};
}

/* Writes "  12 s of about 49 s", if the duration is known and not over. For a simulated machine
 * with its own clock, writes "  12 s of about 49 s (30 s here)", and later "  12 s of about 49 s
 * (30 s here, about 40 s left)". */
static void format_time(const cli_progress *progress, const servet_progress *now,
                        char text[TIME_TEXT_MAX])
{
    double here = seconds_here() - progress->began, left = here * (1 - now->done) / now->done;
    int n = snprintf(text, TIME_TEXT_MAX, "%4.0f s", now->seconds);
    if (progress->expected > now->seconds) /* a second look may take longer */
        n += snprintf(text + n, TIME_TEXT_MAX - (size_t)n, " of about %.0f s", progress->expected);
    char *end = text + n;
    size_t room = TIME_TEXT_MAX - (size_t)n;
    if (progress->simulated && now->done < ESTIMATED_FROM)
        snprintf(end, room, " (%.0f s here)", here);
    else if (progress->simulated)
        snprintf(end, room, " (%.0f s here, about %.0f s left)", here, left);
}

/* Shows the bar. A line as long as the width of the terminal would continue on the next one, so it
 * is cut; a narrow terminal has no bar. */
static void show_bar(const servet_progress *now, const char *time)
{
    char bar[BAR_WIDTH + 4] = "[", line[WIDTH_MAX];
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i + 1] = i < (int)(now->done * BAR_WIDTH) ? '#' : '.';
    memcpy(bar + BAR_WIDTH + 1, "] ", 3);
    int width = columns();
    snprintf(line, (size_t)width, "%s%3.0f %%  %s  %s", width < 2 * BAR_WIDTH ? "" : bar,
             100 * now->done, time, now->what);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

int cli_progress_show(void *context, const servet_progress *now)
{
    cli_progress *progress = context;
    double every = progress->terminal ? BAR_EVERY : LINE_EVERY, here = seconds_here();
    char time[TIME_TEXT_MAX];
    if (!progress->quiet && here >= progress->shown + every) {
        progress->shown = here;
        format_time(progress, now, time);
        if (progress->terminal)
            show_bar(now, time);
        else
            fprintf(stderr, "%3.0f %% %s %s\n", 100 * now->done, time, now->what);
    }
    return cli_interrupted();
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress->quiet && progress->terminal)
        fputs("\r\033[K", stderr);
}
