/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, it tells the program to end in the middle of storing: right before the new profile, or
 * the file that LATE_SIGNAL_AT names, takes the place of the old one. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rename(const char *from, const char *to)
{
    const char *name = strrchr(to, '/'), *at = getenv("LATE_SIGNAL_AT");
    if (name && strcmp(name + 1, at ? at : "profile.json") == 0)
        raise(at ? SIGINT : SIGTERM);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
