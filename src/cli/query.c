/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/query.h"

#include <limits.h>

/* A number beyond int is no core either, and INT_MAX is none in any profile. */
servet_at cli_at(const char *node_class, long long core)
{
    return (servet_at){.node_class = node_class, .core = core > INT_MAX ? INT_MAX : (int)core};
}
