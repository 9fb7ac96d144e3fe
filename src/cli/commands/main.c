/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/commands/commands.h"

int main(int argc, char **argv)
{
    static const cli_command *const commands[] = {
        &command_measure, &command_analyze, &command_show,  &command_plot,   &command_report,
        &command_advise,  &command_get,     &command_check, &command_diff,   &command_export,
        &command_env,     &command_map,     &command_merge, &command_gather, NULL,
    };
    return cli_main("servet", commands, NULL, argc, argv);
}
