/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to preload: the system seems to have $PRETEND_PUS PUs, whatever this machine has. Calls
 * that bind a process succeed and are kept in the folder $PRETEND, a file for each process; calls
 * that read a binding answer from there. Together with $HWLOC_XMLFILE launchers and ranks find
 * themselves on a machine that does not exist, and bind themselves to its PUs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static FILE *open_binding(pid_t process, const char *mode)
{
    char path[PATH_BYTES];
    const char *folder = getenv("PRETEND");
    if (!folder)
        return NULL;
    snprintf(path, sizeof path, "%s/%ld", folder, (long)process);
    return fopen(path, mode);
}

/* The numbers of the PUs of a binding, one after the other; false for a process that was never
 * bound. */
static int read_binding(pid_t process, size_t size, cpu_set_t *mask)
{
    int pu;
    FILE *file = open_binding(process, "r");
    if (!file)
        return 0;
    while (fscanf(file, "%d", &pu) == 1)
        CPU_SET_S((size_t)pu, size, mask);
    fclose(file);
    return 1;
}

/* Threads have the binding of their process, processes that of their parent. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *mask)
{
    const char *pus = getenv("PRETEND_PUS");
    memset(mask, 0, size);
    if (read_binding(process ? process : gettid(), size, mask) ||
        read_binding(getpid(), size, mask) || read_binding(getppid(), size, mask))
        return 0;
    for (int pu = 0; pu < atoi(pus ? pus : "1"); pu++)
        CPU_SET_S((size_t)pu, size, mask);
    return 0;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *mask)
{
    FILE *file = open_binding(process ? process : gettid(), "w");
    if (!file || CPU_COUNT_S(size, mask) == 0) {
        errno = EINVAL;
        return -1;
    }
    for (size_t pu = 0; pu < 8 * size; pu++)
        if (CPU_ISSET_S(pu, size, mask))
            fprintf(file, "%zu\n", pu);
    return fclose(file);
}

/* The first PU of the binding. */
int sched_getcpu(void)
{
    cpu_set_t mask;
    sched_getaffinity(0, sizeof mask, &mask);
    for (int pu = 0; pu < CPU_SETSIZE; pu++)
        if (CPU_ISSET(pu, &mask))
            return pu;
    return 0;
}
