/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/crew.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

static bool openmp_wanted(void)
{
    return getenv("OMP_NUM_THREADS") || getenv("OMP_PLACES") || getenv("OMP_PROC_BIND");
}

/* Found by the run path of the program. It is never closed: its threads still run its code. */
static const srv_crew_openmp *load_openmp(void)
{
    void *module = dlopen("servet_openmp.so", RTLD_NOW);
    return module ? dlsym(module, "servet_openmp") : NULL;
}

void srv_crew_begin(srv_crew *crew)
{
    crew->openmp = openmp_wanted() ? load_openmp() : NULL;
    crew->count = crew->openmp ? crew->openmp->count() : 1;
}

void srv_crew_visit(const srv_crew *crew, srv_crew_visitor *visit, void *context)
{
    if (crew->openmp)
        crew->openmp->run(visit, context);
    else
        visit(context, 0);
}
