/* SPDX-License-Identifier: BSD-3-Clause */
/** The subcommands of `servet`; each has a file. */
#ifndef SRV_CLI_COMMANDS_COMMANDS_H
#define SRV_CLI_COMMANDS_COMMANDS_H

#include "cli/cli.h"

extern const cli_command command_measure, command_analyze, command_show, command_advise,
    command_get, command_check, command_map, command_diff, command_export, command_merge,
    command_gather, command_plot, command_report, command_env;

#endif
