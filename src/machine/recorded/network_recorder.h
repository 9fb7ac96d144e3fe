/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A network that passes probes on to another one and keeps them, with the answers, in a folder
 * of raw series. A measurement consists of jobs, mostly of one; each continues where the previous
 * one was ended. For job N, answers-network-N.txt has the fixed answers, and a file for each part
 * (answers-network-N-layers.txt, ...) the rest, complete once the part has ended. A replay
 * (network_replay.h) answers from these files.
 */
#ifndef SRV_MACHINE_RECORDED_NETWORK_RECORDER_H
#define SRV_MACHINE_RECORDED_NETWORK_RECORDER_H

#include "machine/recorded/rows.h"

/** The clock of a record counts these. */
#define SRV_MICROSECONDS 1e6

/** Constant parts of a record besides the network itself: the run, a node, and what its cores
 * share. */
typedef struct srv_network_record {
    srv_recorded_job job;
    servet_machine machine;
    srv_sets objects;
} srv_network_record;

/**
 * Begins the record of a job on `inner`, which stays the caller's and must live longer, in a folder
 * that exists: as the next job after those on record there. A measurement gets the times as they
 * were written, and a clock of microseconds. A part that has not ended leaves no file; one that is
 * continued after its end has a file for each piece. It has no measure_nodes(): nodes are measured
 * by `inner`, before. The caller destroys the network. Errors: those of the network's description,
 * SERVET_EIO, SERVET_EMEMORY.
 */
int srv_network_recorder_create(srv_network **network, srv_network *inner, const char *folder,
                                const srv_network_record *record, servet_error *error);

/** "network-2-layers", "network-2-layers-3" for its third piece, as srv_record_path() wants it; for
 * what is fixed with `part` NULL. */
void srv_network_part_name(int job, const char *part, int piece, char name[SERVET_NAME_MAX]);

#endif
