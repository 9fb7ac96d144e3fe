/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The threads that an OpenMP program would have here. OpenMP lives in a module of its own that is
 * loaded when it is asked for: a program that is linked with it gets its main thread bound where
 * the environment says so, and then no rank of a job would be measured where its launcher left it.
 */
#ifndef SRV_HARDWARE_CREW_H
#define SRV_HARDWARE_CREW_H

/** What a thread of the crew is to do; they count from 0. */
typedef void srv_crew_visitor(void *context, int thread);

/** What the module exports, as servet_openmp. */
typedef struct srv_crew_openmp {
    int (*count)(void);
    void (*run)(srv_crew_visitor *visit, void *context);
} srv_crew_openmp;

typedef struct srv_crew {
    const srv_crew_openmp *openmp; /**< NULL: the calling thread alone */
    int count;
} srv_crew;

/**
 * The OpenMP threads of this process, or the calling thread alone where the environment has no word
 * on OpenMP (OMP_NUM_THREADS, OMP_PLACES, OMP_PROC_BIND) or the module is not there. They live as
 * long as the process does.
 */
void srv_crew_begin(srv_crew *crew);

/** Has each thread of the crew call `visit`, all at once. */
void srv_crew_visit(const srv_crew *crew, srv_crew_visitor *visit, void *context);

#endif
