/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/hardware/openmp_team.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

/* Found by the run path of the program. It is never closed: its threads still run its code. */
static const srv_openmp_module *load_openmp(void)
{
    void *module = dlopen("servet_openmp.so", RTLD_NOW);
    return module ? dlsym(module, "servet_openmp") : NULL;
}

void srv_openmp_team_begin(srv_openmp_team *team)
{
    bool wanted = getenv("OMP_NUM_THREADS") || getenv("OMP_PLACES") || getenv("OMP_PROC_BIND");
    team->openmp = wanted ? load_openmp() : NULL;
    team->count = team->openmp ? team->openmp->count() : 1;
}

void srv_openmp_team_run(const srv_openmp_team *team, srv_openmp_task *task, void *context)
{
    if (team->openmp)
        team->openmp->run(task, context);
    else
        task(context, 0);
}
