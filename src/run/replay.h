/* SPDX-License-Identifier: BSD-3-Clause */
/** Deciding an earlier measurement again, from its raw folder. */
#ifndef SRV_RUN_REPLAY_H
#define SRV_RUN_REPLAY_H

#include "run/measure.h"

/** Who is told what stays unmeasured because it is not on record. */
typedef struct srv_replay_notes {
    void (*untold)(void *context, servet_benchmark benchmark, const char *why);
    void *context;
} srv_replay_notes;

/** srv_measure_on() a machine that answers from a record; `notes` may be NULL. */
int srv_measure_again(srv_machine *machine, const servet_measure_options *options,
                      const srv_replay_notes *notes, servet_profile **profile, servet_error *error);

#endif
