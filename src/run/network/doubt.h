/* SPDX-License-Identifier: BSD-3-Clause */
/** Facts of communication that noise makes doubtful. */
#ifndef SRV_RUN_NETWORK_DOUBT_H
#define SRV_RUN_NETWORK_DOUBT_H

#include "run/network/job.h"

/**
 * Marks facts of a benchmark in the profile as not trusted if one of its witnesses was disturbed
 * meanwhile: its core was busy, it did not run, others moved it; or other programs used the memory
 * that messages within a node, or of many processes at once, go through. A layer's own values are
 * medians, and need a quarter of its ranks for that, or its typical pair. Errors: those of
 * servet_profile_distrust().
 */
int srv_network_doubt(const srv_network_job *job, const srv_benchmark *row, servet_error *error);

#endif
