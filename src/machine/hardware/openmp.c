/* SPDX-License-Identifier: BSD-3-Clause */
/* The module that openmp_team.h loads. */
#include <omp.h>

#include "machine/hardware/openmp_team.h"

static int count(void)
{
    int threads = 1;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    return threads;
}

static void run(srv_openmp_task *task, void *context)
{
#pragma omp parallel
    task(context, omp_get_thread_num());
}

extern const srv_openmp_module servet_openmp;
const srv_openmp_module servet_openmp = {count, run};
