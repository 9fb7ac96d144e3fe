/* SPDX-License-Identifier: BSD-3-Clause */
/** Completes command lines for all shells. */
#ifndef SRV_CLI_COMPLETE_H
#define SRV_CLI_COMPLETE_H

#include "cli/command.h"

/** Prints a word that completes the command line, with its description (NULL: none). */
void cli_candidate(const char *word, const char *description);

/** Answers `PROGRAM --complete WORD...`, by which shells complete the last word. Prints a line for
 * each completion: a word, perhaps with a tab and its description; or :files or :folders. Returns
 * an exit status. */
int cli_complete(const cli_command *const *commands, int count, char **words);

#endif
