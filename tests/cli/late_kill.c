/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded, it kills the program in the middle of storing: before the second series is moved. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat(int from, const char *name, int to, const char *other)
{
    static int moved;
    const char *end = strrchr(other, '.');
    if (end && strcmp(end, ".csv") == 0 && ++moved == 2)
        raise(SIGKILL);
    return (int)syscall(SYS_renameat2, from, name, to, other, 0);
}
