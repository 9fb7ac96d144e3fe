/* SPDX-License-Identifier: BSD-3-Clause */
/** What repeats of facts' questions (run/repeats.h) say at the end of a run. */
#ifndef SRV_RUN_REPEATS_RESULT_H
#define SRV_RUN_REPEATS_RESULT_H

#include "run/repeats.h"
#include "core/file.h"
#include "machine/machine.h"

/** So many moments tell two modes that a quarter of the time is enough for (stats/moments.h). */
enum { SRV_REPEATS_ENOUGH = 12 };

/** The clock of a machine, as srv_repeats_begin() wants it. */
double srv_machine_now(void *machine);

/**
 * What the repeats of one question say: value with its interval, and modes; with two the value is
 * not trusted.
 */
servet_value srv_repeated_value(const srv_repeated *one, servet_modes *modes);

/** Prints all repeats as CSV: fact, moment, buffer, value. */
void srv_repeats_print(const srv_repeats *repeats, FILE *stream);

#endif
