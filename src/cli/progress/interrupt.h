/* SPDX-License-Identifier: BSD-3-Clause */
/** Handles signals that end a long command, so that it cleans up before it ends. */
#ifndef SRV_CLI_PROGRESS_INTERRUPT_H
#define SRV_CLI_PROGRESS_INTERRUPT_H

/**
 * Handles the signals that end programs, except for signals that are ignored already (nohup ignores
 * SIGHUP, shells ignore SIGINT in the background).
 */
void cli_interrupt_begin(void);

/** Returns the signal that has arrived since then, or 0. */
int cli_interrupted(void);

/** Restores the earlier actions of the signals. */
void cli_interrupt_end(void);

#endif
