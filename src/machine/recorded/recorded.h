/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * Recordings. A recorder is a machine or a network that passes probes on to another one and keeps
 * them, with the answers, in a folder of raw series; a replay answers from that folder, so that a
 * measurement on it repeats all probes and decisions without the hardware.
 *
 * What is fixed is in answers-machine.txt or, of job N on a network, answers-network-N.txt; the
 * rest is in a file for each part of the measurement (such as answers-cache.txt or
 * answers-network-N-layers.txt), complete once the part has ended. A part that is continued after
 * its end has a file for each piece (answers-network-N-layers-2.txt), one that has not ended leaves
 * none. A measurement gets answers and times as they were written, and so do its replays.
 *
 * A replay answers the same probes in the same order with the same answers and the same readings of
 * the clock. A probe that is not on record gets the unused answer of another sample of the same
 * (another seed, another time to spend), or else SERVET_EUNMEASURED; noise is then unknown.
 */
#ifndef SRV_MACHINE_RECORDED_RECORDED_H
#define SRV_MACHINE_RECORDED_RECORDED_H

#include "machine/network.h"

/** The clock of a recording counts these. */
#define SRV_MICROSECONDS 1e6

/** The options of a measurement, which determine its probes and the meaning of the answers. */
typedef struct srv_recorded_run {
    char version[SERVET_NAME_MAX], started[SERVET_NAME_MAX]; /**< as in servet_run */
    char command[SERVET_TEXT_MAX];
    servet_measure_options options;   /**< without files, functions and what only the user needs */
    char benchmarks[SERVET_TEXT_MAX]; /**< that were planned, as "cache,line"; not options.only */
    bool progress;                    /**< was shown, for which the clock was read */
} srv_recorded_run;

/** The same of a measurement of the network, with the options of srv_network_options. */
typedef struct srv_recorded_job {
    char version[SERVET_NAME_MAX], started[SERVET_NAME_MAX]; /**< as in servet_run */
    char command[SERVET_TEXT_MAX];
    double layer_bytes, message_bytes, budget_seconds;
    char benchmarks[SERVET_TEXT_MAX]; /**< that were planned, as "layers,curves" */
    int nodes;
    int buffers;   /**< of all messages; -1: what each benchmark takes */
    bool progress; /**< was shown, for which the clock was read */
} srv_recorded_job;

/** Constant parts of the recording of a job besides the network itself: the run, a node, and what
 * its cores share. */
typedef struct srv_network_record {
    srv_recorded_job job;
    servet_machine machine;
    srv_sets objects;
} srv_network_record;

/**
 * Begins the recording of a `run` on `inner`, which stays the caller's and must live longer;
 * `folder` exists. With `resume`, what is fixed and already there is kept. A part ends where the
 * next one begins, the last one by srv_machine_part(NULL). The caller destroys the machine. Errors:
 * SERVET_EIO, SERVET_EFORMAT, SERVET_EMEMORY.
 */
int srv_recorder_create(srv_machine **machine, srv_machine *inner, const char *folder,
                        const srv_recorded_run *run, bool resume, servet_error *error);

/**
 * Opens the recording in a folder of raw series, and sets the run that it belongs to. A part
 * that is not on record has no answers. The caller destroys the machine. Errors: SERVET_ENOTFOUND
 * (there is no recording), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_replay_create(srv_machine **machine, const char *folder, srv_recorded_run *run,
                      servet_error *error);

/**
 * Begins the recording of a job on `inner`, which stays the caller's and must live longer, in a
 * folder that exists: as the next job after those on record there. It has no measure_nodes(): nodes
 * are measured by `inner`, before. The caller destroys the network. Errors: those of the network's
 * description, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_network_recorder_create(srv_network **network, srv_network *inner, const char *folder,
                                const srv_network_record *record, servet_error *error);

/**
 * Opens the recording of job `number` (from 1) in a folder of raw series, and returns what belongs
 * to it; srv_sets_finish() frees record->objects, also where this fails. A part that is not on
 * record is SERVET_EUNMEASURED. It has no measure_nodes(). The caller destroys the network. Errors:
 * SERVET_ENOTFOUND (there is no such job), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_network_replay_create(srv_network **network, const char *folder, int number,
                              srv_network_record *record, servet_error *error);

#endif
