/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A machine that passes probes on to another one and keeps them, with the answers, in a folder
 * of raw series: fixed answers in answers-machine.txt, the rest in a file for each part of the
 * measurement (answers-cache.txt, ...), complete once the part has ended. A replay (replay.h)
 * answers from these files.
 */
#ifndef SRV_MACHINE_RECORDED_RECORDER_H
#define SRV_MACHINE_RECORDED_RECORDER_H

#include "machine/recorded/rows.h"

/** Probes before the first part belong to this one. */
#define SRV_RECORD_BEGIN "begin"

/** Constant parts of a record: the run, and the machine as its operating system describes it. */
#define SRV_RECORD_MACHINE "machine"

/**
 * Begins the record of a `run` on `inner`, which stays the caller's and must live longer; `folder`
 * exists. With `resume`, what is fixed and already there is kept. A part ends where the next one
 * begins, the last one by srv_machine_part(NULL); one that has not ended leaves no file. The caller
 * destroys the machine. Errors: SERVET_EIO, SERVET_EFORMAT, SERVET_EMEMORY.
 */
int srv_recorder_create(srv_machine **machine, srv_machine *inner, const char *folder,
                        const srv_recorded_run *run, bool resume, servet_error *error);

#endif
