/* SPDX-License-Identifier: BSD-3-Clause */
/** Shows progress on stderr: a bar on a terminal that can move its cursor; otherwise a line every
 * few seconds. */
#ifndef SRV_CLI_PROGRESS_PROGRESS_H
#define SRV_CLI_PROGRESS_PROGRESS_H

#include <stdbool.h>

#include "servet/measure.h"

typedef struct cli_progress {
    bool quiet;
    bool terminal; /**< it can clear a line: not TERM=dumb, as in editors */
    bool simulated;
    double expected;     /**< duration on the clock of the machine, in seconds; 0: not known */
    double began, shown; /**< times on this host's clock, s: the start, and the last output */
} cli_progress;

/** Starts; with `quiet`, nothing is shown. For a `simulated` machine, the time that passes here is
 * shown, too. `expected` is the duration in seconds on the clock of the machine; 0: not known. */
void cli_progress_begin(cli_progress *progress, bool quiet, bool simulated, double expected);

/** For servet_measure_options.progress, with a cli_progress as its context: the answer is
 *  cli_interrupted(). */
int cli_progress_show(void *context, const servet_progress *now);

/** Clears the bar. */
void cli_progress_end(cli_progress *progress);

#endif
