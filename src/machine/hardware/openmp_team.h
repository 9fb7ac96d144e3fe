/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The threads of an OpenMP program on this node. OpenMP is in a module that is loaded on demand: a
 * program linked with it gets its main thread bound if the environment requests it, and then no
 * rank of a job would be measured with the binding of its launcher.
 */
#ifndef SRV_HARDWARE_OPENMP_TEAM_H
#define SRV_HARDWARE_OPENMP_TEAM_H

/** Work of a thread of the team; they count from 0. */
typedef void srv_openmp_task(void *context, int thread);

/** Exports of the module, as servet_openmp. */
typedef struct srv_openmp_module {
    int (*count)(void);
    void (*run)(srv_openmp_task *task, void *context);
} srv_openmp_module;

typedef struct srv_openmp_team {
    const srv_openmp_module *openmp; /**< NULL: the calling thread alone */
    int count;
} srv_openmp_team;

/**
 * The OpenMP threads of this process, or the calling thread alone where the environment has no word
 * on OpenMP (OMP_NUM_THREADS, OMP_PLACES, OMP_PROC_BIND) or the module is not there. They live as
 * long as the process does.
 */
void srv_openmp_team_begin(srv_openmp_team *team);

/** Has each thread of the team call `task`, all at once. */
void srv_openmp_team_run(const srv_openmp_team *team, srv_openmp_task *task, void *context);

#endif
