/* SPDX-License-Identifier: BSD-3-Clause */
/** A family of facts of communication as the planner sees it. */
#ifndef SRV_RUN_NETWORK_STEP_H
#define SRV_RUN_NETWORK_STEP_H

#include "run/network/job.h"

/** Quantities on which the costs depend. */
typedef struct srv_network_scale {
    int nodes, cores;                 /**< of the job; cores: processes of its largest node */
    int sender_nodes;                 /**< that the benchmarks of distance and access use */
    int sender_processes;             /**< of the smallest of them */
    int within, between;              /**< layers of each kind; 0: no pair of ranks */
    double byte_within, byte_between; /**< s that a byte of a large message takes */
    double layer_bytes, message_bytes;
} srv_network_scale;

/** A benchmark as the planner sees it. */
typedef struct srv_network_step {
    const char *what;   /**< for the progress */
    unsigned needs;     /**< 1u << srv_network_benchmark of those before */
    const char *series; /**< its raw series, patterns of fnmatch() */
    double (*cost)(const srv_network_scale *scale); /**< s, where nothing cuts it */
    int (*run)(srv_network_job *job, servet_error *error);
} srv_network_step;

#endif
