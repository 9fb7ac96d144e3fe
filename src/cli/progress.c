/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "interrupt.h"

static const double BAR_EVERY = 0.1, LINE_EVERY = 5; /* seconds */
enum { BAR_WIDTH = 24 };

void cli_progress_begin(cli_progress *progress, bool quiet)
{
    *progress = (cli_progress){quiet, isatty(STDERR_FILENO), -LINE_EVERY};
}

static void show_bar(const servet_progress *now)
{
    char bar[BAR_WIDTH + 1] = "";
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < (int)(now->done * BAR_WIDTH) ? '#' : '.';
    fprintf(stderr, "\r[%s] %3.0f %%  %4.0f s  %s\033[K", bar, 100 * now->done, now->seconds,
            now->what);
    fflush(stderr);
}

int cli_progress_show(void *context, const servet_progress *now)
{
    cli_progress *progress = context;
    double every = progress->terminal ? BAR_EVERY : LINE_EVERY;
    if (!progress->quiet && now->seconds >= progress->shown + every) {
        progress->shown = now->seconds;
        if (progress->terminal)
            show_bar(now);
        else
            fprintf(stderr, "%3.0f %% %4.0f s %s\n", 100 * now->done, now->seconds, now->what);
    }
    return cli_interrupted();
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress->quiet && progress->terminal)
        fputs("\r\033[K", stderr);
}
