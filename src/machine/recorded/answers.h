/* SPDX-License-Identifier: BSD-3-Clause */
/** Answers among the lines of a record, by their probes. */
#ifndef SRV_MACHINE_RECORDED_ANSWERS_H
#define SRV_MACHINE_RECORDED_ANSWERS_H

#include "machine/recorded/lines.h"
#include "machine/recorded/rows.h"

enum { SRV_ANSWERS_NONE = -1, SRV_ANSWERS_NO_MEMORY = -2 };

/** The line that answers, or one of the two above if none does: from `from` on, the same probe, or
 * else one for another sample of the same; `*answer` is what follows it. */
int srv_answers_find(const srv_lines *lines, int from, const srv_recorded_probe *probe,
                     const char **answer);

/** Why an answer was not given, by the code of what read it. */
const char *srv_answers_reason(int code);

/** Reads what follows the probe in a line. Errors: those of srv_answer_read(), explained, with file
 * and line. */
int srv_answers_give(const srv_lines *lines, int line, const srv_entry *entry, const char *answer,
                     servet_error *error);

/** Finds and reads an answer that may be given any number of times. Errors: SERVET_EUNMEASURED (it
 * is not on record), those of srv_answer_read(), SERVET_EMEMORY. */
int srv_answers_fixed(const srv_lines *fixed, const srv_entry *entry, servet_error *error);

/** The same for objects, whose number is not known before; srv_sets_finish() frees them. */
int srv_answers_objects(const srv_lines *fixed, srv_sets *sets, servet_error *error);

#endif
