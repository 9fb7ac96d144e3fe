/* SPDX-License-Identifier: BSD-3-Clause */
/** The options --class and --core of the commands that query a profile. */
#ifndef SRV_CLI_QUERY_H
#define SRV_CLI_QUERY_H

#include "cli/cli.h"
#include "core/ranges.h"
#include "servet/profile.h"

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

/** The class and core of a query. */
servet_at cli_at(const char *node_class, long long core);

#endif
