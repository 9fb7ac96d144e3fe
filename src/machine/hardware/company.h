/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Samples of threads that measure at once. A sample during which one of the others did not run says
 * nothing of all of them: each thread logs when it ran, and afterwards those samples of a thread
 * count that had the most company.
 */
#ifndef SRV_HARDWARE_COMPANY_H
#define SRV_HARDWARE_COMPANY_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/hardware/thread_team.h"
#include "machine/samples.h"

/** The steps of a thread, one directly after the other; the newest are kept. */
typedef struct srv_step_log {
    size_t count; /**< of all steps */
    double begin_ns;
    double lost_ns;    /**< in which the thread had no core */
    double fastest_ns; /**< NaN: no step yet */
    srv_spell spell;   /**< since the last step that took long */
    double value[SRV_SAMPLES_MAX], end_ns[SRV_SAMPLES_MAX];
    bool absent[SRV_SAMPLES_MAX]; /**< the thread did not run for most of the step */
} srv_step_log;

/** Begins on the thread itself, directly before its first step. */
void srv_step_log_begin(srv_step_log *log);

/** Adds the step that ends now, and its sample. */
void srv_step_log_add(srv_step_log *log, double sample);

/** True if the thread has enough samples, and has run for these seconds, or was away for most of a
 * much longer time. */
bool srv_step_log_suffices(const srv_step_log *log, double seconds);

/** The logs of all threads. */
typedef struct srv_company {
    srv_step_log *log; /**< of each thread */
    int count;
    double *from, *to; /**< when absences of any thread begin and end, each ascending */
    size_t absences;
    double missing; /**< sum over the threads: share (0..1) of the others that did not run during
                       the samples that count */
} srv_company;

/** Errors: SERVET_EMEMORY. srv_company_finish() is due in any case. */
int srv_company_init(srv_company *company, int count, servet_error *error);

/** Runs a team (srv_thread_team_run()) whose threads add their samples to the logs, and compares
 * these. Errors: those of the team, SERVET_EMEMORY. */
int srv_company_run(srv_company *company, srv_topology *topology, const srv_clock *clock,
                    const srv_thread_team_job *job, void *states, size_t size, servet_error *error);

/** Compares the logs when all threads have ended. Errors: SERVET_EMEMORY. */
int srv_company_compare(srv_company *company, servet_error *error);

/** The samples of a thread that count; returns their number. To be called once for each thread. */
size_t srv_company_samples(srv_company *company, int thread, double samples[SRV_SAMPLES_MAX]);

/** Adds the share of missing threads, after the samples of all were read. */
void srv_company_note(const srv_company *company, srv_absences *absences);

void srv_company_finish(srv_company *company);

#endif
