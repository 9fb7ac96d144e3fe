/* SPDX-License-Identifier: BSD-3-Clause */
/** A run: the families of facts (facts/facts.h) probe a machine, and a profile keeps their results.
 */
#ifndef SRV_RUN_MEASURE_H
#define SRV_RUN_MEASURE_H

#include "machine/recorded/recorded.h"
#include "servet/measure.h"
#include "servet/record.h"

/** servet_measure() on any machine, which the caller keeps. */
int srv_measure_on(srv_machine *machine, const servet_measure_options *options,
                   servet_profile **profile, servet_error *error);

/** The machine of a model (srv_simulated_create()), NULL: this node (srv_hardware_create()). The
 * caller destroys it. */
int srv_open_machine(srv_machine **machine, const char *model, servet_error *error);

/** A run that begins now with the options `command` (NULL: none); its values are unknown. */
servet_run srv_run_begin(const char *command);

/** Receives what stays unmeasured because it is not on record. */
typedef struct srv_replay_notes {
    void (*missing)(void *context, servet_benchmark benchmark, const char *why);
    void *context;
} srv_replay_notes;

/** srv_measure_on() a machine that answers from a record. */
int srv_measure_again(srv_machine *machine, const servet_measure_options *options,
                      const srv_recorded_run *record, const srv_replay_notes *notes,
                      servet_profile **profile, servet_error *error);

#endif
