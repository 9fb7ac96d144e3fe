/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, it asks the program to end in the middle of storing: right before the new profile
 * takes the place of the old one. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int rename(const char *from, const char *to)
{
    const char *name = strrchr(to, '/');
    if (name && strcmp(name, "/profile.json") == 0)
        raise(SIGTERM);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
