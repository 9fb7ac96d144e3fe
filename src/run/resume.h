/* SPDX-License-Identifier: BSD-3-Clause */
/** Continues a measurement that was killed: its profile so far is its progress. */
#ifndef SRV_RUN_RESUME_H
#define SRV_RUN_RESUME_H

#include "run/stage.h"

/**
 * Opens the profile so far in `*profile`, which the caller closes, if the options want that and it
 * is there; else it becomes NULL. Errors: SERVET_EARGUMENT (it was begun on another machine, with
 * other options or by another version), those of servet_profile_open().
 */
int srv_resume(const servet_measure_options *options, const servet_machine *machine,
               servet_profile **profile, servet_error *error);

/**
 * Checks that a measurement with the options `now` may continue one that `version` began with the
 * options `then`, both as servet_run has them; a budget may differ. Errors: SERVET_EARGUMENT (no;
 * the text names what differs).
 */
int srv_resume_check(const char *version, const char *then, const char *now, servet_error *error);

#endif
