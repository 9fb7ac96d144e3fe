/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * The observed binding of a process and its threads, as the operating system reports it. Sets are
 * OS numbers of PUs as ranges ("0-3,8").
 */
#ifndef SRV_HARDWARE_BINDING_H
#define SRV_HARDWARE_BINDING_H

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"

/** Observed place of a thread. */
typedef struct srv_observed_thread {
    const char *cores; /**< PUs that it may run on */
    int core;          /**< the one that it ran on when observed; -1: not reported */
} srv_observed_thread;

/** Observed place of a process. */
typedef struct srv_observed_binding {
    const char *host;
    const char *job;         /**< PUs that its job may use on this node (cpuset, cgroup) */
    const char *job_whole;   /**< with all hardware threads of their cores */
    const char *cores;       /**< PUs that its threads may run on */
    const char *cores_whole; /**< with all hardware threads of their cores */
    const char *requested;   /**< binding requested from Slurm ("map_cpu:0,1"); "": none */
    bool openmp;             /**< the threads are those of OpenMP, else the calling one alone */
    int core_count;          /**< cores that `cores` belongs to: no more than it has PUs */
    int thread_count;
    srv_observed_thread *threads;
} srv_observed_binding;

/**
 * Writes where the calling process and its threads run, for srv_observed_binding_read(). Its OpenMP
 * threads are included if the environment configures OpenMP (OMP_NUM_THREADS, OMP_PLACES,
 * OMP_PROC_BIND) and this program finds an OpenMP library: it may bind the calling thread, as it
 * does in every program. Errors: SERVET_EMACHINE, SERVET_EMEMORY.
 */
int srv_observed_binding_write(FILE *stream, servet_error *error);

/**
 * Reads the `size` bytes that srv_observed_binding_write() wrote; but for its `threads`, which the
 * caller frees, also after a failure, the binding points into that text. Errors: SERVET_EMEMORY,
 * SERVET_ECOMMUNICATION (a part is missing).
 */
int srv_observed_binding_read(const char *text, size_t size, srv_observed_binding *binding,
                              servet_error *error);

#endif
