/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/query.h"

servet_at cli_at(const char *node_class, long long core)
{
    return (servet_at){.node_class = node_class, .core = (int)core};
}
