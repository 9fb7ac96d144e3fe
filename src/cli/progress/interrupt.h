/* SPDX-License-Identifier: BSD-3-Clause */
/** Signals that end a long command: it cleans up first. */
#ifndef SRV_CLI_PROGRESS_INTERRUPT_H
#define SRV_CLI_PROGRESS_INTERRUPT_H

/**
 * Takes over the signals that end programs, except those that the caller's surroundings ignore
 * (nohup ignores SIGHUP, shells ignore SIGINT in the background).
 */
void cli_interrupt_begin(void);

/** The signal that came since, or 0. */
int cli_interrupted(void);

/** Gives the signals their earlier actions back. */
void cli_interrupt_end(void);

#endif
