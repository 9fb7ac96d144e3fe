/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, it kills the program in the middle of storing: before the second series is moved. With
 * LATE_ERROR in the environment that move fails instead, as on a broken disk. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat(int from, const char *name, int to, const char *other)
{
    static int moved;
    const char *end = strrchr(other, '.');
    bool now = end && strcmp(end, ".csv") == 0 && ++moved == 2;
    if (now && getenv("LATE_ERROR")) {
        errno = EIO;
        return -1;
    }
    if (now)
        raise(SIGKILL);
    return (int)syscall(SYS_renameat2, from, name, to, other, 0);
}
