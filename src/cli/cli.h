/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The frame of every Servet program: a table of subcommands, each with a table of options. The
 * parser fills a plain struct, which the subcommand gets. Help comes from the same tables.
 */
#ifndef SRV_CLI_CLI_H
#define SRV_CLI_CLI_H

#include "cli/command.h"
#include "cli/complete.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/words.h"

/** Parses the command line against the table and runs it; returns the exit status. */
int cli_main(const char *program, const cli_command *const *commands, int argc, char **argv);

/** Does what cli_main() does, with a context for commands that have `run_on`. */
int cli_main_on(const char *program, const cli_command *const *commands, const void *context,
                int argc, char **argv);

#endif
