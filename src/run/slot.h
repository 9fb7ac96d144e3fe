/* SPDX-License-Identifier: BSD-3-Clause */
/** A part of the work and the time of a run. */
#ifndef SRV_RUN_SLOT_H
#define SRV_RUN_SLOT_H

#include "run/repeats.h"

typedef struct srv_slot {
    double from, to; /**< share of the whole work (0..1) at its start and end: for progress */
    double until;    /**< when it must end, on the clock of what is probed, in seconds; 0 or
                          INFINITY: no limit */
    bool *cut;       /**< becomes true where something is left out for lack of time; may be NULL */
    srv_repeats *repeats; /**< of the whole run, taken wherever progress is reported; NULL: none */
} srv_slot;

/** The part between two shares (0..1) of its work and of the time that is left to it. */
srv_slot srv_slot_part(const srv_slot *slot, double now, double from, double to);

/** Sends a repeat that is due, and returns the share (0..1) of the whole work that is done,
 * `within` (0..1) of the slot. */
double srv_slot_done(const srv_slot *slot, double within);

#endif
