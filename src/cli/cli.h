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
#include "core/ranges.h"
#include "servet/profile.h"

/** Parses the command line against the table and runs it, with a context for commands that have
 * `run_on`; returns the exit status. */
int cli_main(const char *program, const cli_command *const *commands, const void *context, int argc,
             char **argv);

/** Prints from a profile; gets the struct of the command. */
typedef int cli_profile_user(servet_profile *profile, const void *arguments, servet_error *error);

/** Opens the profile at `path` as servet_profile_open() does, and closes it after `use`; returns
 * the exit status of the command. */
int cli_with_profile(const char *path, cli_profile_user *use, const void *arguments);

/** Rows for the fields `const char *node_class` and `long long core`, by default SERVET_ANY_CORE.
 */
#define CLI_OPTION_CLASS(arguments)                                                                \
    {                                                                                              \
        "class", 0, CLI_TEXT, offsetof(arguments, node_class), "NAME",                             \
            "node class (default: the class of this node)"                                         \
    }
#define CLI_OPTION_CORE(arguments)                                                                 \
    {                                                                                              \
        "core", 0, CLI_WHOLE, offsetof(arguments, core), "N", "OS number of the core", 0,          \
            SRV_RANGES_MAX - 1                                                                     \
    }

#endif
