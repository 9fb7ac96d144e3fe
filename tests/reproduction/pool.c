/* SPDX-License-Identifier: BSD-3-Clause */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

typedef struct pool {
    atomic_int next;
    int count;
    void (*job)(void *context, int index);
    void *context;
} pool;

static void *work(void *argument)
{
    pool *all = argument;
    for (int index; (index = atomic_fetch_add(&all->next, 1)) < all->count;)
        all->job(all->context, index);
    return NULL;
}

void pool_run(int count, void (*job)(void *context, int index), void *context)
{
    pool all = {.count = count, .job = job, .context = context};
    pthread_t threads[THREADS_MAX];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int started = 0;
    while (started + 1 < processors && started < THREADS_MAX &&
           pthread_create(&threads[started], NULL, work, &all) == 0)
        started++;
    work(&all);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}
