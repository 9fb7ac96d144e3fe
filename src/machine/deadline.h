/* SPDX-License-Identifier: BSD-3-Clause */
/** A time limit, and whether anything was left out because of it. */
#ifndef SRV_MACHINE_DEADLINE_H
#define SRV_MACHINE_DEADLINE_H

#include "machine/machine.h"

typedef struct srv_deadline {
    double at; /**< on the machine's clock, in seconds; 0: none */
    bool *cut; /**< becomes true when work is left out because of the limit; NULL: not noted */
} srv_deadline;

/** Seconds until then; INFINITY where there is no limit. */
double srv_deadline_left(const srv_deadline *on, srv_machine *machine);

/**
 * True if work of `seconds` seconds would end in time. If not, this is noted, and the caller must
 * omit a part of its plan: not to be called if nothing is left to do.
 */
bool srv_deadline_fits(const srv_deadline *on, srv_machine *machine, double seconds);

/** The same limit for optional work: leaving it out is not noted. */
srv_deadline srv_deadline_spare(const srv_deadline *on);

#endif
