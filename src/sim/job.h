/* SPDX-License-Identifier: BSD-3-Clause */
/** The ranks of a job on a modelled machine. */
#ifndef SRV_MODEL_JOB_H
#define SRV_MODEL_JOB_H

#include "sim/model.h"
#include "machine/network.h"

/** Place of a rank in the model, by logical numbers. */
typedef struct srv_pu_place {
    int node, pu;
} srv_pu_place;

typedef struct srv_job {
    srv_rank *ranks;      /**< as srv_network_ops.describe returns them */
    srv_pu_place *places; /**< and where that is in the model */
    int rank_count;
    srv_network_node *nodes;
    int node_count;
} srv_job;

/**
 * Places the ranks as srv_messages_create() describes; srv_job_finish() frees it, also where this
 * fails. Errors: SERVET_EARGUMENT, SERVET_EMEMORY.
 */
int srv_job_init(srv_job *job, const srv_model *model, const srv_rank *ranks, int rank_count,
                 servet_error *error);

/** A zeroed job is valid. */
void srv_job_finish(srv_job *job);

#endif
