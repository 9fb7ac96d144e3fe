/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A machine that answers from the record of an earlier measurement (recorder.h): a measurement on
 * it repeats all probes and decisions, without hardware.
 */
#ifndef SRV_MACHINE_RECORDED_REPLAY_H
#define SRV_MACHINE_RECORDED_REPLAY_H

#include "machine/recorded/rows.h"

/**
 * Opens the record in a folder of raw series, and returns the run that it belongs to. The same
 * probes in the same order get the same answers and the same readings of the clock. A probe that is
 * not on record gets the unused answer of another sample of the same (another seed), or else
 * SERVET_EUNMEASURED; a glance at noise then reports no noise. The caller destroys the machine.
 * Errors: SERVET_ENOTFOUND (there is no record), SERVET_EFORMAT, SERVET_EIO, SERVET_EMEMORY.
 */
int srv_replay_create(srv_machine **machine, const char *folder, srv_recorded_run *run,
                      servet_error *error);

#endif
