/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library to preload: the system seems to have $PRETEND_PUS PUs, whatever this machine has. Calls
 * that bind a process or thread succeed and are kept in the folder $PRETEND, a file for each; calls
 * that read a binding answer from there. Together with $HWLOC_XMLFILE launchers and ranks find
 * themselves on a machine that does not exist, and bind themselves to its PUs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
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

/* --- threads of OpenMP, each bound by another one before it begins ---------------------------- */

/* glibc makes these by system calls of its own. */
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *mask)
{
    return pthread_equal(thread, pthread_self()) ? sched_getaffinity(0, size, mask) : ENOSYS;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *mask)
{
    if (!pthread_equal(thread, pthread_self()))
        return ENOSYS;
    return sched_setaffinity(0, size, mask) == 0 ? 0 : errno;
}

/* The binding of the next thread that this one starts, of which the system must not know. */
static _Thread_local cpu_set_t next_mask;
static _Thread_local bool next_is_bound;

int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *mask)
{
    (void)attributes;
    memset(&next_mask, 0, sizeof next_mask);
    memcpy(&next_mask, mask, size < sizeof next_mask ? size : sizeof next_mask);
    next_is_bound = true;
    return 0;
}

typedef struct started {
    void *(*run)(void *);
    void *argument;
    cpu_set_t mask;
} started;

static void *run_bound(void *given)
{
    started thread = *(started *)given;
    free(given);
    sched_setaffinity(0, sizeof thread.mask, &thread.mask);
    return thread.run(thread.argument);
}

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    creator *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    started *bound = next_is_bound ? malloc(sizeof *bound) : NULL;
    next_is_bound = false;
    if (!bound)
        return create(thread, attributes, run, argument);
    *bound = (started){run, argument, next_mask};
    return create(thread, attributes, run_bound, bound);
}
