/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * A machine that answers from the record of an earlier measurement (recorder.h): a measurement on
 * it asks and decides everything again, without hardware.
 */
#ifndef SRV_MACHINE_RECORDED_REPLAY_H
#define SRV_MACHINE_RECORDED_REPLAY_H

#include "machine/recorded/rows.h"

/**
 * Opens the record in a folder of raw series, and says what run it is of. The same questions in the
 * same order get the same answers, and see the clock that was seen then. A question that is not on
 * record gets the answer of another sample of the same (another seed) that nobody has asked for
 * yet, or else SERVET_EUNMEASURED; a glance at noise then has seen nothing. The caller destroys the
 * machine. Errors: SERVET_ENOTFOUND (there is no record), SERVET_EFORMAT, SERVET_EIO,
 * SERVET_EMEMORY.
 */
int srv_replay_create(srv_machine **machine, const char *folder, srv_recorded_run *run,
                      servet_error *error);

#endif
