/* SPDX-License-Identifier: BSD-3-Clause */
/* The module that crew.h tells of. */
#include <omp.h>

#include "machine/hardware/crew.h"

static int count(void)
{
    int threads = 1;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    return threads;
}

static void run(srv_crew_visitor *visit, void *context)
{
#pragma omp parallel
    visit(context, omp_get_thread_num());
}

extern const srv_crew_openmp servet_openmp;
const srv_crew_openmp servet_openmp = {count, run};
